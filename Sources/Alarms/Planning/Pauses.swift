import CivilTime

/// The silent occurrences of one alarm: a caretaker paused or skipped these occurrences.
///
/// The daemon also plans prompts for these silent occurrences. At the due time, the daemon closes
/// the prompt as `suppressed_paused`, so that the record contains the reason.
public struct Pauses: Hashable, Sendable {
  /// The local time at which the pause ends, in the zone of the alarm. The alarm is silent before
  /// this time.
  public var until: CivilDateTime?
  /// The `PromptID.nominalKey` of each skipped occurrence, sorted. If a caretaker skips the
  /// next 2 occurrences, the list gets two keys.
  public var occurrences: [Int64]
  /// The ranges of silent days, sorted. Each range includes its last day.
  public var days: [ClosedRange<CivilDate>]

  public init(
    until: CivilDateTime? = nil, occurrences: [Int64] = [], days: [ClosedRange<CivilDate>] = []
  ) {
    self.until = until
    self.occurrences = occurrences.sorted()
    self.days = days.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  public static let none = Pauses()

  /// Returns true if the time is before `until`, or on one of the paused days.
  public func holds(at time: CivilDateTime) -> Bool {
    if let until, time < until { return true }
    return days.contains { $0.contains(time.date) }
  }

  /// Returns true if the occurrence with this scheduled time is silent, because the occurrence is
  /// in a pause, or because a caretaker skipped the occurrence.
  public func interruptions(_ nominal: CivilDateTime, fold: Int) -> Bool {
    holds(at: nominal) || occurrences.contains(PromptID.nominalKey(nominal, fold: fold))
  }
}
