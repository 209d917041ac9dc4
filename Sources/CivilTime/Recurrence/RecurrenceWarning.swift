/// A warning about a schedule that is valid.
public enum RecurrenceWarning: Hashable, Sendable, CustomStringConvertible {
  /// The start is not one of the rule's times, so it does not ring; `first` is the first that does.
  case startNotInRule(start: CivilDateTime, first: CivilDateTime)
  /// UNTIL was not given in UTC, as RFC 5545 requires. It was read in the start's zone.
  case untilNotUTC
  /// Months, 1…12, in which nothing rings because a day does not exist (SKIP=OMIT).
  case missesMonths([Int])
  /// An excluded date without a time: the whole day is excluded.
  case excludesWholeDay(CivilDate)
  /// An excluded time that the schedule does not have. Often the zone is wrong.
  case excludesNothing(CivilDateTime)

  /// A stable name for programs.
  public var kind: String {
    switch self {
    case .startNotInRule: "start-not-in-rule"
    case .untilNotUTC: "until-not-utc"
    case .missesMonths: "misses-months"
    case .excludesWholeDay: "excludes-whole-day"
    case .excludesNothing: "excludes-nothing"
    }
  }

  /// A sentence for a caretaker.
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
