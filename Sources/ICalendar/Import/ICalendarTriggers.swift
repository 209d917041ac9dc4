import Alarms
import CivilTime

/// The triggers and the burst that the import read from all VALARM components of an event or a
/// to-do.
struct ICalendarTriggers {
  struct Relative {
    /// The time from the start of the event. For an all-day event, it is the time from midnight.
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
}

// Reads the VALARM components.
extension ICalendarItem {
  /// The longest time between a trigger and its event, in seconds: 10 years. A longer time is a
  /// fault of the file.
  private static let longestOffset: Int64 = 3_660 * 86_400

  mutating func readAlarms(_ start: Start) -> ICalendarTriggers {
    var triggers = ICalendarTriggers()
    for alarm in component.components where alarm.name == "VALARM" {
      guard isAudible(alarm) else { continue }
      readBurst(alarm, into: &triggers)
      guard let line = alarm.line("TRIGGER") else {
        note(alarm.number, "VALARM", "it has no TRIGGER")
        continue
      }
      if let time = ICalendarTime(line) {
        let instant = absolute(time, line, start)
        let isSnooze = alarm.lines.contains {
          $0.name == "RELATED-TO" && $0.parameter("RELTYPE")?.uppercased() == "SNOOZE"
        }
        if !isAcknowledged(alarm, at: instant) {
          triggers.absolute.append(.init(instant: instant, line: line, isSnooze: isSnooze))
        }
        continue
      }
      guard var offset = ICalendarDuration(line.value), abs(offset.total) < Self.longestOffset
      else {
        note(line.number, "TRIGGER", "\"\(line.value)\" is neither a duration nor a time")
        continue
      }
      if line.parameter("RELATED")?.uppercased() == "END" { offset.seconds += length(start) }
      let at = start.zone.resolve(start.time).instant.adding(seconds: offset.total)
      if !isRecurring, isAcknowledged(alarm, at: at) { continue }
      triggers.relative.append(
        .init(offset: offset, line: line, earlyReminder: alarm.line("X-PROMPTER-LEAD")?.text))
    }
    return triggers
  }

  /// The instant of a trigger with a date and time. RFC 5545 requires UTC. A time without UTC is a
  /// local time of the event.
  private mutating func absolute(
    _ time: ICalendarTime, _ line: ICalendarLine, _ start: Start
  ) -> Instant {
    if case .utc(let utc) = time { return Zone.utc.resolve(utc).instant }
    let zone = line.timeZoneID.map { zones.zone($0) } ?? start.zone
    note(line.number, "TRIGGER", "it is not in UTC; it is read in \(zone.name)")
    return zone.resolve(time.local(in: zone, allDay: allDay)).instant
  }

  /// The length of the event or to-do, in seconds. Without an end, an event with a date lasts one
  /// day, and an event with a time has no length (RFC 5545 section 3.6.1).
  private mutating func length(_ start: Start) -> Int64 {
    let hasStart = component.line("DTSTART") != nil
    let usual: Int64 = start.isAllDay && hasStart ? 86_400 : 0
    if let line = component.line("DURATION") {
      let total = ICalendarDuration(line.value)?.total ?? usual
      return (0..<Self.longestOffset).contains(total) ? total : usual
    }
    guard let line = component.line("DTEND") ?? (hasStart ? component.line("DUE") : nil),
      let time = ICalendarTime(line)
    else { return usual }
    let own = line.timeZoneID.map { zones.zone($0) } ?? start.zone
    let seconds: Int64
    if start.isAllDay {
      let day = ICalendarSeries.days(time, in: own, at: start.zone)[0]
      seconds = Int64(day.dayNumber - start.time.date.dayNumber) * 86_400
    } else {
      let end = time.local(in: own, allDay: .midnight)
      let isUTC = if case .utc = time { true } else { false }
      let instant = isUTC ? absoluteUTC(time) : own.resolve(end).instant
      seconds = instant.seconds - start.zone.resolve(start.time).instant.seconds
    }
    if seconds > 0, seconds < Self.longestOffset { return seconds }
    note(line.number, line.name, "it is not after the start; the event counts as long as usual")
    return usual
  }

  private func absoluteUTC(_ time: ICalendarTime) -> Instant {
    Zone.utc.resolve(time.local(in: .utc, allDay: .midnight)).instant
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
    switch action?.value.trimmed.uppercased() {
    case "AUDIO", "DISPLAY", nil: return true
    default:
      note(action?.number ?? alarm.number, "ACTION", "\(action?.value ?? "") makes no sound")
      return false
    }
  }

  mutating func readBurst(
    _ alarm: ICalendarComponent, into triggers: inout ICalendarTriggers
  ) {
    let (again, spacing) = (alarm.line("REPEAT"), alarm.line("DURATION"))
    if again == nil, spacing == nil { return }
    let line = again?.number ?? spacing?.number ?? alarm.number
    guard let again, let spacing, let count = Int(again.value.trimmed), count >= 0,
      let seconds = ICalendarDuration(spacing.value)?.total, seconds > 0
    else {
      note(line, "REPEAT", "REPEAT and DURATION can be used only together")
      return
    }
    if count > 19 || seconds > 3_600 {
      note(line, "REPEAT", "a burst has at most 20 rings, at most an hour apart")
    }
    let burst = (min(count, 19) + 1, min(seconds, 3_600))
    if let rings = triggers.rings, rings != burst.0 || triggers.spacingSeconds != burst.1 {
      note(line, "REPEAT", "an alarm has one burst for all of its times; the first is kept")
      return
    }
    (triggers.rings, triggers.spacingSeconds) = burst
  }

  /// True if a user has acknowledged the trigger that is due at `instant`. According to RFC 9074
  /// section 6.1, an acknowledgement applies to all triggers up to the time of the acknowledgement.
  private mutating func isAcknowledged(_ alarm: ICalendarComponent, at instant: Instant) -> Bool {
    guard let line = alarm.line("ACKNOWLEDGED"), case .utc(let time) = ICalendarTime(line),
      instant <= Zone.utc.resolve(time).instant
    else { return false }
    note(line.number, "ACKNOWLEDGED", "it was already acknowledged, so it does not ring again")
    return true
  }
}
