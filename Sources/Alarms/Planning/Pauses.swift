import CivilTime

/// Occurrences for which an alarm stays silent.
///
/// They are planned like others. When one is due, it is closed as `suppressed_paused`, so that the
/// record says why it was silent.
public struct Pauses: Hashable, Sendable {
  /// The alarm is silent before this time in its zone.
  public var until: CivilDateTime?
  /// Single occurrences, by `PromptID.nominalKey`, sorted. "Skip the next 2" adds two.
  public var occurrences: [Int64]
  /// Ranges of days, first and last day included; sorted.
  public var days: [ClosedRange<CivilDate>]

  public init(
    until: CivilDateTime? = nil, occurrences: [Int64] = [], days: [ClosedRange<CivilDate>] = []
  ) {
    self.until = until
    self.occurrences = occurrences.sorted()
    self.days = days.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  public static let none = Pauses()

  /// Whether every occurrence at this time is silent, and not only single ones.
  public func holds(at time: CivilDateTime) -> Bool {
    if let until, time < until { return true }
    return days.contains { $0.contains(time.date) }
  }

  /// Whether the occurrence with this nominal time is silent.
  public func interruptions(_ nominal: CivilDateTime, fold: Int) -> Bool {
    holds(at: nominal) || occurrences.contains(nominal.localSeconds * 2 + Int64(fold))
  }
}
