import ClientKit
import Glibc
import SoundProtocol

/// A recording of a voice with a microphone of this machine.
///
/// A separate process, `prompter-sound record`, reads the microphone. If a function of the audio
/// driver never returns, only this process hangs. The command can still report the problem.
final class Recording {
  /// The maximum time between two messages of the process `prompter-sound record`, in milliseconds.
  /// If no message arrives within this time, the command reports that the microphone does not
  /// respond.
  private static let messageTimeout: Int64 = 5_000
  private static let countdownSeconds = 3

  private enum State {
    case opening
    /// The countdown before the recording. The payload is the number of remaining seconds.
    case counting(Int)
    case keeping
    case ending
  }

  private let pid: pid_t
  private let commands: Int32
  private let messages: Int32
  private let file: Int32
  private let meter: LevelMeter
  private var rest: [UInt8] = []
  private var state = State.opening
  private var beganAt = monotonicMilliseconds()
  private var heardAt = monotonicMilliseconds()
  private var hasInput = true

  /// Makes one recording.
  ///
  /// - Parameters:
  ///   - microphone: the ALSA PCM name of the microphone.
  ///   - seconds: the maximum length of the recording. The person can end the recording sooner with
  ///     Enter.
  /// - Returns: the recording as a WAV file.
  static func take(microphone: String, seconds: Int, meter: LevelMeter) throws -> [UInt8] {
    let recording = try Recording(microphone: microphone, seconds: seconds, meter: meter)
    defer { recording.end() }
    return try recording.run()
  }

  private init(microphone: String, seconds: Int, meter: LevelMeter) throws {
    self.meter = meter
    // The program keeps the file open, but deletes its name at once. Therefore the recording does
    // not stay on the disk, even if the program crashes.
    var name = Array("\(ProcessEnvironment.value("TMPDIR") ?? "/tmp")/prompter-XXXXXX".utf8CString)
    file = mkstemp(&name)
    guard file >= 0 else { throw Self.failure("cannot create a file for the recording") }
    unlink(name)
    var down: [Int32] = [0, 0]
    var up: [Int32] = [0, 0]
    guard pipe(&down) == 0, pipe(&up) == 0 else { throw Self.failure("cannot create a pipe") }
    // The child process gets copies of the descriptors that it needs. With `FD_CLOEXEC`, the child
    // process does not keep the original descriptors open.
    for descriptor in down + up + [file] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    defer {
      close(down[0])
      close(up[1])
    }
    (commands, messages) = (down[1], up[0])
    do {
      pid = try Program.start(
        [
          Self.program, "record", "--device", microphone, "--seconds", "\(seconds)", "--parent",
          "\(getpid())",
        ], input: down[0], output: up[1], third: file)
    } catch {
      for descriptor in [commands, messages, file] { close(descriptor) }
      throw error
    }
  }

  /// The path of `prompter-sound`, which is in the same directory as this program.
  private static var program: String {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &path, path.count)
    guard length > 0, let slash = path[..<length].lastIndex(of: UInt8(ascii: "/")) else {
      return "prompter-sound"
    }
    return String(decoding: path[...slash], as: UTF8.self) + "prompter-sound"
  }

  private static func failure(_ what: String) -> Failure {
    .badUsage("\(what): \(String(cString: strerror(errno)))")
  }

  private func end() {
    // The child process may already have ended. Its process id is still reserved, because this
    // program has not waited for the process yet. Therefore the signal cannot reach another
    // process.
    kill(pid, SIGKILL)
    _ = Program.wait(pid)
    for descriptor in [commands, messages, file] { close(descriptor) }
  }

  private func run() throws -> [UInt8] {
    while true {
      wait()
      for message in try received() {
        switch message {
        case .listening(let device):
          meter.begin(device)
          beganAt = monotonicMilliseconds()
          state = .counting(Self.countdownSeconds)
          meter.count(Self.countdownSeconds)
        case .level(let milliseconds, let peak, let loudness):
          meter.show(milliseconds, peak: peak, loudness: loudness, isKept: isKeeping)
        case .recorded(let milliseconds):
          meter.end(milliseconds)
          return Files.content(of: file)
        case .failed(let reason):
          throw Failure.badUsage("cannot record: \(reason)")
        }
      }
      try proceed()
    }
  }

  private var isKeeping: Bool { if case .keeping = state { true } else { false } }

  /// Counts down and begins the recording. When the person presses Enter, the function ends the
  /// recording.
  private func proceed() throws {
    let now = monotonicMilliseconds()
    if now - heardAt > Self.messageTimeout {
      throw Failure.badUsage(
        "cannot record: the microphone does not respond; list the microphones with arecord -L")
    }
    if case .counting(let left) = state, now - beganAt >= 1_000 {
      beganAt += 1_000
      meter.count(left - 1)
      if left > 1 {
        state = .counting(left - 1)
      } else {
        // Discard the keys that the person pressed before the recording began. Otherwise, an early
        // press of Enter would end the recording at once.
        tcflush(0, TCIFLUSH)
        command()
        state = .keeping
      }
    }
    if isKeeping, hasInput, enterWasPressed() {
      command()
      state = .ending
    }
  }

  /// Sends a line to the recorder. The first line begins the recording, and the second line ends
  /// it.
  ///
  /// The function ignores an error of `write`. If the recorder has ended, `received` detects this.
  private func command() { _ = write(commands, "\n", 1) }

  private func wait() {
    var polled = [pollfd(fd: messages, events: Int16(POLLIN), revents: 0)]
    if isKeeping, hasInput { polled.append(pollfd(fd: 0, events: Int16(POLLIN), revents: 0)) }
    poll(&polled, nfds_t(polled.count), 100)
  }

  /// Returns true if the person pressed Enter.
  ///
  /// The function reads one byte at a time, because other code reads the rest of the input.
  private func enterWasPressed() -> Bool {
    var polled = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    while poll(&polled, 1, 0) > 0 {
      var byte: UInt8 = 0
      guard read(0, &byte, 1) == 1 else {
        // Standard input has ended, so nobody can press Enter. The recording ends at its maximum
        // length.
        hasInput = false
        return false
      }
      if byte == UInt8(ascii: "\n") { return true }
    }
    return false
  }

  private func received() throws -> [RecorderMessage] {
    var polled = pollfd(fd: messages, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, 0) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(messages, &buffer, buffer.count)
    if count < 0, errno == EINTR { return [] }
    guard count > 0 else {
      throw Failure.badUsage(
        "cannot record: prompter-sound ended; check that it is installed in the directory of "
          + "prompter")
    }
    heardAt = monotonicMilliseconds()
    rest += buffer[..<count]
    var found: [RecorderMessage] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if let message = RecorderMessage(line: rest[..<end]) { found.append(message) }
      rest.removeSubrange(...end)
    }
    return found
  }
}

/// Returns the time of CLOCK_MONOTONIC in milliseconds.
func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}
