/// All days on which a rule has occurrences. The rule has the same times of day on each of these
/// days.
final class DaySet: Sendable {
  private enum Shape { case everyDay, everyStep, weekdays, periods, intersection }

  /// The day number of 9999-12-31, the last day that a search can find.
  static let horizon = 2_932_896
  /// A day number that is larger than every valid day number. The start of this day in seconds
  /// (`never` × 86,400) still fits into a 64-bit integer.
  static let never = 1 << 40

  private let shape: Shape
  /// The start date of the rule, as a day number. If the shape is `everyStep`, the days of the rule
  /// are counted from this date.
  private let anchor: Int
  private let step: Reciprocal
  /// The weekdays of the rule as a mask; bit 0 is Monday. Bits 7 to 13 repeat the week, so that a
  /// search can continue after Sunday.
  private let weekdays: UInt64
  private let periods: Periods
  /// The second condition of the shape `intersection`: each day of the set must be a day of
  /// `filter`. For any other shape, the value is nil.
  private let filter: Periods?
  /// All days of the rule up to `tableEnd`. The list is empty if a search for the next day is fast
  /// without the list.
  private let table: [Int32]
  private let tableEnd: Int

  private init(
    _ shape: Shape, start: CivilDate, step: Int = 1, weekdays: UInt64 = 0, periods: Periods,
    filter: Periods? = nil, table: [Int32] = []
  ) {
    self.shape = shape
    self.anchor = start.dayNumber
    self.step = Reciprocal(step)
    self.weekdays = weekdays | weekdays << 7
    self.periods = periods
    self.filter = filter
    self.table = table
    tableEnd = table.last.map(Int.init) ?? .min
  }

  /// The value of `periods` for a shape that does not use periods.
  private static let unused = Periods(
    weeks: 0, rule: RecurrenceRule(.init()), start: CivilDate(dayNumber: 0))

  /// Creates the set of days for a rule; returns nil if the rule has no occurrence.
  ///
  /// - Parameter positions: the values of BYSETPOS, if BYSETPOS selects days. The list is empty if
  ///   BYSETPOS does not select days.
  static func make(rule: RecurrenceRule, start: CivilDate, positions: [Int]) -> DaySet? {
    let calendar = RuleCalendar(rule, start: start)
    var week: Periods { Periods(weeks: calendar.weekdayPattern, rule: rule, start: start) }
    let onlyWeekdays = rule.months.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
    switch rule.frequency {
    case .weekly where !positions.isEmpty:
      let selected = week.mask(at: 0).selecting(positions)
      if selected.isEmpty { return nil }
      return DaySet(.periods, start: start, periods: week.replacingMask(selected))
    case .weekly where onlyWeekdays && rule.interval > 1:
      return DaySet(.periods, start: start, periods: week)
    case .weekly where onlyWeekdays, .daily where onlyWeekdays && rule.interval == 1:
      let pattern = calendar.weekdayPattern
      return DaySet(
        pattern == 0x7F ? .everyDay : .weekdays, start: start, weekdays: pattern, periods: unused)
    case .daily where onlyWeekdays && rule.weekdays.isEmpty:
      return DaySet(.everyStep, start: start, step: rule.interval, periods: unused)
    case .monthly:
      guard let months = months(calendar, rule: rule, start: start, positions: positions) else {
        break
      }
      return months.isNever ? nil : DaySet(.periods, start: start, periods: months.periods)
    default: break
    }
    let all = Periods(years: calendar, positions: positions, rule: rule, start: start)
    guard let years = all.indexed(isUseful: { !$0.isEmpty }) else { return nil }
    if rule.interval == 1 || rule.frequency >= .monthly {
      return DaySet(.periods, start: start, periods: years)
    }
    return intersection(week: week, years: years, rule: rule, start: start)
  }

  /// The set of days for a daily or weekly rule with two conditions. Each day of the set must be a
  /// day of `years`, and the interval of the rule must not skip this day.
  private static func intersection(
    week: Periods, years: Periods, rule: RecurrenceRule, start: CivilDate
  ) -> DaySet? {
    let isDaily = rule.frequency == .daily
    if isDaily, !years.hasDay(every: rule.interval, from: start) { return nil }
    let step = isDaily ? rule.interval : 1
    let days = DaySet(.intersection, start: start, step: step, periods: week, filter: years)
    if days.firstDay(atOrAfter: start.dayNumber) == never { return nil }
    return DaySet(
      .intersection, start: start, step: step, periods: week, filter: years,
      table: days.tabulated())
  }

  /// The days of a monthly rule, prepared for a search month by month. `isNever` is true if no
  /// month contains a day of the rule.
  ///
  /// If the interval is 1, a search year by year is faster for two kinds of rules: rules with
  /// BYMONTH, and rules that select no day in many of the months. For these rules, the result is
  /// nil, and the caller prepares a search year by year.
  private static func months(
    _ calendar: RuleCalendar, rule: RecurrenceRule, start: CivilDate, positions: [Int]
  ) -> (periods: Periods, isNever: Bool)? {
    let all = Periods(months: calendar, positions: positions, rule: rule, start: start)
    let found = all.indexed { !$0.isEmpty }
    if let found, rule.interval == 1, found.needsRing || !rule.months.isEmpty { return nil }
    return (found ?? all, found == nil)
  }
}

extension DaySet {
  /// The number of days from one day of the set to the next day of the set; nil if this number is
  /// not constant.
  var evenStep: Int? {
    switch shape {
    case .everyDay: 1
    case .everyStep: Int(step.divisor)
    case .weekdays, .periods, .intersection: nil
    }
  }

  /// The number of days in each week, if the rule is a list of weekdays; nil for any other rule.
  var daysPerWeek: Int? {
    shape == .weekdays ? (weekdays & 0x7F).nonzeroBitCount : nil
  }

  /// The periods of the rule, if their masks alone determine the days of the rule. The result is
  /// nil for any other rule. It is also nil if the same day can be in the masks of two periods (see
  /// `Periods.spills`).
  var wholePeriods: Periods? { shape == .periods && !periods.spills ? periods : nil }

  /// The earliest day of the set that is not before `day`. If this day is after the year 9999, the
  /// result can also be `never`. `day` must not be before the start of the rule.
  @inline(__always)
  func firstDay(atOrAfter day: Int) -> Int {
    switch shape {
    case .everyDay: return day
    case .weekdays:
      // Day number 0, 1970-01-01, was a Thursday. Therefore, `(day + 3) % 7` is 0 if the day is a
      // Monday. The dividend must be positive. Therefore, the code adds 200,000 weeks. The sum is
      // positive for every year from 1 on.
      let weekday = UInt(bitPattern: day &+ 3 &+ 7 &* 200_000) % 7
      return day &+ (weekdays >> UInt64(weekday)).trailingZeroBitCount
    case .everyStep: return firstStep(atOrAfter: day)
    case .periods: return periods.firstDay(atOrAfter: day)
    case .intersection: return day <= tableEnd ? tabulated(day) : walk(from: day).day
    }
  }

  @inline(__always)
  private func firstStep(atOrAfter day: Int) -> Int {
    let remainder = step.divide(UInt64(bitPattern: Int64(day &- anchor))).remainder
    return remainder == 0 ? day : day &+ Int(step.divisor &- remainder)
  }

  /// Finds the first day at or after `day` that fulfils two conditions.
  ///
  /// Only a rule of the shape `intersection` has two conditions. The search first moves to the next
  /// day that fulfils the first condition. From this day, it moves to the next day that fulfils the
  /// second condition. The search repeats these two moves until a day fulfils both conditions.
  @inline(never)
  private func walk(from day: Int) -> (day: Int, turns: Int) {
    guard let filter else { return (day, 0) }
    var (day, turns) = (day, 0)
    while day <= DaySet.horizon {
      turns += 1
      let first =
        step.divisor == 1 ? periods.firstDay(atOrAfter: day) : firstStep(atOrAfter: day)
      day = filter.firstDay(atOrAfter: first)
      if day == first { return (day, turns) }
    }
    return (DaySet.never, turns)
  }

  /// The list of the days in about the first 250 years of the rule. The list is empty if the search
  /// for a day takes few steps.
  ///
  /// For some rules, one query without this list would take several microseconds, which is too
  /// slow. An example of such a rule is "every 1000 days, if the day is a Friday and the 13th of a
  /// month".
  private func tabulated() -> [Int32] {
    let end = anchor + 250 * 366
    var days: [Int32] = []
    var (day, turns) = (anchor, 0)
    while true {
      let found = walk(from: day)
      turns += found.turns
      guard found.day <= end else { return days }
      days.append(Int32(found.day))
      day = found.day + 1
      if days.count == 64, turns < 4 * days.count { return [] }
    }
  }

  /// The first day in `table` at or after `day`.
  ///
  /// `day` must not be after `tableEnd`.
  @inline(never)
  private func tabulated(_ day: Int) -> Int {
    var (low, high) = (0, table.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if Int(table[middle]) < day { low = middle + 1 } else { high = middle }
    }
    return Int(table[low])
  }
}

extension Periods {
  /// True if the distance in days from the start to at least one day of these periods is a multiple
  /// of `step`.
  ///
  /// The days of these periods repeat every 146,097 days (400 years). Let d be the greatest common
  /// divisor of 146,097 and `step`. If the distance to a day is a multiple of d, one of the later
  /// repetitions of this day has a distance that is a multiple of `step`. Otherwise, no repetition
  /// of this day has such a distance. Therefore, the function searches only the first 146,097 days
  /// for a day whose distance is a multiple of d.
  func hasDay(every step: Int, from start: CivilDate) -> Bool {
    let cycle = 146_097
    let divisor = greatestCommonDivisor(cycle, step)
    var day = start.dayNumber
    while day < start.dayNumber + cycle {
      day = firstDay(atOrAfter: day)
      if (day - start.dayNumber) % divisor == 0 { return true }
      day += 1
    }
    return false
  }
}
