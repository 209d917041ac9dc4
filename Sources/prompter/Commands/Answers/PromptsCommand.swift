import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter prompts`: lists prompts with their outcomes.
struct Prompts: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "List prompts with their outcomes, newest first, and count those without an answer.",
    discussion: """
      Examples:
      prompter prompts --missed --person anna --date 2026-12-01
      prompter prompts --label pills --from 2026-12-01 --to 2026-12-07
      prompter prompts --current --json | jq -r '.prompts[].id'
      """)

  /// The states of prompts that users list most often. Each state is a value of the query parameter
  /// `state`, and is also a flag of the command, for example `--missed`.
  enum Look: String, EnumerableFlag {
    case current, upcoming, past, complete, incomplete, missed

    static func help(for value: Look) -> ArgumentHelp? {
      switch value {
      case .current: "Show only prompts that wait for an answer."
      case .upcoming: "Show only prompts that are not due yet."
      case .past: "Show only prompts that have ended."
      case .complete: "Show only prompts that were completed."
      case .incomplete: "Show only prompts that were due and are not completed."
      case .missed: "Show only prompts that were missed: nobody answered or heard them."
      }
    }
  }

  @Flag(exclusivity: .exclusive)
  var look: Look?

  @Option(
    help: ArgumentHelp(
      "Show only prompts in this state: a name above without --, or open, planned, closed, "
        + "completed.", valueName: "state"))
  var state: String?

  @Option(help: ArgumentHelp("Show only prompts of this person.", valueName: "person"))
  var person: String?

  @Option(
    help: ArgumentHelp(
      "Show only prompts with this text in the label; upper and lower case are equal.",
      valueName: "text"))
  var label: String?

  @Option(help: ArgumentHelp("Show only prompts of this alarm.", valueName: "alarm"))
  var alarm: String?

  @Option(
    help: ArgumentHelp("Show only prompts due on this day in the home's zone.", valueName: "date"))
  var date: String?

  @Option(help: ArgumentHelp("Show only prompts due on this day or later.", valueName: "date"))
  var from: String?

  @Option(help: ArgumentHelp("Show only prompts due on this day or earlier.", valueName: "date"))
  var to: String?

  @Option(help: ArgumentHelp("Show at most this many (default: 100).", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("Continue the list after this prompt.", valueName: "cursor"))
  var before: String?

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if look != nil, state != nil { throw ValidationError("Give only one state.") }
  }

  func run() throws {
    let request = Request(
      .listPrompts,
      query: [
        ("state", look?.rawValue ?? state), ("person", person), ("label", label),
        ("alarm", try alarm.map { try AlarmNames.id($0, connection) }),
        ("date", date), ("from", from), ("to", to), ("limit", limit.map(String.init)),
        ("before", before),
      ])
    let isMissed = look == .missed || state == Look.missed.rawValue
    let empty = isMissed ? "Nothing was missed." : "No prompt was found."
    try connection.carryOut(request) { try PromptText.list($0.document(), empty: empty) }
  }
}

/// `prompter progress`: shows the progress of each person on a day.
struct Progress: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Show the progress of each person on a day: done, due so far and planned.",
    discussion: """
      A prompt counts for the day on which it is due, even if it is answered on another day. \
      Prompts of earlier days that still wait for an answer have their own column.

      Example: prompter progress --person anna
      """)

  @Option(
    help: ArgumentHelp("Show this day (default: today in the home's zone).", valueName: "date"))
  var date: String?

  @Option(help: ArgumentHelp("Show only the progress of this person.", valueName: "person"))
  var person: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.progress, query: [("date", date), ("person", person)])
    try connection.carryOut(request) { try Self.text($0.document()) }
  }

  private static func text(_ document: JSON) -> String {
    let people = document.list("people")
    if people.isEmpty { return "Nothing is planned for \(document.text("date"))." }
    var table = Table(
      "PERSON", "DONE", "DUE SO FAR", "PLANNED", "MISSED", "WAITING", "EARLIER DAYS")
    for one in people {
      let isComplete = one["complete"]?.bool == true
      table.add(
        .init(one.text("person")), .init(one.text("done"), isComplete ? .good : nil),
        .init(one.text("due")), .init(one.text("planned")),
        .init(one.text("missed"), one.count("missed") > 0 ? .bad : nil),
        .init(one.text("waiting"), one.count("waiting") > 0 ? .attention : nil),
        .init(one.text("leftovers")))
    }
    return table.text
  }
}
