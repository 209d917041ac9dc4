import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter doctor`: finds faults that could silence an alarm, and names the action that repairs
/// each fault.
struct Doctor: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find faults that could keep an alarm from ringing, and show how to repair them.",
    discussion: """
      Works without the daemon, too, and then says why the daemon cannot be reached. Exit codes: 0 alarms \
      will ring, 1 an alarm might not be heard, 3 the daemon cannot be reached.

      With --calibrate it plays the tone on the speaker of the home instead. You make it louder or softer \
      until it is right, so a person must be in the room. From then on, Prompter sets this level before \
      every ring, also if somebody turned the volume down.

      Example: prompter doctor --json | jq '.findings[] | select(.fix)'
      """)

  @Flag(help: "Play the tone at several levels, and keep the level that you confirm.")
  var calibrate = false

  @Option(help: "With --calibrate: the sound device.")
  var device: String?

  @Option(
    help: ArgumentHelp("With --calibrate: keep this level without asking.", valueName: "percent"))
  var level: Int?

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if !calibrate, device != nil || level != nil {
      throw ValidationError("--device and --level need --calibrate.")
    }
    if let level, !(1...100).contains(level) {
      throw ValidationError("--level must be from 1 to 100.")
    }
  }

  func run() throws {
    if calibrate {
      return try Calibration(connection: connection, device: device, level: level).run()
    }
    var findings: [Finding] = []
    var machine = JSON.null
    var daemonFailure: Failure?
    do {
      // If the user has the right to test the speakers, this request tests them. Otherwise, the
      // status contains the result of the last test.
      _ = try connection.client.exchange(Request(.checkSpeaker))
      let reply = try connection.client.exchange(Request(.status))
      if reply.status == 403 {
        findings.append(Self.withoutRole(reply))
      } else {
        let status = try reply.accepted().document()
        findings.append(
          Finding("daemon", .well, "version \(status.text("version")) at \(connection.address)"))
        machine = status["machine"] ?? .null
        findings += HomeChecks(status: status, now: TextFormat.now()).findings
      }
    } catch let failure as Failure {
      daemonFailure = failure
      findings.append(
        Finding(
          "daemon", .silent, failure.sentence,
          fix: "start it: systemctl start prompterd; or by hand, see: prompterd --help"))
    }
    if case .here(let socket) = connection.address {
      findings +=
        MachineChecks(
          socket: socket, isDaemonThere: daemonFailure == nil, machine: machine
        ).findings
    }
    show(findings)
    if case .unreachable = daemonFailure { throw QuietExit(exitCode: 3) }
    if findings.contains(where: { $0.grade == .silent }) { throw QuietExit(exitCode: 1) }
  }

  /// Returns the finding for a user without a role. The finding contains the reason that the daemon
  /// gave.
  private static func withoutRole(_ reply: HTTPReply) -> Finding {
    var why = "the daemon refuses this user"
    do {
      _ = try reply.accepted()
    } catch { why = error.sentence }
    return Finding(
      "role", .silent, "\(why), so nothing else can be checked",
      fix: "run this as root, or give the user a role under [roles] in the configuration "
        + "(/etc/prompter/config.toml): caretaker = [\"\(UserName.own)\"]")
  }

  private func show(_ findings: [Finding]) {
    let isWell = !findings.contains { $0.grade == .silent }
    if connection.json {
      Terminal.print(
        json: .object([("ok", .bool(isWell)), ("findings", .array(findings.map(\.json)))]))
      return
    }
    let width = findings.map(\.kind.count).max() ?? 0
    for finding in findings {
      let grade = finding.grade.rawValue
      let blanks = { (count: Int) in String(repeating: " ", count: max(0, count)) }
      let mark = finding.grade.emphasis?(grade) ?? grade
      let indent = blanks(9 + width + 2)
      Terminal.print(
        mark + blanks(9 - grade.count) + finding.kind + blanks(width + 2 - finding.kind.count)
          + TextFormat.oneLine(finding.text))
      if let fix = finding.fix { Terminal.print(indent + "→ " + fix) }
    }
    Terminal.print(
      isWell
        ? Emphasis.good("Alarms will ring.") + Self.counts(findings)
        : Emphasis.bad("An alarm might not be heard: see above."))
  }
}

extension Doctor {
  /// Returns the last part of the output: the number of problems and the number of warnings.
  private static func counts(_ findings: [Finding]) -> String {
    let counts = [(Finding.Grade.problem, "problem"), (.warning, "warning")].compactMap {
      grade, noun -> String? in
      let count = findings.count { $0.grade == grade }
      return count == 0 ? nil : TextFormat.counted(count, noun)
    }
    return counts.isEmpty ? "" : " \(counts.joined(separator: " and ")) above."
  }
}

/// An error that ends the program with an exit code and prints nothing.
struct QuietExit: Error {
  var exitCode: Int32
}
