import CivilTime

/// The offsets from UTC that a VTIMEZONE of a file defines, for a period of several years.
public struct ICalendarOffsets: Hashable, Sendable {
  /// The first instant of the period, in seconds since 1970.
  public var start: Int64
  /// The first instant after the period, in seconds since 1970.
  public var end: Int64
  /// The offset at `start`, in seconds east of Greenwich.
  public var firstOffset: Int
  /// The changes of the offset after `start`, in ascending order.
  public var changes: [Change]

  /// A change of the offset.
  public struct Change: Hashable, Sendable {
    /// The first second with the new offset, in seconds since 1970.
    public var second: Int64
    public var offset: Int

    public init(second: Int64, offset: Int) {
      self.second = second
      self.offset = offset
    }
  }

  public init(start: Int64, end: Int64, firstOffset: Int, changes: [Change]) {
    self.start = start
    self.end = end
    self.firstOffset = firstOffset
    self.changes = changes
  }

  /// Makes the offsets of a zone whose offset never changes.
  init(always offset: Int) {
    self.init(start: -1 << 40, end: 1 << 40, firstOffset: offset, changes: [])
  }

  /// Computes the offsets of a tzdata zone in the period from `start` to `end`.
  init(_ zone: Zone, from start: Int64, to end: Int64) {
    self.init(
      start: start, end: end, firstOffset: zone.offsetSeconds(at: Instant(seconds: start)),
      changes: [])
    var last = start
    while let next = zone.nextOffsetChange(after: Instant(seconds: last)), next.seconds < end {
      last = next.seconds
      changes.append(Change(second: last, offset: zone.offsetSeconds(at: next)))
    }
  }

  /// Returns the instant of a local time according to RFC 5545 section 3.3.5. If the local time
  /// exists twice, the result is the first instant. If a clock change skips the local time, the
  /// function uses the offset before the clock change. If the local time is outside of the period,
  /// the result is nil.
  func instant(of local: CivilDateTime) -> Instant? {
    let seconds = local.localSeconds
    var (from, offset) = (start, firstOffset)
    for change in changes + [Change(second: end, offset: firstOffset)] {
      let second = seconds - Int64(offset)
      if second < from { return nil }
      if second < change.second { return Instant(seconds: second) }
      let isSkipped = change.second < end && seconds - Int64(change.offset) < change.second
      if isSkipped { return Instant(seconds: second) }
      (from, offset) = (change.second, change.offset)
    }
    return nil
  }

  /// Returns the local time at an instant; nil if the instant is outside of the period.
  func local(at instant: Instant) -> CivilDateTime? {
    let second = instant.seconds
    guard second >= start, second < end else { return nil }
    let offset = changes.last { $0.second <= second }?.offset ?? firstOffset
    return CivilDateTime(localSeconds: second + Int64(offset))
  }

  /// The result of a comparison of two lists of offsets for the same period.
  struct Difference {
    /// The total time for which the offsets differ, in seconds.
    var total: Int64 = 0
    /// The longest part of this time in which neither offset changes, in seconds.
    var longest: Int64 = 0
  }

  func difference(from other: ICalendarOffsets) -> Difference {
    var difference = Difference()
    var (mine, its) = (changes[...], other.changes[...])
    var (myOffset, itsOffset) = (firstOffset, other.firstOffset)
    var second = start
    while second < end {
      let next = min(mine.first?.second ?? end, its.first?.second ?? end, end)
      if myOffset != itsOffset, next > second {
        difference.total += next - second
        difference.longest = max(difference.longest, next - second)
      }
      if let change = mine.first, change.second <= next {
        myOffset = change.offset
        mine.removeFirst()
      }
      if let change = its.first, change.second <= next {
        itsOffset = change.offset
        its.removeFirst()
      }
      second = max(next, second)
      if next >= end { break }
    }
    return difference
  }
}
