/// A warning that a valid schedule possibly does not do what its author wants.
public enum RecurrenceWarning: Hashable, Sendable, CustomStringConvertible {
  /// The start is not an occurrence of the rule. Therefore the alarm does not ring at the start.
  /// `first` is the first occurrence of the rule after the start.
  case startNotInRule(start: CivilDateTime, first: CivilDateTime)
  /// RFC 5545 requires UNTIL in UTC, but UNTIL is a local time or a day in this rule. The rule ends
  /// at this local time or at the end of this day, in the zone of the start.
  case untilNotUTC
  /// The months, 1…12, in which the rule has no occurrence because a day does not exist
  /// (SKIP=OMIT).
  case missesMonths([Int])
  /// The excluded date (EXDATE) has no time of day. Therefore the schedule excludes the whole day.
  case excludesWholeDay(CivilDate)
  /// The schedule excludes this time, but has no occurrence at this time. The usual reason is that
  /// the author wrote the excluded time in a wrong zone.
  case excludesNothing(CivilDateTime)

  /// A name for the kind of the warning. Programs use this name, so it never changes.
  public var kind: String {
    switch self {
    case .startNotInRule: "start-not-in-rule"
    case .untilNotUTC: "until-not-utc"
    case .missesMonths: "misses-months"
    case .excludesWholeDay: "excludes-whole-day"
    case .excludesNothing: "excludes-nothing"
    }
  }

  /// The text of the warning for a caretaker, as one sentence.
  public var description: String {
    switch self {
    case .startNotInRule(let start, let first):
      "the start \(start) is not a time of the rule and will not ring; the first is \(first)"
    case .untilNotUTC:
      "the end (UNTIL) is not in UTC; it was read in the zone of the start"
    case .missesMonths(let months):
      "it does not ring in "
        + months.map { CivilDate.monthNames[$0 - 1] }.joined(separator: ", ")
        + " if the day does not exist; SKIP=BACKWARD rings on the last day instead"
    case .excludesWholeDay(let date): "all of \(date) is excluded"
    case .excludesNothing(let dateTime):
      "the schedule does not contain the excluded time \(dateTime); check its zone"
    }
  }
}
