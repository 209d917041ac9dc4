/// A table that gives the offset of a zone for an instant or for a local time.
///
/// Almost every query needs one memory access. The years 1900 to 2200 are divided into buckets of
/// 2^22 seconds (48.5 days). If at most one change of the offset is in a bucket or near it, a query
/// needs only one comparison. If a bucket has more changes, a query searches the whole list of
/// changes. If the time of a query is before 1900 or after 2200, the query also searches the whole
/// list of changes.
///
/// In a measurement with random queries, a query of this table took 3.0 ns. Two alternatives were
/// slower. One alternative was a cache that contains the last used period of constant offset. A
/// query of the cache took 8.7 ns. The other alternative was a binary search, which took 13.5 ns.
final class OffsetTable: Sendable {
  /// The offsets of one bucket. If `before` is `slow`, the bucket contains no offset, and a query
  /// must search the whole list of transitions.
  struct Bucket {
    /// The instant at which the offset changes, in seconds since 1970. The value is `never` if no
    /// change of the offset is in the bucket or near it.
    var split: Int64
    var before: Int32
    var after: Int32
  }

  static let slow = Int32.min
  static let never = Int64.max / 4
  /// The start of the first bucket, 1900-01-01T00:00:00Z, in seconds since 1970.
  static let base: Int64 = -2_208_988_800
  static let shift: Int64 = 22
  /// The number of buckets. The last bucket contains 2200-01-01.
  static let count = 2260
  /// If a clock change is more than this number of seconds before or after a bucket, the clock
  /// change cannot affect the local times of the bucket.
  ///
  /// The number is larger than the sum of the largest offset from UTC and the largest change of an
  /// offset.
  static let margin: Int64 = 3 * 86_400
  /// The number of years after which the Gregorian calendar repeats. The clock changes from the
  /// footer of a TZif file also repeat after 400 years.
  private static let cycleYears = 400
  static let cycleSeconds: Int64 = 146_097 * 86_400

  let transitions: [Int64]
  let offsets: [Int32]
  let buckets: [Bucket]
  /// The start of the first 400-year cycle, in seconds since 1970. From this second on, all clock
  /// changes follow the rule in the footer of the TZif file. Therefore the clock changes repeat
  /// every 400 years.
  private let cycleStart: Int64

  init(_ history: ZoneHistory) {
    var history = history
    cycleStart = OffsetTable.extend(&history)
    transitions = history.transitions
    offsets = history.offsets
    buckets = OffsetTable.makeBuckets(history)
  }

  /// Adds more clock changes to the list `transitions` of `history`. The footer of the TZif file
  /// defines these clock changes.
  ///
  /// The added clock changes cover more than 400 years after the last transition in the file.
  ///
  /// - Returns: the value for `cycleStart`.
  private static func extend(_ history: inout ZoneHistory) -> Int64 {
    guard let footer = history.footer else { return .max }
    let last = history.transitions.last ?? base
    guard footer.daylight != nil else {
      history.append(max(last + 1, base), offset: footer.standardOffset)
      return .max
    }
    let year = CivilDate.parts(dayNumber: Int(floorDivide(last, 86_400))).year
    // Add the changes of the year before the cycle, of the 400 years of the cycle, and of the years
    // after the cycle. The cycle starts with the year `year` + 1. A footer can describe changes that
    // exist only in some years, for example in leap years that begin on a Monday. The distance
    // between two such years is at most 40 years. Therefore, the list contains the first change
    // after the cycle, too.
    var changes: [(instant: Int64, offset: Int32)] = []
    let lastYear = year + cycleYears + 42
    for year in (year - 1)...lastYear {
      for change in footer.changes(year: year) {
        // In some zones, daylight time never ends. In the TZif file of such a zone, the footer
        // describes two clock changes at the same instant. At the first change, daylight time ends;
        // at the second change, daylight time starts again. The loop keeps only the second change
        // in `changes`.
        if let previous = changes.last, previous.instant >= change.instant { changes.removeLast() }
        changes.append(change)
      }
    }
    // The loop does not know the changes after `lastYear`. A change of the year after `lastYear`
    // could remove the last change of `lastYear`. Therefore, the code does not use `lastYear`.
    let end = Int64(CivilDate.newYear(lastYear)) * 86_400
    for change in changes where change.instant > last && change.instant < end {
      history.append(change.instant, offset: change.offset)
    }
    return Int64(CivilDate.dayNumber(year: year + 1, month: 1, day: 1)) * 86_400
  }

  private static func makeBuckets(_ history: ZoneHistory) -> [Bucket] {
    let (transitions, offsets) = (history.transitions, history.offsets)
    var buckets: [Bucket] = []
    buckets.reserveCapacity(count)
    // The indexes `low ..< high` select the clock changes in a bucket, or at most `margin` seconds
    // before or after it.
    var low = 0
    for index in 0..<count {
      let start = base + Int64(index) << shift
      let end = start + 1 << shift
      while low < transitions.count, transitions[low] < start - margin { low += 1 }
      var high = low
      while high < transitions.count, transitions[high] < end + margin { high += 1 }
      let (split, before, after) =
        switch high - low {
        case 0: (never, offsets[low], offsets[low])
        case 1: (transitions[low], offsets[low], offsets[low + 1])
        default: (start, slow, slow)
        }
      buckets.append(Bucket(split: split, before: before, after: after))
    }
    return buckets
  }
}

extension OffsetTable {
  /// The bucket for an instant or a local time in seconds.
  ///
  /// For a time outside 1900…2200, the value `before` of the bucket is `slow`.
  @inline(__always)
  func bucket(_ seconds: Int64) -> Bucket {
    let index = Int(truncatingIfNeeded: (seconds &- OffsetTable.base) >> OffsetTable.shift)
    guard UInt(bitPattern: index) < UInt(bitPattern: OffsetTable.count) else {
      return Bucket(split: 0, before: OffsetTable.slow, after: OffsetTable.slow)
    }
    return buckets[index]
  }

  /// The offset at an instant. The offset and the instant are in seconds.
  @inline(__always)
  func offset(at second: Int64) -> Int64 {
    let bucket = bucket(second)
    if bucket.before == OffsetTable.slow { return searchOffset(at: second) }
    return Int64(second >= bucket.split ? bucket.after : bucket.before)
  }

  /// If an instant is at or after `cycleStart`, subtracts whole cycles of 400 years from the
  /// instant.
  ///
  /// - Returns: the instant after the subtraction, and the number of subtracted seconds.
  func reduced(_ second: Int64) -> (second: Int64, cycles: Int64) {
    guard second >= cycleStart else { return (second, 0) }
    let span = second - cycleStart
    let removed = span - span % OffsetTable.cycleSeconds
    return (second - removed, removed)
  }

  /// The number of clock changes in `transitions` at or before an instant.
  ///
  /// If the clock changes of the zone repeat every 400 years, `transitions` contains them only for
  /// about one cycle of 400 years. Therefore, the caller must first apply `reduced` to the instant.
  func transitionCount(through second: Int64) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }

  @inline(never)
  func searchOffset(at second: Int64) -> Int64 {
    Int64(offsets[transitionCount(through: reduced(second).second)])
  }
}
