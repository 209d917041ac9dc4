import Alarms
import CivilTime

// Converts the start and the triggers of an event to alarms with early reminders. Each trigger
// becomes the due time of an alarm, an early reminder, or a separate alarm.
extension ICalendarItem {
  /// The maximum number of early reminders of one alarm.
  private static let mostReminders = 8
  /// The maximum number of days from an early reminder to the due time.
  private static let earliestDays = 60
  private static let day: Int64 = 86_400

  // MARK: Events with a time of day

  /// Adds the alarm of an event with a time of day. The alarm always rings at the start of the
  /// event, even if no trigger of the event is at the start.
  mutating func addTimed(
    _ form: AlarmForm, _ series: ICalendarSeries, _ triggers: ICalendarTriggers, _ start: Start
  ) {
    var form = form
    (form.rings, form.spacingSeconds) = (triggers.rings, triggers.spacingSeconds)
    var reminders: [String] = []
    var others: [ICalendarTriggers.Relative] = []
    for trigger in triggers.relative where trigger.offset.total != 0 {
      guard let reminder = trigger.earlyReminder ?? reminder(trigger, series, start) else {
        others.append(trigger)
        continue
      }
      if reminders.contains(reminder) { continue }
      if reminders.count < Self.mostReminders {
        reminders.append(reminder)
      } else {
        others.append(trigger)
      }
    }
    if !triggers.relative.isEmpty, !triggers.relative.contains(where: { $0.offset.total == 0 }) {
      note(component.number, "VALARM", "it also rings at the start")
    }
    for trigger in others { addOwn(trigger, form, series, start) }
    form.earlyReminders = reminders.isEmpty ? nil : reminders
    offset = .init(seconds: 0, isAllDay: false)
    addSeries(form, series, start, isMain: true)
  }

  /// Returns the phrase of an early reminder for a trigger. The result is nil if the trigger is not
  /// before the start of the event, or is more than 60 days before the start.
  ///
  /// The function follows RFC 5545 section 3.3.6. If the trigger contains only days, the early
  /// reminder has the same time of day as the event. If the trigger contains hours, minutes or
  /// seconds, exactly this duration passes between the early reminder and the start of the event.
  private mutating func reminder(
    _ trigger: ICalendarTriggers.Relative, _ series: ICalendarSeries, _ start: Start
  ) -> String? {
    let offset = trigger.offset
    guard offset.total < 0, -offset.total <= Int64(Self.earliestDays) * Self.day else { return nil }
    if offset.seconds == 0 { return "\(-offset.days) days before" }
    if offset.days != 0 {
      // The days of the offset keep the time of day, but the seconds of the offset count elapsed
      // time. The phrase of an early reminder can express days and seconds together only if all
      // occurrences have the same time of day.
      guard series.hasOneTime(start.time.time) else { return nil }
      let early = CivilDateTime(localSeconds: start.time.localSeconds + offset.total)
      let days = start.time.date.dayNumber - early.date.dayNumber
      return days > 0 ? "\(days) days before at \(early.time)" : nil
    }
    var seconds = -offset.total
    if seconds < 60 {
      note(
        trigger.line.number, "TRIGGER",
        "an early reminder rings at least 1 minute before the start; it rings 1 minute before")
      seconds = 60
    }
    return seconds % 60 == 0 ? "\(seconds / 60) minutes before" : "\(seconds) seconds before"
  }

  /// Adds a separate alarm for a trigger that cannot be an early reminder.
  private mutating func addOwn(
    _ trigger: ICalendarTriggers.Relative, _ form: AlarmForm, _ series: ICalendarSeries,
    _ start: Start
  ) {
    offset = .init(seconds: trigger.offset.total, isAllDay: false)
    if !series.isRecurring {
      let instant =
        start.instant != nil && trigger.offset.days == 0
        ? start.begin.adding(seconds: trigger.offset.seconds)
        : series.instant(start.time, movedBy: trigger.offset)
      if addOnce(form, at: instant, start.zone, trigger.line) { noteOwn(trigger) }
      return
    }
    let moved = series.moved(by: trigger.offset, .elapsed, now: now)
    if addSeries(form, moved, start, isMain: false, trigger.line) { noteOwn(trigger) }
  }

  private mutating func noteOwn(_ trigger: ICalendarTriggers.Relative) {
    note(
      trigger.line.number, "TRIGGER",
      trigger.offset.total > 0
        ? "the ring after the start becomes a separate alarm"
        : "the ring before the start becomes a separate alarm")
  }

  // MARK: All-day events

  /// Adds the alarms of an all-day event. The triggers of the event count from midnight. If the
  /// event has no triggers, the alarm rings at the time of day `allDay`.
  mutating func addAllDay(
    _ form: AlarmForm, _ series: ICalendarSeries, _ triggers: ICalendarTriggers, _ start: Start
  ) {
    var form = form
    (form.rings, form.spacingSeconds) = (triggers.rings, triggers.spacingSeconds)
    var times = Set(triggers.relative.map(\.offset.total)).sorted()
    if times.isEmpty {
      times = [Int64(allDay.secondOfDay)]
      if triggers.absolute.contains(where: { !$0.isSnooze }), !series.isRecurring { return }
    }
    // The due time of the alarm is the first trigger that is not before the day of the event. If
    // all triggers are before this day, the due time is the last trigger.
    var main = times.first { $0 >= 0 } ?? times[times.count - 1]
    if series.movedTo(main, now).isShort(now) {
      note(
        start.line.number, start.line.name,
        "no rule describes the days of its first reminder; it also rings on its days, at \(allDay)")
      main = Int64(allDay.secondOfDay)
      times.append(main)
    }
    note(
      start.line.number, start.line.name,
      "it has no time of day; it rings at \(Self.time(main))\(Self.dayWords(main))")
    var reminders: [String] = []
    for time in times where time < main {
      if let reminder = reminder(at: time, before: main), reminders.count < Self.mostReminders {
        reminders.append(reminder)
      } else {
        addShifted(time, form, series, start)
      }
    }
    for time in times where time > main { addShifted(time, form, series, start) }
    form.earlyReminders = reminders.isEmpty ? nil : reminders
    offset = .init(seconds: main, isAllDay: true)
    addSeries(form, series.movedTo(main, now), start, isMain: true)
  }

  /// Returns the phrase for an early reminder at `time`, for example `30 minutes before`. `main` is
  /// the due time. `time` and `main` are seconds after the midnight at which the first day of the
  /// event begins. The result is nil if `time` is less than 1 minute or more than 60 days before
  /// the due time.
  private func reminder(at time: Int64, before main: Int64) -> String? {
    let days = Self.days(main) - Self.days(time)
    if days == 0 {
      let seconds = main - time
      if seconds < 60 { return nil }
      return seconds % 60 == 0 ? "\(seconds / 60) minutes before" : "\(seconds) seconds before"
    }
    return days <= Self.earliestDays ? "\(days) days before at \(Self.time(time))" : nil
  }

  private mutating func addShifted(
    _ time: Int64, _ form: AlarmForm, _ series: ICalendarSeries, _ start: Start
  ) {
    var form = form
    form.earlyReminders = nil
    var series = series
    series.timed = []
    offset = .init(seconds: time, isAllDay: true)
    if addSeries(form, series.movedTo(time, now), start, isMain: false) {
      note(
        start.line.number, "TRIGGER",
        "the ring at \(Self.time(time))\(Self.dayWords(time)) becomes a separate alarm")
    }
  }

  fileprivate static func days(_ time: Int64) -> Int {
    Int(time >= 0 ? time / day : -((-time + day - 1) / day))
  }

  private static func time(_ time: Int64) -> ClockTime {
    let second = Int(time - Int64(days(time)) * day)
    let found = try? ClockTime(
      hour: second / 3_600, minute: second / 60 % 60, second: second % 60)
    return found ?? .midnight
  }

  private static func dayWords(_ time: Int64) -> String {
    switch days(time) {
    case 0: ""
    case -1: " on the day before"
    case let days where days < 0: ", \(-days) days before"
    case 1: " on the day after"
    case let days: ", \(days) days later"
    }
  }

  // MARK: Alarms

  /// Adds the alarms for the times of a series.
  @discardableResult
  private mutating func addSeries(
    _ form: AlarmForm, _ series: ICalendarSeries, _ start: Start, isMain: Bool,
    _ line: ICalendarLine? = nil
  ) -> Bool {
    var form = form
    if !isMain { form.earlyReminders = nil }
    if let instant = start.instant, isMain, !series.isRecurring {
      form.schedule = "at \(instant)"
      return add(form, in: start.zone, start.line)
    }
    let series = series.inZone(now: now)
    noteLimits(of: series, line ?? start.line)
    let (schedules, leftOut) = series.schedules(now: now)
    if let leftOut {
      note(
        start.line.number, "EXDATE",
        "the schedule would be too long: the exclusions from \(leftOut) on are left out; import the "
          + "file again before this day")
    }
    if schedules.isEmpty {
      refuse(start.line, start.line.name, "all of its times are excluded")
      ending = ending ?? "all of its times are excluded"
      return false
    }
    var isAdded = false
    for schedule in schedules {
      form.schedule = schedule
      if add(form, in: start.zone, line ?? start.line) { isAdded = true }
    }
    return isAdded
  }

  private mutating func noteLimits(of series: ICalendarSeries, _ line: ICalendarLine) {
    if let until = series.listedUntil {
      note(
        line.number, line.name,
        "no rule describes its times; they are set one by one until \(until.date); import the file "
          + "again before this day")
    }
    if let until = series.exactUntil {
      note(
        line.number, line.name,
        "it can be an hour early or late on some days from \(until.date) on; import the file again "
          + "before this day")
    }
  }

  /// Adds an alarm that rings once.
  @discardableResult
  mutating func addOnce(
    _ form: AlarmForm, at instant: Instant, _ zone: Zone, _ line: ICalendarLine
  ) -> Bool {
    var once = form
    once.schedule = "at \(instant)"
    once.earlyReminders = nil
    return add(once, in: zone, line)
  }

  /// Adds the alarms of a component without a start time. Uses each `TRIGGER` that is a date and
  /// time, and adds a note for each other `TRIGGER`.
  ///
  /// - Returns: false if the component has no trigger with a date and time.
  mutating func addFixedTimes(_ form: AlarmForm) -> Bool {
    let times = component.components.filter { $0.name == "VALARM" }.compactMap { alarm in
      alarm.line("TRIGGER").flatMap { line in ICalendarTime(line).map { (line, $0) } }
    }
    guard let (line, time) = times.first else { return false }
    let local = time.local(in: homeZone, allDay: allDay)
    let start = Start(line: line, time: local, zone: homeZone, isAllDay: false)
    var form = form
    form.zone = homeZone.name
    let triggers = readAlarms(start, ICalendarSeries(zone: homeZone))
    (form.rings, form.spacingSeconds) = (triggers.rings, triggers.spacingSeconds)
    for trigger in triggers.absolute { addAbsolute(trigger, form, homeZone) }
    for trigger in triggers.relative {
      note(trigger.line.number, "TRIGGER", "it is left out: the \(component.name) has no start")
    }
    return true
  }

  mutating func addAbsolute(
    _ trigger: ICalendarTriggers.Absolute, _ form: AlarmForm, _ zone: Zone
  ) {
    if addOnce(form, at: trigger.instant, zone, trigger.line) {
      note(
        trigger.line.number, "TRIGGER",
        "\(trigger.isSnooze ? "the snooze" : "the fixed time") becomes a separate alarm")
    }
  }
}

extension ICalendarSeries {
  /// Returns the series of an all-day event, moved by a number of seconds. Before the move, the
  /// event begins at 00:00.
  fileprivate func movedTo(_ seconds: Int64, _ now: Instant) -> ICalendarSeries {
    let days = ICalendarItem.days(seconds)
    let offset = ICalendarDuration(days: days, seconds: seconds - Int64(days) * 86_400)
    return moved(by: offset, .local, now: now)
  }

  /// Returns true if the list of single times ends less than five years from now. An alarm with
  /// such a list also needs a rule, because the alarm would become silent after the end of the
  /// list.
  fileprivate func isShort(_ now: Instant) -> Bool {
    guard let listedUntil else { return false }
    return zone.resolve(listedUntil).instant < now.adding(seconds: 5 * 366 * 86_400)
  }

  /// Returns true if all occurrences begin at this time of day.
  fileprivate func hasOneTime(_ time: ClockTime) -> Bool {
    let singles = dates.union(added).union(timed)
    return offsets == nil && singles.allSatisfy { $0.time == time }
      && pieces.allSatisfy { piece in
        piece.start.time == time && piece.rule.frequency >= .daily
          && piece.rule.hours.count <= 1 && piece.rule.minutes.count <= 1
          && piece.rule.seconds.count <= 1
      }
  }
}
