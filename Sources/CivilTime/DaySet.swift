/// The days of a rule whose every day has the same times.
struct DaySet: Sendable {
  private enum Shape { case everyDay, everyStep, weekdays, periods, intersection }

  /// Days of rules are looked for up to 9999-12-31; later ones count as never.
  static let horizon = 2_932_896
  static let never = Int.max

  private let shape: Shape
  /// The start: first of the days that `step` counts.
  private let anchor: Int
  private let step: Reciprocal
  /// Two weeks of weekdays, bit 0 Monday.
  private let weekdays: UInt64
  private let periods: Periods
  /// What the days of `periods` or of `step` must also be in, for an intersection.
  private let filter: Periods?
  /// All days of an intersection that would take long to walk, up to `tableEnd`.
  private var table: [Int32] = []
  private var tableEnd = Int.min

  private init(
    _ shape: Shape, start: CivilDate, step: Int = 1, weekdays: UInt64 = 0, periods: Periods,
    filter: Periods? = nil
  ) {
    self.shape = shape
    self.anchor = start.dayNumber
    self.step = Reciprocal(step)
    self.weekdays = weekdays | weekdays << 7
    self.periods = periods
    self.filter = filter
  }

  /// The days of a rule without BYSETPOS or with one time a day; nil where there never is one.
  init?(rule: RecurrenceRule, start: CivilDate, positions: [Int]) {
    let calendar = RuleCalendar(rule, start: start)
    let week = Periods(weeks: calendar.weekdayPattern, rule: rule, start: start)
    let onlyWeekdays = rule.months.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
    switch rule.frequency {
    case .weekly where !positions.isEmpty:
      let selected = week.mask(at: 0).selecting(positions)
      if selected.isEmpty { return nil }
      self.init(.periods, start: start, periods: week.replacingMask(selected))
      return
    case .weekly where onlyWeekdays && rule.interval > 1:
      self.init(.periods, start: start, periods: week)
      return
    case .weekly where onlyWeekdays, .daily where onlyWeekdays && rule.interval == 1:
      let everyDay = calendar.weekdayPattern == 0x7F
      self.init(
        everyDay ? .everyDay : .weekdays, start: start, weekdays: calendar.weekdayPattern,
        periods: week)
      return
    case .daily where onlyWeekdays && rule.weekdays.isEmpty:
      self.init(.everyStep, start: start, step: rule.interval, periods: week)
      return
    default: break
    }
    self.init(calendar: calendar, week: week, rule: rule, start: start, positions: positions)
  }

  private init?(
    calendar: RuleCalendar, week: Periods, rule: RecurrenceRule, start: CivilDate,
    positions: [Int]
  ) {
    if let months = DaySet.months(calendar, rule: rule, start: start, positions: positions) {
      guard let found = months.found else { return nil }
      self.init(.periods, start: start, periods: found)
      return
    }
    var years = Periods(years: calendar, positions: positions, rule: rule, start: start)
    guard years.index(isUseful: { !$0.isEmpty }) else { return nil }
    let isStepped = rule.interval > 1 && rule.frequency < .monthly
    guard isStepped else {
      self.init(.periods, start: start, periods: years)
      return
    }
    self.init(
      .intersection, start: start, step: rule.frequency == .daily ? rule.interval : 1,
      periods: week, filter: years)
    guard rule.frequency != .daily || years.hasDay(every: rule.interval, from: start) else {
      return nil
    }
    guard firstDay(atOrAfter: start.dayNumber) != DaySet.never else { return nil }
    tabulate()
  }

  /// Months as months: where their masks leave no more than short gaps, or where an interval does
  /// not fit years. Everything else a month can say, a year's mask says as well and finds faster.
  private static func months(
    _ calendar: RuleCalendar, rule: RecurrenceRule, start: CivilDate, positions: [Int]
  ) -> (found: Periods?, Void)? {
    guard rule.frequency == .monthly else { return nil }
    var months = Periods(months: calendar, positions: positions, rule: rule, start: start)
    let hasDays = months.index(isUseful: { !$0.isEmpty })
    if rule.interval == 1, months.needsRing || !rule.months.isEmpty { return nil }
    return (hasDays ? months : nil, ())
  }
}

extension DaySet {
  /// The distance of neighbouring days where it never varies.
  var evenStep: Int? {
    switch shape {
    case .everyDay: 1
    case .everyStep: Int(step.divisor)
    case .weekdays, .periods, .intersection: nil
    }
  }

  /// Days in every week, for weekdays.
  var daysPerWeek: Int? {
    shape == .weekdays ? (weekdays & 0x7F).nonzeroBitCount : nil
  }

  /// The periods where they say everything, and no day twice.
  var wholePeriods: Periods? { shape == .periods && !periods.spills ? periods : nil }

  /// The first day at or after one that is not before the start; `never` after 9999.
  @inline(__always)
  func firstDay(atOrAfter day: Int) -> Int {
    switch shape {
    case .everyDay: return day
    case .weekdays:
      // Day -3 was a Monday; 200,000 weeks keep the dividend positive from year 1 on.
      let weekday = UInt(bitPattern: day &+ 3 &+ 7 &* 200_000) % 7
      return day &+ (weekdays >> UInt64(weekday)).trailingZeroBitCount
    case .everyStep: return firstStep(atOrAfter: day)
    case .periods: return periods.firstDay(atOrAfter: day)
    case .intersection: return day <= tableEnd ? tabulated(day) : walk(from: day, limit: .max).day
    }
  }

  @inline(__always)
  private func firstStep(atOrAfter day: Int) -> Int {
    let remainder = step.divide(UInt64(bitPattern: Int64(day &- anchor))).remainder
    return remainder == 0 ? day : day &+ Int(step.divisor &- remainder)
  }

  /// Two kinds of days taken in turn, each from where the other has got to, until they agree.
  private func walk(from day: Int, limit: Int) -> (day: Int, turns: Int) {
    guard let filter else { return (day, 0) }
    var (day, turns) = (day, 0)
    while day <= DaySet.horizon, turns < limit {
      turns += 1
      let first =
        step.divisor == 1 ? periods.firstDay(atOrAfter: day) : firstStep(atOrAfter: day)
      day = filter.firstDay(atOrAfter: first)
      if day == first { return (day, turns) }
    }
    return (DaySet.never, turns)
  }

  /// Writes down the days of 250 years where finding them takes many turns.
  ///
  /// A rule such as every 1000 days that is a Friday 13th would otherwise search for microseconds
  /// each time it is asked.
  private mutating func tabulate() {
    let end = anchor + 250 * 366
    var days: [Int32] = []
    var (day, turns) = (anchor, 0)
    while true {
      let found = walk(from: day, limit: .max)
      turns += found.turns
      guard found.day <= end else { break }
      days.append(Int32(found.day))
      day = found.day + 1
      if days.count == 64, turns < 4 * days.count { return }
    }
    (table, tableEnd) = (days, days.last.map(Int.init) ?? .min)
  }

  /// The first day of the table at or after one that is not after its end.
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
  /// Whether any day of these years is a whole number of steps from the start: a proof by the
  /// calendar's cycle of 146,097 days, in which both must meet modulo their common divisor.
  fileprivate func hasDay(every step: Int, from start: CivilDate) -> Bool {
    let cycle = 146_097
    let divisor = greatestCommonDivisor(cycle, step)
    if divisor == 1 { return true }
    var day = start.dayNumber
    while day < start.dayNumber + cycle {
      day = firstDay(atOrAfter: day)
      if (day - start.dayNumber) % divisor == 0 { return true }
      day += 1
    }
    return false
  }
}
