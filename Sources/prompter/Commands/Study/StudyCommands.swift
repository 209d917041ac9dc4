import API
import Alarms
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter study`: manages participants, phases, diaries and erasures.
struct StudyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "study", abstract: "Set up and show a study.",
    discussion: """
      Examples:
        prompter study enrol anna --pseudonym P-017 --study remind1
        prompter study crossover anna --days 14 --order ABBA
        prompter study withdraw anna --reason "moved away"
      """,
    subcommands: [
      StudyShow.self, StudyEnrol.self, StudyWithdraw.self, StudyErase.self, StudyRekey.self,
      StudyDiary.self, StudyCrossover.self, StudyAllocation.self,
      StudyDeviation.self, StudyAdverseEvent.self, StudyUnblind.self,
      StudyPhaseCommand.self,
    ], defaultSubcommand: StudyShow.self)
}

/// `prompter study phase`: manages the phases of a study. Each phase has a begin date and an end
/// date.
struct StudyPhaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phase",
    abstract: "Show and set the phases of a study.",
    discussion: """
      In a prompted phase, prompts ring. In a control phase, they are listed and can be answered, and they \
      never sound. In a run_in, washout or follow_up, prompts ring, and the estimates of a report leave these \
      prompts out. Phases follow each other without a gap.

      Examples:
        prompter study phase set anna control --to 2026-12-15
        prompter study phase set anna prompted --from 2026-12-16
      """,
    subcommands: [PhaseList.self, PhaseSet.self, PhaseEnd.self],
    defaultSubcommand: PhaseList.self, aliases: ["phases"])
}

/// `prompter study phase list`: lists the phases of all people, or of one person.
struct PhaseList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the phases.")

  @Option(help: ArgumentHelp("Only the phases of this person.", valueName: "person"))
  var person: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.listPhases, query: [("person", person)])
    try connection.carryOut(request) { try PhaseText.list($0.document()) }
  }
}

/// `prompter study phase set`: begins or plans a phase.
struct PhaseSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Begin or plan a person's next phase.")

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @Argument(
    help:
      "The kind of phase: \(StudyPhase.Kind.allCases.map(\.rawValue).joined(separator: " or ")).")
  var kind: String

  @Option(
    help: ArgumentHelp(
      "The beginning, for example 2026-12-01 (default: the end of the phase before, else now).",
      valueName: "when"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "The end; a date belongs to the phase as a whole (default: open).", valueName: "when"))
  var to: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.setPhase).with([
      ("person", .string(person)), ("kind", .string(kind)), ("from", from.map { .string($0) }),
      ("to", to.map { .string($0) }),
    ])
    try connection.carryOut(request) { try PhaseText.list($0.document()) }
  }
}

/// `prompter study phase end`: ends the study phases of a person at an instant, by default now. The
/// command also removes the phases that begin at or after this instant.
struct PhaseEnd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "end",
    abstract: "End the present phase of a person, and remove all phases after it.")

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @Option(help: ArgumentHelp("The time of the end (default: now).", valueName: "when"))
  var at: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.endPhase).with([
      ("person", .string(person)), ("at", at.map { .string($0) }),
    ])
    try connection.carryOut(request) { try PhaseText.list($0.document()) }
  }
}

/// The table of phases, as a text for a researcher.
enum PhaseText {
  static func list(_ document: JSON) throws -> String {
    let phases = document.list("phases")
    if phases.isEmpty { return "No phase is set. Prompts ring." }
    var table = Table("PERSON", "PHASE", "FROM", "TO", "ZONE", "")
    for phase in phases {
      table.add(
        .init(phase.text("person")), .init(phase.text("kind")), .init(StudyTimeText.from(phase)),
        .init(StudyTimeText.to(phase)), .init(phase.text("zone")),
        .init(phase["current"]?.bool == true ? "now" : "", .attention))
    }
    return table.text
  }
}
