/// The parts of a recurrence set. All copies of a recurrence set share one instance of this class.
final class SetParts: Sendable {
  let rules: [Recurrence]
  private let zone: Zone
  /// The single dates (RDATE), sorted by instant.
  private let dates: [Occurrence]
  /// The instants of the exclusions (EXDATE) with a time, in seconds, in ascending order.
  /// `excludedDays` contains the exclusions of whole days.
  private let excludedSeconds: [Int64]
  let excludedNominals: Set<CivilDateTime>
  let excludedInstants: Set<Instant>
  let excludedDays: Set<CivilDate>
  /// The ends of the runs. A run consists of excluded occurrences that follow each other directly:
  /// between them, no other occurrence is due. For each element of `excludedSeconds`, this list
  /// contains at the same index the last second of the run that begins at this element.
  ///
  /// A search skips the whole run at once, and continues after the last second of the run. If an
  /// occurrence that is not excluded is due at the second of the element, the value for this
  /// element is `.min`.
  private let runEnds: [Int64]

  init(
    rules: [Recurrence], dates: [CivilDateTime], exclusions: [RecurrenceSet.Exclusion], zone: Zone
  ) {
    self.rules = rules
    self.zone = zone
    self.dates = Set(dates).map { SetParts.occurrence($0, zone: zone) }.sorted {
      ($0.instant, $0.nominal) < ($1.instant, $1.nominal)
    }
    var (seconds, nominals, days) = (Set<Int64>(), Set<CivilDateTime>(), Set<CivilDate>())
    var instants: Set<Instant> = []
    for exclusion in exclusions {
      switch exclusion {
      case .dateTime(let nominal):
        nominals.insert(nominal)
        seconds.insert(zone.resolve(nominal).instant.seconds)
        // An elapsed schedule can be due at both instants of a repeated local time. The exclusion
        // of this local time excludes both instants.
        seconds.insert(zone.resolve(nominal, fold: 1).instant.seconds)
      case .instant(let instant):
        instants.insert(instant)
        seconds.insert(instant.seconds)
      case .day(let day): days.insert(day)
      }
    }
    (excludedSeconds, excludedNominals, excludedDays) = (seconds.sorted(), nominals, days)
    excludedInstants = instants
    runEnds = excludedSeconds
  }

  private init(_ other: SetParts, runEnds: [Int64]) {
    rules = other.rules
    zone = other.zone
    dates = other.dates
    excludedSeconds = other.excludedSeconds
    excludedNominals = other.excludedNominals
    excludedInstants = other.excludedInstants
    excludedDays = other.excludedDays
    self.runEnds = runEnds
  }

  /// Copies the parts and computes `runEnds`.
  ///
  /// The loop goes from the last excluded time to the first. If a run continues from one excluded
  /// time to a later excluded time, both times have the same end. The loop has already computed the
  /// end for the later time.
  func withRuns() -> SetParts {
    var ends = excludedSeconds
    for index in excludedSeconds.indices.reversed() {
      let instant = Instant(seconds: excludedSeconds[index])
      if !identities(at: instant).isEmpty {
        ends[index] = .min
        continue
      }
      guard let after = nextIncluded(after: instant) else { continue }
      guard let next = excludedIndex(after.instant), ends[next] != .min else { continue }
      ends[index] = ends[next]
    }
    return SetParts(self, runEnds: ends)
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

  /// The first occurrence strictly after an instant; nil if no occurrence follows.
  func next(after instant: Instant) -> Occurrence? {
    var from = instant
    while let found = nextIncluded(after: from) {
      if let index = excludedIndex(found.instant) {
        // Two occurrences can be due at the same instant: an excluded occurrence, and an occurrence
        // that is not excluded. In this case, the result is the occurrence that is not excluded.
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

  /// All occurrences that are due at exactly this instant and are not excluded, in the order of
  /// their nominal times.
  func identities(at instant: Instant) -> [Occurrence] {
    let found = due(at: instant)
    return found.filter { !isExcluded($0) }.sorted {
      ($0.nominal, $0.fold) < ($1.nominal, $1.fold)
    }
  }
}

extension SetParts {
  private func isExcluded(_ occurrence: Occurrence) -> Bool {
    excludedNominals.contains(occurrence.nominal) || excludedInstants.contains(occurrence.instant)
      || excludedDays.contains(occurrence.nominal.date)
  }

  /// The exclusions with a time that exclude no occurrence, as local date-times in order.
  func idleExclusions() -> [CivilDateTime] {
    let idle = excludedNominals.filter { nominal in
      let instants = [0, 1].map { zone.resolve(nominal, fold: $0).instant }
      return !instants.contains { due(at: $0).contains { $0.nominal == nominal } }
    }
    let missed = excludedInstants.filter { due(at: $0).isEmpty }
    return (idle + missed.map { zone.civil(at: $0).dateTime }).sorted()
  }

  /// Finds all occurrences that are due at an instant, from all rules and dates. The result
  /// includes excluded occurrences.
  private func due(at instant: Instant) -> Set<Occurrence> {
    var found = Set(rules.flatMap { $0.identities(at: instant) })
    found.formUnion(dates.filter { $0.instant == instant })
    return found
  }

  /// Finds the earliest occurrence after an instant, in all rules and dates of the set. The
  /// function ignores the exclusions of the set, so the result can be an excluded occurrence.
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
}
