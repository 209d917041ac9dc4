import FoundationEssentials
import Glibc
import Processes
import SoundProtocol
import Testing

@testable import Speaker

/// A PulseAudio server with a null sink for one test.
///
/// Like a sound card, the server accepts sound in real time. A test can freeze the server. The
/// server runs with the option `norewinds=1`. A sink that rewinds would buffer 2 s of sound, and
/// its clock would drift.
final class SoundServer {
  static let isInstalled =
    access("/usr/bin/pulseaudio", X_OK) == 0 && access("/usr/bin/arecord", X_OK) == 0

  private let pid: pid_t
  private let environment: [String: String]
  private var recorder: pid_t?

  init(in fixture: SpeakerFixture) async throws {
    let socket = fixture.path("pulse.sock")
    let script = """
      load-module module-native-protocol-unix socket=\(socket) auth-anonymous=1
      load-module module-null-sink sink_name=speaker rate=48000 channels=2 norewinds=1
      set-default-sink speaker
      """
    try Data(script.utf8).write(to: URL(filePath: fixture.path("server.pa")))
    environment = fixture.environment.merging([
      "ALSA_CONFIG_PATH": SpeakerFixture.fixtures + "/asound-pulse.conf", "PROMPTER_PULSE": socket,
      "HOME": fixture.directory, "XDG_RUNTIME_DIR": fixture.directory,
    ]) { $1 }
    pid = try Self.spawn(
      "/usr/bin/pulseaudio",
      [
        "-n", "-F", fixture.path("server.pa"), "--exit-idle-time=-1", "--use-pid-file=no",
        "--daemonize=no", "--log-target=file:\(fixture.path("server.log"))",
      ], environment)
    let deadline = seconds() + 10
    while access(socket, F_OK) != 0, seconds() < deadline {
      try await Task.sleep(for: .milliseconds(10))
    }
    try #require(access(socket, F_OK) == 0, "the sound server did not come up")
  }

  deinit {
    for child in [recorder, pid].compactMap({ $0 }) {
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
  }

  /// The environment for a player that uses the server. The ALSA configuration in this environment
  /// contains the devices `pulse` and `capture`.
  var playerEnvironment: [String: String] { environment }

  func freeze() { kill(pid, SIGSTOP) }

  /// Starts to record the sound that the server plays, into a raw stereo file.
  func record(to path: String) throws {
    recorder = try Self.spawn(
      "/usr/bin/arecord",
      ["-q", "-D", "monitor", "-t", "raw", "-f", "S16_LE", "-r", "48000", "-c", "2", path],
      environment)
  }

  func endRecording() {
    guard let recorder else { return }
    kill(recorder, SIGINT)
    waitpid(recorder, nil, 0)
    self.recorder = nil
  }

  /// Changes the given settings (for example "20%" or "mute"). Returns the report of amixer about
  /// the sink.
  func mixer(_ settings: [String]) throws -> String {
    try SpeakerFixture.run(
      [settings.isEmpty ? "sget" : "sset", "Master"] + settings, program: "/usr/bin/amixer",
      before: ["-D", "pulse"], environment: environment
    ).said
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String]
  ) throws -> pid_t {
    let null = ChildProcess.openNull()
    defer { close(null) }
    return try ChildProcess.spawn(
      program, arguments: arguments, environment: environment,
      descriptors: [(0, null), (1, null), (2, null)])
  }
}
