/// One due time of a schedule.
public struct Occurrence: Hashable, Sendable {
  /// The date and time the schedule names, in its zone. With `fold` it identifies the occurrence
  /// for good, also when tzdata changes and the instant with it.
  public var nominal: CivilDateTime
  /// 1 for an elapsed schedule that falls on the second of two equal local times, otherwise 0.
  public var fold: Int
  /// When it is due.
  public var instant: Instant
  /// `.gap` where the nominal time does not exist and the instant is later on the clock, `.fold`
  /// where it happens twice; nil almost always.
  public var moved: ClockChange?

  /// An occurrence with these parts.
  public init(nominal: CivilDateTime, fold: Int, instant: Instant, moved: ClockChange?) {
    self.nominal = nominal
    self.fold = fold
    self.instant = instant
    self.moved = moved
  }
}
