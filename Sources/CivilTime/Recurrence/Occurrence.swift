/// One due time of a schedule.
public struct Occurrence: Hashable, Sendable {
  /// The scheduled local date-time: the date and time of the occurrence according to the schedule,
  /// in the zone of the schedule.
  ///
  /// `nominal` and `fold` identify the occurrence. An update of tzdata can change `instant`, but it
  /// does not change `nominal` and `fold`.
  public var nominal: CivilDateTime
  /// The fold of the nominal time: 1 for the second instant of a repeated local time, otherwise 0.
  ///
  /// Only an elapsed schedule can be due at the second instant of a repeated local time.
  public var fold: Int
  /// The instant at which the occurrence is due.
  public var instant: Instant
  /// The effect of a clock change on the occurrence; nil if no clock change affects it.
  ///
  /// The value is `.gap` if the nominal time does not exist. In this case, the wall clock shows a
  /// later local time than `nominal` at `instant`. The value is `.fold` if the nominal time exists
  /// twice.
  public var moved: ClockChange?

  /// Creates an occurrence from the values of its properties.
  public init(nominal: CivilDateTime, fold: Int, instant: Instant, moved: ClockChange?) {
    self.nominal = nominal
    self.fold = fold
    self.instant = instant
    self.moved = moved
  }
}
