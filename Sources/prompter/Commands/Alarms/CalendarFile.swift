import API
import Alarms
import CivilTime
import ClientKit
import ICalendar
import JSONValue

/// iCalendar files: the command `add --ics` reads an iCalendar file, and `list --ics` prints an
/// iCalendar file.
enum CalendarFile {
  /// Adds all alarms of a file, and lists the parts of the file that the command ignored.
  ///
  /// - Parameter member: a JSON member that the command adds to every request, in addition to the
  ///   members from `options`.
  /// - Throws: `Failure.refused` if the daemon refused an alarm. The command still adds all other
  ///   alarms.
  static func add(
    _ path: String, _ options: AlarmOptions, _ member: (String, JSON?),
    _ connection: ConnectionOptions
  ) throws {
    let client = connection.client
    let tree = try CalendarSource.read(path)
    let status = try client.send(Request(.status)).accepted().document()
    let file = ICalendarImport(
      tree, now: TextFormat.now(),
      homeZone: SystemZones.zone(status.text("zone")) ?? SystemZones.home(),
      allDay: try ClockTime(hour: 9, minute: 0), zone: SystemZones.zone)
    var replies: [JSON] = []
    var notes = file.notes
    var refused = 0
    for entry in file.entries {
      guard case .members(let members) = entry.form.json else { continue }
      var fields: [(String, JSON?)] = members.map { ($0.name, $0.value) }
      for (name, value) in try options.members(connection) + [member] where value != nil {
        fields.removeAll { $0.0 == name }
        fields.append((name, value))
      }
      do throws(Failure) {
        let reply: HTTPReply
        do {
          reply = try client.send(Request(.addAlarm).with(fields))
        } catch {
          throw error as? Failure ?? .unreachable("\(error)")
        }
        replies.append(try reply.accepted().document())
      } catch {
        guard case .refused(let why) = error else { throw error }
        refused += 1
        notes.append(ICalendarNote(line: entry.line, property: "VEVENT", reason: "refused: \(why)"))
      }
    }
    if connection.json {
      Terminal.print(
        json: .object([("alarms", .array(replies)), ("notes", .array(notes.map(\.json)))]))
    } else {
      let lines = replies.map { AlarmText.saved($0, verb: "Set") } + notes.map { "Note: \($0)." }
      Terminal.print(lines.isEmpty ? "The file contains no alarm." : lines.joined(separator: "\n"))
    }
    if refused > 0 {
      throw Failure.refused(
        "cannot set \(TextFormat.counted(refused, "alarm")) of \(path); the notes give the reasons")
    }
  }

  /// Prints all alarms as one iCalendar file.
  ///
  /// The function also prints notes to standard error. The notes name the properties of an alarm
  /// that other calendar programs do not understand.
  static func list(_ connection: ConnectionOptions) throws {
    let client = connection.client
    let status = try client.send(Request(.status)).accepted().document()
    let document = try client.send(Request(.listAlarms)).accepted().document()
    var alarms: [Alarm] = []
    for alarm in document.list("alarms") {
      do {
        alarms.append(try Alarm(document: alarm))
      } catch {
        throw Failure.unreachable("cannot read the daemon's answer: \(error)")
      }
    }
    let file = ICalendarExport(
      alarms, now: TextFormat.now(),
      homeZone: SystemZones.zone(status.text("zone")) ?? SystemZones.home(),
      zone: SystemZones.zone)
    Terminal.write(file: file.text)
    for note in file.notes { Terminal.printError("prompter: \(note)") }
  }
}

extension ICalendarNote {
  fileprivate var json: JSON {
    .object([
      ("line", .integer(Int64(line))), ("property", .string(property)), ("reason", .string(reason)),
    ])
  }
}
