/// Detects a change of this machine's clock by a person or a time server. The type does not read a
/// clock, because the caller passes the times.
///
/// The page adds the elapsed time to the time of the last reading. The elapsed time comes from a
/// clock that nobody can set. After a change of this machine's clock, the time on the page is wrong
/// until the stage reads from the daemon again.
struct ClockWatch {
  /// The difference between `wall` and `elapsed` at the last check, in milliseconds; nil before the
  /// first check.
  private var difference: Int64?

  /// The smallest clock step that the type reports, in milliseconds. A time server can also make
  /// the clock a little faster or slower. Between two checks, such a change is smaller than this
  /// value.
  static let smallest: Int64 = 200

  /// - Parameters:
  ///   - wall: the time of the clock that a person can set, in milliseconds.
  ///   - elapsed: the time of a clock that nobody can set, in milliseconds.
  /// - Returns: true if somebody set the clock of `wall` after the last check.
  mutating func wasSet(wall: Int64, elapsed: Int64) -> Bool {
    let before = difference
    difference = wall - elapsed
    guard let before, let difference else { return false }
    return abs(difference - before) >= Self.smallest
  }
}
