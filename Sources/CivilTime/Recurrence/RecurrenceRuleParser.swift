/// A parser that reads RRULE text from left to right.
///
/// The parser stores the position of each part, so that each error can contain the position of the
/// fault.
struct RecurrenceRuleParser {
  private var cursor: TextCursor
  private var rule = RecurrenceRule.Parts()
  /// For each part of the rule, the index of the byte at which the name of the part begins in the
  /// text. The dictionary key is the name of the part in upper case.
  private var places: [String: Int] = [:]

  init(_ text: String) {
    cursor = TextCursor(text, subject: .rule)
  }

  mutating func parse() throws(CivilTimeError) -> RecurrenceRule {
    // The parser accepts `RRULE:` before the rule, because people copy rules from calendar files.
    if name(at: 0) == "RRULE" {
      _ = name()
      try cursor.require(":", "\":\" after RRULE")
    }
    repeat { try part() } while cursor.take(";") != nil
    if !cursor.isAtEnd { throw cursor.malformed("\";\" or the end of the rule") }
    guard places["FREQ"] != nil else {
      throw .invalidRule(text: cursor.text, position: 1, reason: "FREQ is missing")
    }
    try checkCombinations()
    return RecurrenceRule(rule)
  }

  private func name(at start: Int) -> String {
    let letters = cursor.bytes[start...].prefix { (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D }
    return String(decoding: letters.map { $0 == 0x2D ? $0 : $0 & 0xDF }, as: UTF8.self)
  }

  /// Reads a name (letters and hyphens) and returns it in upper case; empty if no name follows.
  private mutating func name() -> String {
    let found = name(at: cursor.index)
    for _ in found.utf8 { cursor.skip() }
    return found
  }

  private mutating func part() throws(CivilTimeError) {
    let start = cursor.index
    let name = name()
    if name.isEmpty { throw cursor.malformed("the name of a rule part such as FREQ") }
    guard places.updateValue(start, forKey: name) == nil else {
      throw invalid(name, "\(name) is given twice", at: start)
    }
    guard RecurrenceRuleParser.names.contains(name) else {
      throw invalid(name, "\(name) is not a part of a rule", at: start)
    }
    try cursor.require("=", "\"=\" after \(name)")
    try value(of: name)
  }

  private static let names: Set<String> = [
    "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
    "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST", "RSCALE", "SKIP",
  ]

  private mutating func value(of name: String) throws(CivilTimeError) {
    switch name {
    case "FREQ": rule.frequency = try frequency()
    case "INTERVAL": rule.interval = try number(1...999_999_999, name)
    case "COUNT": rule.end = .count(try number(1...999_999_999, name))
    case "UNTIL": rule.end = try until()
    case "BYSECOND": rule.seconds = try list(0...60, name).map { min($0, 59) }.uniqued
    case "BYMINUTE": rule.minutes = try list(0...59, name)
    case "BYHOUR": rule.hours = try list(0...23, name)
    case "BYDAY": rule.weekdays = try weekdays()
    case "BYMONTHDAY": rule.monthDays = try signedList(31, name)
    case "BYYEARDAY": rule.yearDays = try signedList(366, name)
    case "BYWEEKNO": rule.weekNumbers = try signedList(53, name)
    case "BYMONTH": rule.months = try list(1...12, name)
    case "BYSETPOS": rule.setPositions = try signedList(366, name)
    case "WKST": rule.weekStart = try weekday()
    case "RSCALE": try calendar()
    default: rule.skip = try skip()
    }
  }

  private func invalid(_ name: String, _ reason: String, at index: Int? = nil) -> CivilTimeError {
    let place = index ?? places[name] ?? 0
    return .invalidRule(
      text: cursor.text, position: cursor.position(ofByte: place), reason: reason)
  }
}

// Functions that read the values of the parts of a rule.
extension RecurrenceRuleParser {
  private mutating func frequency() throws(CivilTimeError) -> RecurrenceRule.Frequency {
    let start = cursor.index
    let word = name()
    guard let found = RecurrenceRule.Frequency.allCases.first(where: { $0.text == word }) else {
      throw cursor.malformed(
        "SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY", at: start)
    }
    return found
  }

  private mutating func skip() throws(CivilTimeError) -> RecurrenceRule.Skip {
    let start = cursor.index
    guard let skip = RecurrenceRule.Skip(rawValue: name()) else {
      throw cursor.malformed("OMIT, BACKWARD or FORWARD", at: start)
    }
    return skip
  }

  private mutating func calendar() throws(CivilTimeError) {
    let start = cursor.index
    let word = name()
    if word.isEmpty { throw cursor.malformed("the name of a calendar", at: start) }
    guard word == "GREGORIAN" else {
      throw .unsupportedRule(
        text: cursor.text, position: cursor.position(ofByte: start),
        reason: "only the calendar GREGORIAN is supported")
    }
  }

  private mutating func weekday() throws(CivilTimeError) -> Weekday {
    let start = cursor.index
    let word = name()
    guard let weekday = Weekday.allCases.first(where: { $0.text == word }) else {
      throw cursor.malformed("MO, TU, WE, TH, FR, SA or SU", at: start)
    }
    return weekday
  }

  /// Reads decimal digits as a number, and checks the range of the number.
  private mutating func number(
    _ range: ClosedRange<Int>, _ name: String, sign: Int = 1, start: Int? = nil
  ) throws(CivilTimeError) -> Int {
    let start = start ?? cursor.index
    var (value, length) = (0, 0)
    while let digit = cursor.take("0123456789") {
      (value, length) = (min(value * 10 + Int(digit - 0x30), 1_000_000_000), length + 1)
    }
    if length == 0 { throw cursor.malformed("a number") }
    guard range.contains(value * sign) else {
      throw cursor.outOfRange(
        "\(name) must be \(range.lowerBound) to \(range.upperBound)", at: start)
    }
    return value * sign
  }

  private mutating func list(
    _ range: ClosedRange<Int>, _ name: String
  ) throws(CivilTimeError) -> [Int] {
    var values: [Int] = []
    repeat {
      values.append(try number(range, name))
      if name == "BYMONTH", cursor.take("Ll") != nil {
        throw .unsupportedRule(
          text: cursor.text, position: cursor.position(ofByte: cursor.index - 1),
          reason: "the Gregorian calendar has no leap months")
      }
    } while cursor.take(",") != nil
    return values.uniqued
  }

  private mutating func signedList(
    _ maximum: Int, _ name: String
  ) throws(CivilTimeError) -> [Int] {
    var values: [Int] = []
    repeat {
      let start = cursor.index
      let sign = cursor.take("+-") == 0x2D ? -1 : 1
      let value = try number(-maximum...maximum, name, sign: sign, start: start)
      if value == 0 { throw cursor.outOfRange("\(name) cannot be 0", at: start) }
      values.append(value)
    } while cursor.take(",") != nil
    return values.uniqued
  }

  private mutating func weekdays() throws(CivilTimeError) -> [RecurrenceRule.OrdinalWeekday] {
    var values: Set<RecurrenceRule.OrdinalWeekday> = []
    repeat {
      let start = cursor.index
      let sign = cursor.take("+-")
      var ordinal = 0
      if sign != nil || cursor.next.map({ (0x30...0x39).contains($0) }) == true {
        let direction = sign == 0x2D ? -1 : 1
        ordinal = try number(-53...53, "the number in BYDAY", sign: direction, start: start)
        if ordinal == 0 { throw cursor.outOfRange("the number in BYDAY cannot be 0", at: start) }
      }
      values.insert(RecurrenceRule.OrdinalWeekday(ordinal: ordinal, weekday: try weekday()))
    } while cursor.take(",") != nil
    return values.sorted()
  }

  private mutating func until() throws(CivilTimeError) -> RecurrenceRule.End {
    let start = cursor.index
    let year = try cursor.digits(4, "a date such as 20261224")
    let month = try cursor.digits(2, "a date such as 20261224")
    let day = try cursor.digits(2, "a date such as 20261224")
    if let fault = CivilDate.fault(year: year, month: month, day: day) {
      throw cursor.outOfRange(fault.reason, at: start + [0, 4, 6][fault.field])
    }
    let date = CivilDate(dayNumber: CivilDate.dayNumber(year: year, month: month, day: day))
    guard cursor.take("Tt") != nil else { return .untilDate(date) }
    let hour = try cursor.digits(2, "a time such as 180000")
    let minute = try cursor.digits(2, "a time such as 180000")
    let second = try cursor.digits(2, "a time such as 180000")
    if let fault = ClockTime.fault(hour: hour, minute: minute, second: second) {
      throw cursor.outOfRange(fault.reason, at: start + [9, 11, 13][fault.field])
    }
    let time = ClockTime(secondOfDay: hour * 3600 + minute * 60 + min(second, 59))
    let local = CivilDateTime(date: date, time: time)
    guard cursor.take("Zz") != nil else { return .untilLocal(local) }
    return .untilInstant(Instant(seconds: local.localSeconds))
  }
}

// Refuses the combinations of parts that RFC 5545 section 3.3.10 forbids.
extension RecurrenceRuleParser {
  private func checkCombinations() throws(CivilTimeError) {
    if let count = places["COUNT"], let until = places["UNTIL"] {
      throw invalid("UNTIL", "COUNT and UNTIL cannot both be given", at: max(count, until))
    }
    let frequency = rule.frequency
    if !rule.weekNumbers.isEmpty, frequency != .yearly {
      throw invalid("BYWEEKNO", "BYWEEKNO needs FREQ=YEARLY")
    }
    if !rule.yearDays.isEmpty, [.daily, .weekly, .monthly].contains(frequency) {
      throw invalid("BYYEARDAY", "BYYEARDAY cannot be used with FREQ=\(frequency.text)")
    }
    if !rule.monthDays.isEmpty, frequency == .weekly {
      throw invalid("BYMONTHDAY", "BYMONTHDAY cannot be used with FREQ=WEEKLY")
    }
    if rule.weekdays.contains(where: { $0.ordinal != 0 }) {
      if frequency != .monthly, frequency != .yearly {
        throw invalid("BYDAY", "a number in BYDAY needs FREQ=MONTHLY or FREQ=YEARLY")
      }
      if !rule.weekNumbers.isEmpty {
        throw invalid("BYDAY", "a number in BYDAY cannot be used with BYWEEKNO")
      }
    }
    let reachesBack =
      rule.monthDays.contains { $0 < -28 } || rule.yearDays.contains(-366)
    if rule.skip == .backward, reachesBack, frequency >= .monthly, let place = places["SKIP"] {
      throw .unsupportedRule(
        text: cursor.text, position: cursor.position(ofByte: place),
        reason: "SKIP=BACKWARD cannot be used with a day that is counted from the end")
    }
    let hasOtherList = places.keys.contains { $0.hasPrefix("BY") && $0 != "BYSETPOS" }
    if !rule.setPositions.isEmpty, !hasOtherList {
      throw invalid("BYSETPOS", "BYSETPOS needs another BY… part to choose from")
    }
  }
}

extension [Int] {
  /// The values of the list in ascending order, without duplicates.
  fileprivate var uniqued: [Int] { Set(self).sorted() }
}
