import API
import Foundation
import JSONValue
import Testing

/// A daemon with its own state directory, socket and loudspeaker.
///
/// The loudspeaker is ALSA's `file` plug-in, which writes one file for each ring. `prompter-sound`
/// writes the frames at the speed of the clock. Therefore, a ring takes as long as a ring on a real
/// device.
final class TestHome: @unchecked Sendable {
  let directory: URL
  private var daemon: Running?
  /// The names of the sound devices, and the ALSA configuration that defines them.
  var devices = ["rings"]
  var soundConfiguration = "asound-file.conf"
  /// Further environment variables of the programs that use the sound devices.
  var soundEnvironment: [String: String] = [:]

  var socket: String { path("control.sock") }
  var state: String { path("state") }
  var capture: String { path("capture") }

  static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static var fixtures: URL { repository.appending(path: "Tests/Fixtures") }

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "prompter-e2e-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
      at: directory.appending(path: "capture"), withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String {
    directory.appending(path: name).path(percentEncoded: false)
  }

  /// Runs `body` with a daemon that is ready. Then stops the daemon and removes all files.
  static func with(
    config: String? = nil, prepare: (TestHome) async throws -> Void = { _ in },
    _ body: (TestHome) async throws -> Void
  ) async throws {
    let home = try TestHome()
    do {
      try await prepare(home)
      try await home.start(config: config)
      try await body(home)
    } catch {
      await home.close()
      throw error
    }
    await home.close()
  }

  // MARK: The daemon

  /// Starts prompterd, and does not wait until prompterd answers.
  func launch(
    state: String? = nil, socket: String? = nil, config: String? = nil
  ) throws -> Running {
    var arguments = ["--state", state ?? self.state, "--socket", socket ?? self.socket]
    if let config {
      let file = directory.appending(path: "prompter.toml")
      try Data(config.utf8).write(to: file)
      // The daemon refuses a configuration file that other users can change. The umask of the user
      // who runs the test may allow other users to change new files, so the test sets the mode.
      chmod(file.path(percentEncoded: false), 0o600)
      arguments += ["--config", file.path(percentEncoded: false)]
    }
    return try Running(
      Programs.path("prompterd"), arguments + devices.flatMap { ["--device", $0] }, in: directory,
      environment: sounding)
  }

  /// The environment variables that select the sound devices of this home.
  var sounding: [String: String] {
    [
      "ALSA_CONFIG_PATH": Self.fixtures.appending(path: "sound/\(soundConfiguration)")
        .path(percentEncoded: false),
      "PROMPTER_CAPTURE": capture,
    ].merging(soundEnvironment) { $1 }
  }

  /// Starts prompterd, and waits until prompterd answers.
  func start(config: String? = nil) async throws {
    try await begin(try launch(config: config))
  }

  /// Starts prompterd with an existing configuration file, which stays unchanged.
  ///
  /// The function waits until prompterd answers.
  func startAsItIs(config file: String) async throws {
    try await begin(
      try Running(
        Programs.path("prompterd"),
        ["--state", state, "--socket", socket, "--config", file]
          + devices.flatMap { ["--device", $0] }, in: directory, environment: sounding))
  }

  private func begin(_ running: Running) async throws {
    daemon = running
    try await until("the daemon answers", seconds: 20) {
      try #require(running.isRunning, "the daemon ended: \(running.complaint)")
      return try await self.run("status").code == 0
    }
  }

  /// Sends SIGKILL to the daemon.
  func kill() async {
    daemon?.send(SIGKILL)
    _ = await daemon?.finished()
    daemon = nil
  }

  /// Sends SIGTERM to the daemon.
  func stop() async -> Finished? {
    daemon?.send(SIGTERM)
    let finished = await daemon?.finished()
    daemon = nil
    return finished
  }

  var daemonPID: pid_t {
    get throws { try #require(daemon?.pid) }
  }

  var isRunning: Bool { daemon?.isRunning ?? false }

  /// Starts the daemon again, and waits until `status` gets a response. The response may be an
  /// error.
  func launchAgain(config: String? = nil) async throws {
    let running = try launch(config: config)
    daemon = running
    try await until("the socket answers", seconds: 20) {
      try await self.run("status").code != 3
    }
  }

  /// Sends SIGHUP to the daemon.
  func reload() { daemon?.send(SIGHUP) }

  /// The text that the daemon has written to standard error so far.
  var complaint: String { daemon?.complaint ?? "" }

  func close() async {
    await kill()
    try? FileManager.default.removeItem(at: directory)
  }

  // MARK: The command line

  /// Runs `prompter` for this home.
  func run(_ arguments: String...) async throws -> Finished {
    try await run(arguments)
  }

  func run(_ arguments: [String]) async throws -> Finished {
    try await Running(
      Programs.path("prompter"), ["--socket", socket] + arguments, in: directory
    ).finished()
  }

  /// Runs `prompter --json` for this home, and returns its output.
  func ask(_ arguments: String...) async throws -> JSON {
    let finished = try await run(["--json"] + arguments)
    try #require(finished.code == 0, "\(finished)")
    return try JSON(parsing: Array(finished.output.utf8))
  }

  /// Returns the problems in the status, each as `kind: detail`.
  func problems() async throws -> [String] {
    try await ask("status")["problems"]?.array?.map {
      "\($0["kind"]?.string ?? ""): \($0["detail"]?.string ?? "")"
    } ?? []
  }

  /// Sends a request with curl, as any other program can.
  func curl(
    _ method: String, _ path: String, body: String? = nil, headers: [String] = []
  ) async throws -> (status: Int, body: JSON, text: String) {
    var arguments = ["-sS", "--unix-socket", socket, "-X", method, "-w", "\n%{http_code}"]
    if let body { arguments += ["--data-binary", body, "-H", "Content-Type: application/json"] }
    for header in headers { arguments += ["-H", header] }
    let finished = try await Running(
      "/usr/bin/curl", arguments + ["http://home\(path)"], in: directory
    ).finished()
    try #require(finished.code == 0, "\(finished)")
    let lines = finished.output.split(separator: "\n", omittingEmptySubsequences: false)
    let status = try #require(Int(lines.last ?? ""))
    let text = lines.dropLast().joined(separator: "\n")
    return (status, (try? JSON(parsing: Array(text.utf8))) ?? .null, text)
  }

  // MARK: The record

  /// Returns all events of the record.
  func events() async throws -> [JSON] {
    let finished = try await run("log")
    try #require(finished.code == 0, "\(finished)")
    return try finished.output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
  }

  func events(_ type: String) async throws -> [JSON] {
    try await events().filter { $0["type"]?.string == type }
  }

  /// Returns all prompts, including planned prompts, the newest first.
  func prompts() async throws -> [JSON] {
    try await ask("prompts")["prompts"]?.array ?? []
  }

  /// Returns the values that a refused request must not change.
  func standing() async throws -> [String] {
    let verdict = try await ask("verify")
    return [
      "\(verdict["events"] ?? .null)", "\(verdict["head"] ?? .null)", "\(try await ask("list"))",
      "\(try await ask("tone", "list"))", "\(try await ask("prompts"))",
    ]
  }

  /// Waits until the ring with this number begins.
  func ring(_ number: Int, seconds: Double = 30) async throws {
    try await until("ring \(number) begins", seconds: seconds) {
      try await self.events("ring_started").contains { $0["ring_no"]?.integer == Int64(number) }
    }
  }

  /// Waits until a condition is true.
  ///
  /// The function checks the condition about ten times a second. If the condition is not true
  /// within `seconds`, the function throws an error.
  func until(
    _ what: String, seconds: Double, _ condition: () async throws -> Bool
  ) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw NeverHappened(description: "within \(seconds) s it never came true that \(what)")
  }

  struct NeverHappened: Error, CustomStringConvertible { var description: String }
}
