import Alarms
import CivilTime

/// The triggers and the burst that the import read from all VALARM components of an event or a
/// to-do.
struct ICalendarTriggers {
  struct Relative {
    /// The time from the start of the event to the trigger. For an all-day event, the time counts
    /// from midnight.
    var offset: ICalendarDuration
    var line: ICalendarLine
    /// The phrase of the early reminder; nil if Prompter did not write the file.
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
  /// The longest accepted time between a trigger and its event, in seconds (about 10 years). If the
  /// time is longer, the file contains a mistake.
  private static let longestOffset: Int64 = 3_660 * 86_400

  mutating func readAlarms(_ start: Start, _ series: ICalendarSeries) -> ICalendarTriggers {
    let isRecurring = series.isRecurring
    var triggers = ICalendarTriggers()
    for alarm in component.components where alarm.name == "VALARM" {
      guard isAudible(alarm) else { continue }
      let repetitions = readBurst(alarm, into: &triggers)
      guard let line = alarm.line("TRIGGER") else {
        note(alarm.number, "VALARM", "it has no TRIGGER")
        continue
      }
      if let time = ICalendarTime(line) {
        let instant = absolute(time, line, start)
        let isSnooze = alarm.lines.contains {
          $0.name == "RELATED-TO" && $0.parameter("RELTYPE")?.uppercased() == "SNOOZE"
        }
        if isRecurring, line.parameter(ICalendarLine.repeats) != nil {
          let offset = series.offset(of: instant)
          for one in repetitions {
            triggers.relative.append(.init(offset: offset + one, line: line, earlyReminder: nil))
          }
        } else if !isAcknowledged(alarm, at: instant) {
          for (number, one) in repetitions.enumerated() {
            let again = start.zone.instant(instant, movedBy: one)
            triggers.absolute.append(
              .init(instant: again, line: line, isSnooze: isSnooze && number == 0))
          }
        }
        continue
      }
      guard var offset = ICalendarDuration(line.value), abs(offset.total) < Self.longestOffset
      else {
        note(line.number, "TRIGGER", "\"\(line.value)\" is neither a duration nor a time")
        continue
      }
      if line.parameter("RELATED")?.uppercased() == "END" { offset = offset + length(start) }
      let at = start.begin.adding(seconds: offset.total)
      if !isRecurring, isAcknowledged(alarm, at: at) { continue }
      for one in repetitions {
        triggers.relative.append(
          .init(
            offset: offset + one, line: line, earlyReminder: alarm.line("X-PROMPTER-LEAD")?.text))
      }
    }
    return triggers
  }

  /// Returns the instant of a trigger with a date and time. RFC 5545 requires a time in UTC. If the
  /// time is not in UTC, the function reads it as a local time of the event.
  private mutating func absolute(
    _ time: ICalendarTime, _ line: ICalendarLine, _ start: Start
  ) -> Instant {
    if case .utc(let utc) = time { return Zone.utc.resolve(utc).instant }
    // In a file without zones, only the times of the series are in UTC.
    let isUTC = start.zone.name == "UTC" && start.line.timeZoneID == nil
    let zone = line.timeZoneID.map { zones.zone($0) } ?? (isUTC ? zones.floating : start.zone)
    note(line.number, "TRIGGER", "it is not in UTC; it is read in \(zone.name)")
    let local = time.local(in: zone, allDay: allDay)
    let offsets = line.timeZoneID == nil ? start.offsets : zones.offsets(of: line)
    return offsets?.instant(of: local) ?? zone.resolve(local).instant
  }

  /// Returns the length of the event or to-do. If the file contains a DURATION, the result keeps
  /// its days, so that the event ends at the same time of day across a clock change. If the file
  /// contains DTEND, the length is elapsed time. If the file contains neither, an event with a date
  /// lasts one day, and an event with a time has no length (RFC 5545 section 3.6.1).
  private mutating func length(_ start: Start) -> ICalendarDuration {
    let hasStart = component.line("DTSTART") != nil
    let usual = ICalendarDuration(days: start.isAllDay && hasStart ? 1 : 0, seconds: 0)
    if let line = component.line("DURATION") {
      guard let length = ICalendarDuration(line.value),
        (0..<Self.longestOffset).contains(length.total)
      else { return usual }
      return length
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
      let offsets = line.timeZoneID == nil ? start.offsets : zones.offsets(of: line)
      let instant =
        isUTC ? absoluteUTC(time) : offsets?.instant(of: end) ?? own.resolve(end).instant
      seconds = instant.seconds - start.begin.seconds
    }
    if seconds > 0, seconds < Self.longestOffset {
      return ICalendarDuration(days: 0, seconds: seconds)
    }
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
    case "PROCEDURE":
      note(action?.number ?? alarm.number, "ACTION", "it rings; its program is not started")
      return true
    default:
      note(action?.number ?? alarm.number, "ACTION", "\(action?.value ?? "") makes no sound")
      return false
    }
  }

  /// Reads REPEAT and DURATION. If the repetitions are at most an hour apart, they become the burst
  /// of the alarm.
  ///
  /// - Returns: the time from the trigger to each repetition that is not a ring of the burst. The
  ///   first element is 0, for the trigger.
  @discardableResult
  mutating func readBurst(
    _ alarm: ICalendarComponent, into triggers: inout ICalendarTriggers
  ) -> [ICalendarDuration] {
    let none = [ICalendarDuration(days: 0, seconds: 0)]
    let (again, spacing) = (alarm.line("REPEAT"), alarm.line("DURATION"))
    if again == nil, spacing == nil { return none }
    let line = again?.number ?? spacing?.number ?? alarm.number
    guard let again, let spacing, let count = Int(again.value.trimmed), count >= 0,
      let interval = ICalendarDuration(spacing.value), interval.total > 0
    else {
      note(line, "REPEAT", "REPEAT and DURATION can be used only together")
      return none
    }
    if interval.total > 3_600 {
      if count > Self.mostRepetitions {
        note(line, "REPEAT", "only the first \(Self.mostRepetitions) repetitions ring")
      }
      return (0...min(count, Self.mostRepetitions)).map { interval * $0 }
    }
    if count > 19 { note(line, "REPEAT", "a burst has at most 20 rings") }
    let burst = (min(count, 19) + 1, interval.total)
    if let rings = triggers.rings, rings != burst.0 || triggers.spacingSeconds != burst.1 {
      note(line, "REPEAT", "an alarm has one burst for all of its times; the first is kept")
      return none
    }
    (triggers.rings, triggers.spacingSeconds) = burst
    return none
  }

  /// The maximum number of trigger repetitions that are not rings of a burst.
  private static let mostRepetitions = 30

  /// Returns true if a user has acknowledged the trigger that is due at `instant`. According to RFC
  /// 9074 section 6.1, an acknowledgement applies to all triggers up to the time of the
  /// acknowledgement.
  private mutating func isAcknowledged(_ alarm: ICalendarComponent, at instant: Instant) -> Bool {
    guard let line = alarm.line("ACKNOWLEDGED"), case .utc(let time) = ICalendarTime(line),
      instant <= Zone.utc.resolve(time).instant
    else { return false }
    note(line.number, "ACKNOWLEDGED", "it was already acknowledged, so it does not ring again")
    return true
  }
}

extension ICalendarDuration {
  fileprivate static func + (first: Self, second: Self) -> Self {
    Self(days: first.days + second.days, seconds: first.seconds + second.seconds)
  }

  fileprivate static func * (duration: Self, count: Int) -> Self {
    Self(days: duration.days * count, seconds: duration.seconds * Int64(count))
  }
}

extension Zone {
  /// Returns `instant`, moved by the DURATION `offset`. The days of `offset` keep the time of day.
  fileprivate func instant(_ instant: Instant, movedBy offset: ICalendarDuration) -> Instant {
    if offset.days == 0 { return instant.adding(seconds: offset.seconds) }
    let local = civil(at: instant).dateTime
    let day = CivilDateTime(date: local.date.adding(days: offset.days), time: local.time)
    return resolve(day).instant.adding(seconds: offset.seconds)
  }
}
