/// A time of day on a wall clock, to the second, without a zone.
public struct ClockTime: Hashable, Comparable, Sendable {
  private let storedSecond: Int32

  /// The time of day as the number of seconds after midnight on the clock, 0…86,399.
  ///
  /// On a day with a clock change, the real time since midnight can be longer or shorter than this
  /// value.
  @inline(__always)
  public var secondOfDay: Int { Int(storedSecond) }

  /// The time of day 00:00:00.
  public static let midnight = ClockTime(secondOfDay: 0)

  /// Creates the time from an hour, a minute and a second. The initializer throws `outOfRange` for
  /// a time outside of 00:00:00 to 23:59:59.
  ///
  /// The initializer replaces second 60, a leap second, by 59, because POSIX time has no leap
  /// seconds.
  public init(hour: Int, minute: Int, second: Int = 0) throws(CivilTimeError) {
    if let fault = ClockTime.fault(hour: hour, minute: minute, second: second) {
      let text = "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
      let position = [1, 4, 7][fault.field]
      throw .outOfRange(.clockTime, text: text, position: position, reason: fault.reason)
    }
    self.init(secondOfDay: hour * 3600 + minute * 60 + min(second, 59))
  }

  /// Reads a time such as `08:00` or `08:00:30`.
  public init(parsing text: String) throws(CivilTimeError) {
    var cursor = TextCursor(text, subject: .clockTime)
    self = try cursor.clockTime()
    try cursor.requireEnd()
  }

  /// The time of day `secondOfDay` seconds after midnight. The caller must pass a value in
  /// 0…86,399.
  @inline(__always)
  init(secondOfDay: Int) {
    assert((0..<86_400).contains(secondOfDay))
    storedSecond = Int32(truncatingIfNeeded: secondOfDay)
  }

  /// The hour, 0…23.
  public var hour: Int { secondOfDay / 3600 }
  /// The minute, 0…59.
  public var minute: Int { secondOfDay / 60 % 60 }
  /// The second, 0…59.
  public var second: Int { secondOfDay % 60 }

  public static func < (first: ClockTime, second: ClockTime) -> Bool {
    first.storedSecond < second.storedSecond
  }

  /// The index of the invalid field (0 hour, 1 minute, 2 second) and the reason; nil if the time is
  /// valid.
  static func fault(hour: Int, minute: Int, second: Int) -> (field: Int, reason: String)? {
    if !(0...23).contains(hour) { return (0, "there is no hour \(hour); hours are 00 to 23") }
    if !(0...59).contains(minute) {
      return (1, "there is no minute \(minute); minutes are 00 to 59")
    }
    if (0...60).contains(second) { return nil }
    return (2, "there is no second \(second); seconds are 00 to 59")
  }
}

extension ClockTime: CustomStringConvertible {
  /// The time as text, such as `08:00`, or `08:00:30` if the second is not 0.
  public var description: String {
    let minutes = "\(padded(hour, 2)):\(padded(minute, 2))"
    return second == 0 ? minutes : "\(minutes):\(padded(second, 2))"
  }
}
