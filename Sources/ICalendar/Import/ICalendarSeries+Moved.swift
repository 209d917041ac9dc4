import CivilTime

// Moves all times of a series. The move is possible even if no rule of RFC 5545 describes the moved
// times. It is also possible if the clocks change between the old and the new time of an
// occurrence.
extension ICalendarSeries {
  /// The longest time for which the import computes single times, in seconds: ten years.
  private static let longestList: Int64 = 3_653 * 86_400
  /// The maximum number of times in a list.
  private static let mostListed = 400
  /// The maximum number of times of rules that the import examines one by one.
  private static let mostCompared = 4_000
  /// The maximum number of times of a rule that the import replaces by single times.
  private static let mostCorrected = 300

  /// The way in which the import moves a series.
  enum Move {
    /// The offset is a difference between local times.
    case local
    /// The offset is a DURATION of RFC 5545. The import first adds the days, which keep the time of
    /// day. Then the import adds the seconds as elapsed time (section 3.3.6).
    case elapsed
  }

  /// Returns the instant at which an occurrence with this local time begins.
  func instant(_ local: CivilDateTime) -> Instant {
    offsets?.instant(of: local) ?? zone.resolve(local).instant
  }

  /// Returns the local time at which an occurrence begins if its start is this instant.
  func local(at instant: Instant) -> CivilDateTime {
    offsets?.local(at: instant) ?? zone.civil(at: instant).dateTime
  }

  /// Returns the instant of this local time, moved by the DURATION `offset`.
  func instant(_ local: CivilDateTime, movedBy offset: ICalendarDuration) -> Instant {
    let day = CivilDateTime(date: local.date.adding(days: offset.days), time: local.time)
    return instant(day).adding(seconds: offset.seconds)
  }

  /// Returns the series with all times in `zone`. If only the file defines the zone of the series,
  /// the result contains the rules in the nearest zone. On the days on which the two zones differ,
  /// the result contains single times.
  func inZone(now: Instant) -> ICalendarSeries {
    offsets == nil ? self : moved(by: ICalendarDuration(days: 0, seconds: 0), .elapsed, now: now)
  }

  /// Returns the time from the nearest occurrence to an instant, as a difference between local
  /// times. A telephone writes the time of the alarm for the first or for the next occurrence.
  func offset(of instant: Instant) -> ICalendarDuration {
    let time = local(at: instant)
    var nearest: Int64?
    func compare(_ other: CivilDateTime) {
      let seconds = time.localSeconds - other.localSeconds
      if abs(seconds) < nearest.map(abs) ?? .max { nearest = seconds }
    }
    for date in dates { compare(date) }
    for piece in pieces {
      compare(piece.start)
      let days: Int64 = piece.rule.frequency < .daily ? 2 : 400
      var at = instant.adding(seconds: -days * 86_400)
      while let next = piece.recurrence.next(after: at) {
        compare(next.nominal)
        if next.instant >= instant { break }
        at = next.instant
      }
    }
    let seconds = nearest ?? 0
    let isWholeDays = seconds % 86_400 == 0
    return ICalendarDuration(
      days: isWholeDays ? Int(seconds / 86_400) : 0, seconds: isWholeDays ? 0 : seconds)
  }

  /// The series in UTC. The value is nil if the offset of the zone changes, or if no rule describes
  /// the times in UTC.
  var inUTC: ICalendarSeries? {
    guard let offsets, offsets.changes.isEmpty else { return nil }
    let seconds = Int64(offsets.firstOffset)
    var series = self
    (series.zone, series.offsets, series.pieces) = (.utc, nil, [])
    for piece in pieces {
      var rule: RecurrenceRule? = piece.rule
      // The end of the rule must be a local time in the zone, because the code below moves all
      // times.
      if case .untilInstant(let until) = piece.rule.end {
        rule = RuleParts(piece.rule).ending(before: until.adding(seconds: seconds + 1))
      }
      guard let rule, let piece = try? Piece(rule, piece.start, .utc) else { return nil }
      series.pieces.append(piece)
    }
    return series.movedRules(days: 0, seconds: -seconds)
  }

  /// Returns the series with all times moved by `offset`.
  ///
  /// If no rule describes the moved times, the result contains a list of single times for the next
  /// years, and `listedUntil` is the first time that is not in the list.
  func moved(by offset: ICalendarDuration, _ move: Move, now: Instant) -> ICalendarSeries {
    let rules = movedRules(days: offset.days, seconds: offset.seconds)
    if let rules, case .local = move { return rules }
    let total = offset.total
    func target(_ occurrence: Occurrence) -> CivilDateTime {
      guard case .elapsed = move else {
        return CivilDateTime(localSeconds: occurrence.nominal.localSeconds + total)
      }
      let isPlain = offset.days == 0 && offsets == nil
      let instant =
        isPlain
        ? occurrence.instant.adding(seconds: offset.seconds)
        : self.instant(occurrence.nominal, movedBy: offset)
      return zone.civil(at: instant).dateTime
    }
    func single(_ time: CivilDateTime) -> CivilDateTime {
      target(Occurrence(nominal: time, fold: 0, instant: instant(time), moved: nil))
    }
    var moved = rules ?? self
    if case .elapsed = move { moved.offsets = nil }
    let (dates, _) = resolved
    // The alarm must ring at the new time of a moved occurrence, even if an exclusion has the same
    // time.
    moved.dates = []
    moved.added = Set(dates.subtracting(timed).map(single))
    let from = now.adding(seconds: -max(0, total) - 86_400)
    guard rules != nil else {
      let (listed, end) = upcoming(after: from, now, most: Self.mostListed)
      moved.pieces = []
      (moved.excluded, moved.movedAway) = ([], [])
      moved.added.formUnion(listed.map(target))
      moved.listedUntil = end.map { CivilDateTime(localSeconds: $0.localSeconds + total) }
      return moved
    }
    correct(&moved, by: total, from, now, target)
    return moved
  }

  /// Finds the moved times of the rules that differ from the exact moved times. Replaces these
  /// times by single times.
  private func correct(
    _ moved: inout ICalendarSeries, by total: Int64, _ from: Instant, _ now: Instant,
    _ target: (Occurrence) -> CivilDateTime
  ) {
    if offsets != nil {
      // If a rule repeats by hours, minutes or seconds, its interval counts from the instant of its
      // start.
      moved.pieces = moved.pieces.map { piece in
        guard piece.rule.frequency < .daily else { return piece }
        let start = CivilDateTime(localSeconds: piece.start.localSeconds - total)
        let exact = zone.civil(at: instant(start).adding(seconds: total)).dateTime
        return (try? Piece(piece.rule, exact, zone)) ?? piece
      }
    }
    let (compared, end) = upcoming(
      after: from, now, most: Self.mostCompared, isElapsedIncluded: false)
    var corrected = 0
    for occurrence in compared {
      let planned = CivilDateTime(localSeconds: occurrence.nominal.localSeconds + total)
      let exact = target(occurrence)
      if zone.resolve(planned).instant == zone.resolve(exact).instant { continue }
      if corrected == Self.mostCorrected {
        moved.exactUntil = planned
        return
      }
      corrected += 1
      moved.movedAway.insert(planned)
      moved.added.insert(exact)
    }
    if corrected > 0, let end {
      moved.exactUntil = CivilDateTime(localSeconds: end.localSeconds + total)
    }
  }

  /// Returns those times of the rule `other` in the next years that are also times of this series.
  /// `end` is the first time of `other` that the function did not compare; nil if the function
  /// compared all times of `other`.
  func times(of other: Recurrence, now: Instant) -> (times: [CivilDateTime], end: CivilDateTime?) {
    var found: [CivilDateTime] = []
    let last = now.adding(seconds: Self.longestList)
    var at = now.adding(seconds: -86_400)
    var count = 0
    while let next = other.next(after: at) {
      count += 1
      if next.instant > last || count > Self.mostCompared { return (found, next.nominal) }
      if contains(next.nominal) { found.append(next.nominal) }
      at = next.instant
    }
    return (found, nil)
  }

  /// Returns the next times of the rules without the excluded times, in order, and the first time
  /// that is not in this list. This first time is nil if the list contains all times.
  ///
  /// - Parameter isElapsedIncluded: false if the function must leave out the rules that repeat by
  ///   hours, minutes or seconds.
  private func upcoming(
    after from: Instant, _ now: Instant, most: Int, isElapsedIncluded: Bool = true
  ) -> (times: [Occurrence], end: CivilDateTime?) {
    let removed = excluded.union(movedAway)
    let last = now.adding(seconds: Self.longestList)
    var times: [CivilDateTime: Occurrence] = [:]
    var end: CivilDateTime?
    for piece in pieces where isElapsedIncluded || piece.rule.frequency >= .daily {
      var (at, count) = (from, 0)
      while let next = piece.recurrence.next(after: at) {
        at = next.instant
        count += 1
        if next.instant > last || count > most {
          end = min(end ?? next.nominal, next.nominal)
          break
        }
        if !removed.contains(next.nominal) { times[next.nominal] = next }
      }
    }
    var sorted = times.values.sorted { $0.nominal < $1.nominal }
    if let end { sorted.removeAll { $0.nominal >= end } }
    if sorted.count > most {
      end = sorted[most].nominal
      sorted.removeSubrange(most...)
    }
    return (sorted, end)
  }
}
