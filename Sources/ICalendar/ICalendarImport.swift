import Alarms
import CivilTime
import EventCoding
import JSONValue

/// The alarms that the import made from an iCalendar file (RFC 5545, RFC 9074), with notes.
///
/// The notes list the parts of the file that an alarm cannot express. Each imported alarm rings at
/// all times at which a calendar program would alert the user. The import ignores administrative
/// properties and adds no note about them: `PRODID`, `UID`, `DTSTAMP`, `CREATED`, `LAST-MODIFIED`,
/// `SEQUENCE` and similar properties. If the import ignores any other part of the file, the import
/// adds a note.
public struct ICalendarImport: Sendable {
  /// An alarm that the caller can create.
  public struct Entry: Hashable, Sendable {
    public var form: AlarmForm
    /// The line of the file on which the component of the alarm begins, counted from 1.
    public var line: Int

    public init(form: AlarmForm, line: Int) {
      self.form = form
      self.line = line
    }
  }

  public private(set) var entries: [Entry] = []
  /// The notes, in the order of the file.
  public private(set) var notes: [ICalendarNote] = []

  /// Imports a file.
  ///
  /// - Parameters:
  ///   - tree: the content of the file.
  ///   - now: the present instant. If a VEVENT of the file ended before this instant, the import
  ///     creates no alarm for it and adds a note.
  ///   - homeZone: the zone for times in the file that have no zone.
  ///   - allDay: the time of day at which an all-day event rings.
  ///   - zone: a function that returns the zone with a tzdata name.
  public init(
    _ tree: ICalendarTree, now: Instant, homeZone: Zone, allDay: ClockTime,
    zone: @escaping (String) -> Zone?
  ) {
    notes = tree.notes
    for calendar in tree.components {
      guard calendar.name == "VCALENDAR" else {
        note(calendar.number, calendar.name, "left out: it is not in a VCALENDAR")
        continue
      }
      let zones = ICalendarZones(calendar, homeZone: homeZone, zone: zone)
      notes += zones.notes
      read(calendar) {
        ICalendarItem($0, now: now, homeZone: homeZone, allDay: allDay, zones: zones)
      }
    }
    if tree.components.isEmpty { note(1, "VCALENDAR", "the file contains no VCALENDAR") }
    notes.sort { ($0.line, $0.property) < ($1.line, $1.property) }
  }

  private mutating func note(_ line: Int, _ property: String, _ reason: String) {
    notes.append(ICalendarNote(line: line, property: property, reason: reason))
  }

  private mutating func read(
    _ calendar: ICalendarComponent, item: (ICalendarComponent) -> ICalendarItem
  ) {
    let bookkeeping: Set<String> = ["PRODID", "VERSION", "CALSCALE", "METHOD", "X-WR-TIMEZONE"]
    for line in calendar.lines where !bookkeeping.contains(line.name) {
      note(line.number, line.name, line.leftOut)
    }
    for line in calendar.lines
    where line.name == "CALSCALE" && line.value.uppercased() != "GREGORIAN" {
      note(line.number, line.name, "only the Gregorian calendar is supported")
    }
    let parts = calendar.components.filter { $0.name == "VEVENT" || $0.name == "VTODO" }
    for component in calendar.components where component.name != "VTIMEZONE" {
      if !parts.contains(component) {
        note(component.number, component.name, "left out: only VEVENT and VTODO can become alarms")
      }
    }
    var changed: [String: [ICalendarComponent]] = [:]
    for part in parts where part.line("RECURRENCE-ID") != nil {
      changed[part.line("UID")?.value ?? "", default: []].append(part)
    }
    for part in parts where part.line("RECURRENCE-ID") == nil {
      var item = item(part)
      let uid = part.line("UID")?.value ?? ""
      item.read(changes: changed.removeValue(forKey: uid) ?? [])
      entries += item.entries
      notes += item.notes
    }
    for orphan in changed.values.joined() {
      note(
        orphan.number, "RECURRENCE-ID",
        "it changes one time of an event that is not in the file, so it is not imported")
    }
  }
}

extension AlarmForm {
  /// The body of the request that creates this alarm.
  public var json: JSON {
    let members: [(String, JSON?)] = [
      ("label", label.map { .string($0) }), ("instructions", instructions.map { .string($0) }),
      ("schedule", schedule.map { .string($0) }), ("zone", zone.map { .string($0) }),
      ("person", person.map { .string($0) }), ("tone", tone.map { .string($0) }),
      ("rings", rings.map { .integer(Int64($0)) }),
      ("spacing", spacingSeconds.map { .string(DurationText.text($0)) }),
      ("gains", gainsDecibels.map { .array($0.map(JSON.number)) }),
      ("late_window", lateWindowSeconds.map { .string(DurationText.text($0)) }),
      ("delay", delaySeconds.map { .string(DurationText.text($0)) }),
      ("delay_limit", delayLimit.map { .integer(Int64($0)) }),
      ("leads", earlyReminders.map { .array($0.map(JSON.string)) }),
      ("paused_until", pausedUntil.map { .string($0) }),
      ("skip_next", skipNext.map { .integer(Int64($0)) }),
      ("exclude", exclude.map { .array($0.map(JSON.string)) }),
    ]
    return .object(members.compactMap { name, value in value.map { (name, $0) } })
  }
}
