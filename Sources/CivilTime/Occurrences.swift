/// The occurrences of a schedule in a span of time, one after the other as they are asked for.
public struct Occurrences: Sequence, IteratorProtocol, Sendable {
  private let recurrence: Recurrence
  /// The first second that is past the span.
  private let end: Int64
  /// Everything up to here has been given.
  private var last: Int64
  /// While local times run with one offset: where that ends, on the local axis, and the offset.
  private var steadyEnd = Int64.min
  private var offset: Int64 = 0

  init(_ recurrence: Recurrence, from start: Instant, to end: Instant) {
    self.recurrence = recurrence
    // The first whole second at or after the start, less one.
    last = floorDivide(start.milliseconds &- (start.milliseconds == .min ? 0 : 1), 1000)
    self.end = end.milliseconds == .max ? .max : floorDivide(end.milliseconds &+ 999, 1000)
  }

  /// The next occurrence before the end of the span.
  public mutating func next() -> Occurrence? {
    switch recurrence.schedule {
    case .civil(let civil):
      let local = last &+ offset
      if local < steadyEnd {
        let nominal = civil.nominal(atOrAfter: local &+ 1)
        if nominal < steadyEnd { return take(nominal) }
      }
      return leap(civil)
    case .elapsed:
      guard let found = recurrence.next(after: Instant(seconds: last)) else { return nil }
      guard found.instant.seconds < end else { return nil }
      last = found.instant.seconds
      return found
    }
  }

  /// A nominal time whose offset is known.
  @inline(__always)
  private mutating func take(_ nominal: Int64) -> Occurrence? {
    let second = nominal &- offset
    guard second < end, second <= recurrence.untilSecond else { return nil }
    last = second
    return Occurrence(
      nominal: CivilDateTime(localSeconds: nominal), fold: 0, instant: Instant(seconds: second),
      moved: nil)
  }

  /// The next occurrence wherever it is, and how far the local time runs on evenly from there.
  @inline(never)
  private mutating func leap(_ civil: CivilSchedule) -> Occurrence? {
    guard let due = civil.next(after: last), due.second < end,
      due.second <= recurrence.untilSecond
    else { return nil }
    last = due.second
    let stretch = recurrence.zone.table.stretch(at: due.second)
    offset = stretch.offset
    // Local times of the stretch that could also mean another instant lie within a day of its ends.
    let margin: Int64 = 2 * 86_400
    let isSteady = due.change == nil && due.second >= stretch.start &+ margin
    steadyEnd = isSteady ? stretch.end &+ offset &- margin : .min
    return Occurrence(
      nominal: CivilDateTime(localSeconds: due.nominal), fold: 0,
      instant: Instant(seconds: due.second), moved: due.change)
  }
}

extension Recurrence {
  /// The occurrences from one instant up to but not including another, worked out one by one.
  public func occurrences(from start: Instant, to end: Instant) -> Occurrences {
    Occurrences(self, from: start, to: end)
  }
}
