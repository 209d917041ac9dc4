/// A rule of wall-clock times: days from a calendar, times of day from a clock.
///
/// Two steps answer everything: the next *nominal* date-time of the rule, in which no clock ever
/// changes, and the instant the zone gives it. They agree in order except around a gap, where
/// 02:30 becomes 03:30 and so comes after 03:15; `slowNext` sees to those hours.
struct CivilSchedule: Sendable {
  static let never = Int64.max
  /// 9999-12-31T23:59:59.
  private static let horizon = Int64(DaySet.horizon) * 86_400 + 86_399

  private let table: OffsetTable
  let days: DaySet
  let times: TimesOfDay
  private let positions: PositionedTimes?
  /// Whether COUNT has to be counted out.
  var countsOneByOne: Bool { positions != nil }
  /// The first local second that counts.
  let start: Int64
  /// The last local second that counts.
  var last = CivilSchedule.horizon

  init?(rule: RecurrenceRule, start: CivilDateTime, times: TimesOfDay, table: OffsetTable) {
    guard times.count > 0 else { return nil }
    self.table = table
    self.times = times
    self.start = start.localSeconds
    let hasSets = !rule.setPositions.isEmpty && rule.frequency >= .weekly
    let cutsWeeks = rule.frequency == .weekly && !rule.months.isEmpty
    let needsPlaces = hasSets && (times.count > 1 || cutsWeeks)
    positions =
      needsPlaces ? PositionedTimes(rule: rule, start: start.date, times: times) : nil
    if needsPlaces, positions == nil { return nil }
    let selection = hasSets && !needsPlaces ? rule.setPositions : []
    guard let days = DaySet(rule: rule, start: start.date, positions: selection) else { return nil }
    self.days = days
  }

  /// The first nominal local second at or after another; `never` past the last.
  @inline(__always)
  func nominal(atOrAfter local: Int64) -> Int64 {
    let local = max(local, start)
    if local > last { return CivilSchedule.never }
    let found = positions == nil ? daily(atOrAfter: local) : placed(atOrAfter: local)
    return found > last ? CivilSchedule.never : found
  }

  @inline(__always)
  private func daily(atOrAfter local: Int64) -> Int64 {
    // From year 1 on: 800,000 days keep the dividend positive.
    let shifted = UInt64(bitPattern: local &+ 800_000 &* 86_400)
    let day = Int(shifted / 86_400) &- 800_000
    let time = times.first(atOrAfter: Int(local &- Int64(day) &* 86_400))
    let next = days.firstDay(atOrAfter: time >= 0 ? day : day &+ 1)
    if next > DaySet.horizon { return CivilSchedule.never }
    return Int64(next) &* 86_400 &+ Int64(next == day ? time : times.first)
  }

  @inline(never)
  private func placed(atOrAfter local: Int64) -> Int64 {
    let found = positions?.first(atOrAfter: Int(local)) ?? DaySet.never
    return found == DaySet.never ? CivilSchedule.never : Int64(found)
  }

  /// A nominal time and its instant, both in seconds.
  struct Due {
    var nominal: Int64
    var second: Int64
    var change: ClockChange?
  }

  /// The first due time strictly later than a second; nil after the last.
  @inline(__always)
  func next(after second: Int64) -> Due? {
    let bucket = table.bucket(second)
    let elapsed = second &- bucket.split
    let before = Int64(bucket.before)
    let after = Int64(bucket.after)
    // Within a change's own length after it, local times run out of order.
    if elapsed >= 0, elapsed < abs(after &- before) { return slowNext(after: second) }
    if bucket.before == OffsetTable.slow { return slowNext(after: second) }
    let nominal = nominal(atOrAfter: second &+ (elapsed >= 0 ? after : before) &+ 1)
    if nominal == CivilSchedule.never { return nil }
    let place = table.resolve(local: nominal)
    switch place.kind {
    case .unique: return Due(nominal: nominal, second: place.second, change: nil)
    case .fold: return Due(nominal: nominal, second: place.second, change: .fold)
    case .gap: return slowNext(after: second)
    }
  }

  /// `next(after:)` stretch by stretch of constant offset, exact everywhere.
  ///
  /// The instants of a stretch come from its own local times, without those the stretch before has
  /// already used up in a fold, and after a gap from the times that were jumped over as well.
  @inline(never)
  func slowNext(after second: Int64) -> Due? {
    let day: Int64 = 86_400
    var stretch = table.stretch(at: second &- 2 &* day)
    var best: Due?
    func offer(_ nominal: Int64, offset: Int64, change: ClockChange?) {
      let due = Due(nominal: nominal, second: nominal &- offset, change: change)
      // At equal instants the time that exists by that name stands for both.
      if let found = best, found.second < due.second { return }
      if let found = best, found.second == due.second, found.change == nil { return }
      best = due
    }
    while true {
      let (offset, previous) = (stretch.offset, stretch.previousOffset)
      if previous < offset {
        let nominal = nominal(
          atOrAfter: max(second &+ 1 &+ previous, stretch.start &+ previous))
        if nominal < stretch.start &+ offset { offer(nominal, offset: previous, change: .gap) }
      }
      let from = max(second &+ 1 &+ offset, stretch.start &+ max(previous, offset))
      let nominal = nominal(atOrAfter: from)
      if nominal != CivilSchedule.never, nominal < stretch.end &+ offset {
        let isFold = table.resolve(local: nominal).kind == .fold
        offer(nominal, offset: offset, change: isFold ? .fold : nil)
      }
      if let best, best.second < stretch.end { return best }
      if stretch.end >= OffsetTable.never { return best }
      // Nothing is due before the next nominal time, so the stretches until then can be left out.
      let upcoming = self.nominal(atOrAfter: stretch.end &+ min(offset, previous) &- day)
      if upcoming == CivilSchedule.never { return best }
      let target = best == nil ? upcoming &- 3 &* day : stretch.end
      stretch = table.stretch(at: max(stretch.end, target))
    }
  }

  /// Every nominal time whose instant is this second, in order: after a gap there may be two.
  func nominals(at second: Int64) -> [Due] {
    var found: [Due] = []
    // At most one nominal time for each offset in force within two days.
    for offset in table.offsets(near: second) {
      let local = second &+ offset
      guard nominal(atOrAfter: local) == local else { continue }
      let place = table.resolve(local: local)
      guard place.second == second else { continue }
      let change: ClockChange? =
        switch place.kind {
        case .unique: nil
        case .gap: .gap
        case .fold: .fold
        }
      found.append(Due(nominal: local, second: second, change: change))
    }
    return found.sorted { $0.nominal < $1.nominal }
  }
}
