import API
import ArgumentParser
import CivilTime
import ClientKit

/// The options of an import of a calendar file, for `prompter import` and `prompter add --ics`.
struct CalendarOptions: ParsableArguments {
  @Flag(
    help: "With a calendar file: show what would be set, changed and removed, and change nothing.")
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      "With a calendar file: also change alarms back to an older version of their event, and set "
        + "cancelled events again."))
  var older = false

  @Option(
    help: ArgumentHelp(
      "With a calendar file: ring for a whole-day event without a reminder at this time (default: "
        + "09:00).", valueName: "time"))
  var allDay: String?

  func validate() throws { _ = try time() }

  func time() throws -> ClockTime {
    do {
      return try ClockTime(parsing: allDay ?? "09:00")
    } catch {
      throw ValidationError("--all-day: \"\(allDay ?? "")\" is not a time; write it like 09:00.")
    }
  }
}

/// `prompter import`: sets the alarms of a calendar file.
struct ImportCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Set or update the alarms of a calendar file.",
    discussion: """
      The command sets an alarm for each event. If you import the file again, the command changes the \
      alarms whose events have changed, and removes the alarms of cancelled events. An older file \
      does not change an alarm back, unless you add --older. The command lists the alarms that it set, \
      changed or removed, and the parts of the file that an alarm cannot contain.

      Examples:
      prompter import calendar.ics --dry-run
      prompter import calendar.ics --person anna
      """)

  @Argument(help: "The iCalendar file; \"-\" reads standard input.")
  var file: String

  @Flag(help: "Set all alarms again, also those that an earlier import has set.")
  var duplicate = false

  @OptionGroup var calendar: CalendarOptions
  @OptionGroup var options: AlarmOptions
  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if connection.queue { throw ValidationError("--queue cannot be used with an import.") }
  }

  func run() throws {
    try CalendarFile.add(file, options, calendar, duplicate: duplicate, connection)
  }
}
