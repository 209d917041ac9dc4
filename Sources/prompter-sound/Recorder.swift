import FoundationEssentials
@preconcurrency import Glibc
import Sandbox
import SoundProcessing
import SoundProtocol

/// The command `prompter-sound record`. It records the sound of a microphone, and writes a
/// canonical WAV file to a descriptor.
///
/// The first line on standard input starts the recording, and the second line ends it. Before the
/// first line, the recorder reports only the level of the sound. On standard output, the recorder
/// reports each event as one line that contains a JSON object.
struct Recorder {
  static let longestSeconds = 60
  private static let reportEvery = CanonicalWAV.rate / 10
  /// The maximum difference between the length of the sound that the recorder has read and the
  /// elapsed time, in milliseconds.
  ///
  /// A microphone delivers sound in real time. But the plug-ins `file` and `null` of ALSA deliver
  /// sound as fast as the recorder can read. When the recorder reaches the limit, it waits before
  /// it reads more sound.
  private static let aheadMilliseconds = 100.0

  private let streams: RecorderStreams
  private let device: String
  private let output: Int32
  private let mostSamples: Int
  private var kept: [Int16] = []
  private var meter: [Int16] = []
  private var isKeeping = false
  private var heard = 0
  private var startedAt = monotonicMilliseconds()

  /// - Parameter output: the descriptor to which the recorder writes the file after the recording.
  init(streams: RecorderStreams, device: String, output: Int32, seconds: Int) {
    self.streams = streams
    self.device = device
    self.output = output
    mostSamples = min(max(1, seconds), Self.longestSeconds) * CanonicalWAV.rate
  }

  /// Returns the exit status: 0 if the recording was written, 1 if the command failed.
  mutating func run() -> Int32 {
    let microphone: Microphone
    do {
      microphone = try Microphone(name: device)
      startedAt = monotonicMilliseconds()
      streams.send(.listening(device: device))
      try listen(to: microphone)
    } catch {
      streams.send(.failed(reason: "\(device): \(error)"))
      return 1
    }
    guard writeAll(output, CanonicalWAV.encode(kept)) else {
      streams.send(
        .failed(reason: "cannot write the recording: \(String(cString: strerror(errno)))"))
      return 1
    }
    streams.send(.recorded(milliseconds: kept.count * 1_000 / CanonicalWAV.rate))
    // Close the microphone only now, after the recorder has reported all results. If this close
    // hangs, no result is lost.
    withExtendedLifetime(microphone) {}
    return 0
  }

  private mutating func listen(to microphone: Microphone) throws(DeviceTrouble) {
    var buffer = [Int16](repeating: 0, count: CanonicalWAV.rate / 50)
    while true {
      switch streams.nextLine(waitingMilliseconds: 10) {
      case .line where isKeeping: return
      case .line: begin()
      // The program that started the recorder has ended.
      case .end: return
      case .none: break
      }
      while isOnTime {
        let count = try microphone.read(into: &buffer)
        if count == 0 { break }
        take(buffer[..<count])
        if kept.count >= mostSamples { return }
      }
    }
  }

  private var isOnTime: Bool {
    let due = (monotonicMilliseconds() - startedAt + Self.aheadMilliseconds) * 48
    return Double(heard) < due
  }

  private mutating func begin() {
    isKeeping = true
    meter = []
    kept.reserveCapacity(mostSamples)
  }

  private mutating func take(_ samples: ArraySlice<Int16>) {
    heard += samples.count
    if isKeeping { kept += samples.prefix(mostSamples - kept.count) }
    meter += samples
    guard meter.count >= Self.reportEvery else { return }
    streams.send(
      .level(
        milliseconds: kept.count * 1_000 / CanonicalWAV.rate,
        peakDecibels: Self.decibels(Double(meter.map { abs(Int($0)) }.max() ?? 0)),
        loudnessDecibels: Self.decibels(Self.meanSquare(meter).squareRoot())))
    meter = []
  }

  private static func meanSquare(_ samples: [Int16]) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
  }

  /// Converts a sample value, or a mean of sample values, to a level in dB relative to full scale.
  /// The result is rounded to a tenth of a dB. The result −120 means digital silence.
  private static func decibels(_ size: Double) -> Double {
    size <= 0 ? -120 : max(-120, (200 * log10(size / 32_768)).rounded() / 10)
  }
}

/// The input and the output of the recorder, on descriptors that no library uses. `PlayerStreams`
/// gives the reason.
final class RecorderStreams {
  enum Line { case none, line, end }

  private let input: Int32
  private let messages: Int32
  private var pending = 0

  init?() {
    input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)
    messages = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0, messages >= 0, null >= 0 else { return nil }
    dup2(null, STDIN_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    close(null)
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Waits for a line of standard input.
  func nextLine(waitingMilliseconds: Int32) -> Line {
    if pending == 0 {
      var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, waitingMilliseconds) > 0 else { return .none }
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { return .none }
      guard count > 0 else { return .end }
      pending = buffer.prefix(count).count { $0 == UInt8(ascii: "\n") }
      if pending == 0 { return .none }
    }
    pending -= 1
    return .line
  }

  func send(_ message: RecorderMessage) {
    do {
      _ = writeAll(messages, try message.line())
    } catch {
      printError("cannot write \(message): \(error)")
    }
  }
}
