/// A day of the week, numbered as in ISO 8601.
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday
}

/// A day of the proleptic Gregorian calendar, without a zone.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// The day number: the number of days since 1970-01-01. If code needs the year, the month or the
  /// day, the type computes them from the day number.
  ///
  /// Arithmetic and comparisons need no conversion, because they use the day number.
  private let storedDayNumber: Int32

  /// The date that is `dayNumber` days after 1970-01-01.
  ///
  /// If the date would be outside of the years ±5,800,000, the result is the nearest date within
  /// these years.
  @inline(__always)
  public init(dayNumber: Int) {
    storedDayNumber = Int32(clamping: dayNumber)
  }

  /// Creates a date from a year (1…9999), a month and a day.
  ///
  /// The initializer throws `outOfRange` for a year, month or day that is not valid.
  public init(year: Int, month: Int, day: Int) throws(CivilTimeError) {
    if let fault = CivilDate.fault(year: year, month: month, day: day) {
      let text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      let position = [1, 6, 9][fault.field]
      throw .outOfRange(.date, text: text, position: position, reason: fault.reason)
    }
    self.init(dayNumber: CivilDate.dayNumber(year: year, month: month, day: day))
  }

  /// Reads a date such as `2026-12-01`.
  public init(parsing text: String) throws(CivilTimeError) {
    var cursor = TextCursor(text, subject: .date)
    self = try cursor.date()
    try cursor.requireEnd()
  }

  /// The number of days since 1970-01-01; negative for an earlier date.
  @inline(__always)
  public var dayNumber: Int { Int(storedDayNumber) }

  /// The year; the year 1 BC is 0.
  public var year: Int { parts.year }
  /// The month, 1…12.
  public var month: Int { parts.month }
  /// The day of the month, 1…31.
  public var day: Int { parts.day }

  /// The day of the week.
  public var weekday: Weekday {
    // Day number 0, 1970-01-01, was a Thursday. The remainder is 0…6, so the raw value is always
    // 1…7.
    Weekday(rawValue: floorRemainder(dayNumber + 3, 7) + 1) ?? .monday
  }

  /// The date `days` days after this date. If `days` is negative, the result is before this date.
  public func adding(days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

  public static func < (first: CivilDate, second: CivilDate) -> Bool {
    first.storedDayNumber < second.storedDayNumber
  }
}

extension CivilDate: CustomStringConvertible {
  /// The date as text, such as `2026-12-01`.
  public var description: String {
    let (year, month, day) = parts
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}

extension CivilDate {
  /// The year, month and day together. One call of this property is faster than separate calls of
  /// `year`, `month` and `day`.
  @inline(__always)
  var parts: (year: Int, month: Int, day: Int) { CivilDate.parts(dayNumber: dayNumber) }

  /// The index of the invalid field (0 year, 1 month, 2 day) and the reason; nil if the date is
  /// valid.
  static func fault(year: Int, month: Int, day: Int) -> (field: Int, reason: String)? {
    if !(1...9999).contains(year) { return (0, "the year must be 0001 to 9999") }
    if !(1...12).contains(month) { return (1, "there is no month \(month)") }
    let length = lengthOfMonth(year: year, month: month)
    if (1...length).contains(day) { return nil }
    return (2, "\(monthNames[month - 1]) \(year) has \(length) days")
  }

  static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  @inline(__always)
  static func isLeap(_ year: Int) -> Bool {
    // If a year is divisible by 100, the year is a leap year only if it is divisible by 400. For
    // such a year, the code tests whether the year is divisible by 16, which is equivalent (Neri,
    // Schneider).
    year & (year % 100 == 0 ? 15 : 3) == 0
  }

  /// The number of days in a month, 28…31.
  @inline(__always)
  static func lengthOfMonth(year: Int, month: Int) -> Int {
    month == 2 ? (isLeap(year) ? 29 : 28) : 30 | (month ^ (month >> 3))
  }

  /// The number of days from 1970-01-01 to a date. The function does not check that the year, month
  /// and day are valid.
  ///
  /// The method is `days_from_civil` by Howard Hinnant. In this method, a year starts in March, and
  /// February is its last month. Therefore, the length of February (28 or 29 days) does not change
  /// the position of the other months in the year. The calendar repeats after 400 years. These 400
  /// years have 146,097 days.
  @inline(__always)
  static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year &- 1
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted &- era &* 400
    let dayOfYear = (153 &* (month > 2 ? month &- 3 : month &+ 9) &+ 2) / 5 &+ day &- 1
    let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
    return era &* 146_097 &+ dayOfEra &- 719_468
  }

  /// Computes the year, month and day from a day number: the inverse of
  /// `dayNumber(year:month:day:)`.
  ///
  /// The code uses the algorithm of Neri and Schneider ("Euclidean affine functions and their
  /// application to calendar algorithms", 2022). This algorithm uses two multiplications. Hinnant's
  /// algorithm for the same conversion is slower: it needs several divisions, and each division
  /// needs the result of the previous division. The algorithm of Neri and Schneider is correct only
  /// for a limited range of day numbers. Therefore, the code first subtracts whole eras of 400
  /// years.
  @inline(__always)
  static func parts(dayNumber: Int) -> (year: Int, month: Int, day: Int) {
    let era = floorDivide(dayNumber &+ 719_468, 146_097)
    let dayOfEra = UInt32(truncatingIfNeeded: dayNumber &+ 719_468 &- era &* 146_097)
    // Compute the century, and the day within the century.
    let first = 4 &* dayOfEra &+ 3
    let century = first / 146_097
    let dayOfCentury = (first % 146_097) / 4
    // The upper 32 bits of `second` are the year of the century. The lower 32 bits of `second`
    // contain the day of the year.
    let second = UInt64(4 &* dayOfCentury &+ 3) &* 2_939_745
    let yearOfCentury = UInt32(truncatingIfNeeded: second >> 32)
    let dayOfYear = UInt32(truncatingIfNeeded: second) / 2_939_745 / 4
    // Compute the day of the month, and the number of the month. In this computation, March has the
    // number 3, and February of the next year has the number 14.
    let third = 2141 &* dayOfYear &+ 197_913
    let shiftedMonth = third >> 16
    let day = (third & 0xFFFF) / 2141 &+ 1
    let isNextYear = dayOfYear >= 306
    let year = era &* 400 &+ Int(century &* 100 &+ yearOfCentury) &+ (isNextYear ? 1 : 0)
    return (year, Int(isNextYear ? shiftedMonth &- 12 : shiftedMonth), Int(day))
  }
}
