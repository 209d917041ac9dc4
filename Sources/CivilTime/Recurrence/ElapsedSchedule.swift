/// A schedule of elapsed time, such as every 6 hours or every 90 minutes. A clock change does not
/// affect the interval.
///
/// A window is a period of `width` seconds in which the schedule can be due. From the start on, a
/// window begins every `step` seconds of real time. In a window, the schedule is due at each second
/// that fulfils the limits of the rule. A limit is a part of the rule that permits only some days
/// or some times of day, for example BYDAY or BYMINUTE. If the rule has no limits, each window is
/// one second wide, and the schedule is due in each window. In this case, the code computes the
/// next due time with one division.
final class ElapsedSchedule: Sendable {
  static let never = Int64.max
  /// The instant 9999-12-31T23:59:59Z, in seconds.
  private static let horizon = Int64(DaySet.horizon) * 86_400 + 86_399

  private let table: OffsetTable
  /// The start of the rule, as an instant in seconds. The schedule is never due before this second.
  let start: Int64
  /// The first second of the window that contains `start`, as an instant in seconds.
  private let origin: Int64
  private let step: Reciprocal
  private let width: Int64
  let hasLimits: Bool
  private let days: DaySet
  private let limitsDays: Bool
  private let times: TimesOfDay
  /// The end of the rule, as an instant in seconds. The schedule is never due after this second.
  let last: Int64
  /// The first due times of the schedule as instants in seconds, in ascending order. The list is
  /// empty if a search for the next due time takes few steps.
  ///
  /// The search takes many steps if the limits of the rule permit only few due times.
  private let sparse: [Int64]
  private let sparseEnd: Int64

  /// Prepares the schedule. The result is nil if the rule has no occurrence.
  init?(rule: RecurrenceRule, start: CivilDateTime, times: TimesOfDay, zone: Zone) {
    guard times.count > 0 else { return nil }
    table = zone.table
    self.times = times
    let unit: Int64 =
      switch rule.frequency {
      case .hourly: 3600
      case .minutely: 60
      default: 1
      }
    self.start = table.resolve(local: start.localSeconds).second
    // An hourly rule with BYMINUTE can be due several times in an hour, so `width` is one hour. A
    // rule with BYSECOND can be due several times in a minute, so `width` is one minute.
    if rule.frequency == .hourly, !rule.minutes.isEmpty {
      width = 3600
    } else if rule.frequency >= .minutely, !rule.seconds.isEmpty {
      width = 60
    } else {
      width = 1
    }
    let local = self.start + table.offset(at: self.start)
    origin = self.start - (local - floorDivide(local, width) * width)
    step = Reciprocal(Int(unit) * rule.interval)
    limitsDays =
      !(rule.months.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
      && rule.weekdays.isEmpty)
    let limitsTimes = !(rule.hours.isEmpty && rule.minutes.isEmpty && rule.seconds.isEmpty)
    hasLimits = limitsDays || limitsTimes
    let daily = rule.with { ($0.frequency, $0.interval) = (.daily, 1) }
    // The days of a daily rule with the interval 1 do not depend on its start. `DaySet` needs a
    // start that is not after the first day of a search.
    let day = CivilDate(dayNumber: CivilDate.newYear(1))
    guard let days = DaySet.make(rule: daily, start: day, positions: []) else { return nil }
    self.days = days
    last = ElapsedSchedule.horizon
    (sparse, sparseEnd) = ([], .min)
    let weekdays = RuleCalendar(daily, start: day).weekdayPattern
    if hasLimits, missesEveryWeek(on: weekdays) { return nil }
  }

  /// True if the schedule is never due on the days in `weekdays`, because no window on these days
  /// contains a time of day of the rule.
  ///
  /// In `weekdays`, bit 0 is Monday. The position of a window is the time in seconds from the start
  /// of the week to the start of the window. A window begins every `step` seconds. Let D be the
  /// greatest common divisor of `step` and the length of a week in seconds. The difference between
  /// two positions is always a multiple of D. Therefore only a limited number of positions is
  /// possible. The positions also depend on the offset of the zone from UTC. From the start of the
  /// rule on, several offsets can apply. For each of these offsets, the method checks all possible
  /// positions. If more than 2,016 positions are possible, the method checks nothing and returns
  /// false.
  private func missesEveryWeek(on weekdays: UInt64) -> Bool {
    let week = 7 * 86_400
    let distance = greatestCommonDivisor(week, Int(step.divisor))
    guard week / distance <= 2_016 else { return false }
    return table.offsets(from: start).allSatisfy { offset in
      let first = floorRemainder(Int(origin + offset), distance)
      return stride(from: first, to: week, by: distance).allSatisfy { second in
        let (day, time) = (second / 86_400, second % 86_400)
        // The check below is correct only for a window that ends on the day on which it begins. If
        // a window continues after midnight, the method does not know whether the window contains a
        // time of day of the rule. Therefore the result is false.
        guard time + Int(width) <= 86_400 else { return false }
        // Day number 0, 1970-01-01, was a Thursday, so `(day + 3) % 7` is 0 for a Monday.
        guard weekdays >> UInt64((day + 3) % 7) & 1 == 1 else { return true }
        let found = times.first(atOrAfter: time)
        return found < 0 || found >= time + Int(width)
      }
    }
  }

  /// Copies a schedule, and replaces its end and its list `sparse`.
  private init(_ other: ElapsedSchedule, last: Int64, sparse: [Int64]) {
    table = other.table
    start = other.start
    origin = other.origin
    step = other.step
    width = other.width
    hasLimits = other.hasLimits
    days = other.days
    limitsDays = other.limitsDays
    times = other.times
    self.last = min(last, other.last)
    self.sparse = sparse
    sparseEnd = sparse.last ?? .min
  }

  /// Copies the schedule and sets the end of the copy. The copy can be due at the second `last`,
  /// but it is never due later.
  func ending(at last: Int64) -> ElapsedSchedule {
    ElapsedSchedule(self, last: last, sparse: sparse)
  }

  /// The result of the test in `prospect`.
  enum Prospect {
    case ready(ElapsedSchedule)
    /// The search found no due time before the second `until`. At `until`, the search ended,
    /// because it had taken the maximum number of steps or had passed the year 9999.
    case nothing(until: Int64)
  }

  /// Tests how many steps a search for a due time takes. If the search takes many steps, the
  /// returned schedule contains a list of its first due times.
  func prospect(maximumTurns: Int) -> Prospect {
    guard hasLimits else { return .ready(self) }
    var found = search(from: start, maximumTurns: maximumTurns)
    guard found.second != ElapsedSchedule.never else { return .nothing(until: found.reached) }
    var (seconds, turns) = ([found.second], found.turns)
    while seconds.count < 4096, turns < maximumTurns {
      found = search(from: found.second + 1, maximumTurns: maximumTurns)
      turns += found.turns
      if found.second == ElapsedSchedule.never { break }
      seconds.append(found.second)
      if seconds.count == 64, turns < 512 { return .ready(self) }
    }
    if turns < 8 * seconds.count { return .ready(self) }
    return .ready(ElapsedSchedule(self, last: last, sparse: seconds))
  }

  /// The first second after `second` at which the schedule is due; `never` if the schedule is not
  /// due after `second`.
  @inline(__always)
  func next(after second: Int64) -> Int64 {
    let from = max(second &+ 1, start)
    if from > last { return ElapsedSchedule.never }
    let found: Int64
    if hasLimits {
      found = limited(from: from)
    } else {
      let remainder = step.divide(UInt64(bitPattern: from &- start)).remainder
      found = remainder == 0 ? from : from &+ Int64(step.divisor &- remainder)
    }
    return found > last ? ElapsedSchedule.never : found
  }

  @inline(never)
  private func limited(from second: Int64) -> Int64 {
    guard second <= sparseEnd else { return search(from: second, maximumTurns: .max).second }
    var (low, high) = (0, sparse.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sparse[middle] < second { low = middle + 1 } else { high = middle }
    }
    return sparse[low]
  }

  /// Moves `second` forward to the first second that is in a window and fulfils the limits of the
  /// rule.
  ///
  /// If a clock change can affect the search, the search first moves only to this clock change.
  /// From there, the search continues with the offset that applies after the clock change.
  private func search(
    from second: Int64, maximumTurns: Int
  ) -> (second: Int64, turns: Int, reached: Int64) {
    var (second, turns) = (second, 0)
    while second <= ElapsedSchedule.horizon, turns < maximumTurns {
      turns += 1
      let remainder = step.divide(UInt64(bitPattern: second &- origin)).remainder
      if remainder >= UInt64(width) { second += Int64(step.divisor - remainder) }
      let offset = table.offset(at: second)
      let local = second + offset
      let day = floorDivide(local, 86_400)
      let matchingDay = limitsDays ? Int64(days.firstDay(atOrAfter: Int(day))) : day
      if matchingDay > DaySet.horizon { break }
      var (target, time) = (matchingDay, 0)
      if matchingDay == day {
        time = times.first(atOrAfter: Int(local - day * 86_400))
        if time < 0 { (target, time) = (day + 1, 0) }
      }
      let wanted = target * 86_400 + Int64(time)
      if wanted == local { return (second, turns, second) }
      let moved = wanted - offset
      let isSteady = table.offset(at: moved) == offset && !changes(second, moved)
      second = isSteady ? moved : pushed(second, to: moved)
    }
    return (ElapsedSchedule.never, turns, second)
  }

  /// True if a clock change between the two instants can affect the search.
  ///
  /// A bucket of `table` represents a period of time. Each bucket contains the clock changes of its
  /// period, and of the three days before and after the period. If a clock change is between the
  /// two instants but far from both instants, the method does not find this clock change. But no
  /// day near this clock change is a day of the rule, neither with the offset before the clock
  /// change nor with the offset after it. Therefore this clock change cannot affect the result.
  @inline(__always)
  private func changes(_ first: Int64, _ second: Int64) -> Bool {
    let (one, other) = (table.bucket(first), table.bucket(second))
    return one.split != other.split || one.before == OffsetTable.slow
      || (first < one.split) != (second < one.split)
  }

  @inline(never)
  private func pushed(_ second: Int64, to moved: Int64) -> Int64 {
    min(moved, table.stretch(at: second).end)
  }

  /// The instant of the due time with the number `count`, in seconds; the first due time has the
  /// number 1. A rule with COUNT ends at this instant. The result is `never` if the schedule has
  /// fewer than `count` due times.
  func last(count: Int) -> Int64 {
    if !hasLimits {
      let span = Int64(step.divisor).multipliedReportingOverflow(by: Int64(count - 1))
      return span.overflow ? ElapsedSchedule.never : start &+ span.partialValue
    }
    var second = start - 1
    for _ in 0..<count {
      let next = next(after: second)
      if next == ElapsedSchedule.never { return next }
      second = next
    }
    return second
  }
}
