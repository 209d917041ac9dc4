import Alarms
import CivilTime
import EventCoding
import JSONValue

/// The alarms that the import made from an iCalendar file (RFC 5545, RFC 9074), with notes.
///
/// The notes list the parts of the file that an alarm cannot express. Each imported alarm rings at
/// all times at which a calendar program would alert the user. The import ignores administrative
/// properties and adds no note about them: `PRODID`, `DTSTAMP`, `CREATED` and similar properties.
/// If the import ignores any other part of the file, the import adds a note.
public struct ICalendarImport: Sendable {
  /// An alarm that the caller can create.
  public struct Entry: Hashable, Sendable {
    public var form: AlarmForm
    /// The line of the file on which the component of the alarm begins, counted from 1.
    public var line: Int
    /// The UID of the component; empty if the file contains none.
    public var uid: String
    /// The data that the alarm stores about its event; nil if these data are not known.
    public var event: ImportedEvent?
    /// True if an earlier import read a newer version of the event, and this version cancelled the
    /// event.
    var wasCancelled = false

    public init(form: AlarmForm, line: Int, uid: String = "", event: ImportedEvent? = nil) {
      self.form = form
      self.line = line
      self.uid = uid
      self.event = event
    }
  }

  /// An event or to-do of the file for which the import makes no alarm, because it does not ring
  /// again.
  public struct Ended: Hashable, Sendable {
    public var uid: ICalendarUID
    /// The line of the file on which the component begins, counted from 1.
    public var line: Int
    /// The reason, for example "it is cancelled".
    public var reason: String
    /// The revision that ended the event. If the event ended only because it is past, the value is
    /// nil.
    public var revision: ICalendarRevision?
  }

  /// A change of a series that the import does not read from this file. The change applies to one
  /// occurrence, or to one occurrence and all later occurrences.
  public struct Change: Sendable {
    /// The new start of the occurrence.
    struct Start: Sendable {
      var time: CivilDateTime
      var zone: Zone
      var isAllDay: Bool
    }

    /// The UID of the series, and the key of the occurrence.
    var uid: ICalendarUID
    /// The line of the file on which the component begins, counted from 1.
    var line: Int
    var revision: ICalendarRevision
    /// The old time of the occurrence, as a time in UTC or as a date.
    var time: ICalendarTime
    /// True if the occurrence no longer rings.
    var isEnd: Bool
    /// True if the change also applies to all later occurrences.
    var isLater: Bool
    /// True if the change contains its own texts.
    var hasLabel: Bool
    /// True if the change contains its own VALARM components.
    var hasAlarms: Bool
    /// The new start; nil if the change contains no new start.
    var newStart: Start?
  }

  public internal(set) var entries: [Entry] = []
  /// The events and to-dos that do not ring again. The list contains only components with a UID.
  public internal(set) var ended: [Ended] = []
  /// The changes in the file whose series the import does not read from this file.
  public internal(set) var changes: [Change] = []
  /// The UIDs of the series and of the single events that the file contains. If an earlier import
  /// read a newer version of a series, the set does not contain the UID of this series.
  public internal(set) var series: Set<String> = []
  /// The changed occurrences whose alarms the import keeps. For these occurrences, an earlier
  /// import read a newer change than the file contains.
  public internal(set) var kept: Set<ICalendarUID> = []
  /// The notes, in the order of the file.
  public internal(set) var notes: [ICalendarNote] = []

  /// Imports a file.
  ///
  /// - Parameters:
  ///   - tree: the content of the file.
  ///   - now: the present instant. If a VEVENT of the file ended before this instant, the import
  ///     creates no alarm for it and adds a note.
  ///   - homeZone: the zone for times in the file that have no zone.
  ///   - allDay: the time of day at which an all-day event without a trigger rings.
  ///   - events: the events that earlier imports set or ended. If the file contains an older
  ///     version of such an event, the import leaves out this version.
  ///   - zone: a function that finds a tzdata zone by its name.
  public init(
    _ tree: ICalendarTree, now: Instant, homeZone: Zone, allDay: ClockTime,
    events: ImportedEvents = .none, zone: @escaping (String) -> Zone?
  ) {
    notes = tree.notes
    var groups = ICalendarGroups()
    for calendar in tree.components {
      guard calendar.name == "VCALENDAR" else {
        note(calendar.number, calendar.name, "left out: it is not in a VCALENDAR")
        continue
      }
      let zones = ICalendarZones(calendar, homeZone: homeZone, zone: zone)
      notes += zones.notes
      noteParts(calendar)
      groups.add(calendar) { component in
        ICalendarItem(
          component, now: now, homeZone: homeZone, allDay: allDay, zones: zones)
      }
    }
    if tree.components.isEmpty { note(1, "VCALENDAR", "the file contains no VCALENDAR") }
    let read = groups.finished()
    for group in read { self.read(group, of: read, beside: events) }
    notes += groups.notes
    notes = Set(notes).sorted {
      ($0.line, $0.property, $0.reason) < ($1.line, $1.property, $1.reason)
    }
  }

  mutating func note(_ line: Int, _ property: String, _ reason: String) {
    notes.append(ICalendarNote(line: line, property: property, reason: reason))
  }

  private mutating func noteParts(_ calendar: ICalendarComponent) {
    let bookkeeping: Set<String> = [
      "PRODID", "VERSION", "CALSCALE", "METHOD", "X-WR-TIMEZONE", "TZ", "DAYLIGHT",
    ]
    for line in calendar.lines where !bookkeeping.contains(line.name) {
      note(line.number, line.name, line.leftOut)
    }
    for line in calendar.lines
    where line.name == "CALSCALE" && line.value.trimmed.uppercased() != "GREGORIAN" {
      note(line.number, line.name, "only the Gregorian calendar is supported")
    }
    for component in calendar.components
    where !["VTIMEZONE", "VEVENT", "VTODO"].contains(component.name) {
      note(component.number, component.name, "left out: only VEVENT and VTODO can become alarms")
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
      ("quiet_hours", quietHours.map { .string($0) }),
      ("uid", calendarUID.map { .string($0) }),
      ("uid_revision", calendarRevision.map { .string($0) }),
    ]
    return .object(members.compactMap { name, value in value.map { (name, $0) } })
  }
}
