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
  public var rules: [Recurrence] { parts.rules }
  /// What a careful person should hear of, the rules' own warnings included.
  public let warnings: [RecurrenceWarning]
  private let parts: SetParts

  /// Joins the parts. `dates` and `exclusions` are in `zone`; at least one part must ever ring.
  ///
  /// Throws `neverOccurs` where everything is excluded or there is nothing. An exclusion that
  /// excludes nothing is only warned of: it is often the sign of a wrong zone.
  public init(
    rules: [Recurrence], dates: [CivilDateTime] = [], exclusions: [Exclusion] = [], zone: Zone
  ) throws(CivilTimeError) {
    let parts = SetParts(rules: rules, dates: dates, exclusions: exclusions, zone: zone).withRuns()
    var warnings = rules.flatMap(\.warnings)
    warnings += parts.excludedDays.sorted().map { .excludesWholeDay($0) }
    warnings += parts.idleExclusions().map { .excludesNothing($0) }
    if parts.next(after: Instant(milliseconds: .min)) == nil {
      let text = rules.map(\.rule.description).joined(separator: ", ")
      throw .neverOccurs(rule: text, reason: "nothing is left after its exclusions")
    }
    (self.parts, self.warnings) = (parts, warnings)
  }

  /// The first occurrence strictly later than an instant; nil after the last.
  public func next(after instant: Instant) -> Occurrence? { parts.next(after: instant) }

  /// Every occurrence due at exactly this instant and not excluded, by nominal time.
  public func identities(at instant: Instant) -> [Occurrence] { parts.identities(at: instant) }

  /// The occurrences from one instant up to but not including another, worked out one by one.
  public func occurrences(
    from start: Instant, to end: Instant
  ) -> some Sequence<Occurrence> & Sendable {
    let first = next(after: start.adding(milliseconds: -1))
    return SetOccurrences(set: self, end: end, upcoming: first)
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
