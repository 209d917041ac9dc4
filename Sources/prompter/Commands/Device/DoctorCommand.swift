import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter doctor`: what could keep an alarm from ringing, and what to do about it.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look for everything that could keep an alarm from ringing, and say what to do.",
    discussion: """
      Works without the daemon too, and then says why it cannot be reached. Exit codes: 0 alarms will \
      ring, 1 something would silence one, 3 the daemon cannot be reached.

      With --calibrate it plays the tone on the home's speaker instead, louder or softer as you say, \
      and keeps the level that you call right: somebody must be in the room. The card is made so loud \
      for every ring from then on, also when a hand has turned it down meanwhile.

      Example: prompter doctor --json | jq '.findings[] | select(.fix)'
      """)

  @Flag(help: "Play the tone at several levels, and keep the one that you confirm.")
  var calibrate = false

  @Option(help: "With --calibrate: this sound device and no other.")
  var device: String?

  @Option(
    help: ArgumentHelp("With --calibrate: keep this level without asking.", valueName: "percent"))
  var level: Int?

  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if !calibrate, device != nil || level != nil {
      throw ValidationError("--device and --level go with --calibrate.")
    }
    if let level, !(1...100).contains(level) {
      throw ValidationError("--level goes from 1 to 100.")
    }
  }

  func run() throws {
    if calibrate {
      return try Calibration(connection: connection, device: device, level: level).run()
    }
    var findings: [Finding] = []
    var machine = JSON.null
    var silence: Failure?
    do {
      // Who may have the speakers tried has them tried now; anybody else hears what the last test found.
      _ = try connection.client.exchange(Request(.checkSpeaker))
      let reply = try connection.client.exchange(Request(.status))
      if reply.status == 403 {
        findings.append(Self.stranger(reply))
      } else {
        let status = try reply.accepted().document()
        findings.append(
          Finding("daemon", .well, "version \(status.text("version")) at \(connection.address)"))
        machine = status["machine"] ?? .null
        findings += HomeCheckUp(status: status, now: TextFormat.now()).findings
      }
    } catch let failure as Failure {
      silence = failure
      findings.append(
        Finding(
          "daemon", .silent, failure.sentence,
          fix: "start it with \"systemctl start prompterd\", or by hand: prompterd --help"))
    }
    if case .here(let socket) = connection.address {
      findings +=
        MachineCheckUp(
          socket: socket, isDaemonThere: silence == nil, machine: machine
        ).findings
    }
    show(findings)
    if case .unreachable = silence { throw QuietExit(exitCode: 3) }
    if findings.contains(where: { $0.grade == .silent }) { throw QuietExit(exitCode: 1) }
  }

  /// What the daemon says to somebody who has no role.
  private static func stranger(_ reply: HTTPReply) -> Finding {
    var why = "it refuses this user"
    do {
      _ = try reply.accepted()
    } catch { why = error.sentence }
    return Finding(
      "role", .silent, "\(why), so nothing else can be asked of it",
      fix: "run it as root, or give the user a role under [roles] in the daemon's configuration "
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
    let count = findings.count { $0.grade > .note }
    Terminal.print(
      isWell
        ? Emphasis.good("Alarms will ring.")
          + (count > 0 ? " \(TextFormat.counted(count, "warning")) above." : "")
        : Emphasis.bad("An alarm might not be heard: see above."))
  }
}

/// All has been said; only the exit code is left.
struct QuietExit: Error {
  var exitCode: Int32
}
