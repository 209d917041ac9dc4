/// The properties of a year that determine the days of a rule within the year.
///
/// For most rules, two properties of the year are enough: its length and the weekday of January 1.
/// A rule with week numbers needs two more properties: whether the previous year is a leap year,
/// and whether the next year is a leap year.
struct YearKind {
  var isLeap: Bool
  var followsLeap: Bool
  var precedesLeap: Bool
  /// The weekday of January 1, from 0 for Monday to 6 for Sunday.
  var firstWeekday: Int

  /// The number of kinds of years. `plainCount` applies to rules without week numbers, and `count`
  /// applies to rules with week numbers.
  static let plainCount = 14
  static let count = 28

  var length: Int { isLeap ? 366 : 365 }

  /// The kind of year that has the index `index`. The functions `index(year:newYear:)` and
  /// `plainIndex(isLeap:newYear:)` compute this index.
  init(index: Int) {
    isLeap = index / 7 == 1
    followsLeap = index / 7 == 2
    precedesLeap = index / 7 == 3
    firstWeekday = index % 7
  }

  /// The index of the kind of a year, 0 ..< 14, for rules without week numbers.
  ///
  /// Years with the same length and the same weekday of January 1 have the same index.
  @inline(__always)
  static func plainIndex(isLeap: Bool, newYear: Int) -> Int {
    // `newYear` is the day number of January 1. Before 1970, this number is negative, but the
    // division needs a positive number. Therefore the code adds 1,000,000 weeks. The sum is
    // positive for every year from 1 on. Day number 0, 1970-01-01, was a Thursday. Therefore the
    // code also adds 3 days, so that the remainder is 0 for a Monday.
    let weekday = Int(UInt(bitPattern: newYear &+ 7_000_003) % 7)
    return isLeap ? 7 &+ weekday : weekday
  }

  /// The index of the kind of a year, 0 ..< 28, for rules with week numbers.
  ///
  /// The index depends on the length of the year, on the weekday of January 1, and on whether the
  /// previous or the next year is a leap year.
  static func index(year: Int, newYear: Int) -> Int {
    let isLeap = CivilDate.isLeap(year)
    let index = plainIndex(isLeap: isLeap, newYear: newYear)
    if isLeap { return index }
    if CivilDate.isLeap(year - 1) { return index + 14 }
    return CivilDate.isLeap(year + 1) ? index + 21 : index
  }
}

extension CivilDate {
  /// The day number of January 1 of a year. The year must be 1 or later.
  @inline(__always)
  static func newYear(_ year: Int) -> Int {
    let before = UInt(bitPattern: year &- 1)
    let century = before / 100
    let days = 365 &* before &+ before / 4 &- century &+ century / 4
    return Int(bitPattern: days) &- 719_162
  }

  /// The year of a day, and the day number of January 1 of this year. The year must be 1 or later.
  @inline(__always)
  static func yearAndStart(dayNumber: Int) -> (year: Int, newYear: Int) {
    // To estimate the year, divide the number of days by 365.2425, the mean length of a year in
    // days. The estimated year can be one year too early or too late. The next lines correct the
    // result.
    let days = UInt(bitPattern: dayNumber &+ 719_162)
    let year = Int(bitPattern: days &* 400 / 146_097) &+ 1
    let start = newYear(year)
    if start > dayNumber { return (year &- 1, newYear(year &- 1)) }
    let next = start &+ (isLeap(year) ? 366 : 365)
    return dayNumber < next ? (year, start) : (year &+ 1, next)
  }
}
