import CivilTime

/// Occurrences that an alarm lets pass without a sound. Each is planned all the same and closed as
/// `suppressed_paused` when it is due, so that the record says why it was silent.
public struct Pauses: Hashable, Sendable {
  /// Silent before this time in the alarm's zone.
  public var until: CivilDateTime?
  /// Single occurrences, by `PromptID.nominalKey`, sorted: what "skip the next 2" came to.
  public var occurrences: [Int64]
  /// Days, first to last, both included; sorted.
  public var days: [ClosedRange<CivilDate>]

  public init(
    until: CivilDateTime? = nil, occurrences: [Int64] = [], days: [ClosedRange<CivilDate>] = []
  ) {
    self.until = until
    self.occurrences = occurrences.sorted()
    self.days = days.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  public static let none = Pauses()

  /// Whether all is silent at this time, and not just single occurrences.
  public func holds(at time: CivilDateTime) -> Bool {
    if let until, time < until { return true }
    return days.contains { $0.contains(time.date) }
  }

  /// Whether the occurrence with this nominal time stays silent.
  public func silences(_ nominal: CivilDateTime, fold: Int) -> Bool {
    holds(at: nominal) || occurrences.contains(nominal.localSeconds * 2 + Int64(fold))
  }
}
