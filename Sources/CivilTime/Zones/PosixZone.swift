/// The rules of a POSIX TZ string such as `EST5EDT,M3.2.0,M11.1.0`. The footer of a TZif file
/// contains a POSIX TZ string.
///
/// The string can use the extension of RFC 8536 section 3.3.1 (times from -167 to 167 hours).
struct PosixZone: Equatable {
  /// The part of a rule that says on which day of a year the clocks change.
  enum Day: Equatable {
    /// The form `Jn`: n is 1…365. February 29 has no number. Therefore March 1 has the number 60 in
    /// every year, including leap years.
    case julian(Int)
    /// The form `n`: n is 0…365. January 1 has the number 0, and February 29 of a leap year has a
    /// number.
    case zeroBased(Int)
    /// The form `Mm.w.d`: weekday d (0 is Sunday) of week w (5 is the last week) of month m.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  struct Change: Equatable {
    var day: Day
    /// The local time of the change, in seconds after the midnight at which `day` begins:
    /// -604,799…604,799. A negative value means a time before this midnight. This local time uses
    /// the offset before the change.
    var second: Int
  }

  struct Daylight: Equatable {
    /// The offset in seconds east of Greenwich.
    var offset: Int32
    var start: Change
    var end: Change
  }

  /// The offset in seconds east of Greenwich.
  var standardOffset: Int32
  var daylight: Daylight?

  /// Reads the footer of a TZif file; nil if the footer is malformed.
  init?(_ text: String) {
    var reader = PosixZoneReader(rest: Array(text.utf8)[...])
    guard reader.name(), let west = reader.time(maximumHours: 24) else { return nil }
    standardOffset = Int32(-west)
    if reader.rest.isEmpty { return }
    guard reader.name() else { return nil }
    var offset = standardOffset + 3600
    if reader.rest.first != 0x2C {
      guard let west = reader.time(maximumHours: 24) else { return nil }
      offset = Int32(-west)
    }
    guard let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else {
      return nil
    }
    daylight = Daylight(offset: offset, start: start, end: end)
  }

  /// The clock changes of one year, in the order of their instants. The result contains the instant
  /// of each change, in seconds, and the offset after the change.
  func changes(year: Int) -> [(instant: Int64, offset: Int32)] {
    guard let daylight else { return [] }
    let start = daylight.start.localSeconds(year: year) - Int64(standardOffset)
    let end = daylight.end.localSeconds(year: year) - Int64(daylight.offset)
    let toDaylight = (instant: start, offset: daylight.offset)
    let toStandard = (instant: end, offset: standardOffset)
    return start < end ? [toDaylight, toStandard] : [toStandard, toDaylight]
  }
}

extension PosixZone.Change {
  /// The local time at which the clocks change in the year `year`. The unit is seconds since
  /// 1970-01-01T00:00. The local time uses the offset before the change.
  func localSeconds(year: Int) -> Int64 {
    let newYear = CivilDate.dayNumber(year: year, month: 1, day: 1)
    let dayNumber: Int
    switch day {
    case .julian(let number):
      let isAfterLeapDay = CivilDate.isLeap(year) && number >= 60
      dayNumber = newYear + number - 1 + (isAfterLeapDay ? 1 : 0)
    case .zeroBased(let number):
      dayNumber = newYear + number
    case .weekday(let month, let week, let weekday):
      let first = CivilDate.dayNumber(year: year, month: month, day: 1)
      // Day number 0, 1970-01-01, was a Thursday. In POSIX, the weekdays have the numbers 0
      // (Sunday) to 6 (Saturday), so Thursday is 4.
      let firstWeekday = floorRemainder(first + 4, 7)
      var offset = floorRemainder(weekday - firstWeekday, 7) + (week - 1) * 7
      if offset >= CivilDate.lengthOfMonth(year: year, month: month) { offset -= 7 }
      dayNumber = first + offset
    }
    return Int64(dayNumber) * 86_400 + Int64(second)
  }
}

/// A reader of a POSIX TZ string. `rest` contains the bytes that the reader has not read yet.
private struct PosixZoneReader {
  var rest: ArraySlice<UInt8>

  mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads an abbreviation: three or more letters, or three or more characters in angle brackets.
  /// Returns false if the text has a different form.
  mutating func name() -> Bool {
    if take(0x3C) {
      guard let end = rest.firstIndex(of: 0x3E) else { return false }
      let length = end - rest.startIndex
      rest = rest[(end + 1)...]
      return length >= 3
    }
    let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
    rest = rest[letters.endIndex...]
    return letters.count >= 3
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest[digits.endIndex...]
    let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return range.contains(value) ? value : nil
  }

  /// Reads a time in the format `[+-]hh[:mm[:ss]]` and returns it in seconds.
  mutating func time(maximumHours: Int) -> Int? {
    let isNegative = take(0x2D)
    if !isNegative { _ = take(0x2B) }
    guard let hours = number(0...maximumHours) else { return nil }
    var seconds = hours * 3600
    if take(0x3A) {
      guard let minutes = number(0...59) else { return nil }
      seconds += minutes * 60
      if take(0x3A) {
        guard let second = number(0...59) else { return nil }
        seconds += second
      }
    }
    return isNegative ? -seconds : seconds
  }

  /// Reads a clock change in the format `,day[/time]`.
  mutating func change() -> PosixZone.Change? {
    guard take(0x2C), let day = day() else { return nil }
    guard take(0x2F) else { return PosixZone.Change(day: day, second: 7200) }
    guard let second = time(maximumHours: 167) else { return nil }
    return PosixZone.Change(day: day, second: second)
  }

  private mutating func day() -> PosixZone.Day? {
    if take(0x4A) { return number(1...365).map { .julian($0) } }
    if take(0x4D) {
      guard let month = number(1...12), take(0x2E), let week = number(1...5), take(0x2E),
        let weekday = number(0...6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
    return number(0...365).map { .zeroBased($0) }
  }
}
