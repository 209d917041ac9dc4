import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter today`: shows all tasks of a day.
struct Today: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show all tasks of a day with their results, and who was notified.",
    discussion: """
      The times are times of the home. The list also contains the tasks that are still to come.

      Example: prompter today --person anna
      """)

  @Option(help: ArgumentHelp("Show only tasks of this person.", valueName: "person"))
  var person: String?

  @Option(help: ArgumentHelp("Show this day (default: today).", valueName: "date"))
  var date: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.day, query: [("date", date), ("person", person)])
    try connection.carryOut(request) { reply in
      let document = try reply.document()
      let tasks = document.list("tasks")
      let head = "\(document.text("date")), times of \(document.text("zone"))"
      if tasks.isEmpty { return "\(head)\nThere are no tasks on this day." }
      var table = Table("TIME", "PERSON", "TASK", "STATE", "NOTIFIED")
      for task in tasks {
        table.add(
          .init(Self.time(task.text("local"))), .init(task.text("name")),
          .init(task.text("label")), .init(Self.state(task), Self.emphasis(task.text("state"))),
          .init(
            task.list("notified").map {
              "\($0.text("contact")) at \(Self.time($0.text("local")))"
            }.joined(separator: ", ")))
      }
      return "\(head)\n\(table.text)"
    }
  }

  private static func time(_ local: String) -> String { String(local.dropFirst(11).prefix(5)) }

  private static func state(_ task: JSON) -> String {
    let at = time(task.text("changed_local"))
    switch task.text("state") {
    case "to_come": return "to come"
    case "paused": return "to come, but paused"
    case "waiting": return "not answered yet"
    case "put_off": return "put off until \(at)"
    case "done": return "done at \(at)"
    case "declined": return "declined at \(at)"
    case "replaced": return "replaced by an edit"
    default: return TextFormat.outcome(task.text("outcome"))
    }
  }

  private static func emphasis(_ state: String) -> Emphasis? {
    switch state {
    case "done": .good
    case "missed": .bad
    case "declined", "put_off", "waiting": .attention
    case "suppressed", "cancelled", "replaced", "to_come", "paused": .faint
    default: nil
    }
  }
}

/// `prompter summary`: describes a day or a week in plain sentences.
struct SummaryCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary", abstract: "Describe a day or a week in plain sentences.",
    discussion: """
      A contact gets the same text every day if the configuration contains a time for it, for example \
      summary = "20:00" in [contacts.anna].

      Examples:
        prompter summary
        prompter summary --week --person anna
      """)

  @Option(help: ArgumentHelp("Describe only this person.", valueName: "person"))
  var person: String?

  @Option(help: ArgumentHelp("Describe this day (default: today).", valueName: "date"))
  var date: String?

  @Flag(help: "Describe the last seven days, including today.")
  var week = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if week, date != nil { throw ValidationError("Give either --date or --week.") }
  }

  func run() throws {
    let request = Request(
      .summary, query: [("date", date), ("days", week ? "7" : nil), ("person", person)])
    try connection.carryOut(request) { reply in
      try reply.document().list("people").map { TextFormat.oneLine($0.text("text")) }
        .joined(separator: "\n")
    }
  }
}
