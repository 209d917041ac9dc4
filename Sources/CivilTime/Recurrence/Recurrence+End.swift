// Computes the end of a rule. If the rule has COUNT, the end is the last due time. If the rule has
// UNTIL, the end is the last second at which UNTIL permits an occurrence.
extension Recurrence {
  /// The last second at which UNTIL permits an occurrence.
  static func untilSecond(_ rule: RecurrenceRule, zone: Zone) -> Int64 {
    switch rule.end {
    case .untilInstant(let instant): instant.seconds
    // If UNTIL is a repeated local time, the rule ends at the later of the two instants. If the
    // rule ended at the earlier instant, the last occurrence could be lost.
    case .untilLocal(let local): zone.resolve(local, fold: 1).instant.seconds
    case .never, .count, .untilDate: .max
    }
  }

  static func limited(
    _ civil: CivilSchedule, rule: RecurrenceRule
  ) throws(CivilTimeError) -> CivilSchedule {
    switch rule.end {
    case .count(let count):
      if civil.countsOneByOne { try checkCount(count, rule: rule) }
      return CivilSchedule(civil, last: civil.last(count: count).local)
    case .untilDate(let date):
      return CivilSchedule(civil, last: Int64(date.dayNumber) * 86_400 + 86_399)
    case .never, .untilLocal, .untilInstant: return civil
    }
  }

  static func limited(
    _ elapsed: ElapsedSchedule, rule: RecurrenceRule, zone: Zone
  ) throws(CivilTimeError) -> ElapsedSchedule {
    switch rule.end {
    case .count(let count):
      if elapsed.hasLimits { try checkCount(count, rule: rule) }
      return elapsed.ending(at: elapsed.last(count: count))
    case .untilDate(let date):
      let nextDay = CivilDateTime(date: date.adding(days: 1), time: .midnight)
      return elapsed.ending(at: zone.resolve(nextDay).instant.seconds - 1)
    case .never, .untilLocal, .untilInstant: return elapsed
    }
  }

  private static func checkCount(_ count: Int, rule: RecurrenceRule) throws(CivilTimeError) {
    if count <= mostCountedOut { return }
    let text = rule.description
    let before = text.utf8.split(separator: 0x3B).prefix { !$0.starts(with: "COUNT".utf8) }
    throw .unsupportedRule(
      text: text, position: before.reduce(1) { $0 + $1.count + 1 },
      reason: "COUNT can be at most \(mostCountedOut) in this rule; use UNTIL")
  }

  /// The months, 1…12, in which a day of the rule does not exist, if the rule has SKIP=OMIT. For
  /// any other rule, the list is empty.
  ///
  /// Examples: a rule for day 31 has no occurrence in June, and a rule for day 29 has no occurrence
  /// in February in most years.
  public var missedMonths: [Int] {
    guard rule.frequency >= .monthly, rule.skip == .omit else { return [] }
    let hasPositions = !rule.setPositions.isEmpty
    var days = rule.monthDays.filter { $0 > 0 }
    // A month has a day -3, the third day from the end, if the month has at least 3 days.
    if hasPositions, rule.frequency == .monthly { days = rule.monthDays.map(abs) }
    let namesNoDays =
      rule.monthDays.isEmpty && rule.weekdays.isEmpty && rule.yearDays.isEmpty
      && rule.weekNumbers.isEmpty
    if namesNoDays { days = [start.date.day] }
    // For a rule with BYSETPOS, check the smallest day of the list. Example: the rule
    // `BYMONTHDAY=28,29,30,31;BYSETPOS=-1` means the last day of every month. Its smallest day is
    // 28. Every month has a day 28, so this rule has an occurrence in every month.
    let chosen = hasPositions ? days.min() : days.max()
    guard let day = chosen, day > 28 else { return [] }
    let startMonth = start.date.month
    return (1...12).filter { month in
      if !rule.months.isEmpty, !rule.months.contains(month) { return false }
      if rule.frequency == .monthly {
        let step = greatestCommonDivisor(rule.interval, 12)
        if (month - startMonth) % step != 0 { return false }
      } else if namesNoDays, rule.months.isEmpty, month != startMonth {
        return false
      }
      return CivilDate.lengthOfMonth(year: 2001, month: month) < day
    }
  }
}

extension CivilSchedule {
  /// The last of the first `count` nominal times. If the schedule has fewer nominal times, the
  /// property `isNever` of the result is true.
  ///
  /// The count includes the occurrences at skipped local times, and the occurrences that EXDATE
  /// excludes.
  func last(count: Int) -> Nominal {
    let first = nominal(atOrAfter: start)
    if first.isNever { return first }
    if countsOneByOne {
      var found = first
      for _ in 1..<count where !found.isNever { found = nominal(after: found) }
      return found
    }
    // Give an index to each time of day on each day of the rule. The first time of day on the first
    // day has the index 0, and each day has `times.count` times. `place` is the index of the last
    // of the `count` nominal times.
    let place = times.rank(before: first.time) + count - 1
    let day = days.day(number: place / times.count, from: first.day)
    return Nominal(day: day, time: times.time(rank: place % times.count))
  }
}

extension DaySet {
  /// Returns the day that is `number` positions after `first` in the set. If this day is after the
  /// year 9999, the result can be any day after the year 9999.
  ///
  /// `first` is a day of the set. If `number` is 0, the result is `first`.
  func day(number: Int, from first: Int) -> Int {
    // `number` is hardly larger than the largest COUNT, and COUNT and INTERVAL are less than 10^9.
    // Therefore the product cannot overflow.
    if let step = evenStep { return min(first + number * step, DaySet.never) }
    if let periods = wholePeriods { return periods.day(number: number, from: first) }
    var (day, rest) = (first, number)
    // If the rule is a list of weekdays, the code skips whole weeks with one multiplication. After
    // that, the loop counts only the remaining days. For any other rule, the loop counts all days
    // one by one.
    if let perWeek = daysPerWeek { (day, rest) = (first + rest / perWeek * 7, rest % perWeek) }
    while rest > 0, day <= DaySet.horizon {
      day = firstDay(atOrAfter: day + 1)
      rest -= 1
    }
    return day
  }
}

extension Periods {
  /// Finds a day of the rule by its number. The day `first` has the number 0, the next day of the
  /// rule has the number 1, and so on.
  ///
  /// `first` must be a day of the rule, and it must lie in one of the periods of the rule.
  func day(number: Int, from first: Int) -> Int {
    var place = place(day: first)
    var rest = number + mask(at: place.mask).count(before: first - place.firstDay)
    while place.firstDay <= DaySet.horizon {
      let count = (0..<stride).reduce(0) { $0 + masks[place.mask + $1].nonzeroBitCount }
      if rest < count { return place.firstDay + mask(at: place.mask).day(rank: rest) }
      rest -= count
      place = next(after: place)
    }
    return DaySet.never
  }
}
