/// Converts local times to instants, including skipped and repeated local times.
extension OffsetTable {
  /// The instant that `resolve` chose for a local time, in seconds.
  struct Place {
    var second: Int64
    var kind: Resolution.Kind
    /// The second instant of a repeated local time. For all other local times, `foldSecond` equals
    /// `second`.
    var foldSecond: Int64
  }

  /// Finds the instant of a local time. The local time and the instant are in seconds.
  ///
  /// For a skipped local time, the function uses the offset that applies before the clock change.
  /// For a repeated local time, `second` is the first of its two instants.
  @inline(__always)
  func resolve(local: Int64) -> Place {
    let bucket = bucket(local)
    if bucket.before == OffsetTable.slow { return searchResolve(local: local) }
    // At the instant `split`, the offset changes from `before` to `after`. This clock change skips
    // or repeats some local times. The last of these local times is just before `split` plus the
    // larger of the two offsets. For all local times before this sum, use the offset `before`.
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

  /// The offset at an instant. `isSecondPass` is true for the second occurrence of a repeated local
  /// time.
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

  /// A period of constant offset, `start ..< end`.
  struct Stretch {
    var start: Int64
    var end: Int64
    var offset: Int64
    /// The offset before `start`; equal to `offset` if no period comes before `start`.
    var previousOffset: Int64
  }

  /// The period of constant offset that contains an instant.
  func stretch(at second: Int64) -> Stretch {
    let (nearby, cycles) = reduced(second)
    let index = transitionCount(through: nearby)
    return Stretch(
      start: index == 0 ? -OffsetTable.never : transitions[index - 1] + cycles,
      end: index == transitions.count ? OffsetTable.never : transitions[index] + cycles,
      offset: Int64(offsets[index]), previousOffset: Int64(offsets[max(0, index - 1)]))
  }

  /// All offsets that apply within the period from `margin` seconds before an instant to `margin`
  /// seconds after it.
  func offsets(near second: Int64) -> Set<Int64> {
    let nearby = reduced(second).second
    let first = transitionCount(through: nearby - OffsetTable.margin)
    let last = transitionCount(through: nearby + OffsetTable.margin)
    return Set(offsets[first...last].map(Int64.init))
  }

  /// The set of the offsets that apply at `second` or at a later instant.
  func offsets(from second: Int64) -> Set<Int64> {
    Set(offsets[transitionCount(through: reduced(second).second)...].map(Int64.init))
  }

  private func searchIsSecondPass(_ second: Int64) -> Bool {
    let place = searchResolve(local: second &+ searchOffset(at: second))
    return place.kind == .fold && place.second < second
  }

  /// Returns the same result as `resolve(local:)`, but more slowly. The function searches the
  /// periods of constant offset from `margin` seconds before the local time to `margin` seconds
  /// after it.
  @inline(never)
  func searchResolve(local: Int64) -> Place {
    let margin = OffsetTable.margin
    // If `local` is far in the future, `nearby` is the same local time in an earlier 400-year
    // cycle.
    let cycles = reduced(local &- margin).cycles
    let nearby = local &- cycles
    let first = transitionCount(through: nearby &- margin)
    let last = transitionCount(through: nearby &+ margin)
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

  /// The instant for a skipped local time. `candidates` contains indexes of the array
  /// `transitions`. One of these indexes must belong to the clock change that skips the local time.
  private func gap(_ local: Int64, _ candidates: Range<Int>) -> Place {
    for index in candidates {
      let second = local &- Int64(offsets[index])
      if second >= transitions[index], local < transitions[index] &+ Int64(offsets[index + 1]) {
        return Place(second: second, kind: .gap, foldSecond: second)
      }
    }
    // The program never reaches this line, because the loop always returns a result. Reason: a
    // local time that is in no period of constant offset was skipped by a clock change, and the
    // loop finds this clock change.
    let second = local &- Int64(offsets[candidates.lowerBound])
    return Place(second: second, kind: .gap, foldSecond: second)
  }
}
