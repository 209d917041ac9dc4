/// One due time of a schedule.
public struct Occurrence: Hashable, Sendable {
  /// The date and time that the schedule names, in its zone.
  ///
  /// With `fold` it identifies the occurrence permanently, also if an update of tzdata changes the
  /// instant.
  public var nominal: CivilDateTime
  /// 1 for the second of two equal local times, otherwise 0.
  ///
  /// Only an elapsed schedule can be due then.
  public var fold: Int
  /// The instant at which it is due.
  public var instant: Instant
  /// The effect of a clock change; nil almost always.
  ///
  /// `.gap` if the nominal time does not exist and the instant is later on the clock, `.fold` if it
  /// exists twice.
  public var moved: ClockChange?

  /// An occurrence with these parts.
  public init(nominal: CivilDateTime, fold: Int, instant: Instant, moved: ClockChange?) {
    self.nominal = nominal
    self.fold = fold
    self.instant = instant
    self.moved = moved
  }
}
