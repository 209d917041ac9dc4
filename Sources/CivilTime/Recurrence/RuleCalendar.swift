/// The days of a rule within one month or year.
///
/// A day belongs to the rule if it fulfils all parts of the rule. The table in RFC 5545 section
/// 3.3.10 says how each part limits the days. If no part of the rule names days, the rule gets its
/// days from its start date. Example: a weekly rule without BYDAY gets the weekday of the start
/// date.
struct RuleCalendar {
  private let rule: RecurrenceRule
  private let start: CivilDate
  private let weekdays: [RecurrenceRule.OrdinalWeekday]
  private let monthDays: [Int]
  private let months: [Int]

  init(_ rule: RecurrenceRule, start: CivilDate) {
    self.rule = rule
    self.start = start
    let namesDays =
      !(rule.weekdays.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
      && rule.weekNumbers.isEmpty)
    var (weekdays, monthDays, months) = (rule.weekdays, rule.monthDays, rule.months)
    switch rule.frequency {
    case .yearly where !namesDays:
      monthDays = [start.day]
      if months.isEmpty { months = [start.month] }
    case .yearly where weekdays.isEmpty && monthDays.isEmpty && rule.yearDays.isEmpty:
      // If only BYWEEKNO limits the days, the rule has one day in each week of BYWEEKNO. This day
      // has the same weekday as the start.
      weekdays = [.init(ordinal: 0, weekday: start.weekday)]
    case .monthly where !namesDays: monthDays = [start.day]
    case .weekly where !namesDays: weekdays = [.init(ordinal: 0, weekday: start.weekday)]
    default: break
    }
    (self.weekdays, self.monthDays, self.months) = (weekdays, monthDays, months)
  }

  /// The weekdays of BYDAY that have no ordinal number, as a mask; bit 0 is Monday.
  var weekdayPattern: UInt64 {
    weekdays.isEmpty
      ? 0x7F : weekdays.reduce(0) { $0 | ($1.ordinal == 0 ? 1 << UInt64($1.weekday.index) : 0) }
  }

  /// True if SKIP can replace day 366 of the rule by the first day of the next year. SKIP does this
  /// in a year with 365 days.
  var spillsYears: Bool {
    rule.frequency == .yearly && rule.skip == .forward && rule.yearDays.contains(366)
      && months.isEmpty && monthDays.isEmpty
  }

  /// The days of BYMONTHDAY in a month, after SKIP has replaced the days that do not exist.
  ///
  /// Bit 0 of the mask is the first day of the month. Bit `length` is the first day of the next
  /// month. SKIP=FORWARD sets this bit if a day of the rule does not exist in the month.
  private func monthDayMask(length: Int) -> UInt64 {
    var mask: UInt64 = 0
    // In a monthly or yearly rule, BYMONTHDAY generates dates, and some of the generated dates do
    // not exist in the calendar. SKIP applies only to monthly and yearly rules. In a rule with a
    // shorter frequency, BYMONTHDAY only limits the dates.
    let skip = rule.frequency >= .monthly ? rule.skip : .omit
    for day in monthDays {
      if day > length {
        switch skip {
        case .omit: break
        case .backward: mask |= 1 << UInt64(length - 1)
        case .forward: mask |= 1 << UInt64(length)
        }
      } else if day > 0 {
        mask |= 1 << UInt64(day - 1)
      } else if length + day >= 0 {
        mask |= 1 << UInt64(length + day)
      } else if skip == .forward {
        // BYMONTHDAY=-31 means the 31st day from the end of a month. A month with 30 days does not
        // contain this day, because it would be the day before the first day of the month.
        // SKIP=FORWARD uses the next day instead: the first day of the same month.
        mask |= 1
      }
    }
    return mask
  }

  /// The days of BYDAY in a month. For example, `2FR` selects the second Friday of the month.
  private func weekdayMask(length: Int, firstWeekday: Int) -> UInt64 {
    var mask = RuleCalendar.spread(weekdayPattern, firstWeekday: firstWeekday)
    for entry in weekdays where entry.ordinal != 0 {
      let day = RuleCalendar.day(of: entry, length: length, firstWeekday: firstWeekday)
      if let day { mask |= 1 << UInt64(day) }
    }
    return mask
  }

  /// The days of one month that BYMONTHDAY and BYDAY permit, as a mask; bit 0 is the first day of
  /// the month. Call this function only for a rule with FREQ=MONTHLY. The function does not apply
  /// BYSETPOS.
  func monthMask(length: Int, firstWeekday: Int) -> UInt64 {
    var mask = monthDays.isEmpty ? 1 << UInt64(length) - 1 : monthDayMask(length: length)
    if !weekdays.isEmpty { mask &= weekdayMask(length: length, firstWeekday: firstWeekday) }
    return mask
  }

  /// The days of the rule in one year. `positions` contains the values of BYSETPOS. In a rule with
  /// FREQ=MONTHLY, these values select days of each month. In a rule with FREQ=YEARLY, they select
  /// days of the year.
  func yearMask(_ kind: YearKind, positions: [Int]) -> DayMask {
    var mask = DayMask()
    var firstDay = 0
    let ordinalsAreMonthly = rule.frequency == .monthly || !rule.months.isEmpty
    var ordinalDays = DayMask()
    for month in 1...12 {
      let length = CivilDate.lengthOfMonth(year: kind.isLeap ? 2000 : 2001, month: month)
      let firstWeekday = (kind.firstWeekday + firstDay) % 7
      if months.isEmpty || months.contains(month) {
        if rule.frequency == .monthly {
          let month = DayMask(monthMask(length: length, firstWeekday: firstWeekday))
          mask.insert(month.selecting(positions).words[0], at: firstDay)
        } else {
          let days = monthDays.isEmpty ? 1 << UInt64(length) - 1 : monthDayMask(length: length)
          mask.insert(days, at: firstDay)
        }
      }
      if ordinalsAreMonthly {
        let days = weekdayMask(length: length, firstWeekday: firstWeekday)
        ordinalDays.insert(days & (1 << UInt64(length) - 1), at: firstDay)
      }
      firstDay += length
    }
    if rule.frequency == .monthly { return mask }
    if spillsYears { mask.insert(kind.length) }
    if !rule.yearDays.isEmpty { mask.formIntersection(yearDayMask(kind)) }
    if !rule.weekNumbers.isEmpty { mask.formIntersection(weekNumberMask(kind)) }
    if !weekdays.isEmpty {
      mask.formIntersection(ordinalsAreMonthly ? ordinalDays : weekdayMask(kind))
    }
    return rule.frequency == .yearly ? mask.selecting(positions) : mask
  }
}

extension RuleCalendar {
  /// The days of a year that BYYEARDAY selects, after SKIP has replaced or removed the days that do
  /// not exist.
  ///
  /// With SKIP=FORWARD, the mask can also contain the day after the end of the year. The index of
  /// this day in the mask is the length of the year in days.
  private func yearDayMask(_ kind: YearKind) -> DayMask {
    let skip = rule.frequency == .yearly ? rule.skip : .omit
    var mask = DayMask()
    for day in rule.yearDays {
      let index = day > 0 ? day - 1 : kind.length + day
      switch (skip, index) {
      case (_, 0..<kind.length): mask.insert(index)
      case (.forward, _): mask.insert(max(index, 0))
      case (.backward, _): mask.insert(kind.length - 1)
      case (.omit, _): break
      }
    }
    return mask
  }

  /// The days of BYDAY in a year. For example, `2FR` selects the second Friday of the year.
  private func weekdayMask(_ kind: YearKind) -> DayMask {
    let pattern = weekdayPattern
    var mask = DayMask()
    for day in 0...kind.length where pattern >> UInt64((kind.firstWeekday + day) % 7) & 1 == 1 {
      mask.insert(day)
    }
    for entry in weekdays where entry.ordinal != 0 {
      let day = RuleCalendar.day(
        of: entry, length: kind.length, firstWeekday: kind.firstWeekday)
      if let day { mask.insert(day) }
    }
    return mask
  }

  /// The days of a year that are in the weeks of BYWEEKNO.
  ///
  /// The first days of a year can be in the last week of the previous year. The last days of a year
  /// can be in week 1 of the next year. Therefore, the function also computes the weeks of the
  /// previous and the next year.
  private func weekNumberMask(_ kind: YearKind) -> DayMask {
    var mask = DayMask()
    let newYearLead = kind.firstWeekday - rule.weekStart.index
    /// Returns the first day of week 1 in the year that begins on day `day`.
    ///
    /// The result and `day` are numbers of days since January 1 of the year that `kind` describes.
    /// This January 1 is day 0, and earlier days have negative numbers.
    func weekOne(_ day: Int) -> Int {
      let lead = floorRemainder(newYearLead + day, 7)
      return day + (lead <= 3 ? -lead : 7 - lead)
    }
    let before = kind.followsLeap ? -366 : -365
    let after = kind.length
    let afterNext = after + (kind.precedesLeap ? 366 : 365)
    let starts = [weekOne(before), weekOne(0), weekOne(after), weekOne(afterNext)]
    for index in 0..<3 {
      let weeks = (starts[index + 1] - starts[index]) / 7
      for number in rule.weekNumbers {
        let week = number > 0 ? number - 1 : weeks + number
        guard (0..<weeks).contains(week) else { continue }
        let first = starts[index] + week * 7
        for day in first..<first + 7 where (0..<kind.length).contains(day) { mask.insert(day) }
      }
    }
    return mask
  }

  /// A mask of 35 days that repeats a pattern of weekdays. The first day of the mask has the
  /// weekday `firstWeekday`. The lowest bit of the pattern is Monday.
  static func spread(_ pattern: UInt64, firstWeekday: Int) -> UInt64 {
    let doubled = pattern | pattern << 7
    let week = doubled >> UInt64(firstWeekday) & 0x7F
    return week &* 0x0102_0408_1020_4081
  }

  /// The day that an entry of BYDAY such as `2FR` (the second Friday) selects in a month or year.
  /// The first day of the month or year has the index 0. The result is nil if the month or year
  /// does not contain the selected day.
  private static func day(
    of entry: RecurrenceRule.OrdinalWeekday, length: Int, firstWeekday: Int
  ) -> Int? {
    let weekday = entry.weekday.index
    let day: Int
    if entry.ordinal > 0 {
      day = (weekday - firstWeekday + 7) % 7 + 7 * (entry.ordinal - 1)
    } else {
      let fromEnd = (firstWeekday + length - 1 - weekday) % 7
      day = length - 1 - fromEnd + 7 * (entry.ordinal + 1)
    }
    return (0..<length).contains(day) ? day : nil
  }
}

extension Weekday {
  /// The index of the weekday, from 0 for Monday to 6 for Sunday.
  var index: Int { rawValue - 1 }
}
