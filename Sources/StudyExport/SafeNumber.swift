/// The rounding of measured values in an export with the profile `safe_harbor`.
///
/// An exact value, for example a latency of 65,231 ms, often occurs only once in a record. If
/// somebody has two exports of the same record, this person could find the row with this value in
/// both exports, and join the two rows. A value with two significant digits occurs in many rows.
public enum SafeNumber {
  /// A duration in milliseconds, rounded away from zero to two significant digits; nil if the
  /// duration is longer than 31 days.
  ///
  /// The rounding moves no duration across 15, 30 or 60 minutes. For example, a duration of at most
  /// 15 minutes stays at most 15 minutes, and a longer duration stays longer than 15 minutes.
  ///
  /// The limit of 31 days hides the date. Reason: on a device without a battery clock, the wall
  /// clock can start at 1970-01-01. When somebody or a time source sets this clock, the size of the
  /// clock step or the length of the gap would reveal the date.
  public static func duration(_ milliseconds: Int64) -> Int64? {
    (-2_678_400_000...2_678_400_000).contains(milliseconds) ? amount(milliseconds) : nil
  }

  /// A whole number, rounded away from zero to two significant digits. If the rounded number does
  /// not fit into `Int64`, the result is `Int64.max`.
  public static func amount(_ value: Int64) -> Int64 {
    var unit: UInt64 = 1
    while value.magnitude / unit >= 100 { unit *= 10 }
    let rest = value.magnitude % unit
    let rounded = value.magnitude - rest + (rest == 0 ? 0 : unit)
    guard let result = Int64(exactly: rounded) else { return .max }
    return value.signum() * result
  }

  /// A number, rounded to a whole number.
  static func level(_ value: Double) -> Double { value.rounded() }

  /// A local time in seconds, rounded down to a quarter of an hour.
  static func quarter(_ localSeconds: Int64) -> Int64 {
    localSeconds - (localSeconds % 900 + 900) % 900
  }

  /// The example of a column, rounded as a duration.
  static func duration(of example: String) -> String {
    Int64(example).flatMap { duration($0) }.map { String($0) } ?? example
  }
}
