/// A schedule of several parts: rules and single dates together, less the excluded ones.
///
/// Set semantics of RFC 5545 section 3.8.5: (rules ∪ dates) − exclusions, merged by instant. What
/// two parts say at once rings once; an exclusion takes out one occurrence by its identity, the
/// nominal date-time, or a whole day.
public struct RecurrenceSet: Sendable {
  /// An excluded date-time or day (EXDATE).
  public enum Exclusion: Hashable, Sendable {
    /// The occurrence with this nominal date-time in the zone of the schedule.
    case dateTime(CivilDateTime)
    /// The occurrence due at this instant (the UTC form).
    case instant(Instant)
    /// Every occurrence nominally on this day.
    case day(CivilDate)
  }

  /// The rules.
  public let rules: [Recurrence]
  /// What a careful person should hear of, the rules' own warnings included.
  public private(set) var warnings: [RecurrenceWarning]
  private let zone: Zone
  /// RDATE, by instant.
  private let dates: [Occurrence]
  /// EXDATE in the order of their instants; days are kept apart.
  private let excludedSeconds: [Int64]
  private let excludedNominals: Set<CivilDateTime>
  private let excludedDays: Set<CivilDate>
  /// For each excluded second, the last of the unbroken run of excluded occurrences it begins: one
  /// step leads past a thousand exclusions.
  private var runEnds: [Int64] = []

  /// Joins the parts. `dates` and `exclusions` are in `zone`; at least one part must ever ring.
  ///
  /// Throws `neverOccurs` where everything is excluded or there is nothing. An exclusion that
  /// excludes nothing is only warned of: it is often the sign of a wrong zone.
  public init(
    rules: [Recurrence], dates: [CivilDateTime] = [], exclusions: [Exclusion] = [], zone: Zone
  ) throws(CivilTimeError) {
    self.rules = rules
    self.zone = zone
    warnings = rules.flatMap(\.warnings)
    self.dates = Set(dates).map { RecurrenceSet.occurrence($0, zone: zone) }.sorted {
      ($0.instant, $0.nominal) < ($1.instant, $1.nominal)
    }
    var (seconds, nominals, days) = (Set<Int64>(), Set<CivilDateTime>(), Set<CivilDate>())
    for exclusion in exclusions {
      switch exclusion {
      case .dateTime(let nominal):
        nominals.insert(nominal)
        seconds.insert(zone.resolve(nominal).instant.seconds)
      case .instant(let instant):
        nominals.insert(zone.civil(at: instant).dateTime)
        seconds.insert(instant.seconds)
      case .day(let day):
        days.insert(day)
        warnings.append(.excludesWholeDay(day))
      }
    }
    (excludedSeconds, excludedNominals, excludedDays) = (seconds.sorted(), nominals, days)
    for nominal in nominals.sorted() where !isDue(nominal) {
      warnings.append(.excludesNothing(nominal))
    }
    findRuns()
    if next(after: Instant(milliseconds: .min)) == nil {
      let text = rules.map(\.rule.description).joined(separator: ", ")
      throw .neverOccurs(rule: text, reason: "nothing is left after its exclusions")
    }
  }

  private static func occurrence(_ nominal: CivilDateTime, zone: Zone) -> Occurrence {
    let place = zone.table.resolve(local: nominal.localSeconds)
    let moved: ClockChange? =
      switch place.kind {
      case .unique: nil
      case .gap: .gap
      case .fold: .fold
      }
    return Occurrence(
      nominal: nominal, fold: 0, instant: Instant(seconds: place.second), moved: moved)
  }

  /// The first occurrence strictly later than an instant; nil after the last.
  public func next(after instant: Instant) -> Occurrence? {
    var from = instant
    while let found = nextIncluded(after: from) {
      if let index = excludedIndex(found.instant) {
        // At an excluded instant something else may still be due, under another nominal time.
        let left = runEnds[index] == .min ? identities(at: found.instant).first : nil
        if let left { return left }
        from = Instant(seconds: max(runEnds[index], found.instant.seconds))
      } else if !excludedDays.isEmpty, excludedDays.contains(found.nominal.date) {
        if let left = identities(at: found.instant).first { return left }
        let nextDay = CivilDateTime(date: found.nominal.date.adding(days: 1), time: .midnight)
        let dayEnd = zone.resolve(nextDay).instant.adding(seconds: -1)
        from = max(found.instant, dayEnd)
      } else {
        return found
      }
    }
    return nil
  }

  /// Every occurrence due at exactly this instant and not excluded, by nominal time.
  public func identities(at instant: Instant) -> [Occurrence] {
    var found: Set<Occurrence> = Set(rules.flatMap { $0.identities(at: instant) })
    found.formUnion(dates.filter { $0.instant == instant })
    return found.filter { !isExcluded($0) }.sorted {
      ($0.nominal, $0.fold) < ($1.nominal, $1.fold)
    }
  }

  /// The occurrences from one instant up to but not including another, worked out one by one.
  public func occurrences(
    from start: Instant, to end: Instant
  ) -> some Sequence<Occurrence> & Sendable {
    let first = next(after: start.adding(milliseconds: -1))
    return SetOccurrences(set: self, end: end, upcoming: first)
  }
}

extension RecurrenceSet {
  private func isExcluded(_ occurrence: Occurrence) -> Bool {
    excludedNominals.contains(occurrence.nominal) || excludedDays.contains(occurrence.nominal.date)
  }

  /// Whether any part has this nominal time, exclusions aside.
  private func isDue(_ nominal: CivilDateTime) -> Bool {
    let places = [0, 1].map { zone.resolve(nominal, fold: $0).instant }
    return places.contains { instant in
      rules.contains { $0.identities(at: instant).contains { $0.nominal == nominal } }
        || dates.contains { $0.nominal == nominal }
    }
  }

  /// The earliest of all parts, exclusions aside.
  @inline(__always)
  private func nextIncluded(after instant: Instant) -> Occurrence? {
    var best: Occurrence?
    for index in rules.indices {
      guard let found = rules[index].next(after: instant) else { continue }
      if let best, best.instant <= found.instant { continue }
      best = found
    }
    guard !dates.isEmpty else { return best }
    var (low, high) = (0, dates.count)
    while low < high {
      let middle = (low + high) / 2
      if dates[middle].instant <= instant { low = middle + 1 } else { high = middle }
    }
    guard low < dates.count else { return best }
    if let best, best.instant <= dates[low].instant { return best }
    return dates[low]
  }

  @inline(__always)
  private func excludedIndex(_ instant: Instant) -> Int? {
    let second = instant.seconds
    var (low, high) = (0, excludedSeconds.count)
    while low < high {
      let middle = (low + high) / 2
      if excludedSeconds[middle] < second { low = middle + 1 } else { high = middle }
    }
    return low < excludedSeconds.count && excludedSeconds[low] == second ? low : nil
  }

  /// Works backwards, so that each run's end is known when the exclusion before it is reached.
  private mutating func findRuns() {
    runEnds = excludedSeconds
    for index in excludedSeconds.indices.reversed() {
      let second = excludedSeconds[index]
      if !identities(at: Instant(seconds: second)).isEmpty {
        runEnds[index] = .min
        continue
      }
      guard let after = nextIncluded(after: Instant(seconds: second)) else { continue }
      guard let next = excludedIndex(after.instant), runEnds[next] != .min else { continue }
      runEnds[index] = runEnds[next]
    }
  }
}

/// The occurrences of a set; it holds the one that comes next.
private struct SetOccurrences: Sequence, IteratorProtocol, Sendable {
  let set: RecurrenceSet
  let end: Instant
  var upcoming: Occurrence?

  mutating func next() -> Occurrence? {
    guard let found = upcoming, found.instant < end else { return nil }
    upcoming = set.next(after: found.instant)
    return found
  }
}
