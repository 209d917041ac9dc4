/// The occurrences of a rule with BYSETPOS, for example "the last of all times in each month".
///
/// Use this class for a rule with several times of day. The class does not store a list of all
/// times in a period. The position of a time within its period is (number of earlier days of the
/// rule in the period) × (number of times per day) + (number of earlier times on the same day). For
/// a query, the class computes the position of the queried time and finds the next position that
/// BYSETPOS chooses. The class then divides this position by the number of times per day. The
/// quotient gives the day, and the remainder gives the time of day.
final class PositionedTimes: Sendable {
  private let periods: Periods
  private let times: TimesOfDay
  /// The days that BYMONTH permits, if the rule is weekly and has BYMONTH; nil for any other rule.
  ///
  /// A weekly rule with BYMONTH needs this filter, because one week can contain days of a permitted
  /// month and days of a forbidden month.
  private let filter: Periods?
  /// The positive values of BYSETPOS, each reduced by 1, in ascending order. These positions count
  /// from the start of a period. The position 0 is the earliest time of a period.
  private let fromFront: [Int]
  /// The negative values of BYSETPOS, in ascending order. These positions count from the end of a
  /// period. The position -1 is the last time of a period.
  private let fromBack: [Int]
  private let perDay: Reciprocal
  /// The numbers of days in the masks of `periods`. A mask consists of 64-bit words, and each bit
  /// is a day. For each mask, the list contains one number for each word, and then one more number.
  /// The number for a word is the number of days in the earlier words of the mask. The last number
  /// is the number of all days in the mask.
  private let counts: [Int32]

  /// Prepares the positions. The result is nil if the rule has no occurrence.
  init?(rule: RecurrenceRule, start: CivilDate, times: TimesOfDay) {
    self.times = times
    perDay = Reciprocal(max(times.count, 1))
    fromFront = rule.setPositions.filter { $0 > 0 }.map { $0 - 1 }
    fromBack = rule.setPositions.filter { $0 < 0 }
    let calendar = RuleCalendar(rule, start: start)
    let all =
      switch rule.frequency {
      case .weekly: Periods(weeks: calendar.weekdayPattern, rule: rule, start: start)
      case .monthly: Periods(months: calendar, positions: [], rule: rule, start: start)
      default: Periods(years: calendar, positions: [], rule: rule, start: start)
      }
    let cutsWeeks = rule.frequency == .weekly && !rule.months.isEmpty
    filter = cutsWeeks ? Periods(years: calendar, positions: [], rule: rule, start: start) : nil
    let (front, back) = (fromFront, fromBack)
    let indexed = all.indexed { mask in
      let total = mask.count * times.count
      return front.contains { $0 < total } || back.contains { $0 + total >= 0 }
    }
    guard let indexed else { return nil }
    periods = indexed
    counts = Swift.stride(from: 0, to: indexed.masks.count, by: indexed.stride).flatMap { mask in
      (0..<indexed.stride).reduce(into: [0]) { counts, word in
        let days = indexed.masks[mask + word].nonzeroBitCount
        counts.append(counts[word] + Int32(days))
      }
    }
    // For a monthly rule, or a weekly rule with BYMONTH, no formula shows whether the rule has an
    // occurrence. Therefore, the code searches for an occurrence up to the last valid day.
    guard first(atOrAfter: start.dayNumber * 86_400) != DaySet.never else { return nil }
  }

  /// The first local second at or after `local` that BYSETPOS chooses. `local` must not be before
  /// the start of the rule.
  func first(atOrAfter local: Int) -> Int {
    let day = floorDivide(local, 86_400)
    let second = local - day * 86_400
    var place = periods.place(day: day)
    var found =
      periods.isOnStep(place) ? search(place, from: day, second: second) : DaySet.never
    if periods.spills, day > CivilDate.newYear(1) {
      // Some days of a rule do not exist in every month or year, for example day 30 or day 366. If
      // such a day does not exist in the period before `place`, SKIP=FORWARD can replace it by the
      // first day of `place`. Both periods can then have times on this day.
      let before = periods.place(day: day - 1)
      if before.number != place.number, periods.contains(before) {
        found = min(found, search(before, from: day, second: second))
      }
    }
    while found == DaySet.never, place.firstDay <= DaySet.horizon {
      place = periods.next(after: place)
      found = search(place, from: place.firstDay, second: 0)
    }
    if periods.spills, found != DaySet.never {
      // If SKIP=FORWARD moved `found` to the first day of the next period, the next period can have
      // an earlier time on this day.
      let next = periods.place(day: floorDivide(found, 86_400))
      if next.number != place.number, periods.isOnStep(next) {
        found = min(found, search(next, from: next.firstDay, second: 0))
      }
    }
    return found
  }

  /// Searches the period `place` for the first occurrence that BYSETPOS chooses. The search starts
  /// on the day `day`, `second` seconds after midnight. The result is in local seconds since
  /// 1970-01-01T00:00:00; it is `DaySet.never` if the search finds no occurrence.
  private func search(_ place: Periods.Place, from day: Int, second: Int) -> Int {
    let bit = day - place.firstDay
    let first = place.mask + place.mask / periods.stride
    let word = word(place, bit >> 6)
    let isCut = filter != nil
    let total = isCut ? word.nonzeroBitCount : Int(counts[first + periods.stride])
    let before =
      Int(counts[first + (bit >> 6)]) + (word & (1 << UInt64(bit & 63) - 1)).nonzeroBitCount
    let isSet = word >> UInt64(bit & 63) & 1 == 1
    let rank = before * times.count + (isSet ? times.rank(before: second) : 0)
    let chosen = nextPlace(atOrAfter: rank, total: total * times.count)
    if chosen == DaySet.never { return DaySet.never }
    let (days, rankOfTime) = perDay.divide(UInt64(chosen))
    var index = 0
    while !isCut, Int(counts[first + index + 1]) <= Int(days) { index += 1 }
    let rest = Int(days) - Int(counts[first + index])
    let chosenDay = place.firstDay + index * 64 + selectBit(self.word(place, index), rest)
    return chosenDay * 86_400 + times.time(rank: Int(rankOfTime))
  }

  private func nextPlace(atOrAfter rank: Int, total: Int) -> Int {
    var next = DaySet.never
    let front = PositionedTimes.index(in: fromFront, atOrAfter: rank)
    if front < fromFront.count, fromFront[front] < total { next = fromFront[front] }
    let back = PositionedTimes.index(in: fromBack, atOrAfter: rank - total)
    if back < fromBack.count { next = min(next, fromBack[back] + total) }
    return next
  }

  private static func index(in list: [Int], atOrAfter value: Int) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The 64-bit word with the index `index` in the mask of a period. For a weekly rule with
  /// BYMONTH, the word contains only the days that BYMONTH permits.
  @inline(__always)
  private func word(_ place: Periods.Place, _ index: Int) -> UInt64 {
    let word = periods.masks[place.mask + index]
    return filter == nil ? word : cut(word, place)
  }

  @inline(never)
  private func cut(_ word: UInt64, _ place: Periods.Place) -> UInt64 {
    guard let filter else { return word }
    var kept: UInt64 = 0
    for bit in 0..<7 where word >> UInt64(bit) & 1 == 1 {
      let day = place.firstDay + bit
      if filter.firstDay(atOrAfter: day) == day { kept |= 1 << UInt64(bit) }
    }
    return kept
  }
}
