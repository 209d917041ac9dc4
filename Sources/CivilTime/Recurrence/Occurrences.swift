/// The occurrences of a schedule in a span of time, one after the other as they are asked for.
///
/// Between two changes of the clocks each follows from the last: the offset is known, and so is
/// the day.
public struct Occurrences: Sequence, IteratorProtocol, Sendable {
  private let recurrence: Recurrence
  /// The first second that is past the span, or past UNTIL.
  private let end: Int64
  /// Everything up to here has been given.
  private var last: Int64
  /// The last nominal time given, while local times run with one offset.
  private var nominal = CivilSchedule.Nominal.never
  private var offset: Int64 = 0
  /// Where the offset stops being certain, on the local axis; for a civil schedule, or where it ends.
  private var steadyEnd = Int64.min

  init(_ recurrence: Recurrence, from start: Instant, to end: Instant) {
    self.recurrence = recurrence
    // The first whole second at or after the start, less one.
    last = floorDivide(start.milliseconds &- (start.milliseconds == .min ? 0 : 1), 1000)
    let endSecond = floorDivide(end.adding(milliseconds: 999).milliseconds, 1000)
    let until = recurrence.untilSecond
    // Past every day there is, yet far from the end of the axis: offsets are added to it.
    let afterAll = Int64(DaySet.never) * 86_400
    self.end = Swift.min(endSecond, Swift.min(until, afterAll - 1) + 1)
  }

  /// The next occurrence before the end of the span.
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

  /// The next occurrence wherever it is.
  @inline(never)
  private mutating func leap(_ civil: CivilSchedule) -> Occurrence? {
    let next = civil.next(after: nominal, at: last, before: end)
    guard let due = next, due.second < end else { return nil }
    // Of sparse rules the next occurrence lies past the next change of the clocks as a rule.
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

  /// Notes how far local times run evenly from an instant. Within two days of a change nothing is
  /// taken for granted: a local time there may mean another instant, or two.
  private mutating func settle(_ second: Int64) {
    let stretch = recurrence.zone.table.stretch(at: second)
    let margin: Int64 = 2 * 86_400
    offset = stretch.offset
    let isSteady = second >= stretch.start &+ margin
    steadyEnd = isSteady ? stretch.end &+ offset &- margin : .min
  }
}

extension Recurrence {
  /// The occurrences from one instant up to but not including another, worked out one by one.
  public func occurrences(from start: Instant, to end: Instant) -> Occurrences {
    Occurrences(self, from: start, to: end)
  }
}
