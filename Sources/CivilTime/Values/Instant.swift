/// A point in time: milliseconds since 1970-01-01T00:00:00Z in POSIX time (no leap seconds).
public struct Instant: Hashable, Comparable, Sendable {
  /// The milliseconds since 1970-01-01T00:00:00Z; negative for an earlier instant.
  public var milliseconds: Int64

  /// The instant that is `milliseconds` milliseconds after 1970-01-01T00:00:00Z.
  @inline(__always)
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The instant that is `seconds` seconds after 1970-01-01T00:00:00Z.
  ///
  /// An `Instant` can be at most 292 million years before or after 1970. If `seconds` is outside
  /// this range, the result is the nearest possible instant.
  @inline(__always)
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  /// Reads a time of RFC 3339, such as `2026-12-01T08:00:00Z` or `2026-12-01 09:00:00.25+01:00`.
  ///
  /// The initializer ignores all digits after the first three decimal places of the seconds. The
  /// year must be 0001…9999.
  public init(parsing text: String) throws(CivilTimeError) {
    var cursor = TextCursor(text, subject: .instant)
    let local = try cursor.dateTime()
    let fraction = try cursor.fractionMilliseconds()
    let offsetSeconds = try cursor.offsetSeconds()
    try cursor.requireEnd()
    self.init(milliseconds: (local.localSeconds - Int64(offsetSeconds)) * 1000 + Int64(fraction))
  }

  /// The whole seconds since 1970-01-01T00:00:00Z, rounded towards the past.
  @inline(__always)
  public var seconds: Int64 { floorDivide(milliseconds, 1000) }

  /// The whole seconds since 1970-01-01T00:00:00Z, rounded towards the future.
  public var secondsRoundedUp: Int64 { seconds + (milliseconds > seconds * 1000 ? 1 : 0) }

  /// The instant `other` milliseconds after this instant. If the sum overflows, the result is the
  /// largest or the smallest `Instant`.
  public func adding(milliseconds other: Int64) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(other)
    return Instant(milliseconds: overflow ? (other < 0 ? .min : .max) : sum)
  }

  /// The instant `seconds` seconds after this instant. If the sum overflows, the result is the
  /// largest or the smallest `Instant`.
  public func adding(seconds: Int64) -> Instant {
    adding(milliseconds: Instant(seconds: seconds).milliseconds)
  }

  /// The milliseconds from `other` to this instant, limited to the range of `Int64`.
  public func milliseconds(since other: Instant) -> Int64 {
    let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    return overflow ? (milliseconds < other.milliseconds ? .min : .max) : difference
  }

  @inline(__always)
  public static func < (first: Instant, second: Instant) -> Bool {
    first.milliseconds < second.milliseconds
  }
}

extension Instant: CustomStringConvertible {
  /// The instant in UTC in the format of RFC 3339 with milliseconds, such as
  /// `2026-12-01T08:00:00.000Z`.
  ///
  /// RFC 3339 has no format for years outside 0000…9999. For a year outside this range, the text
  /// contains a minus sign or more than four digits.
  public var description: String {
    let second = seconds
    let dayNumber = floorDivide(second, 86_400)
    let (year, month, day) = CivilDate.parts(dayNumber: Int(dayNumber))
    let time = ClockTime(secondOfDay: Int(second - dayNumber * 86_400))
    let fraction = Int(milliseconds &- second &* 1000)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
      + ".\(padded(fraction, 3))Z"
  }
}

extension TextCursor {
  /// Reads the fraction of a second as milliseconds; 0 if no decimal point follows.
  fileprivate mutating func fractionMilliseconds() throws(CivilTimeError) -> Int {
    guard take(".") != nil else { return 0 }
    var (value, scale) = (try digits(1, "a digit after the decimal point") * 100, 10)
    while let digit = take("0123456789") {
      value += Int(digit - 0x30) * scale
      scale /= 10
    }
    return value
  }

  /// Reads an offset in the format `Z` or `±hh:mm`, and returns it in seconds east of Greenwich.
  fileprivate mutating func offsetSeconds() throws(CivilTimeError) -> Int {
    if take("Zz") != nil { return 0 }
    guard let sign = take("+-") else { throw malformed("\"Z\" or an offset such as +01:00") }
    let start = index
    let hours = try digits(2, "an offset such as +01:00")
    try require(":", "an offset such as +01:00")
    let minutes = try digits(2, "an offset such as +01:00")
    if hours > 23 || minutes > 59 {
      throw outOfRange("an offset is at most 23:59", at: start)
    }
    return (hours * 3600 + minutes * 60) * (sign == 0x2D ? -1 : 1)
  }
}
