import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter study show`: who takes part.
struct StudyShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show who takes or took part in a study.")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.listParticipants)) {
      try ParticipantText.list($0.document())
    }
  }
}

/// `prompter study enrol`: a person takes part from now on.
struct StudyEnrol: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enrol", abstract: "Enrol a person: their record is the study's from then on.",
    discussion: "Example: prompter study enrol anna --pseudonym P-017 --arm AB --start 2026-12-01",
    aliases: ["enroll"])

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @Option(
    help: ArgumentHelp(
      "What the data call them; it must say nothing of the person.", valueName: "code")
  )
  var pseudonym: String

  @Option(help: ArgumentHelp("The first day (default: now).", valueName: "date"))
  var start: String?

  @Option(help: ArgumentHelp("The first day after it (default: open).", valueName: "date"))
  var end: String?

  @Option(help: ArgumentHelp("The study's id (default: study).", valueName: "id"))
  var study: String?

  @Option(help: ArgumentHelp("The arm they are assigned to.", valueName: "arm"))
  var arm: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.enrol).with([
      ("person", .string(person)), ("pseudonym", .string(pseudonym)),
      ("start", start.map { .string($0) }), ("end", end.map { .string($0) }),
      ("study", study.map { .string($0) }), ("arm", arm.map { .string($0) }),
    ])
    try connection.carryOut(request) { try ParticipantText.list($0.document()) }
  }
}

/// `prompter study withdraw`: a person takes no part any more.
struct StudyWithdraw: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "End a person's part in a study. Their prompts go on, as care.",
    discussion: "Example: prompter study withdraw anna --reason \"moved to her son\"")

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @Option(help: ArgumentHelp("Why; it can be erased.", valueName: "words"))
  var reason: String?

  @Flag(help: "Erase their words, too, for good; see \"prompter help study erase\".")
  var erase = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.withdraw).with([
      ("person", .string(person)), ("reason", reason.map { .string($0) }),
      ("erase", erase ? .bool(true) : nil),
    ])
    try connection.carryOut(request) { try ParticipantText.list($0.document()) }
  }
}

/// `prompter study crossover`: all phases in one go.
struct StudyCrossover: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crossover",
    abstract: "Plan all phases of a crossover, each of so many days.",
    discussion: """
      A is a prompted phase, B a control phase. Each begins at midnight where the person lives.

      Example: prompter study crossover anna --start 2026-12-01 --days 14 --order AB
      """)

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @Option(help: ArgumentHelp("The first day (default: now).", valueName: "date"))
  var start: String?

  @Option(help: ArgumentHelp("How long each phase is.", valueName: "n"))
  var days: Int

  @Option(help: ArgumentHelp("Such as AB, BA or ABBA.", valueName: "letters"))
  var order: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.crossover).with([
      ("person", .string(person)), ("start", start.map { .string($0) }),
      ("days", .integer(Int64(days))), ("order", .string(order)),
    ])
    try connection.carryOut(request) { try PhaseText.list($0.document()) }
  }
}

/// Participants as a researcher reads them.
enum ParticipantText {
  static func list(_ document: JSON) throws -> String {
    let participants = document.list("participants")
    if participants.isEmpty { return "Nobody takes part in a study." }
    var table = Table("PERSON", "STUDY", "PSEUDONYM", "ARM", "FROM (UTC)", "TO (UTC)", "")
    for one in participants {
      let state =
        one["current"]?.bool == true ? "now" : one["withdrawn"]?.bool == true ? "withdrawn" : ""
      table.add(
        .init(one.text("person")), .init(one.text("study")), .init(one.text("pseudonym")),
        .init(one.text("arm")), .init(one.text("from_utc")),
        .init(one["to_utc"]?.string ?? "open"), .init(state, .attention))
    }
    return table.text
  }
}
