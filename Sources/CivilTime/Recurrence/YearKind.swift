/// The properties of a year that the dates of a rule depend on.
///
/// These are its length, the weekday of January 1 and, for week numbers, whether the year before or
/// after it is a leap year.
struct YearKind {
  var isLeap: Bool
  var followsLeap: Bool
  var precedesLeap: Bool
  /// The weekday of January 1, 0 Monday … 6 Sunday.
  var firstWeekday: Int

  /// The number of kinds: `plainCount` without week numbers, `count` with them.
  static let plainCount = 14
  static let count = 28

  var length: Int { isLeap ? 366 : 365 }

  /// The kind with a number from `index(year:newYear:)`.
  init(index: Int) {
    isLeap = index / 7 == 1
    followsLeap = index / 7 == 2
    precedesLeap = index / 7 == 3
    firstWeekday = index % 7
  }

  /// 0 ..< 14: common or leap year, and the weekday of January 1.
  @inline(__always)
  static func plainIndex(isLeap: Bool, newYear: Int) -> Int {
    // Years from 1 on only. Adding 1,000,000 weeks and 3 days keeps the dividend positive.
    let weekday = Int(UInt(bitPattern: newYear &+ 7_000_003) % 7)
    return isLeap ? 7 &+ weekday : weekday
  }

  /// 0 ..< 28: also whether the year before or after is a leap year.
  static func index(year: Int, newYear: Int) -> Int {
    let isLeap = CivilDate.isLeap(year)
    let index = plainIndex(isLeap: isLeap, newYear: newYear)
    if isLeap { return index }
    if CivilDate.isLeap(year - 1) { return index + 14 }
    return CivilDate.isLeap(year + 1) ? index + 21 : index
  }
}

extension CivilDate {
  /// The day number of January 1 of a year from 1 on.
  @inline(__always)
  static func newYear(_ year: Int) -> Int {
    let before = UInt(bitPattern: year &- 1)
    let century = before / 100
    let days = 365 &* before &+ before / 4 &- century &+ century / 4
    return Int(bitPattern: days) &- 719_162
  }

  /// The year, from 1 on, and the day number of its January 1.
  @inline(__always)
  static func yearAndStart(dayNumber: Int) -> (year: Int, newYear: Int) {
    // The mean length of a year gives the right year or the one before or after it.
    let days = UInt(bitPattern: dayNumber &+ 719_162)
    let year = Int(bitPattern: days &* 400 / 146_097) &+ 1
    let start = newYear(year)
    if start > dayNumber { return (year &- 1, newYear(year &- 1)) }
    let next = start &+ (isLeap(year) ? 366 : 365)
    return dayNumber < next ? (year, start) : (year &+ 1, next)
  }
}
