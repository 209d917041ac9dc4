/// A date and a time of day, without a zone.
///
/// A calendar and a wall clock show them. The value becomes an `Instant` only through a `Zone`,
/// which says if it exists twice or not at all.
public struct CivilDateTime: Hashable, Comparable, Sendable {
  /// The day.
  public var date: CivilDate
  /// The time on that day's clock.
  public var time: ClockTime

  /// The date-time with these parts.
  public init(date: CivilDate, time: ClockTime) {
    self.date = date
    self.time = time
  }

  /// Reads `2026-12-01T08:00` or `2026-12-01 08:00:30`.
  public init(parsing text: String) throws(CivilTimeError) {
    var cursor = TextCursor(text, subject: .dateTime)
    self = try cursor.dateTime()
    try cursor.requireEnd()
  }

  /// The date-time at this many seconds after 1970-01-01T00:00:00, as if clocks never changed.
  ///
  /// Values beyond the years ±5,800,000 are clamped to them.
  @inline(__always)
  public init(localSeconds: Int64) {
    // A date has at most 2^31 days. Adding the same number keeps the dividend positive.
    let reach: Int64 = 86_400 << 31
    let localSeconds = max(-reach, min(localSeconds, reach - 1))
    let shifted = UInt64(bitPattern: localSeconds &+ reach)
    let day = Int64(shifted / 86_400) &- 1 << 31
    date = CivilDate(dayNumber: Int(day))
    time = ClockTime(secondOfDay: Int(localSeconds &- day &* 86_400))
  }

  /// Seconds since 1970-01-01T00:00:00, as if clocks never changed.
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
  /// The date-time as `2026-12-01T08:00:00`.
  public var description: String {
    "\(date)T\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
  }
}
