import Alarms
import CivilTime

/// The triggers and the burst that the import read from all VALARM components of an event or a
/// to-do.
struct ICalendarTriggers {
  struct Relative {
    var offset: ICalendarDuration
    var line: ICalendarLine
    /// The phrase of the early reminder; nil if another program wrote the file.
    var earlyReminder: String?
  }

  struct Absolute {
    var instant: Instant
    var line: ICalendarLine
    var isSnooze: Bool
  }

  var relative: [Relative] = []
  var absolute: [Absolute] = []
  var rings: Int?
  var spacingSeconds: Int64?

  /// Returns the time of day at which an all-day event rings. The result is the time of day of the
  /// first trigger in `relative` that is due on the day of the event; nil if no trigger is due on
  /// this day.
  ///
  /// After the call, the offsets of all triggers are relative to this time of day.
  mutating func takeTimeOfDay() -> ClockTime? {
    let day: Int64 = 86_400
    guard let index = relative.firstIndex(where: { (0..<day).contains($0.offset.total) }) else {
      return nil
    }
    let seconds = Int(relative[index].offset.total)
    // Before the subtraction, the offsets of the triggers are relative to midnight. After the
    // subtraction, the offsets are relative to the returned time of day.
    for other in relative.indices { relative[other].offset.seconds -= Int64(seconds) }
    return try? ClockTime(hour: seconds / 3_600, minute: seconds / 60 % 60, second: seconds % 60)
  }
}

extension ICalendarItem {
  mutating func readAlarms(
    isAllDay: Bool, start: CivilDateTime, _ zone: Zone
  ) -> ICalendarTriggers {
    var triggers = ICalendarTriggers()
    let length = length(from: start, zone)
    for alarm in component.components where alarm.name == "VALARM" {
      guard isAudible(alarm) else { continue }
      readBurst(alarm, into: &triggers)
      guard let line = alarm.line("TRIGGER") else {
        note(alarm.number, "VALARM", "it has no TRIGGER")
        continue
      }
      if let time = ICalendarTime(line.value), case .utc(let dateTime) = time {
        let instant = Zone.utc.resolve(dateTime).instant
        let isSnooze = alarm.lines.contains {
          $0.name == "RELATED-TO" && $0.parameter("RELTYPE")?.uppercased() == "SNOOZE"
        }
        if !isAcknowledged(alarm, at: instant) {
          triggers.absolute.append(.init(instant: instant, line: line, isSnooze: isSnooze))
        }
        continue
      }
      guard var offset = ICalendarDuration(line.value) else {
        note(line.number, "TRIGGER", "\"\(line.value)\" is neither a duration nor a time in UTC")
        continue
      }
      if line.parameter("RELATED")?.uppercased() == "END" {
        guard let length else {
          note(line.number, "TRIGGER", "it counts from the end, but there is no end")
          continue
        }
        offset.seconds += length
      }
      let at = zone.resolve(start).instant.adding(seconds: offset.total)
      let isOnce = component.line("RRULE") == nil && component.line("RDATE") == nil
      if isOnce, isAcknowledged(alarm, at: at) { continue }
      triggers.relative.append(
        .init(offset: offset, line: line, earlyReminder: alarm.line("X-PROMPTER-LEAD")?.text))
    }
    return triggers
  }

  /// The length of the event or to-do, in seconds; nil if the event or to-do has no valid end.
  private func length(from start: CivilDateTime, _ zone: Zone) -> Int64? {
    if let line = component.line("DURATION") { return ICalendarDuration(line.value)?.total }
    let hasStart = component.line("DTSTART") != nil
    guard let line = component.line("DTEND") ?? (hasStart ? component.line("DUE") : nil) else {
      // If a to-do has DUE and no DTSTART, DUE is both the start and the end. So the length is 0.
      return hasStart ? nil : 0
    }
    let own = line.timeZoneID.map { zones.zone($0) } ?? zone
    guard let end = ICalendarTime(line)?.local(in: own, allDay: .midnight) else { return nil }
    return own.resolve(end).instant.seconds - zone.resolve(start).instant.seconds
  }

  private mutating func isAudible(_ alarm: ICalendarComponent) -> Bool {
    let known: Set<String> = [
      "ACTION", "TRIGGER", "REPEAT", "DURATION", "UID", "ACKNOWLEDGED", "RELATED-TO", "SUMMARY",
      "DESCRIPTION", "X-WR-ALARMUID", "X-MOZ-LASTACK", "X-PROMPTER-LEAD",
    ]
    for line in alarm.lines where !known.contains(line.name) {
      let isSound = line.name == "ATTACH"
      note(
        line.number, line.name,
        isSound ? "left out: add the recording as a tone, then choose the tone" : line.leftOut)
    }
    let action = alarm.line("ACTION")
    switch action?.value.uppercased() {
    case "AUDIO", "DISPLAY", nil: return true
    default:
      note(action?.number ?? alarm.number, "ACTION", "\(action?.value ?? "") makes no sound")
      return false
    }
  }

  private mutating func readBurst(
    _ alarm: ICalendarComponent, into triggers: inout ICalendarTriggers
  ) {
    let (again, spacing) = (alarm.line("REPEAT"), alarm.line("DURATION"))
    if again == nil, spacing == nil { return }
    let line = again?.number ?? spacing?.number ?? alarm.number
    guard let again, let spacing, let count = Int(again.value),
      let seconds = ICalendarDuration(spacing.value)?.total
    else {
      note(line, "REPEAT", "REPEAT and DURATION can be used only together")
      return
    }
    guard (0...19).contains(count), (1...3_600).contains(seconds) else {
      note(line, "REPEAT", "a burst has at most 20 rings, at most an hour apart")
      return
    }
    if let rings = triggers.rings, rings != count + 1 || triggers.spacingSeconds != seconds {
      note(line, "REPEAT", "an alarm has one burst for all of its times; the first is kept")
      return
    }
    (triggers.rings, triggers.spacingSeconds) = (count + 1, seconds)
  }

  /// True if a user has acknowledged the trigger that is due at `instant`. According to RFC 9074
  /// section 6.1, an acknowledgement applies to all triggers up to the time of the acknowledgement.
  private mutating func isAcknowledged(_ alarm: ICalendarComponent, at instant: Instant) -> Bool {
    guard let line = alarm.line("ACKNOWLEDGED"), case .utc(let time) = ICalendarTime(line.value),
      instant <= Zone.utc.resolve(time).instant
    else { return false }
    note(line.number, "ACKNOWLEDGED", "it was already acknowledged, so it does not ring again")
    return true
  }

  /// Sets the burst and the early reminders of the alarm.
  mutating func set(
    _ triggers: ICalendarTriggers, on form: inout AlarmForm, _ start: CivilDateTime,
    isRecurring: Bool
  ) {
    form.rings = triggers.rings
    form.spacingSeconds = triggers.spacingSeconds
    var earlyReminders: [String] = []
    for trigger in triggers.relative where trigger.offset.total < 0 {
      earlyReminders.append(trigger.earlyReminder ?? earlyReminder(trigger.offset, start))
    }
    for trigger in triggers.relative where trigger.offset.total > 0 && isRecurring {
      note(
        trigger.line.number, "TRIGGER",
        "a recurring alarm cannot ring after its start; it rings at the start")
    }
    if earlyReminders.count > 8 {
      note(component.number, "VALARM", "at most 8 rings before the start are kept")
    }
    if !earlyReminders.isEmpty {
      form.earlyReminders = Array(earlyReminders.prefix(8))
      if !triggers.relative.contains(where: { $0.offset.total == 0 }) {
        note(component.number, "VALARM", "it also rings at the start")
      }
    }
  }

  /// The early reminder as a phrase.
  ///
  /// If the early reminder is a number of days before the calendar entry, both have the same time
  /// of day. If the early reminder is a number of hours, minutes or seconds before the calendar
  /// entry, exactly this duration passes between the early reminder and the start of the calendar
  /// entry (RFC 5545 section 3.3.6).
  private func earlyReminder(_ offset: ICalendarDuration, _ start: CivilDateTime) -> String {
    if offset.seconds == 0 { return "\(-offset.days) days before" }
    let seconds = -offset.total
    return seconds % 60 == 0 ? "\(seconds / 60) minutes before" : "\(seconds) seconds before"
  }

  /// For each trigger after the start of the calendar event, adds one alarm that rings once.
  ///
  /// The caller must not call this function for a recurring calendar event, because the added alarm
  /// would ring only for one occurrence.
  mutating func addLate(
    _ triggers: ICalendarTriggers, _ form: AlarmForm, _ start: CivilDateTime, _ zone: Zone
  ) {
    for trigger in triggers.relative where trigger.offset.total > 0 {
      var late = form
      let at = zone.resolve(start).instant.adding(seconds: trigger.offset.total)
      late.schedule = "at \(at)"
      late.earlyReminders = nil
      if add(late, in: zone, trigger.line) {
        note(trigger.line.number, "TRIGGER", "the ring after the start becomes a separate alarm")
      }
    }
  }

  mutating func addAbsolute(_ trigger: ICalendarTriggers.Absolute, _ form: AlarmForm, _ zone: Zone)
  {
    var once = form
    once.schedule = "at \(trigger.instant)"
    once.earlyReminders = nil
    if add(once, in: zone, trigger.line) {
      note(
        trigger.line.number, "TRIGGER",
        "\(trigger.isSnooze ? "the snooze" : "the fixed time") becomes a separate alarm")
    }
  }
}
