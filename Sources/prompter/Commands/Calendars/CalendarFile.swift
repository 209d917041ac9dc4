import API
import Alarms
import CivilTime
import ClientKit
import ICalendar
import JSONValue

/// iCalendar files: the command `add --ics` reads an iCalendar file, and `list --ics` prints an
/// iCalendar file.
enum CalendarFile {
  /// Imports a file: sets, changes and removes alarms. The function also lists the parts of the
  /// file that an alarm cannot contain.
  ///
  /// - Throws: `Failure.refused` if the daemon refused an alarm. The command carries out all other
  ///   changes even in this case.
  static func add(
    _ path: String, _ options: AlarmOptions, _ calendar: CalendarOptions, duplicate: Bool,
    _ connection: ConnectionOptions
  ) throws {
    let tree = try CalendarSource.read(path)
    // In a trial, the command uploads no picture.
    let members =
      calendar.dryRun
      ? options.members.filter { $0.0 != "image" } : try options.members(connection)
    var file = CalendarImport(
      person: options.person, members: members, allDay: try calendar.time(),
      duplicates: duplicate, readsOlder: calendar.older, isTrial: calendar.dryRun
    ) { try connection.client.exchange($0) }
    let result = try file.run(tree)
    CalendarImportText(result: result, isTrial: calendar.dryRun).print(asJSON: connection.json)
    if !result.isCalendar {
      throw Failure.refused(
        "cannot import \(path): it is not a calendar file; export the calendar again as an iCalendar "
          + "file (.ics)")
    }
    if result.refused > 0 {
      throw Failure.refused(
        "cannot set \(TextFormat.counted(result.refused, "alarm")) of \(path); the notes give the "
          + "reasons")
    }
  }

  /// Prints all alarms as one iCalendar file.
  ///
  /// The function also prints notes to standard error. The notes name the properties of an alarm
  /// that other calendar programs do not understand.
  static func list(_ connection: ConnectionOptions) throws {
    let client = connection.client
    let status = try client.send(Request(.status)).accepted().document()
    let alarms = try Alarm.all(in: client.send(Request(.listAlarms)).document())
    let file = ICalendarExport(
      alarms, now: TextFormat.now(),
      homeZone: SystemZones.zone(status.text("zone")) ?? SystemZones.home(),
      zone: SystemZones.zone)
    Terminal.write(file: file.text)
    for note in file.notes { Terminal.printError("prompter: \(note)") }
  }
}
