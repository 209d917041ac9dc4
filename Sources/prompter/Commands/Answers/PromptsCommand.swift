import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter prompts`: what rang, and what became of it.
struct Prompts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List prompts, newest first, and how they ended; says how many wait for an answer.",
    discussion: """
      Examples:
      prompter prompts --missed --person anna --date 2026-12-01
      prompter prompts --label pills --from 2026-12-01 --to 2026-12-07
      prompter prompts --current --json | jq -r '.prompts[].id'
      """)

  /// The states that people look for, as flags; the daemon knows them by the same names.
  enum Look: String, EnumerableFlag {
    case current, upcoming, past, complete, incomplete, missed

    static func help(for value: Look) -> ArgumentHelp? {
      switch value {
      case .current: "Only what waits for an answer now."
      case .upcoming: "Only what is not due yet."
      case .past: "Only what is over."
      case .complete: "Only what was completed."
      case .incomplete: "Only what was due and is not completed."
      case .missed: "Only what nobody answered or heard."
      }
    }
  }

  @Flag(exclusivity: .exclusive)
  var look: Look?

  @Option(
    help: ArgumentHelp(
      "The same by a word: one of those, or open, planned, closed, completed.", valueName: "state"))
  var state: String?

  @Option(help: ArgumentHelp("Only of this person.", valueName: "person"))
  var person: String?

  @Option(help: ArgumentHelp("Only where the label holds this, in any case.", valueName: "text"))
  var label: String?

  @Option(help: ArgumentHelp("Only of this alarm.", valueName: "alarm"))
  var alarm: String?

  @Option(help: ArgumentHelp("Only due on this day of the home's.", valueName: "date"))
  var date: String?

  @Option(help: ArgumentHelp("Only due on this day or later.", valueName: "date"))
  var from: String?

  @Option(help: ArgumentHelp("Only due on this day or earlier.", valueName: "date"))
  var to: String?

  @Option(help: ArgumentHelp("At most so many.", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("Continue after this prompt.", valueName: "cursor"))
  var before: String?

  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if look != nil, state != nil { throw ValidationError("Name one state, not two.") }
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

/// `prompter progress`: how far each person is with a day.
struct Progress: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show how far each person is with the day: done, due so far and planned.",
    discussion: """
      A prompt counts for the day on which it is due, whenever it is answered; what earlier days left \
      open is counted beside the day.

      Example: prompter progress --person anna
      """)

  @Option(help: ArgumentHelp("The day (default: today, in the home).", valueName: "date"))
  var date: String?

  @Option(help: ArgumentHelp("Only of this person.", valueName: "person"))
  var person: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.progress, query: [("date", date), ("person", person)])
    try connection.carryOut(request) { try Self.text($0.document()) }
  }

  private static func text(_ document: JSON) -> String {
    let people = document.list("people")
    if people.isEmpty { return "Nothing is planned for \(document.text("date"))." }
    var table = Table("PERSON", "DONE", "DUE SO FAR", "PLANNED", "MISSED", "WAITING", "LEFT OVER")
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
