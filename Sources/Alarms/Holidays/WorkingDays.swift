import CivilTime

/// The working days of a month: Monday to Friday, without the holidays of a list.
enum WorkingDays {
  static let weekdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
  /// The part of an RFC 5545 rule that selects Monday to Friday.
  static let ruleText = ";BYDAY=MO,TU,WE,TH,FR"

  /// Returns a working day of a month.
  ///
  /// - Parameters:
  ///   - position: 1 for the first working day, 2 for the second, -1 for the last.
  ///   - month: any day of the month.
  /// - Returns: the working day; nil if the month has fewer working days than `position` needs.
  static func day(_ position: Int, inMonthOf month: CivilDate, holidays: Set<CivilDate>)
    -> CivilDate?
  {
    var left = abs(position)
    let first = month.adding(days: 1 - month.day)
    // The next month begins 28 to 31 days after the first day, so `later` is a day of the next
    // month. `later` minus its day of the month is the last day of this month.
    let later = first.adding(days: 31)
    var day = position > 0 ? first : later.adding(days: -later.day)
    while day.month == month.month {
      if weekdays.contains(day.weekday), !holidays.contains(day) {
        left -= 1
        if left == 0 { return day }
      }
      day = day.adding(days: position > 0 ? 1 : -1)
    }
    return nil
  }
}

extension RecurrenceRule {
  /// The position of the working day that the rule selects in a month or a year. Example: -1 for
  /// "the last working day of every month". The value is nil if the rule does not select a working
  /// day.
  var workingDayPosition: Int? {
    guard frequency == .monthly || frequency == .yearly && months.count == 1,
      setPositions.count == 1, weekdays.map(\.weekday) == WorkingDays.weekdays,
      weekdays.allSatisfy({ $0.ordinal == 0 }), monthDays.isEmpty
    else { return nil }
    return setPositions[0]
  }

  /// Returns true if the rule selects a day in the month of a date. The caller must check the end
  /// of the rule.
  ///
  /// - Parameter start: the start of the rule, from which the interval counts.
  fileprivate func includesMonth(of date: CivilDate, start: CivilDate) -> Bool {
    if frequency == .yearly {
      return months.contains(date.month) && (date.year - start.year) % interval == 0
    }
    let distance = 12 * (date.year - start.year) + date.month - start.month
    return distance % interval == 0
  }

  /// The last date on which the rule can select a day. The value is nil if the rule has no end, or
  /// if its end is a number of occurrences or an instant.
  fileprivate var lastDate: CivilDate? {
    switch end {
    case .untilDate(let date): date
    case .untilLocal(let local): local.date
    case .never, .count, .untilInstant: nil
    }
  }
}

extension RecurringDates {
  /// The effect of the holidays: the days that they exclude, and the dates that they add.
  ///
  /// In "weekdays 08:00 not on holidays", each holiday excludes one day. In "the last working day
  /// of the month", a holiday can move the occurrence to another day. In this case, the day that
  /// the rule gives is excluded (EXDATE), and the other day is an additional date (RDATE). With
  /// these two parts, RFC 5545 can express the schedule.
  public var holidayParts: (excludedDays: [CivilDate], dates: [CivilDateTime]) {
    guard let holidays else { return ([], []) }
    guard let from = holidays.workingDaysFrom else { return (holidays.days, []) }
    let listed = Set(holidays.days)
    var excluded: [CivilDate] = []
    var dates: [CivilDateTime] = []
    let months = Set(listed.map { $0.adding(days: 1 - $0.day) })
    for rule in rules {
      guard let position = rule.rule.workingDayPosition else { continue }
      for month in months where rule.rule.includesMonth(of: month, start: rule.start.date) {
        let plain = WorkingDays.day(position, inMonthOf: month, holidays: [])
        let moved = WorkingDays.day(position, inMonthOf: month, holidays: listed)
        if plain == moved { continue }
        if let plain { excluded.append(plain) }
        guard let moved, moved >= from, moved <= rule.rule.lastDate ?? moved else { continue }
        dates += rule.rule.timesOfDay?.map { CivilDateTime(date: moved, time: $0) } ?? []
      }
    }
    return (excluded, dates)
  }
}
