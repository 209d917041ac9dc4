/// A rule and its start (DTSTART). The start is always the first occurrence.
///
/// RFC 5545 section 3.8.5.3 says: "The DTSTART property value SHOULD be synchronized with the
/// recurrence rule, if specified. The recurrence set generated with a DTSTART property value not
/// synchronized with the recurrence rule is undefined." The same section contains an example in
/// which the start is not a time of the rule: every Friday the 13th, from a Tuesday on. Many
/// calendar programs show the event at the start and at the times of the rule. Prompter does the
/// same, because an unnecessary ring is less harmful than a missing ring.
///
/// `Recurrence` computes only the times of a rule. Therefore, if the start is not a time of the
/// rule, this type converts the rule and the start to a new rule and one single date. Example:
/// `DTSTART:19970902T090000 RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3` becomes a rule with
/// COUNT=2 and the date 1997-09-02 09:00.
public struct CountedStart: Hashable, Sendable {
  /// The rule; nil if the start is the only occurrence.
  public let rule: RecurrenceRule?
  /// The start of `rule`. If `rule` is nil, the value is the start that the caller passed.
  public let start: CivilDateTime
  /// The single date: the start that the caller passed. The value is nil if this start is a time of
  /// the rule.
  public let single: CivilDateTime?

  /// The number of occurrences that the initializer compares. The initializer computes the
  /// occurrences twice: with the start that the caller passed, and with a later start. If the two
  /// results are different, the initializer does not use the later start.
  private static let compared = 60

  /// - Throws: the error that `Recurrence` throws. `neverOccurs` means that the rule has no time at
  ///   or after the start.
  public init(
    rule: RecurrenceRule, start: CivilDateTime, zone: Zone
  ) throws(CivilTimeError) {
    let recurrence = try Recurrence(rule: rule, start: start, zone: zone)
    let before = zone.resolve(start).instant.adding(milliseconds: -1)
    let first = recurrence.next(after: before)
    let isAtStart = first.map { $0.nominal == start || $0.instant == zone.resolve(start).instant }
    if let first, isAtStart == true {
      let isElapsed = rule.frequency < .daily
      self.init(rule: rule, start: isElapsed ? start : first.nominal, single: nil)
      return
    }
    guard let first else {
      throw .neverOccurs(rule: rule.description, reason: "it has no time after its start \(start)")
    }
    var rest = rule
    if case .count(let count) = rule.end {
      if count < 2 {
        self.init(rule: nil, start: start, single: start)
        return
      }
      rest = rule.with { $0.end = .count(count - 1) }
    }
    // If a rule does not contain a part, for example BYMONTHDAY, the value of this part comes from
    // the start of the rule. Therefore a later start can change the days of the rule. Example: a
    // rule with BYMONTH=6,7 and SKIP=BACKWARD starts on May 31. Its days are June 30 and July 31.
    // With the start June 30, its days would be June 30 and July 30.
    let wanted = try Recurrence(rule: rest, start: start, zone: zone)
    if let moved = try? Recurrence(rule: rest, start: first.nominal, zone: zone),
      wanted.instants(Self.compared) == moved.instants(Self.compared)
    {
      self.init(rule: rest, start: first.nominal, single: start)
      return
    }
    if case .count(let count) = rest.end {
      let last = wanted.instants(min(count, Recurrence.mostCountedOut)).last ?? first.instant
      rest = rule.with { $0.end = .untilInstant(last) }
    }
    self.init(rule: rest, start: start, single: start)
  }

  /// Converts several rules with the same start.
  ///
  /// If the start is a time of at least one rule, `single` is nil in all results. In this case,
  /// each rule that does not contain the start begins at its first time, and keeps its COUNT.
  ///
  /// - Throws: the error that `Recurrence` throws for one of the rules.
  public static func all(
    _ rules: [RecurrenceRule], start: CivilDateTime, zone: Zone
  ) throws(CivilTimeError) -> [CountedStart] {
    var found: [CountedStart] = []
    for rule in rules { found.append(try CountedStart(rule: rule, start: start, zone: zone)) }
    guard found.contains(where: { $0.single == nil }) else { return found }
    for index in found.indices where found[index].single != nil {
      let first = try Recurrence(rule: rules[index], start: start, zone: zone).instants(1).first
      let local = first.map { zone.civil(at: $0).dateTime } ?? start
      found[index] = CountedStart(rule: rules[index], start: local, single: nil)
    }
    return found
  }

  private init(rule: RecurrenceRule?, start: CivilDateTime, single: CivilDateTime?) {
    self.rule = rule
    self.start = start
    self.single = single
  }
}

extension Recurrence {
  /// The instants of the first `count` occurrences.
  fileprivate func instants(_ count: Int) -> [Instant] {
    var found: [Instant] = []
    while found.count < count, let next = next(after: found.last ?? Instant(milliseconds: .min)) {
      found.append(next.instant)
    }
    return found
  }
}
