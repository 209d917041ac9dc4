import API
import ArgumentParser
import ClientKit
import Glibc
import JSONValue

/// `prompter add`: sets an alarm.
struct Add: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set an alarm.",
    discussion: """
      Schedules: "every day 08:00", "weekdays 09:30", "mon,wed 18:00",
      "every 8 hours", "2026-12-01 14:00", "in 20 minutes", or an RRULE.

      Examples:
      prompter add "Take your pills" --schedule "every day 08:00" --tone dad
      prompter add --ics calendar.ics --person anna
      """)

  @Argument(help: "The task, in a few words.")
  var label: String?

  @Option(
    help: ArgumentHelp(
      "Set the due times, in words such as \"every day 08:00\".", valueName: "phrase"))
  var schedule: String?

  @Option(
    help: ArgumentHelp(
      "Set the alarms of an iCalendar file, and list the parts that are left out.",
      valueName: "file"))
  var ics: String?

  @Flag(help: "Set the alarm even if the person has one with the same label and schedule.")
  var duplicate = false

  @OptionGroup var calendar: CalendarOptions
  @OptionGroup var options: AlarmOptions
  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if ics == nil, calendar.dryRun || calendar.older || calendar.allDay != nil {
      throw ValidationError(
        "--dry-run, --older and --all-day need a calendar file; give it with --ics.")
    }
    if ics != nil {
      if connection.queue {
        throw ValidationError("--queue cannot be used with --ics; use it with a single alarm.")
      }
      if label != nil || schedule != nil {
        throw ValidationError("--ics takes labels and schedules from the file; leave yours out.")
      }
    } else if label == nil {
      throw ValidationError("Give the task, for example \"Take your pills\".")
    } else if schedule == nil {
      throw ValidationError("Give the due times, for example --schedule \"every day 08:00\".")
    }
  }

  func run() throws {
    if let ics {
      return try CalendarFile.add(ics, options, calendar, duplicate: duplicate, connection)
    }
    let allowed: (String, JSON?) = ("duplicate", duplicate ? .bool(true) : nil)
    guard let label, let schedule else { return }
    let request = try Request(.addAlarm).with(
      [("label", .string(label)), ("schedule", .string(schedule))]
        + options.members(connection) + [allowed])
    try connection.carryOut(request) { try AlarmText.saved($0.document(), verb: "Set") }
  }
}

/// `prompter edit`: changes one or more fields of an alarm.
struct Edit: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Change an alarm. Fields that you do not name stay as they are.",
    discussion: """
      Without an option the alarm opens in your editor: $VISUAL, $EDITOR or sensible-editor. The \
      command shows the changes and the next rings before it saves them.

      Example: prompter edit 9pttkm9b1zcn --schedule "every day 09:00" --rings 3
      """)

  @OptionGroup var target: AlarmArgument

  @Option(help: "Set the label: the task, in a few words.")
  var label: String?

  @Option(
    help: ArgumentHelp(
      "Set the due times, in words such as \"every day 08:00\".", valueName: "phrase"))
  var schedule: String?

  @Option(
    help: ArgumentHelp(
      "Refuse the change unless the alarm has this version, so that two people's changes do not "
        + "mix.",
      valueName: "n"))
  var ifVersion: Int?

  @Flag(
    help:
      "Save the change also if it ends an open prompt of an alarm that then never rings again.")
  var endsPrompt = false

  @Flag(help: "Save the change even if the person has another alarm with this label and schedule.")
  var duplicate = false

  @OptionGroup var options: AlarmOptions
  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    let hasEditor =
      isatty(0) == 1 || ["VISUAL", "EDITOR"].contains { ProcessEnvironment.value($0) != nil }
    if isBare, !hasEditor {
      throw ValidationError("Name a field to change, for example --schedule \"every day 09:00\".")
    }
    if isBare, ifVersion != nil || connection.queue {
      throw ValidationError(
        "--if-version and --queue need a field to change, for example --schedule "
          + "\"every day 09:00\".")
    }
  }

  /// True if the user named no field to change.
  private var isBare: Bool {
    label == nil && schedule == nil && options.members.allSatisfy { $0.1 == nil }
  }

  /// The request fields with which the user permits a change that the daemon otherwise refuses.
  private var permissions: [(String, JSON?)] {
    [
      ("ends_prompt", endsPrompt ? .bool(true) : nil),
      ("duplicate", duplicate ? .bool(true) : nil),
    ]
  }

  func run() throws {
    let id = try target.id(connection)
    if isBare {
      return try EditSession(
        id: id, permissions: permissions, connection: connection
      ).run()
    }
    var request = try Request(.editAlarm, ["id": id]).with(
      [("label", label.map { .string($0) }), ("schedule", schedule.map { .string($0) })]
        + options.members(connection) + permissions)
    if let ifVersion { request.headers.append(("If-Match", "\"\(ifVersion)\"")) }
    try connection.carryOut(request) { try AlarmText.saved($0.document(), verb: "Changed") }
  }
}

/// `prompter list`: lists the alarms.
struct List: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the alarms.",
    discussion: "Example: prompter list --ics > alarms.ics")

  @Flag(help: "Print the alarms as an iCalendar file.")
  var ics = false

  @Option(help: ArgumentHelp("Show only the alarms of this person.", valueName: "person"))
  var person: String?

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if ics, person != nil {
      throw ValidationError("--ics prints all alarms; it cannot be used with --person.")
    }
  }

  func run() throws {
    if ics { return try CalendarFile.list(connection) }
    try connection.carryOut(Request(.listAlarms, query: [("person", person)])) {
      try AlarmText.list($0.document())
    }
  }
}

/// `prompter show`: shows one alarm.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show an alarm and its next rings.",
    discussion: "Example: prompter show 9pttkm9b1zcn")

  @OptionGroup var target: AlarmArgument

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.showAlarm, ["id": target.id(connection)])) {
      try AlarmText.whole($0.document())
    }
  }
}

/// `prompter remove`: removes an alarm. The events of the alarm stay in the record.
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove an alarm and stop its rings. Its record stays.",
    discussion: "Example: prompter remove 9pttkm9b1zcn")

  @OptionGroup var target: AlarmArgument

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.removeAlarm, ["id": target.id(connection)])) {
      try AlarmText.removed($0.document())
    }
  }
}
