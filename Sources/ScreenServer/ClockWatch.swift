/// Notices that the clock of this machine was set. It reads no clock: the caller passes the times.
///
/// The page counts the time since the last reading with a clock that nobody can set. After the clock
/// was set, the daemon has another time than the page, until the stage reads again.
struct ClockWatch {
  /// The difference between both clocks at the last look, in milliseconds; nil before the first look.
  private var difference: Int64?

  /// The smallest step that counts, in milliseconds. A time server that makes the clock faster or
  /// slower moves it by less between two looks.
  static let smallest: Int64 = 200

  /// - Parameters:
  ///   - wall: the time of the clock that can be set, in milliseconds.
  ///   - elapsed: the time of a clock that nobody can set, in milliseconds.
  /// - Returns: true if the clock was set since the last look.
  mutating func wasSet(wall: Int64, elapsed: Int64) -> Bool {
    let before = difference
    difference = wall - elapsed
    guard let before, let difference else { return false }
    return abs(difference - before) >= Self.smallest
  }
}
