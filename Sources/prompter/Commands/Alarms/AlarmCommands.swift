import API
import ArgumentParser
import ClientKit
import Glibc
import JSONValue

/// `prompter add`: sets an alarm.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set an alarm.",
    discussion: """
      Schedules: "every day 08:00", "weekdays 09:30", "mon,wed 18:00", "every 8 hours",
      "2026-12-01 14:00", "in 20 minutes", or an RRULE.

      Examples:
      prompter add "Take your pills" --schedule "every day 08:00" --tone dad --rings 3
      prompter add --ics calendar.ics --person anna
      """)

  @Argument(help: "What is to be done, in a few words.")
  var label: String?

  @Option(help: ArgumentHelp("When it is due.", valueName: "phrase"))
  var schedule: String?

  @Option(
    help: ArgumentHelp(
      "Set what an iCalendar file holds; says what of it could not be kept.", valueName: "file"))
  var ics: String?

  @OptionGroup var options: AlarmOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if ics != nil {
      if connection.queue { throw ValidationError("A calendar cannot wait; --queue one alarm.") }
      if label != nil || schedule != nil {
        throw ValidationError("The file says what is to be done, and when.")
      }
    } else if label == nil {
      throw ValidationError("Say what is to be done, for example \"Take your pills\".")
    } else if schedule == nil {
      throw ValidationError("Say when, for example --schedule \"every day 08:00\".")
    }
  }

  func run() throws {
    if let ics { return try CalendarFile.add(ics, options, connection) }
    guard let label, let schedule else { return }
    let request = try Request(.addAlarm).with(
      [("label", .string(label)), ("schedule", .string(schedule))]
        + options.members(connection))
    try connection.carryOut(request) { try AlarmText.saved($0.document(), verb: "Set") }
  }
}

/// `prompter edit`: changes what is named and leaves the rest.
struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Change an alarm; what is not named stays as it is.",
    discussion: """
      Without an option the alarm opens in $VISUAL or $EDITOR; what would change and the next rings are \
      shown before it is saved.

      Example: prompter edit 9pttkm9b1zcn --schedule "every day 09:00" --rings 3
      """)

  @Argument(help: "The alarm's id, as \"prompter list\" prints it, or its label.")
  var alarm: String

  @Option(help: "What is to be done, in a few words.")
  var label: String?

  @Option(help: ArgumentHelp("When it is due.", valueName: "phrase"))
  var schedule: String?

  @Option(
    help: ArgumentHelp(
      "Refuse unless the alarm is still at this version, so that two people's changes do not mix.",
      valueName: "n"))
  var ifVersion: Int?

  @OptionGroup var options: AlarmOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    let hasEditor =
      isatty(0) == 1 || ["VISUAL", "EDITOR"].contains { ProcessEnvironment.value($0) != nil }
    if isBare, !hasEditor {
      throw ValidationError("Say what to change, for example --schedule \"every day 09:00\".")
    }
    if isBare, ifVersion != nil || connection.queue {
      throw ValidationError("Say what to change; without an editor it is not known yet.")
    }
  }

  /// Whether nothing is named that is to change.
  private var isBare: Bool {
    label == nil && schedule == nil && options.members.allSatisfy { $0.1 == nil }
  }

  func run() throws {
    let id = try AlarmNames.id(alarm, connection)
    if isBare { return try EditSession(id: id, connection: connection).run() }
    var request = try Request(.editAlarm, ["id": id]).with(
      [("label", label.map { .string($0) }), ("schedule", schedule.map { .string($0) })]
        + options.members(connection))
    if let ifVersion { request.headers.append(("If-Match", "\"\(ifVersion)\"")) }
    try connection.carryOut(request) { try AlarmText.saved($0.document(), verb: "Changed") }
  }
}

/// `prompter list`: all alarms.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the alarms.",
    discussion: "Example: prompter list --ics > alarms.ics")

  @Flag(help: "Print them as an iCalendar file.")
  var ics = false

  @Option(help: ArgumentHelp("Only the alarms of this person.", valueName: "person"))
  var person: String?

  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if ics, person != nil { throw ValidationError("--ics prints all alarms; leave --person out.") }
  }

  func run() throws {
    if ics { return try CalendarFile.list(connection) }
    try connection.carryOut(Request(.listAlarms, query: [("person", person)])) {
      try AlarmText.list($0.document())
    }
  }
}

/// `prompter show`: one alarm.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show an alarm and its next rings.",
    discussion: "Example: prompter show 9pttkm9b1zcn")

  @Argument(help: "The alarm's id, as \"prompter list\" prints it, or its label.")
  var alarm: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.showAlarm, ["id": AlarmNames.id(alarm, connection)])) {
      try AlarmText.whole($0.document())
    }
  }
}

/// `prompter remove`: takes an alarm away; its record stays.
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove an alarm and stop what it rings. Its record stays.",
    discussion: "Example: prompter remove 9pttkm9b1zcn")

  @Argument(help: "The alarm's id, as \"prompter list\" prints it, or its label.")
  var alarm: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.removeAlarm, ["id": AlarmNames.id(alarm, connection)])) {
      try AlarmText.removed($0.document())
    }
  }
}
