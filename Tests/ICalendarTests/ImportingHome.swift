import Alarms
import CivilTime
import ICalendar
import Testing

/// A home that imports calendar files one after the other, as `prompter import` does.
struct ImportingHome {
  private(set) var alarms: [Alarm] = []
  private(set) var cancelled: [Alarm] = []
  /// The reasons in the notes of the last import.
  private(set) var notes: [String] = []
  /// The actions of the last import as words, for example `set Dentist`.
  private(set) var actions: [String] = []
  private var count = 0

  /// Adds an alarm that a caretaker set by hand.
  mutating func add(_ label: String, _ schedule: String) throws {
    var form = AlarmForm()
    (form.label, form.schedule) = (label, schedule)
    alarms.append(try made(form, nil))
  }

  /// Removes all alarms, as a caretaker does. The home also forgets that their events were
  /// cancelled.
  mutating func removeAll() {
    let uids = Set(alarms.map(\.calendarUID))
    cancelled.removeAll { uids.contains($0.calendarUID) }
    alarms = []
  }

  mutating func imports(_ text: String, older: Bool = false) throws {
    let events: ImportedEvents =
      older ? .none : ImportedEvents(alarms: alarms, cancelled: cancelled)
    let file = ICalendarImport(
      parse(text), now: now, homeZone: try #require(systemZone("Europe/Berlin")),
      allDay: try ClockTime(hour: 9, minute: 0), events: events, zone: systemZone)
    let update = ICalendarUpdate(
      file, entries: file.entries, events: events, alarms: alarms, now: now, zone: systemZone)
    notes = (file.notes + update.notes).map(\.reason)
    actions = []
    for action in update.actions {
      switch action {
      case .set(let entry):
        let alarm = try made(entry.form, nil)
        alarms.append(alarm)
        actions.append("set \(alarm.label)")
      case .change(let id, _, let form, let fields):
        let place = try #require(alarms.firstIndex { $0.id == id })
        alarms[place] = try made(form, alarms[place])
        actions.append(fields.isEmpty ? "unchanged" : "changed \(fields.joined(separator: ","))")
      case .remove(let id, _, let revision):
        let place = try #require(alarms.firstIndex { $0.id == id })
        var alarm = alarms.remove(at: place)
        if let revision {
          alarm.calendarRevision = revision
          cancelled.append(alarm)
        }
        actions.append("removed \(alarm.label)")
      }
    }
    for alarm in alarms {
      #expect((alarm.calendarRevision?.utf8.count ?? 0) <= 2_000)
    }
  }

  private mutating func made(_ form: AlarmForm, _ old: Alarm?) throws -> Alarm {
    count += 1
    let zone = try #require(systemZone(form.zone ?? old?.zoneName ?? "Europe/Berlin"))
    var alarm =
      old
      ?? Alarm(
        id: AlarmID("a\(count)"), version: 1, person: .patient, label: "", instructions: "",
        schedule: .at(now), phrase: "", zoneName: zone.name, tone: nil, burst: .standard,
        lateWindowSeconds: 1_800, delaySeconds: 300, delayLimit: 3)
    if let text = form.schedule {
      let parsed = try SchedulePhrase(text, now: now, zone: zone).parsed()
      (alarm.schedule, alarm.phrase, alarm.zoneName) = (parsed.schedule, parsed.phrase, zone.name)
    }
    if let label = form.label { alarm.label = label }
    if let instructions = form.instructions { alarm.instructions = instructions }
    if let words = form.earlyReminders {
      alarm.earlyReminders = try words.map { try EarlyReminder(words: $0) }
    }
    if let uid = form.calendarUID { alarm.calendarUID = uid }
    if let revision = form.calendarRevision { alarm.calendarRevision = revision }
    return alarm
  }

  /// Returns the local times in Berlin at which the alarms ring before May 2027.
  /// Example: `03-09 09:00`.
  func rings() throws -> [String] {
    let end = try Instant(parsing: "2027-05-01T00:00:00Z")
    var instants: [Instant] = []
    for alarm in alarms {
      let plan = try SchedulePlan(
        alarm.schedule, earlyReminders: alarm.earlyReminders,
        zone: try #require(systemZone(alarm.zoneName)), seed: 0)
      instants += dueTimes(of: plan, now, end)
    }
    return try localTimes(instants)
  }
}

// Functions that make parts of calendar files.

func message(_ events: [String], method: String? = nil) -> String {
  calendar((method.map { "METHOD:\($0)\n" } ?? "") + events.joined(separator: "\n"))
}

struct Version {
  var sequence: Int
  var month: Int

  init(_ sequence: Int, _ month: Int) { (self.sequence, self.month) = (sequence, month) }
}

/// Returns an event with the UID `u1`. `version` sets the SEQUENCE of the event, and the month of
/// its DTSTAMP.
func component(_ version: Version?, _ lines: [String]) -> String {
  let stamp = version.map { ["SEQUENCE:\($0.sequence)", "DTSTAMP:20260\($0.month)01T000000Z"] }
  return
    (["BEGIN:VEVENT", "UID:u1", "SUMMARY:G"] + (stamp ?? []) + lines + ["END:VEVENT"])
    .joined(separator: "\n")
}

func single(_ version: Version?, _ time: String, _ more: String...)
  -> String
{
  component(version, ["DTSTART;TZID=Europe/Berlin:2027\(time)00"] + more)
}

func reminder(_ trigger: String) -> String {
  "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER\(trigger)\nEND:VALARM"
}

/// Returns a series with four occurrences, on Tuesdays at 09:00.
func tuesdays(_ version: Version?, _ more: String...) -> String {
  component(
    version, ["DTSTART;TZID=Europe/Berlin:20270302T090000", "RRULE:FREQ=WEEKLY;COUNT=4"] + more)
}

/// Returns a change of the occurrence at `old`. If `new` is nil, the occurrence is cancelled.
func changed(
  _ version: Version?, _ old: String, _ new: String?, _ more: String...,
  range: String = ""
) -> String {
  component(
    version,
    ["RECURRENCE-ID\(range);TZID=Europe/Berlin:2027\(old)00"]
      + [new.map { "DTSTART;TZID=Europe/Berlin:2027\($0)00" } ?? "STATUS:CANCELLED"] + more)
}
