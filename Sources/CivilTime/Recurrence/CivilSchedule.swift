/// A rule that uses wall-clock time. The rule has the same times of day on all its days.
///
/// A query for the next due time has two parts. The first part finds the next *nominal* date-time:
/// the date-time that the rule would have if the zone had no clock changes. The second part finds
/// the instant of this date-time in the zone. The instants have the same order as their nominal
/// date-times, except near skipped local times. For example, if the clocks skip 02:30, the
/// occurrence of 02:30 is due at 03:30, after the occurrence of 03:15. Near clock changes,
/// `slowNext` finds the instant.
final class CivilSchedule: Sendable {
  /// A nominal date-time: the date-time that the rule would have without clock changes.
  struct Nominal {
    var day: Int
    var time: Int

    /// The value that means "no date-time follows". In a comparison, this value is later than every
    /// valid date-time.
    static let never = Nominal(day: DaySet.never, time: 0)

    @inline(__always)
    var isNever: Bool { day > DaySet.horizon }
    /// The seconds from the local time 1970-01-01T00:00:00 to this date-time, if clock changes
    /// are ignored.
    @inline(__always)
    var local: Int64 { Int64(day) &* 86_400 &+ Int64(time) }
    @inline(__always)
    var dateTime: CivilDateTime {
      CivilDateTime(date: CivilDate(dayNumber: day), time: ClockTime(secondOfDay: time))
    }
  }

  /// The date-time 9999-12-31T23:59:59 as local seconds since 1970-01-01T00:00:00. No nominal
  /// time is after this date-time.
  private static let horizon = Int64(DaySet.horizon) * 86_400 + 86_399

  private let table: OffsetTable
  let days: DaySet
  let times: TimesOfDay
  private let positions: PositionedTimes?
  /// True if a search needs `positions`. If the value is true and the rule has COUNT,
  /// `last(count:)` must count the occurrences one by one to find the last occurrence.
  ///
  /// The value is true only for a weekly, monthly or yearly rule with BYSETPOS. Such a rule must
  /// also fulfil one of these conditions:
  /// - The rule has several times of day.
  /// - The rule is weekly and has BYMONTH.
  let countsOneByOne: Bool
  /// The start of the rule, in local seconds since 1970-01-01T00:00:00. No nominal time is before
  /// this second.
  let start: Int64
  /// The end of the rule, in local seconds since 1970-01-01T00:00:00. No nominal time is after this
  /// second.
  let last: Int64

  init?(rule: RecurrenceRule, start: CivilDateTime, times: TimesOfDay, table: OffsetTable) {
    guard times.count > 0 else { return nil }
    self.table = table
    self.times = times
    self.start = start.localSeconds
    let hasSets = !rule.setPositions.isEmpty && rule.frequency >= .weekly
    let cutsWeeks = rule.frequency == .weekly && !rule.months.isEmpty
    let needsPlaces = hasSets && (times.count > 1 || cutsWeeks)
    countsOneByOne = needsPlaces
    let places = needsPlaces ? PositionedTimes(rule: rule, start: start.date, times: times) : nil
    if needsPlaces, places == nil { return nil }
    positions = places
    let selection = hasSets && !needsPlaces ? rule.setPositions : []
    guard let days = DaySet.make(rule: rule, start: start.date, positions: selection) else {
      return nil
    }
    self.days = days
    last = CivilSchedule.horizon
  }

  /// Creates a copy of the schedule `other`. The copy ends at the local second `last`, inclusive.
  /// If `other` ends before `last`, the copy ends when `other` ends.
  init(_ other: CivilSchedule, last: Int64) {
    table = other.table
    days = other.days
    times = other.times
    positions = other.positions
    countsOneByOne = other.countsOneByOne
    start = other.start
    self.last = min(last, other.last)
  }

  /// The first nominal time at or after a local second; `never` if no nominal time follows.
  @inline(__always)
  func nominal(atOrAfter local: Int64) -> Nominal {
    let local = max(local, start)
    if local > last { return .never }
    let found = countsOneByOne ? placed(atOrAfter: local) : daily(atOrAfter: local)
    return found.local > last ? .never : found
  }

  @inline(__always)
  private func daily(atOrAfter local: Int64) -> Nominal {
    // The division below needs a positive number. Therefore the code adds 800,000 days. The sum is
    // positive for all dates from the year 1 on.
    let shifted = UInt64(bitPattern: local &+ 800_000 &* 86_400)
    let day = Int(shifted / 86_400) &- 800_000
    let time = times.first(atOrAfter: Int(local &- Int64(day) &* 86_400))
    let next = days.firstDay(atOrAfter: time >= 0 ? day : day &+ 1)
    if next > DaySet.horizon { return .never }
    return Nominal(day: next, time: next == day ? time : times.first)
  }

  /// The next nominal time of the rule after `previous`; `never` if no nominal time follows.
  ///
  /// `previous` must be a nominal time of the rule. This method is faster than
  /// `nominal(atOrAfter:)`, because it uses the known day and time of `previous`.
  @inline(__always)
  func nominal(after previous: Nominal) -> Nominal {
    let found = successor(of: previous)
    return found.local > last ? .never : found
  }

  /// The next nominal time after `previous`, as if the schedule had no end.
  @inline(__always)
  func successor(of previous: Nominal) -> Nominal {
    if countsOneByOne { return nominal(atOrAfter: previous.local &+ 1) }
    let time = times.first(atOrAfter: previous.time &+ 1)
    if time >= 0 { return Nominal(day: previous.day, time: time) }
    return Nominal(day: days.firstDay(atOrAfter: previous.day &+ 1), time: times.first)
  }

  @inline(never)
  private func placed(atOrAfter local: Int64) -> Nominal {
    guard let found = positions?.first(atOrAfter: Int(local)), found != DaySet.never else {
      return .never
    }
    let day = floorDivide(found, 86_400)
    return Nominal(day: day, time: found - day * 86_400)
  }

  /// A nominal time and its instant in seconds.
  struct Due {
    var nominal: Nominal
    var second: Int64
    var change: ClockChange?
  }

  /// The first due time strictly after `second`; nil if no due time follows.
  @inline(__always)
  func next(after second: Int64) -> Due? {
    let bucket = table.bucket(second)
    let elapsed = second &- bucket.split
    let before = Int64(bucket.before)
    let after = Int64(bucket.after)
    // A clock change of n seconds affects the n seconds after the clock change. If the clocks were
    // set back, the clocks show the same local times a second time. If the clocks were set forward,
    // occurrences at skipped local times are due in these n seconds. The fast search does not
    // handle these two effects. Therefore, use the slow search in these n seconds.
    if elapsed >= 0, elapsed < abs(after &- before) { return slowNext(after: second) }
    if bucket.before == OffsetTable.slow { return slowNext(after: second) }
    let nominal = nominal(atOrAfter: second &+ (elapsed >= 0 ? after : before) &+ 1)
    if nominal.isNever { return nil }
    let place = table.resolve(local: nominal.local)
    switch place.kind {
    case .unique: return Due(nominal: nominal, second: place.second, change: nil)
    case .fold: return Due(nominal: nominal, second: place.second, change: .fold)
    case .gap: return slowNext(after: second)
    }
  }

  /// The next due time after the due time `previous`; nil if no due time follows.
  ///
  /// `second` is the instant of the due time `previous`, in seconds since 1970. If the next due
  /// time is at or after `end`, the method can return nil instead of this due time.
  ///
  /// Each clock change moves the clock by less than four days. Therefore, if the next nominal time
  /// is at least four days after `previous`, its instant is after `second`. In this case, the
  /// method only converts the next nominal time to its instant. If the next nominal time is less
  /// than four days after `previous`, or is a skipped local time, the method searches from
  /// `second`.
  @inline(__always)
  func next(after previous: Nominal, at second: Int64, before end: Int64) -> Due? {
    if previous.isNever { return next(after: second) }
    let found = nominal(after: previous)
    let farthestOffset: Int64 = 93_600
    if found.isNever || found.local &- farthestOffset >= end { return nil }
    if found.local &- previous.local < 4 &* 86_400 { return next(after: second) }
    let place = table.resolve(local: found.local)
    if place.kind == .gap { return slowNext(after: second) }
    return Due(
      nominal: found, second: place.second, change: place.kind == .fold ? .fold : nil)
  }

  /// Returns the same result as `next(after:)`, but with a slow search.
  ///
  /// The slow search is correct at all instants, including the instants near clock changes.
  ///
  /// The search examines the periods of constant offset in order. In each of these periods, the
  /// search finds the first nominal time that the clocks show. For a repeated local time, the
  /// search uses the first instant and ignores the second instant. For a skipped local time, the
  /// search uses the offset before the clock change. Therefore, the instant of a skipped local time
  /// is after the clock change.
  @inline(never)
  func slowNext(after second: Int64) -> Due? {
    var stretch = table.stretch(at: second &- OffsetTable.margin)
    var best: Due?
    func offer(_ nominal: Nominal, offset: Int64, change: ClockChange?) {
      let due = Due(nominal: nominal, second: nominal.local &- offset, change: change)
      // Two nominal times can have the same instant, because a clock change skipped one of them. In
      // this case, the search keeps the nominal time that was not skipped.
      if let found = best, found.second < due.second { return }
      if let found = best, found.second == due.second, found.change == nil { return }
      best = due
    }
    while true {
      let (offset, previous) = (stretch.offset, stretch.previousOffset)
      if previous < offset {
        let nominal = nominal(
          atOrAfter: max(second &+ 1 &+ previous, stretch.start &+ previous))
        if nominal.local < stretch.start &+ offset {
          offer(nominal, offset: previous, change: .gap)
        }
      }
      let from = max(second &+ 1 &+ offset, stretch.start &+ max(previous, offset))
      let nominal = nominal(atOrAfter: from)
      if !nominal.isNever, nominal.local < stretch.end &+ offset {
        let isFold = table.resolve(local: nominal.local).kind == .fold
        offer(nominal, offset: offset, change: isFold ? .fold : nil)
      }
      if let best, best.second < stretch.end { return best }
      // No occurrence is due in a period of constant offset that ends more than `margin` seconds
      // before the next nominal time. Therefore, if the search has found no occurrence yet, it
      // skips these periods.
      let margin = OffsetTable.margin
      let upcoming = self.nominal(atOrAfter: stretch.end &+ min(offset, previous) &- margin)
      if upcoming.isNever { return best }
      let target = best == nil ? upcoming.local &- margin : stretch.end
      stretch = table.stretch(at: max(stretch.end, target))
    }
  }

  /// All nominal times that are due at `second`, in ascending order.
  ///
  /// A skipped local time and a later nominal time can be due at the same second.
  func nominals(at second: Int64) -> [Due] {
    var found: [Due] = []
    // Each nominal time that is due at `second` is the sum of `second` and an offset of the zone.
    // This offset applies at most `OffsetTable.margin` seconds before or after `second`. Therefore
    // the loop checks all offsets that apply in this period.
    for offset in table.offsets(near: second) {
      let local = second &+ offset
      let nominal = nominal(atOrAfter: local)
      guard nominal.local == local else { continue }
      let place = table.resolve(local: local)
      guard place.second == second else { continue }
      let change: ClockChange? =
        switch place.kind {
        case .unique: nil
        case .gap: .gap
        case .fold: .fold
        }
      found.append(Due(nominal: nominal, second: second, change: change))
    }
    return found.sorted { $0.nominal.local < $1.nominal.local }
  }
}
