/// A schedule of several parts: rules, single dates and exclusions.
///
/// RFC 5545 section 3.8.5 defines the set. The set contains the occurrences of all rules and dates,
/// without the excluded occurrences. If occurrences of two parts are due at the same instant, they
/// cause only one ring. An exclusion is a nominal date-time, an instant or a day. It removes all
/// occurrences at this time or on this day.
public struct RecurrenceSet: Sendable {
  /// An excluded date-time or day (EXDATE).
  public enum Exclusion: Hashable, Sendable {
    /// Excludes all occurrences with this nominal date-time. The date-time is in the zone of the
    /// schedule.
    case dateTime(CivilDateTime)
    /// Excludes the occurrences that are due at this instant (the UTC form of EXDATE).
    case instant(Instant)
    /// Excludes all occurrences with a nominal time on this day.
    case day(CivilDate)
  }

  /// The rules of the set.
  public var rules: [Recurrence] { parts.rules }
  /// The warnings about the set, including the warnings about the rules.
  public let warnings: [RecurrenceWarning]
  private let parts: SetParts

  /// Combines the parts of a set. `dates` and `exclusions` are local times in `zone`.
  ///
  /// The initializer throws `neverOccurs` if all occurrences are excluded, or if the set has
  /// neither rules nor dates. If an exclusion excludes no occurrence, the set gets only a warning.
  /// The usual cause of such an exclusion is that its author wrote the time in a wrong zone.
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

  /// The first occurrence strictly after an instant; nil if no occurrence follows.
  public func next(after instant: Instant) -> Occurrence? { parts.next(after: instant) }

  /// All occurrences that are due at exactly this instant and are not excluded. The function sorts
  /// the occurrences by `nominal`, and then by `fold`.
  public func identities(at instant: Instant) -> [Occurrence] { parts.identities(at: instant) }

  /// The occurrences from `start`, inclusive, to `end`, exclusive. The sequence computes the
  /// occurrences one by one, while the caller reads the sequence.
  public func occurrences(
    from start: Instant, to end: Instant
  ) -> some Sequence<Occurrence> & Sendable {
    let first = next(after: start.adding(milliseconds: -1))
    return SetOccurrences(set: self, end: end, upcoming: first)
  }
}

/// The sequence of the occurrences of a set. The sequence stores its next occurrence in `upcoming`.
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
