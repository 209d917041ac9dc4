import CivilTime

/// The occurrences for which an alarm stays silent.
///
/// Silent occurrences are planned like other occurrences. When a silent occurrence is due, it is
/// closed as `suppressed_paused`, so that the record contains the reason.
public struct Pauses: Hashable, Sendable {
  /// The end of the pause in the zone of the alarm. The alarm is silent before this time.
  public var until: CivilDateTime?
  /// The single silent occurrences, by `PromptID.nominalKey`, sorted. "Skip the next 2" adds two
  /// occurrences.
  public var occurrences: [Int64]
  /// The ranges of silent days, sorted. The first and the last day belong to the range.
  public var days: [ClosedRange<CivilDate>]

  public init(
    until: CivilDateTime? = nil, occurrences: [Int64] = [], days: [ClosedRange<CivilDate>] = []
  ) {
    self.until = until
    self.occurrences = occurrences.sorted()
    self.days = days.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  public static let none = Pauses()

  /// Returns true if every occurrence at this time is silent. Single silent occurrences do not
  /// count.
  public func holds(at time: CivilDateTime) -> Bool {
    if let until, time < until { return true }
    return days.contains { $0.contains(time.date) }
  }

  /// Returns true if the occurrence with this scheduled time is silent.
  public func interruptions(_ nominal: CivilDateTime, fold: Int) -> Bool {
    holds(at: nominal) || occurrences.contains(nominal.localSeconds * 2 + Int64(fold))
  }
}
