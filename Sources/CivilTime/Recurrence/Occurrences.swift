/// The occurrences of a schedule in a period, as a sequence. The sequence computes the occurrences
/// one by one.
///
/// Between two clock changes, the iterator computes each occurrence from the occurrence before it.
/// This is fast, because the offset stays the same, and the search starts at a known day of the
/// rule.
public struct Occurrences: Sequence, IteratorProtocol, Sendable {
  private let recurrence: Recurrence
  /// The iterator returns only occurrences before this second. If the rule has UNTIL, this second
  /// is at most one second after UNTIL.
  private let end: Int64
  /// The iterator has returned all occurrences up to this second, inclusive.
  private var last: Int64
  /// The nominal time of the occurrence that the iterator returned last. The value is `never` if
  /// the iterator has not returned an occurrence yet.
  private var nominal = CivilSchedule.Nominal.never
  private var offset: Int64 = 0
  /// The stored offset `offset` certainly applies to each local time before this local second.
  ///
  /// In a civil schedule, this second is not after the end of the schedule.
  private var steadyEnd = Int64.min

  init(_ recurrence: Recurrence, from start: Instant, to end: Instant) {
    self.recurrence = recurrence
    // The iterator returns the occurrences after `last`. An occurrence exactly at the start belongs
    // to the period. Therefore `last` is the last whole second before the start.
    last = start.adding(milliseconds: -1).seconds
    let endSecond = end.adding(milliseconds: 999).seconds
    let until = recurrence.untilSecond
    // `afterAll` is later than every valid day, but far smaller than the largest 64-bit integer.
    // Therefore the sum of `afterAll` and an offset cannot overflow.
    let afterAll = Int64(DaySet.never) * 86_400
    self.end = Swift.min(endSecond, Swift.min(until, afterAll) + 1)
  }

  /// The next occurrence in the period; nil after the last occurrence in the period.
  @inline(__always)
  public mutating func next() -> Occurrence? {
    switch recurrence.schedule {
    case .civil(let civil): nextCivil(civil)
    case .elapsed(let elapsed): nextElapsed(elapsed)
    }
  }

  private mutating func nextCivil(_ civil: CivilSchedule) -> Occurrence? {
    if steadyEnd != .min {
      let found = civil.successor(of: nominal)
      let local = found.local
      if local < steadyEnd {
        nominal = found
        last = local &- offset
        return Occurrence(
          nominal: found.dateTime, fold: 0, instant: Instant(seconds: last), moved: nil)
      }
    }
    return leap(civil)
  }

  private mutating func nextElapsed(_ elapsed: ElapsedSchedule) -> Occurrence? {
    let second = elapsed.next(after: last)
    guard second < end else { return nil }
    last = second
    if second &+ offset >= steadyEnd {
      let reading = recurrence.zone.civil(atSecond: second)
      settle(second)
      return Occurrence(
        nominal: reading.dateTime, fold: reading.fold, instant: Instant(seconds: second), moved: nil
      )
    }
    return Occurrence(
      nominal: CivilDateTime(localSeconds: second &+ offset), fold: 0,
      instant: Instant(seconds: second), moved: nil)
  }

  /// Computes the next occurrence without the stored offset.
  @inline(never)
  private mutating func leap(_ civil: CivilSchedule) -> Occurrence? {
    let next = civil.next(after: nominal, at: last, before: end)
    guard let due = next, due.second < end else { return nil }
    // If the occurrences are rare, there is usually a clock change before the next occurrence. The
    // present offset is not valid after the clock change. Therefore do not store it.
    let isDense = due.second &- last < 60 * 86_400
    last = due.second
    nominal = due.nominal
    steadyEnd = .min
    if isDense, due.change == nil {
      settle(due.second)
      steadyEnd = Swift.min(steadyEnd, end &+ offset, civil.last &+ 1)
    }
    return Occurrence(
      nominal: due.nominal.dateTime, fold: 0, instant: Instant(seconds: due.second),
      moved: due.change)
  }

  /// Stores the UTC offset at an instant, and sets `steadyEnd`. The iterator may use the stored
  /// offset only before `steadyEnd`.
  ///
  /// A clock change can skip or repeat a local time. Therefore the iterator does not use the stored
  /// offset in the two days before a clock change and in the two days after it.
  private mutating func settle(_ second: Int64) {
    let stretch = recurrence.zone.table.stretch(at: second)
    let margin: Int64 = 2 * 86_400
    offset = stretch.offset
    let isSteady = second >= stretch.start &+ margin
    steadyEnd = isSteady ? stretch.end &+ offset &- margin : .min
  }
}

extension Recurrence {
  /// The occurrences from `start`, inclusive, to `end`, exclusive. The sequence computes them one
  /// by one, while the caller reads the sequence.
  public func occurrences(from start: Instant, to end: Instant) -> Occurrences {
    Occurrences(self, from: start, to: end)
  }
}
