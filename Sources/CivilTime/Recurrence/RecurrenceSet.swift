/// A schedule of several parts: rules and single dates, minus exclusions.
///
/// It has the set semantics of RFC 5545 section 3.8.5: (rules ∪ dates) − exclusions, merged by
/// instant. If two parts are due at once, they ring once. An exclusion removes one occurrence by
/// its identity, the nominal date-time, or a whole day.
public struct RecurrenceSet: Sendable {
  /// An excluded date-time or day (EXDATE).
  public enum Exclusion: Hashable, Sendable {
    /// The occurrence with this nominal date-time in the zone of the schedule.
    case dateTime(CivilDateTime)
    /// The occurrence due at this instant (the UTC form).
    case instant(Instant)
    /// All occurrences with a nominal time on this day.
    case day(CivilDate)
  }

  /// The rules.
  public var rules: [Recurrence] { parts.rules }
  /// The warnings, including those of the rules.
  public let warnings: [RecurrenceWarning]
  private let parts: SetParts

  /// Combines the parts. `dates` and `exclusions` are in `zone`.
  ///
  /// Throws `neverOccurs` if everything is excluded or there are no parts. An exclusion that
  /// excludes nothing only causes a warning, because it often shows a wrong zone.
  public init(
    rules: [Recurrence], dates: [CivilDateTime] = [], exclusions: [Exclusion] = [], zone: Zone
  ) throws(CivilTimeError) {
    let parts = SetParts(rules: rules, dates: dates, exclusions: exclusions, zone: zone).withRuns()
    var warnings = rules.flatMap(\.warnings)
    warnings += parts.excludedDays.sorted().map { .excludesWholeDay($0) }
    warnings += parts.idleExclusions().map { .excludesNothing($0) }
    if parts.next(after: Instant(milliseconds: .min)) == nil {
      let text = rules.map(\.rule.description).joined(separator: ", ")
      throw .neverOccurs(rule: text, reason: "all of its times are excluded")
    }
    (self.parts, self.warnings) = (parts, warnings)
  }

  /// The first occurrence strictly after an instant; nil after the last.
  public func next(after instant: Instant) -> Occurrence? { parts.next(after: instant) }

  /// All occurrences due at exactly this instant and not excluded, by nominal time.
  public func identities(at instant: Instant) -> [Occurrence] { parts.identities(at: instant) }

  /// The occurrences from one instant, inclusive, to another, exclusive, computed one by one.
  public func occurrences(
    from start: Instant, to end: Instant
  ) -> some Sequence<Occurrence> & Sendable {
    let first = next(after: start.adding(milliseconds: -1))
    return SetOccurrences(set: self, end: end, upcoming: first)
  }
}

/// The occurrences of a set; it stores the next one.
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
