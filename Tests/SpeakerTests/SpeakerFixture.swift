import FoundationEssentials
import Glibc
import Processes
import SoundProtocol
import Synchronization
import Testing

@testable import Speaker

/// The things that a test with sound needs: a directory, the player, and an ALSA configuration that
/// uses no sound card.
final class SpeakerFixture {
  let directory: String
  let events = EventLog()
  private var supervisors: [SpeakerSupervisor] = []

  init() throws {
    var template = Array("/tmp/prompter-sound-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
    directory = String(cString: try #require(mkdtemp(&template)))
  }

  deinit {
    for supervisor in supervisors { supervisor.shutdown() }
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// The path of `prompter-sound`. The environment variable PROMPTER_SOUND can contain this path.
  /// Otherwise, the program is in the directory of the test bundle.
  static var player: String {
    if let path = getenv("PROMPTER_SOUND") { return String(cString: path) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/prompter-sound"
  }

  static var fixtures: String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
      .joined(separator: "/") + "/Fixtures/sound"
  }

  var environment: [String: String] {
    [
      "ALSA_CONFIG_PATH": Self.fixtures + "/asound-file.conf", "PROMPTER_CAPTURE": directory,
      "PATH": "/usr/bin:/bin",
    ]
  }

  func path(_ name: String) -> String { directory + "/" + name }

  func supervisor(
    devices: [String], executable: String = SpeakerFixture.player,
    environment: [String: String]? = nil, mixer: MixerPolicy? = nil
  ) -> SpeakerSupervisor {
    let events = events
    let supervisor = SpeakerSupervisor(
      executable: executable, devices: devices, environment: environment ?? self.environment,
      mixer: mixer, onLog: { events.log($0) }, onEvent: { events.add($0) })
    supervisors.append(supervisor)
    supervisor.start()
    return supervisor
  }

  /// Returns the left channel of a file that contains the sound of a device. By default, the file
  /// is the file of the device `capture`.
  func captured(_ name: String = "capture.raw", channels: Int = 2) throws -> [Int16] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    return stride(from: 0, to: bytes.count / (2 * channels) * 2 * channels, by: 2 * channels).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  /// Writes a canonical WAV file that contains a sine, and returns its path.
  func tone(
    _ name: String = "tone.wav", hertz: Double = 440, milliseconds: Int, amplitude: Double = 0.5
  ) throws -> String {
    let samples = sine(hertz: hertz, milliseconds: milliseconds, amplitude: amplitude)
    try Data(wav(samples)).write(to: URL(filePath: path(name)))
    return path(name)
  }

  /// Runs a program to its end; by default, the program is the player. Returns the exit status, and
  /// the text of standard output and standard error together.
  static func run(
    _ arguments: [String], program: String = SpeakerFixture.player, before: [String] = [],
    environment: [String: String]? = nil
  ) throws -> (status: Int32, said: String) {
    let pipe = try #require(DescriptorPair.make())
    defer { close(pipe.reading) }
    let null = ChildProcess.openNull()
    defer { close(null) }
    let pid = try ChildProcess.spawn(
      program, arguments: before + arguments, environment: environment,
      descriptors: [(0, null), (1, pipe.writing), (2, pipe.writing)])
    close(pipe.writing)
    var said: [UInt8] = []
    while case .bytes(let bytes) = readAvailable(pipe.reading) { said += bytes }
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return (status, String(decoding: said, as: UTF8.self))
  }

  /// Returns the child processes that still exist and whose environment contains the directory of
  /// this fixture.
  func childProcesses() throws -> [(pid: pid_t, name: String)] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
      .compactMap { pid in
        guard let stat = try? Data(contentsOf: URL(filePath: "/proc/\(pid)/stat")),
          let own = try? Data(contentsOf: URL(filePath: "/proc/\(pid)/environ"))
        else { return nil }
        let fields = String(decoding: stat, as: UTF8.self)
        guard let end = fields.lastIndex(of: ")"), let start = fields.firstIndex(of: "("),
          fields[end...].split(separator: " ").dropFirst(2).first == "\(getpid())",
          String(decoding: own, as: UTF8.self).contains(directory)
        else { return nil }
        return (pid, String(fields[fields.index(after: start)..<end]))
      }
  }

  /// Writes a shell script that replaces the player, and returns its path.
  func script(_ body: String) throws -> String {
    try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(filePath: path("player.sh")))
    chmod(path("player.sh"), 0o700)
    return path("player.sh")
  }
}

/// The reports of the supervisor, each with its time.
final class EventLog: Sendable {
  private struct Timeout: Error, CustomStringConvertible {
    var description: String
  }

  private let entries = Mutex<[(time: Double, event: SpeakerEvent)]>([])
  private let lines = Mutex<[String]>([])

  var all: [SpeakerEvent] { entries.withLock { $0.map(\.event) } }
  var logged: [String] { lines.withLock { $0 } }

  func add(_ event: SpeakerEvent) { entries.withLock { $0.append((seconds(), event)) } }
  func log(_ line: String) { lines.withLock { $0.append(line) } }

  /// Returns the first report for which `holds` is true. Waits for this report up to `bound`
  /// seconds.
  @discardableResult
  func first(
    within bound: Double = 10, where holds: @Sendable (SpeakerEvent) -> Bool
  ) async throws -> (time: Double, event: SpeakerEvent) {
    let deadline = seconds() + bound
    while true {
      if let found = entries.withLock({ $0.first { holds($0.event) } }) { return found }
      if seconds() > deadline { throw Timeout(description: "only \(all); log \(logged)") }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Waits for the report that a ring has ended, and returns this report.
  @discardableResult
  func end(of id: String, within bound: Double = 10) async throws -> SpeakerEvent {
    try await first(within: bound) { $0.isEnd(of: id) }.event
  }

  func started(_ id: String) async throws {
    try await first { if case .started(id, _, _) = $0 { true } else { false } }
  }

  func ends(of id: String) -> Int { all.count { $0.isEnd(of: id) } }
}

extension SpeakerEvent {
  func isEnd(of wanted: String) -> Bool {
    switch self {
    case .ended(let id, _, _, _, _), .failed(let id, _): id == wanted
    default: false
    }
  }

  var isRestart: Bool { if case .playerRestarted = self { true } else { false } }
}

extension RingSound {
  static func of(_ segments: SoundSegment..., id: String = "ring", gain: Double = 0) -> RingSound {
    RingSound(
      id: id, segments: segments, gainDecibels: gain, fadeInMilliseconds: 0,
      leadInMilliseconds: 100)
  }
}

/// Returns the present time of CLOCK_MONOTONIC in seconds.
func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func sine(hertz: Double, milliseconds: Int, amplitude: Double) -> [Int16] {
  (0..<milliseconds * 48).map {
    Int16((amplitude * 32_767 * sin(2 * .pi * hertz * Double($0) / 48_000)).rounded())
  }
}

/// Returns a WAV file. With the default arguments, the file is canonical.
func wav(_ samples: [Int16], rate: Int = 48_000, channels: Int = 1) -> [UInt8] {
  func little(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  let size = samples.count * 2
  let format =
    little(1, 2) + little(channels, 2) + little(rate, 4) + little(rate * channels * 2, 4)
    + little(channels * 2, 2) + little(16, 2)
  return Array("RIFF".utf8) + little(36 + size, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    + format + Array("data".utf8) + little(size, 4)
    + samples.flatMap { little(Int($0), 2) }
}

func peak(_ samples: some Sequence<Int16>) -> Int { samples.map { abs(Int($0)) }.max() ?? 0 }
