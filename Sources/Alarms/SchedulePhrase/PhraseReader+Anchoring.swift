import CivilTime

// Computes the schedule of a phrase. The start date of the schedule can depend on the present time.
extension PhraseReader {
  func anchored(_ outline: PhraseOutline) throws(Refusal) -> Schedule {
    switch outline.kind {
    case .at(let instant): return .at(instant)
    case .once(let dateTime): return .once(dateTime)
    case .rule(let pattern, let times):
      let schedule = try recurring(pattern, times, outline)
      guard var holidays = outline.holidays else { return schedule }
      if pattern.isWorkingDay {
        holidays.workingDaysFrom = outline.starting?.date ?? zone.civil(at: now).dateTime.date
      }
      if case .times = outline.ending { throw countsHolidays() }
      return schedule.leavingOut(holidays) ?? schedule
    case .elapsed(let seconds): return try every(seconds, outline)
    case .within(let seconds, let from, let to):
      return .within(seconds: seconds, try window(from, to, outline))
    case .random(let perDay, let from, let to):
      return .random(try random(perDay, try window(from, to, outline), outline))
    case .after(let anchor, let seconds):
      var first: Instant?
      if anchor == .itself {
        first = start(of: outline) ?? Instant(seconds: now.seconds + seconds)
      }
      return .after(
        AfterAnswer(anchor: anchor, seconds: seconds, latest: outline.latest, first: first))
    }
  }

  /// Returns the phrase with dates instead of relative words such as "tomorrow".
  func lasting(_ outline: PhraseOutline, _ schedule: Schedule) -> String {
    if outline.isRelative {
      switch schedule {
      case .at(let instant):
        let local = zone.civil(at: instant).dateTime
        return "\(local.date) \(local.time)"
      case .once(let dateTime): return "\(dateTime.date) \(dateTime.time)"
      default: return schedule.words(in: zone, typedAt: now)
      }
    }
    return words.map(\.original).joined(separator: " ")
  }

  /// Returns the start time in the phrase; nil if the phrase contains no start time.
  private func start(of outline: PhraseOutline) -> Instant? {
    outline.starting.map {
      zone.resolve(CivilDateTime(date: $0.date, time: $0.time ?? .midnight)).instant
    }
  }

  // MARK: Civil rules

  /// Creates a recurring schedule whose DTSTART is its first occurrence.
  ///
  /// Therefore the weeks of "every 2 weeks" are counted from the first occurrence.
  private func recurring(
    _ pattern: Pattern, _ times: [ClockTime], _ outline: PhraseOutline
  ) throws(Refusal) -> Schedule {
    // One rule can contain several times of day that differ only in the hour. Times of day that
    // differ in the minute or second need separate rules.
    var groups: [[ClockTime]] = []
    for time in times {
      let same: ([ClockTime]) -> Bool = { $0[0].secondOfDay % 3_600 == time.secondOfDay % 3_600 }
      if let index = groups.firstIndex(where: same) {
        groups[index].append(time)
      } else {
        groups.append([time])
      }
    }
    let lower = start(of: outline)?.adding(seconds: -1) ?? now
    let today = CivilDateTime(date: zone.civil(at: lower).dateTime.date, time: .midnight)
    var first: Occurrence?
    for group in groups {
      let found = try recurrence(pattern, group, interval: 1, end: "", start: today)
        .next(after: lower)
      if let found, first.map({ found.instant < $0.instant }) ?? true { first = found }
    }
    guard let first else { throw never() }
    let from = CivilDateTime(date: first.nominal.date, time: .midnight)
    var rules: [RecurringDates.Rule] = []
    for group in groups {
      guard let end = end(of: outline, group, of: times, first: first.nominal) else { continue }
      let plain = try recurrence(pattern, group, interval: pattern.interval, end: "", start: from)
      guard let start = plain.next(after: first.instant.adding(milliseconds: -1)) else { continue }
      let rule = try rule(pattern, group, interval: pattern.interval, end: end)
      // If the schedule ends before the first due time of a group, the schedule gets no rule for
      // this group of times.
      guard (try? Recurrence(rule: rule, start: start.nominal, zone: zone)) != nil else { continue }
      rules.append(RecurringDates.Rule(rule: rule, start: start.nominal))
    }
    guard let only = rules.first else { throw never() }
    if rules.count == 1 { return .recurring(only.rule, start: only.start) }
    return .several(RecurringDates(rules: rules))
  }

  /// Returns the refusal of a phrase that excludes holidays and ends after a number of occurrences.
  /// A person who types "for 10 times" expects ten rings. But with RFC 5545, the alarm would ring
  /// fewer than ten times, because RFC 5545 also counts the excluded occurrences.
  private func countsHolidays() -> Refusal {
    Refusal(
      .invalidField, field: "schedule",
      "cannot read \"\(phrase)\": a schedule that leaves out holidays cannot end after a number of "
        + "times; write \"until 2026-12-31\" or \"for 10 days\"")
  }

  private func never() -> Refusal {
    Refusal(.invalidField, field: "schedule", "\"\(phrase)\" has no occurrence in the future")
  }

  private func rule(
    _ pattern: Pattern, _ times: [ClockTime], interval: Int, end: String
  ) throws(Refusal) -> RecurrenceRule {
    let hours = times.map { String($0.hour) }.joined(separator: ",")
    let text =
      "FREQ=\(pattern.frequency);INTERVAL=\(interval)\(pattern.parts);BYHOUR=\(hours)"
      + ";BYMINUTE=\(times[0].minute);BYSECOND=\(times[0].second)\(end)"
    do {
      return try RecurrenceRule(parsing: text)
    } catch {
      throw Refusal(.invalidField, field: "schedule", "cannot use \"\(phrase)\": \(error)")
    }
  }

  private func recurrence(
    _ pattern: Pattern, _ times: [ClockTime], interval: Int, end: String, start: CivilDateTime
  ) throws(Refusal) -> Recurrence {
    let rule = try rule(pattern, times, interval: interval, end: end)
    do {
      return try Recurrence(rule: rule, start: start, zone: zone)
    } catch {
      throw Refusal(.invalidField, field: "schedule", "cannot use \"\(phrase)\": \(error)")
    }
  }

  /// Returns the part UNTIL or COUNT of the rule for the times of day in `group`. The text is empty
  /// if the phrase states no end. The result is nil if the COUNT of this group would be 0.
  ///
  /// For the phrase "for 10 times", the COUNT values of all groups add up to 10. The COUNT of a
  /// group is the number of its occurrences among the first 10 occurrences of all groups together.
  private func end(
    of outline: PhraseOutline, _ group: [ClockTime], of times: [ClockTime], first: CivilDateTime
  ) -> String? {
    switch outline.ending {
    case nil: return ""
    case .date(let date): return ";UNTIL=\(date.ruleText)"
    case .days(let days): return ";UNTIL=\(first.date.adding(days: days - 1).ruleText)"
    case .times(let count):
      let offset = times.firstIndex(of: first.time) ?? 0
      let share = group.reduce(0) { sum, time in
        let place = ((times.firstIndex(of: time) ?? 0) - offset + times.count) % times.count
        return sum + (count - place + times.count - 1) / times.count
      }
      return share > 0 ? ";COUNT=\(share)" : nil
    }
  }

  // MARK: Elapsed and windows

  private func every(_ seconds: Int64, _ outline: PhraseOutline) throws(Refusal) -> Schedule {
    let first = start(of: outline) ?? Instant(seconds: now.seconds + seconds)
    let from = first.adding(seconds: -seconds)
    // With the case `every`, the alarm would also be due at times that are more than one interval
    // before `from`: see `SchedulePlan`. Therefore a schedule that starts in the future must be a
    // rule with a start time.
    if outline.ending == nil, now.seconds >= from.seconds - seconds {
      return .every(seconds: seconds, from: from)
    }
    let (unit, length): (String, Int64) =
      seconds % 3_600 == 0
      ? ("HOURLY", 3_600) : seconds % 60 == 0 ? ("MINUTELY", 60) : ("SECONDLY", 1)
    let start = zone.civil(at: first).dateTime
    let end: String =
      switch outline.ending {
      case nil: ""
      case .date(let date): ";UNTIL=\(date.ruleText)"
      // In an elapsed schedule, a day is 24 hours, even on the day of a clock change. The first day
      // starts at the first due time. A due time exactly at the end of the last day is not
      // included.
      case .days(let days): ";COUNT=\((Int64(days) * 86_400 + seconds - 1) / seconds)"
      case .times(let count): ";COUNT=\(count)"
      }
    do {
      let rule = try RecurrenceRule(
        parsing: "FREQ=\(unit);INTERVAL=\(seconds / length)\(end)")
      guard try Recurrence(rule: rule, start: start, zone: zone).next(after: now) != nil else {
        throw never()
      }
      return .recurring(rule, start: start)
    } catch let error as CivilTimeError {
      throw Refusal(.invalidField, field: "schedule", "cannot use \"\(phrase)\": \(error)")
    } catch {
      throw error as? Refusal ?? never()
    }
  }

  private func window(
    _ from: ClockTime, _ to: ClockTime, _ outline: PhraseOutline
  ) throws(Refusal) -> DayWindow {
    let today = zone.civil(at: now).dateTime.date
    let first = outline.starting?.date ?? today
    var last: CivilDate?
    switch outline.ending {
    case nil: break
    case .date(let date): last = date
    case .days(let days): last = first.adding(days: days - 1)
    case .times:
      throw Refusal(
        .invalidField, field: "schedule",
        "cannot read \"\(phrase)\": a schedule with a window cannot end after a number of times; write "
          + "\"until 2026-12-31\" or \"for 10 days\""
      )
    }
    if let last, last < max(first, today.adding(days: -1)) { throw never() }
    return DayWindow(
      from: from, to: to, weekdays: outline.weekdays, firstDay: first, lastDay: last)
  }

  private func random(
    _ perDay: Int, _ window: DayWindow, _ outline: PhraseOutline
  ) throws(Refusal) -> RandomTimes {
    let gaps = Int64(perDay - 1)
    if gaps == 0, outline.apartSeconds != nil {
      throw Refusal(
        .invalidField, field: "schedule",
        "cannot use \"\(phrase)\": a distance needs at least 2 times a day; write "
          + "\"3 times a day at random between ... at least 30 minutes apart\", or leave out the distance"
      )
    }
    // By default, the minimum interval between two random times is the shorter of two values: 15
    // minutes, and `window.seconds / (2 * perDay)`. If each day has only one random time, the value
    // is 0.
    let distance =
      outline.apartSeconds ?? (gaps == 0 ? 0 : min(900, window.seconds / Int64(2 * perDay)))
    guard gaps * distance < window.seconds else {
      throw Refusal(
        .invalidField, field: "schedule",
        "cannot use \"\(phrase)\": \(perDay) times, \(Schedule.words(seconds: distance)) apart, "
          + "do not fit between \(window.from) and \(window.to)")
    }
    return RandomTimes(perDay: perDay, window: window, minimumDistanceSeconds: distance)
  }
}

extension CivilDate {
  /// The date in the form of RFC 5545, for example `20261201`.
  var ruleText: String { description.filter { $0 != "-" } }
}

extension CivilDateTime {
  /// The date-time in the form of RFC 5545, for example `20261201T080000`.
  var ruleText: String { description.filter { $0 != "-" && $0 != ":" } }
}
