/// The days of a rule, as bit masks. Each mask contains the days of the rule in one kind of period.
/// An example of a kind of period is a month with 30 days that begins on a Monday.
///
/// A query finds the first day of the rule that is not earlier than a given day n. The query first
/// searches the period that contains day n. If the query finds no day in this period, it continues
/// with the next period that contains a day of the rule.
final class Periods: Sendable {
  enum Unit { case week, month, year }

  let unit: Unit
  /// True if SKIP=FORWARD can replace a day that does not exist by the first day of the next month
  /// or year. In this case, a mask can contain one day more than its month or year.
  let spills: Bool
  /// The `Place.number` of the period that contains the start of the rule.
  private let anchor: Int
  private let interval: Int
  private let divider: Reciprocal
  /// The masks of all kinds of periods, one after another. Each mask has `stride` 64-bit words.
  let masks: [UInt64]
  let stride: Int
  /// The months of BYMONTH as a mask, in which bit 1 is January.
  ///
  /// If the periods are months, only the months whose bit is 1 contain days of the rule.
  ///
  /// If the periods are years, all bits are 1, because `masks` contains only days in the months of
  /// BYMONTH. If the periods are weeks, all bits are 1, because a week can lie in two months. In a
  /// weekly rule, `DaySet` applies BYMONTH to each day.
  private let monthFilter: UInt64
  /// True if the rule has week numbers (BYWEEKNO). For a rule with week numbers, the days in a year
  /// also depend on the lengths of the previous and the next year. Therefore the code distinguishes
  /// 28 kinds of years. For any other rule, the code distinguishes 14 kinds (see `YearKind`).
  private let distinguishesNeighbours: Bool
  /// The number of days from 1970-01-01 to the start of week 0, if the periods are weeks.
  private let weekOrigin: Int
  /// The indexes of the periods that contain at least one day of the rule. The period that contains
  /// the start has the index 0. If the interval is n, the period that follows n periods later has
  /// the index 1.
  ///
  /// If all or nearly all periods contain days of the rule, the search does not use `ring`. In this
  /// case, it is faster to check one period after another.
  private let ring: BitRing
  /// True if many periods contain no day of the rule. In this case, a search uses the bits in
  /// `ring` to skip these periods.
  let needsRing: Bool

  /// A period of the calendar.
  ///
  /// `number` identifies the period. The `number` of a week is the number of weeks since
  /// `weekOrigin`. The `number` of a month is year × 12 + month − 1. The `number` of a year is the
  /// year itself. `firstDay` is the first day of the period, as the number of days since
  /// 1970-01-01. The mask of the period begins at the index `mask` of the array `masks`.
  struct Place {
    var number: Int
    var firstDay: Int
    var mask: Int
    var year: Int
    var month: Int
  }

  /// Creates the periods of a weekly rule with the interval n: every n-th week. Each week begins on
  /// the weekday `weekStart` of the rule. `pattern` is a mask of the weekdays of the rule; bit 0 is
  /// Monday.
  init(weeks pattern: UInt64, rule: RecurrenceRule, start: CivilDate) {
    unit = .week
    spills = false
    interval = rule.interval
    divider = Reciprocal(rule.interval)
    // Day number -3 is Monday, 1969-12-29. Week 0 begins on the first `weekStart` day at or after
    // this Monday.
    weekOrigin = -3 + rule.weekStart.index
    anchor = floorDivide(start.dayNumber - weekOrigin, 7)
    masks = [RuleCalendar.spread(pattern, firstWeekday: rule.weekStart.index) & 0x7F]
    stride = 1
    distinguishesNeighbours = false
    monthFilter = .max
    (ring, needsRing) = (.none, false)
  }

  /// Creates the periods of a monthly rule with the interval n: every n-th month.
  init(months calendar: RuleCalendar, positions: [Int], rule: RecurrenceRule, start: CivilDate) {
    unit = .month
    interval = rule.interval
    divider = Reciprocal(rule.interval)
    weekOrigin = 0
    anchor = start.year * 12 + start.month - 1
    stride = 1
    distinguishesNeighbours = false
    masks = (28...31).flatMap { length in
      (0..<7).map { firstWeekday in
        let mask = DayMask(calendar.monthMask(length: length, firstWeekday: firstWeekday))
        return mask.selecting(positions).words[0]
      }
    }
    spills = rule.skip == .forward
    monthFilter = rule.months.isEmpty ? .max : rule.months.reduce(0) { $0 | 1 << UInt64($1) }
    (ring, needsRing) = (.none, false)
  }

  /// Creates periods of one year each, for a search year by year. If the rule is yearly with the
  /// interval n, the search uses only every n-th year.
  init(years calendar: RuleCalendar, positions: [Int], rule: RecurrenceRule, start: CivilDate) {
    unit = .year
    spills = calendar.spillsYears
    interval = rule.frequency == .yearly ? rule.interval : 1
    divider = Reciprocal(interval)
    weekOrigin = 0
    monthFilter = .max
    anchor = start.year
    stride = DayMask.wordCount
    distinguishesNeighbours = !rule.weekNumbers.isEmpty
    masks = (0..<(distinguishesNeighbours ? YearKind.count : YearKind.plainCount)).flatMap {
      calendar.yearMask(YearKind(index: $0), positions: positions).words
    }
    (ring, needsRing) = (.none, false)
  }

  /// Copies `other`, but takes `masks` and `ring` from the parameters. If `ring` is nil, the copy
  /// needs no ring.
  private init(_ other: Periods, masks: [UInt64], ring: BitRing?) {
    unit = other.unit
    spills = other.spills
    anchor = other.anchor
    interval = other.interval
    divider = other.divider
    stride = other.stride
    monthFilter = other.monthFilter
    distinguishesNeighbours = other.distinguishesNeighbours
    weekOrigin = other.weekOrigin
    self.masks = masks
    (self.ring, needsRing) = (ring ?? .none, ring != nil)
  }

  /// Copies the periods. If a check of one period after another would be slow, a search in the copy
  /// uses the indexes in `ring`. The result is nil if no period contains a day of the rule.
  ///
  /// A period contains a day of the rule if `isUseful` returns true for the mask of the period.
  func indexed(isUseful: (DayMask) -> Bool) -> Periods? {
    if unit == .week { return isUseful(mask(at: 0)) ? self : nil }
    let perCycle = unit == .month ? 4800 : 400
    let useful = Swift.stride(from: 0, to: masks.count, by: stride).map { isUseful(mask(at: $0)) }
    let allMonths = monthFilter == .max
    if allMonths, useful.allSatisfy({ $0 }) { return self }
    let made = BitRing(period: perCycle / greatestCommonDivisor(perCycle, interval)) { step in
      let place = place(number: anchor + step * interval)
      return passesFilter(place) && useful[place.mask / stride]
    }
    if made.isEmpty { return nil }
    // If every month with 31 days contains a day of the rule, a search does not need `ring`. The
    // month after a shorter month always has 31 days. Therefore, if a shorter month contains no day
    // of the rule, the next month contains such a day. A check of the next month is faster than a
    // search in `ring`.
    let onlyShortMonthsFail =
      unit == .month && interval == 1 && allMonths && useful[21...].allSatisfy { $0 }
    return Periods(self, masks: masks, ring: onlyShortMonthsFail ? nil : made)
  }

  /// Copies the periods of a weekly rule. In the copy, each week contains the days of `mask`.
  func replacingMask(_ mask: DayMask) -> Periods {
    Periods(self, masks: [mask.words[0]], ring: nil)
  }

  /// The mask that begins at the index `index` of the array `masks`. The caller must pass the value
  /// of `Place.mask` as the index.
  func mask(at index: Int) -> DayMask {
    var mask = DayMask()
    for word in 0..<stride { mask.words[word] = masks[index + word] }
    return mask
  }
}

extension Periods {
  /// The period that contains a day.
  @inline(__always)
  func place(day: Int) -> Place {
    switch unit {
    case .week:
      // The division needs a positive number. Therefore, the code adds 200,000 weeks. The sum is
      // positive for every year from 1 on.
      let shifted = UInt(bitPattern: day &- weekOrigin &+ 7 &* 200_000)
      return weekPlace(Int(bitPattern: shifted / 7) &- 200_000)
    case .month:
      let (year, month, dayOfMonth) = CivilDate.parts(dayNumber: day)
      return monthPlace(year, month, firstDay: day &- dayOfMonth &+ 1)
    case .year:
      let (year, newYear) = CivilDate.yearAndStart(dayNumber: day)
      return yearPlace(year, newYear)
    }
  }

  /// The week, month or year with this number. `Place` defines the numbers.
  @inline(__always)
  func place(number: Int) -> Place {
    switch unit {
    case .week: return weekPlace(number)
    case .month:
      let year = Int(bitPattern: UInt(bitPattern: number) / 12)
      let month = number &- year &* 12 &+ 1
      return monthPlace(
        year, month, firstDay: CivilDate.dayNumber(year: year, month: month, day: 1))
    case .year:
      return yearPlace(number, CivilDate.newYear(number))
    }
  }

  @inline(__always)
  private func weekPlace(_ number: Int) -> Place {
    Place(number: number, firstDay: weekOrigin &+ number &* 7, mask: 0, year: 0, month: 0)
  }

  @inline(__always)
  private func monthPlace(_ year: Int, _ month: Int, firstDay: Int) -> Place {
    let length = CivilDate.lengthOfMonth(year: year, month: month)
    let weekday = Int(UInt(bitPattern: firstDay &+ 7_000_003) % 7)
    return Place(
      number: year &* 12 &+ month &- 1, firstDay: firstDay, mask: (length &- 28) &* 7 &+ weekday,
      year: year, month: month)
  }

  @inline(__always)
  private func yearPlace(_ year: Int, _ newYear: Int) -> Place {
    let kind =
      distinguishesNeighbours
      ? YearKind.index(year: year, newYear: newYear)
      : YearKind.plainIndex(isLeap: CivilDate.isLeap(year), newYear: newYear)
    return Place(
      number: year, firstDay: newYear, mask: kind &* DayMask.wordCount, year: year, month: 0)
  }

  /// True if BYMONTH permits the period `place`, and the interval of the rule does not skip this
  /// period. `place` must not be before the period that contains the start of the rule.
  @inline(__always)
  func isOnStep(_ place: Place) -> Bool {
    if interval == 1 { return passesFilter(place) }
    let elapsed = UInt64(bitPattern: Int64(place.number &- anchor))
    return divider.divide(elapsed).remainder == 0 && passesFilter(place)
  }

  /// True if the period `place` belongs to the rule: the period is not before the period that
  /// contains the start of the rule, and `isOnStep` is true.
  func contains(_ place: Place) -> Bool { place.number >= anchor && isOnStep(place) }

  @inline(__always)
  private func passesFilter(_ place: Place) -> Bool {
    monthFilter >> UInt64(place.month) & 1 == 1
  }

  /// The next period of the rule after `place`. Example: with the interval 2, only every second
  /// period belongs to the rule. If `needsRing` is true, the returned period contains at least one
  /// day of the rule.
  @inline(__always)
  func next(after place: Place) -> Place {
    guard needsRing || interval != 1 else { return following(place) }
    return self.place(number: nextNumber(after: place.number))
  }

  /// The period that follows `place` in the calendar. For months and years, the function computes
  /// the first day of the next period from the values in `place`. To compute this day from the
  /// number of the next period would be slower.
  @inline(__always)
  private func following(_ place: Place) -> Place {
    switch unit {
    case .week: return weekPlace(place.number &+ 1)
    case .year:
      return yearPlace(
        place.year &+ 1, place.firstDay &+ (CivilDate.isLeap(place.year) ? 366 : 365))
    case .month:
      let length = place.mask / 7 &+ 28
      let isDecember = place.month == 12
      return monthPlace(
        isDecember ? place.year &+ 1 : place.year, isDecember ? 1 : place.month &+ 1,
        firstDay: place.firstDay &+ length)
    }
  }

  private func nextNumber(after number: Int) -> Int {
    let elapsed = max(0, number &- anchor &+ 1)
    let (quotient, remainder) = divider.divide(UInt64(elapsed))
    var step = Int(quotient) &+ (remainder == 0 ? 0 : 1)
    if needsRing { step = ring.next(atOrAfter: step) }
    return anchor &+ step &* interval
  }

  /// The index of the first bit that is 1 in a mask. The search starts at the index `bit`. The
  /// result is -1 if the search finds no such bit.
  @inline(__always)
  func firstBit(_ mask: Int, from bit: Int) -> Int {
    if stride == 1 {
      let rest = masks[mask] >> UInt64(bit)
      return rest == 0 ? -1 : bit &+ rest.trailingZeroBitCount
    }
    var word = bit >> 6
    var rest = masks[mask &+ word] >> UInt64(bit & 63)
    if rest != 0 { return bit &+ rest.trailingZeroBitCount }
    while word < DayMask.wordCount &- 1 {
      word &+= 1
      rest = masks[mask &+ word]
      if rest != 0 { return word &* 64 &+ rest.trailingZeroBitCount }
    }
    return -1
  }

  /// The earliest day of the rule that is not before `day`. `day` must not be before the start of
  /// the rule.
  @inline(__always)
  func firstDay(atOrAfter day: Int) -> Int {
    if spills, let spilled = spilledDay(day) { return spilled }
    var place = place(day: day)
    if isOnStep(place) {
      let bit = firstBit(place.mask, from: day &- place.firstDay)
      if bit >= 0 { return place.firstDay &+ bit }
    }
    while true {
      place = next(after: place)
      let bit = firstBit(place.mask, from: 0)
      if bit >= 0 { return place.firstDay &+ bit }
    }
  }

  /// Returns `day` if SKIP=FORWARD moved a day of the previous period to `day`; otherwise nil.
  ///
  /// If a day of the rule does not exist in a period, for example April 31, SKIP=FORWARD uses the
  /// first day of the next period. No day can move to January 1 of the year 1, because no rule
  /// begins before the year 1.
  private func spilledDay(_ day: Int) -> Int? {
    guard day > CivilDate.newYear(1) else { return nil }
    let before = place(day: day - 1)
    guard contains(before) else { return nil }
    let bit = day - before.firstDay
    return firstBit(before.mask, from: bit) == bit ? day : nil
  }
}
