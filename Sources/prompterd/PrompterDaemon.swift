import ArgumentParser
import Glibc
import Host

/// The daemon in the foreground.
@main
struct PrompterDaemon: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "prompterd",
    abstract: "Rings for somebody who forgets, and keeps a record that can be trusted.",
    version: version)

  @Option(help: "The directory that holds the record and the recordings.")
  var state: String

  @Option(help: "The Unix socket to listen on, unless systemd hands one over.")
  var socket: String

  @Option(help: "The configuration file (TOML).")
  var config: String?

  @Option(help: "An ALSA device to play on, most wanted first. Can be given several times.")
  var device: [String] = []

  func run() async throws {
    // A peer that hangs up must not end the daemon.
    signal(SIGPIPE, SIG_IGN)
    do {
      var settings = try Settings(file: config)
      if !device.isEmpty { settings.devices = device }
      try await Wiring(state: state, socket: socket, settings: settings).run()
    } catch {
      report("prompterd: \(error)")
      throw ExitCode(1)
    }
  }
}

/// Writes a line to standard error.
func report(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  // Nobody is left to be told if this fails.
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
