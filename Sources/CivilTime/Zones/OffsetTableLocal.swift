/// From local time to instants: the half of the table that has to choose.
extension OffsetTable {
  /// The instant chosen for a local time, in seconds.
  struct Place {
    var second: Int64
    var kind: Resolution.Kind
    /// The second instant of a fold; equal to `second` otherwise.
    var foldSecond: Int64
  }

  /// The instant of a local time in seconds: the offset before a gap, the first of a fold.
  @inline(__always)
  func resolve(local: Int64) -> Place {
    let bucket = bucket(local)
    if bucket.before == OffsetTable.slow { return searchResolve(local: local) }
    // On the local axis both a gap and a fold end at `split + the larger offset`, and up to there
    // the offset before the change is the one to use.
    let end = bucket.split &+ Int64(max(bucket.before, bucket.after))
    if local >= end {
      let second = local &- Int64(bucket.after)
      return Place(second: second, kind: .unique, foldSecond: second)
    }
    let second = local &- Int64(bucket.before)
    if local < bucket.split &+ Int64(min(bucket.before, bucket.after)) {
      return Place(second: second, kind: .unique, foldSecond: second)
    }
    if bucket.after > bucket.before { return Place(second: second, kind: .gap, foldSecond: second) }
    return Place(second: second, kind: .fold, foldSecond: local &- Int64(bucket.after))
  }

  /// The offset in force at an instant, and whether the clocks already showed its local time once.
  @inline(__always)
  func reading(_ second: Int64) -> (offset: Int64, isSecondPass: Bool) {
    let bucket = bucket(second)
    if bucket.before == OffsetTable.slow {
      return (searchOffset(at: second), searchIsSecondPass(second))
    }
    let elapsed = second &- bucket.split
    if elapsed < 0 { return (Int64(bucket.before), false) }
    return (Int64(bucket.after), elapsed < Int64(bucket.before) &- Int64(bucket.after))
  }

  /// A time of constant offset, `start ..< end`.
  struct Stretch {
    var start: Int64
    var end: Int64
    var offset: Int64
    /// The offset before `start`; equal to `offset` where there is none.
    var previousOffset: Int64
  }

  /// The stretch of constant offset around an instant.
  func stretch(at second: Int64) -> Stretch {
    let (nearby, cycles) = reduced(second)
    let index = transitionCount(through: nearby)
    return Stretch(
      start: index == 0 ? -OffsetTable.never : transitions[index - 1] + cycles,
      end: index == transitions.count ? OffsetTable.never : transitions[index] + cycles,
      offset: Int64(offsets[index]), previousOffset: Int64(offsets[max(0, index - 1)]))
  }

  /// The different offsets in force within two days of an instant.
  func offsets(near second: Int64) -> Set<Int64> {
    let nearby = reduced(second).second
    let first = transitionCount(through: nearby - 2 * 86_400)
    let last = transitionCount(through: nearby + 2 * 86_400)
    return Set(offsets[first...last].map(Int64.init))
  }

  /// Every offset in force at a second or later.
  func offsets(from second: Int64) -> Set<Int64> {
    Set(offsets[transitionCount(through: reduced(second).second)...].map(Int64.init))
  }

  private func searchIsSecondPass(_ second: Int64) -> Bool {
    let place = searchResolve(local: second &+ searchOffset(at: second))
    return place.kind == .fold && place.second < second
  }

  /// `resolve(local:)` by looking at every stretch of constant offset within a day and more.
  @inline(never)
  func searchResolve(local: Int64) -> Place {
    let day: Int64 = 86_400
    // Far in the future the same question is asked 400 years earlier, as often as needed.
    let cycles = reduced(local &- 4 &* day).cycles
    let nearby = local &- cycles
    let first = transitionCount(through: nearby &- 3 &* day)
    let last = transitionCount(through: nearby &+ 3 &* day)
    var found: Place?
    for index in first...last {
      let second = nearby &- Int64(offsets[index])
      let start = index == 0 ? Int64.min : transitions[index - 1]
      let end = index == transitions.count ? Int64.max : transitions[index]
      guard start <= second, second < end else { continue }
      guard let earlier = found else {
        found = Place(second: second, kind: .unique, foldSecond: second)
        continue
      }
      found = Place(second: earlier.second, kind: .fold, foldSecond: second)
      break
    }
    var place = found ?? gap(nearby, first..<last)
    place.second += cycles
    place.foldSecond += cycles
    return place
  }

  /// The local time lies in no stretch, so one of these transitions jumps over it.
  private func gap(_ local: Int64, _ candidates: Range<Int>) -> Place {
    for index in candidates {
      let second = local &- Int64(offsets[index])
      if second >= transitions[index], local < transitions[index] &+ Int64(offsets[index + 1]) {
        return Place(second: second, kind: .gap, foldSecond: second)
      }
    }
    // Stretches tile the line of instants, so a local time that none holds lies in a gap that the
    // loop has found; the first stretch is as good an answer as any for what cannot happen.
    let second = local &- Int64(offsets[candidates.lowerBound])
    return Place(second: second, kind: .gap, foldSecond: second)
  }
}
