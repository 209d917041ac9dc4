import API
import Alarms
import ArgumentParser
import ClientKit
import JSONValue
import Report

/// `prompter study show`: lists the participants.
struct StudyShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the present and former participants of studies.")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.listParticipants)) {
      try ParticipantText.list($0.document())
    }
  }
}

/// `prompter study enrol`: enrols a person in a study.
struct StudyEnrol: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "enrol",
    abstract: "Enrol a person in a study. Their data belongs to the study from the first day on.",
    discussion: """
      With --allocation, the arm comes from a list that a statistician made: a CSV file with the columns \
      participant and arm, and for a blinded study also arm_code. The record contains the SHA-256 of the \
      list, so nobody can change the list later unnoticed. "prompter study allocation" compares the \
      enrolments of an export with the list.

      Examples:
        prompter study enrol anna --pseudonym P-017 --arm AB --start 2026-12-01
        prompter study enrol anna --pseudonym P-017 --allocation allocation.csv
      """,
    aliases: ["enroll"])

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @Option(
    help: ArgumentHelp(
      "The code of the person in the data. It must not identify the person.", valueName: "code")
  )
  var pseudonym: String

  @Option(help: ArgumentHelp("The first day in the study (default: now).", valueName: "date"))
  var start: String?

  @Option(help: ArgumentHelp("The last day in the study (default: open).", valueName: "date"))
  var end: String?

  @Option(help: ArgumentHelp("The id of the study (default: study).", valueName: "id"))
  var study: String?

  @Option(help: ArgumentHelp("The arm of the person.", valueName: "arm"))
  var arm: String?

  @Option(
    help: ArgumentHelp(
      "The code of the arm for a blinded study. Only an administrator can give it (default: not blinded).",
      valueName: "code"))
  var armCode: String?

  @Option(
    help: ArgumentHelp(
      "Take the arm from this allocation list, in place of --arm and --arm-code.",
      valueName: "file"),
    completion: .file())
  var allocation: String?

  @Option(help: ArgumentHelp("The version of the consent form.", valueName: "version"))
  var consent: String?

  @Option(
    help: ArgumentHelp(
      "What the person consented to, with a comma between two: \(ConsentScope.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "codes"))
  var consentScope: String?

  @Flag(
    help: "Hide the names of the phases from patients and caretakers until the enrolment ends.")
  var hidePhases = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    guard allocation == nil || arm == nil && armCode == nil else {
      throw ValidationError(
        "Give either --allocation, or --arm and --arm-code: the allocation list contains the arm.")
    }
  }

  func run() throws {
    var (arm, armCode, digest) = (arm, armCode, String?.none)
    if let allocation {
      let list = try AllocationList(file: allocation)
      guard let row = list.row(of: pseudonym) else {
        throw Failure.badUsage(
          "cannot enrol the person: the allocation list \(allocation) has no row for \"\(pseudonym)\""
        )
      }
      (arm, armCode, digest) = (row.arm, row.armCode, list.sha256)
    }
    let request = Request(.enrol).with([
      ("person", .string(person)), ("pseudonym", .string(pseudonym)),
      ("start", start.map { .string($0) }), ("end", end.map { .string($0) }),
      ("study", study.map { .string($0) }), ("arm", arm.map { .string($0) }),
      ("arm_code", armCode.map { .string($0) }),
      ("allocation_sha256", digest.map { .string($0) }),
      ("consent", consent.map { .string($0) }),
      ("consent_scope", consentScope.map { .string($0) }),
      ("hides_phases", hidePhases ? .bool(true) : nil),
    ])
    try connection.carryOut(request) { try ParticipantText.list($0.document()) }
  }
}

/// `prompter study withdraw`: ends the participation of a person in a study.
struct StudyWithdraw: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Withdraw a person from a study. The alarms of the person continue.",
    discussion: """
      Ask the person which data the study may still use. With --data-use none, reports and scripts leave \
      out all prompts of the person in this study. A person can also forbid the use of the data later: repeat \
      the command with --data-use none.

      Example: prompter study withdraw anna --reason "moved to her son" --data-use until_withdrawal
      """)

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @Option(help: ArgumentHelp("The reason. It can be erased.", valueName: "text"))
  var reason: String?

  @Option(
    help: ArgumentHelp(
      "The reason as a code: \(WithdrawalCode.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "code"))
  var code: String?

  @Option(
    help: ArgumentHelp(
      "The data that the study may still use: \(DataUse.allCases.map(\.rawValue).joined(separator: " or ")).",
      valueName: "use"))
  var dataUse: String?

  @Flag(help: "Also erase the texts about the person; see \"prompter help study erase\".")
  var erase = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.withdraw).with([
      ("person", .string(person)), ("reason", reason.map { .string($0) }),
      ("code", code.map { .string($0) }),
      ("data_use", dataUse.map { .string($0) }),
      ("erase", erase ? .bool(true) : nil),
    ])
    try connection.carryOut(request) { try ParticipantText.list($0.document()) }
  }
}

/// `prompter study crossover`: plans all phases of one person at once. In a crossover study,
/// prompted phases and control phases of the same person alternate.
struct StudyCrossover: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crossover",
    abstract: "Plan all phases of a crossover, all of the same length.",
    discussion: """
      A is a prompted phase and B is a control phase. Each begins at midnight in the person's time zone. \
      Only the first phase can begin at another time: at once, or at the time in --start. If the arm of the \
      person is an order such as AB, the phases must have this order.

      Example: prompter study crossover anna --start 2026-12-01 --days 14 --order AB
      """)

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @Option(
    help: ArgumentHelp(
      "The first day of the first phase, or a time, for example \"today 18:00\" (default: now).",
      valueName: "when"))
  var start: String?

  @Option(help: ArgumentHelp("The length of each phase in days.", valueName: "n"))
  var days: Int

  @Option(help: ArgumentHelp("The order of phases, for example AB or ABBA.", valueName: "letters"))
  var order: String

  @Option(
    help: ArgumentHelp("The length of a run-in before the first phase, in days.", valueName: "n"))
  var runIn: Int?

  @Option(
    help: ArgumentHelp("The length of a wash-out between two phases, in days.", valueName: "n"))
  var washout: Int?

  @Option(
    help: ArgumentHelp("The length of a follow-up after the last phase, in days.", valueName: "n"))
  var followUp: Int?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.crossover).with([
      ("person", .string(person)), ("start", start.map { .string($0) }),
      ("days", .integer(Int64(days))), ("order", .string(order)),
      ("run_in_days", runIn.map { .integer(Int64($0)) }),
      ("washout_days", washout.map { .integer(Int64($0)) }),
      ("follow_up_days", followUp.map { .integer(Int64($0)) }),
    ])
    try connection.carryOut(request) { try PhaseText.list($0.document()) }
  }
}

/// Texts of the local times of an enrolment or a phase, without seconds.
enum StudyTimeText {
  static func from(_ document: JSON) -> String { text(document["from_local"]?.string ?? "") }

  static func to(_ document: JSON) -> String {
    document["to_local"]?.string.map(text) ?? "open"
  }

  private static func text(_ local: String) -> String {
    String(local.prefix(16)).replacing("T", with: " ")
  }
}

/// The table of participants, as a text for a researcher.
enum ParticipantText {
  static func list(_ document: JSON) throws -> String {
    let participants = document.list("participants")
    if participants.isEmpty { return "Nobody is enrolled in a study." }
    var table = Table("PERSON", "STUDY", "PSEUDONYM", "ARM", "FROM", "TO", "ZONE", "")
    for one in participants {
      let isWithdrawn = one["withdrawn"]?.bool == true
      let state = one["current"]?.bool == true ? "now" : isWithdrawn ? "withdrawn" : ""
      // After a withdrawal, every user sees the phases of the participant.
      let hidden = one["hides_phases"]?.bool == true && !isWithdrawn ? "phases hidden" : ""
      table.add(
        .init(one.text("person")), .init(one.text("study")), .init(one.text("pseudonym")),
        .init(one.text("arm")), .init(StudyTimeText.from(one)), .init(StudyTimeText.to(one)),
        .init(one.text("zone")),
        .init([state, hidden].filter { !$0.isEmpty }.joined(separator: ", "), .attention))
    }
    return table.text
  }
}
