import API
import Alarms
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter why`: explains why an alarm rang, will ring, or does not ring.
struct WhyCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain why an alarm rang at a time, will ring, or does not.",
    discussion: """
      Times: "08:00" (today), "yesterday 08:00", "2026-12-01 08:00", in the alarm's zone.

      Examples:
        prompter why 9pttkm9b1zcn --at "yesterday 08:00"
        prompter why 9pttkm9b1zcn@2026-12-01T08:00:00
      """)

  @Argument(
    help: """
      The alarm: its id, as \"prompter list\" prints it, its first 4 or more characters, or its \
      label; or a prompt's id.
      """)
  var alarm: String

  @Option(help: ArgumentHelp("Explain this time (default: now).", valueName: "time"))
  var at: String?

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if alarm.contains("@"), at != nil {
      throw ValidationError("A prompt has its own time; give its alarm to use --at.")
    }
  }

  func run() throws {
    try connection.carryOut(request()) { try Self.text($0.document()) }
  }

  private func request() throws -> Request {
    let prompts = PromptNames(range: .waiting, connection: connection)
    if alarm.contains("@") { return Request(.whyPrompt, ["id": try prompts.id(alarm)]) }
    // If several alarms have the label, the user probably means the alarm with a prompt that waits
    // for an answer.
    if at == nil, case .several = try AlarmNames.list(connection).find(alarm),
      case .one(let prompt) = try prompts.found(alarm)
    {
      return Request(.whyPrompt, ["id": prompt.id])
    }
    return Request(
      .whyAlarm, ["id": try AlarmNames.id(alarm, connection)], query: [("at", at)])
  }

  static func text(_ why: JSON) -> String {
    var lines = [
      "\"\(TextFormat.oneLine(why.text("label")))\", \(TextFormat.local(why.text("at_local"))) "
        + "(\(why.text("zone")))", TextFormat.oneLine(why.text("summary")),
    ]
    let reasons = why.list("reasons")
    if !reasons.isEmpty {
      var table = Table("LOCAL TIME", "WHAT HAPPENED", "BY")
      for reason in reasons {
        table.add(
          .init(TextFormat.local(reason.text("local"))),
          .init(TextFormat.oneLine(reason.text("text"))),
          .init(by(reason), .faint))
      }
      lines += ["", table.text]
    }
    if let rule = why["rule"]?.string { lines += ["", "Schedule: \(TextFormat.oneLine(rule))"] }
    for (name, title) in [("before", "The ring before"), ("after", "The ring after")] {
      guard let local = why[name]?["local"]?.string else { continue }
      lines.append("\(title): \(TextFormat.local(local))")
    }
    return lines.joined(separator: "\n")
  }

  private static func by(_ reason: JSON) -> String {
    let role = reason.text("role")
    if role == Role.system.rawValue { return "the device" }
    return reason["by_name"]?.string ?? "\(role) \(reason.text("by"))"
  }
}
