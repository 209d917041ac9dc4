import ArgumentParser
import CLinux
import CThreads
import DaemonApp
import EventCoding
import Glibc
import Logbook

/// `prompterd`: runs the daemon in the foreground.
@main
struct Main: AsyncParsableCommand {
  /// A reference that makes the linker include CThreads. With CThreads, the threads that run Swift
  /// tasks use no timers. Therefore these threads do not wake a daemon that has nothing to do.
  static let taskThreads = prompter_task_threads

  static let configuration = CommandConfiguration(
    commandName: "prompterd",
    abstract: "Run the daemon: ring alarms, take answers and keep a verifiable record.",
    version: Release.version)

  @Option(help: "The directory of the record and the recordings.")
  var state: String?

  @Option(help: "The Unix socket to listen on, if systemd does not pass one.")
  var socket: String?

  @Option(help: "The configuration file (TOML).")
  var config: String?

  @Option(help: "An ALSA device to play on. Give it several times, the preferred device first.")
  var device: [String] = []

  @Option(
    help: "The socket of the service that notifies contacts, if the daemon has no network.")
  var tellSocket: String?

  @Flag(help: "Run the command of the contact named on standard input, and exit.")
  var tell = false

  @Option(
    help: ArgumentHelp("Restore this backup into --state, and exit.", valueName: "file"))
  var adopt: String?

  @Flag(help: "With --adopt: confirm that the device of the backup never rings again.")
  var oldDeviceIsGone = false

  @Flag(help: "Check the configuration, and exit.")
  var checkConfig = false

  func validate() throws {
    if !checkConfig && !tell && (state == nil || (socket == nil && adopt == nil)) {
      throw ValidationError("--state DIR and --socket PATH are required")
    }
  }

  func run() async throws {
    // A client that disconnects must not end the daemon.
    signal(SIGPIPE, SIG_IGN)
    prompter_share_memory()
    if tell { return NotifyCommand(config: config).run() }
    do {
      if let adopt, let state {
        return try RestoreCommand(file: adopt, state: state, oldDeviceIsGone: oldDeviceIsGone).run()
      }
      guard !checkConfig, let state, let socket else { return try check() }
      let source = SettingsSource(
        file: config, lastUsableFile: config.map { _ in state + "/config.last.toml" },
        devices: device)
      if RetiredMarker.isMarked(state: state) {
        return try await RetiredDaemon(socket: socket, source: source).run()
      }
      try await DaemonAssembly(state: state, socket: socket, source: source, relay: tellSocket)
        .run()
    } catch {
      report("prompterd: \(error)")
      throw ExitCode(1)
    }
  }

  private func check() throws {
    let found = try SettingsSource(file: config, lastUsableFile: nil, devices: device).readTrusted()
    for remark in found.access?.remarks ?? [] {
      report("prompterd: \(remark); the command of a contact may contain a password")
    }
    for warning in found.warnings { report("prompterd: \(warning)") }
    if !found.warnings.isEmpty { throw ExitCode(1) }
    print("The configuration is valid.")
  }
}
