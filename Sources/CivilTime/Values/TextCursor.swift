/// A text, and the index of the next byte that the parser will read. Each error contains the
/// position of the fault in the text.
struct TextCursor {
  let subject: CivilTimeError.Subject
  let text: String
  let bytes: [UInt8]
  private(set) var index = 0

  init(_ text: String, subject: CivilTimeError.Subject) {
    self.subject = subject
    self.text = text
    self.bytes = Array(text.utf8)
  }

  var isAtEnd: Bool { index == bytes.count }
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// The position of the character that contains the byte with the index `index`. The first
  /// character has the position 1.
  func position(ofByte index: Int) -> Int {
    // In UTF-8, each byte that is not a continuation byte starts a character (Unicode scalar).
    1 + bytes.prefix(index).count { $0 & 0xC0 != 0x80 }
  }

  func malformed(_ expected: String, at index: Int? = nil) -> CivilTimeError {
    .malformed(
      subject, text: text, position: position(ofByte: index ?? self.index), expected: expected)
  }

  func outOfRange(_ reason: String, at index: Int) -> CivilTimeError {
    .outOfRange(subject, text: text, position: position(ofByte: index), reason: reason)
  }

  /// Reads the next byte if it is one of `characters`. If the next byte is not one of `characters`,
  /// the method returns nil and does not move forward.
  mutating func take(_ characters: StaticString) -> UInt8? {
    guard let byte = next else { return nil }
    let isWanted = characters.withUTF8Buffer { $0.contains(byte) }
    if isWanted { index += 1 }
    return isWanted ? byte : nil
  }

  /// Skips a byte that the caller has already examined.
  mutating func skip() { index += 1 }

  mutating func require(_ characters: StaticString, _ expected: String) throws(CivilTimeError) {
    if take(characters) == nil { throw malformed(expected) }
  }

  /// Reads exactly `count` decimal digits as a number.
  mutating func digits(_ count: Int, _ expected: String) throws(CivilTimeError) -> Int {
    var value = 0
    for _ in 0..<count {
      guard let digit = take("0123456789") else { throw malformed(expected) }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }

  func requireEnd() throws(CivilTimeError) {
    if !isAtEnd { throw malformed("the end of the text") }
  }
}

extension TextCursor {
  mutating func date() throws(CivilTimeError) -> CivilDate {
    let start = index
    let year = try digits(4, "a year of four digits")
    try require("-", "\"-\" after the year")
    let monthStart = index
    let month = try digits(2, "a month of two digits")
    try require("-", "\"-\" after the month")
    let dayStart = index
    let day = try digits(2, "a day of two digits")
    if let fault = CivilDate.fault(year: year, month: month, day: day) {
      let place = [start, monthStart, dayStart][fault.field]
      throw outOfRange(fault.reason, at: place)
    }
    return CivilDate(dayNumber: CivilDate.dayNumber(year: year, month: month, day: day))
  }

  /// Reads a time of day in the format `hh:mm` or `hh:mm:ss`.
  ///
  /// The method replaces second 60, a leap second, by 59, because POSIX time has no leap seconds.
  mutating func clockTime() throws(CivilTimeError) -> ClockTime {
    let start = index
    let hour = try digits(2, "an hour of two digits")
    try require(":", "\":\" after the hour")
    let minuteStart = index
    let minute = try digits(2, "a minute of two digits")
    let secondStart = index + 1
    var second = 0
    if take(":") != nil { second = try digits(2, "a second of two digits") }
    if let fault = ClockTime.fault(hour: hour, minute: minute, second: second) {
      throw outOfRange(fault.reason, at: [start, minuteStart, secondStart][fault.field])
    }
    return ClockTime(secondOfDay: hour * 3600 + minute * 60 + min(second, 59))
  }

  mutating func dateTime() throws(CivilTimeError) -> CivilDateTime {
    let date = try date()
    try require("Tt ", "\"T\" between the date and the time")
    return CivilDateTime(date: date, time: try clockTime())
  }
}
