/// A date and a time of day, without a zone.
///
/// Only a `Zone` can convert a date-time to an `Instant`. In a zone, a date-time can exist once,
/// twice or not at all, because the clocks are set forward and back.
public struct CivilDateTime: Hashable, Comparable, Sendable {
  /// The day.
  public var date: CivilDate
  /// The time of day on a wall clock.
  public var time: ClockTime

  /// The date-time with this date and this time of day.
  public init(date: CivilDate, time: ClockTime) {
    self.date = date
    self.time = time
  }

  /// Reads a date-time such as `2026-12-01T08:00` or `2026-12-01 08:00:30`.
  public init(parsing text: String) throws(CivilTimeError) {
    var cursor = TextCursor(text, subject: .dateTime)
    self = try cursor.dateTime()
    try cursor.requireEnd()
  }

  /// The date-time that is `localSeconds` seconds after 1970-01-01T00:00:00, without clock changes.
  ///
  /// If the date-time would be outside of the years ±5,800,000, the result is the nearest date-time
  /// within these years.
  @inline(__always)
  public init(localSeconds: Int64) {
    // A day number is at least -2^31 and less than 2^31. The division by 86,400 needs a number that
    // is not negative. Therefore the code adds the seconds of 2^31 days.
    let reach: Int64 = 86_400 << 31
    let localSeconds = max(-reach, min(localSeconds, reach - 1))
    let shifted = UInt64(bitPattern: localSeconds &+ reach)
    let day = Int64(shifted / 86_400) &- 1 << 31
    date = CivilDate(dayNumber: Int(day))
    time = ClockTime(secondOfDay: Int(localSeconds &- day &* 86_400))
  }

  /// The seconds from 1970-01-01T00:00:00 to the date-time, without clock changes.
  @inline(__always)
  public var localSeconds: Int64 {
    Int64(date.dayNumber) &* 86_400 &+ Int64(time.secondOfDay)
  }

  @inline(__always)
  public static func < (first: CivilDateTime, second: CivilDateTime) -> Bool {
    first.localSeconds < second.localSeconds
  }
}

extension CivilDateTime: CustomStringConvertible {
  /// The date-time as text, such as `2026-12-01T08:00:00`.
  public var description: String {
    "\(date)T\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
  }
}
