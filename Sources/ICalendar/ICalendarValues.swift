import CivilTime

/// A date or time in the format of a calendar file.
enum ICalendarTime: Hashable {
  case date(CivilDate)
  case local(CivilDateTime)
  case utc(CivilDateTime)

  /// Reads the value of a line. If the line has the parameter VALUE=DATE, the initializer reads
  /// only the date.
  init?(_ line: ICalendarLine) { self.init(line.value, isDate: line.isDate) }

  /// Reads a date or time, such as `20261201`, `20261201T080000` or `20261201T080000Z`.
  ///
  /// The function also accepts the forms that other programs write: dashes and colons, a blank
  /// instead of the letter T, a time without seconds or with a fraction, lower case, the hour 24,
  /// and an offset such as `+01:00` at the end. The function ignores a fraction of a second. If the
  /// value of the seconds is 60, the function reads it as 59 (RFC 5545 section 3.3.12).
  ///
  /// - Parameter isDate: true if the function must read only the date, even if a time follows the
  ///   date.
  init?(_ text: String, isDate: Bool = false) {
    var reader = ICalendarDigits(text)
    guard let year = reader.number(4) else { return nil }
    reader.skip("-")
    guard let month = reader.number(2) else { return nil }
    reader.skip("-")
    guard let day = reader.number(2), let date = try? CivilDate(year: year, month: month, day: day)
    else { return nil }
    if isDate || reader.isAtEnd {
      self = .date(date)
      return
    }
    guard reader.skip("T") || reader.skip(" "), let clock = reader.clock() else { return nil }
    let local = CivilDateTime(date: date, time: .midnight)
    guard let offset = reader.offsetSeconds() else {
      guard reader.isAtEnd else { return nil }
      self = .local(Zone.utc.moved(local, by: clock))
      return
    }
    guard reader.isAtEnd else { return nil }
    self = .utc(Zone.utc.moved(local, by: clock - offset))
  }

  /// Returns the local time in a zone. If the value is a date without a time, the result is this
  /// date at the time of day `allDay`.
  func local(in zone: Zone, allDay: ClockTime) -> CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(date: date, time: allDay)
    case .local(let dateTime): dateTime
    case .utc(let dateTime): zone.civil(at: Zone.utc.resolve(dateTime).instant).dateTime
    }
  }
}

/// A DURATION of RFC 5545. If a program adds a duration in days or weeks to a local time, the time
/// of day stays the same, even across a clock change. A duration in hours, minutes and seconds
/// counts elapsed time (section 3.3.6).
struct ICalendarDuration: Hashable {
  var days = 0
  var seconds: Int64 = 0

  init(days: Int, seconds: Int64) {
    self.days = days
    self.seconds = seconds
  }

  /// Reads a duration, such as `PT15M`, `-P1DT2H` or `P2W`.
  ///
  /// The function also accepts the forms that other programs write: `P1DT`, `P1W2D`, `-P15M` in
  /// place of `-PT15M`, a sign after P or T, a minus sign or a dash in place of the hyphen, and a
  /// fraction such as `PT1.5H`.
  init?(_ text: String) {
    var reader = ICalendarDigits(text)
    var sign = reader.sign()
    guard reader.skip("P") else { return nil }
    sign *= reader.sign()
    var (seconds, hasNumber) = (0.0, false)
    while !reader.isAtEnd {
      if reader.skip("T") {
        sign *= reader.sign()
        continue
      }
      guard let count = reader.decimal() else { return nil }
      hasNumber = true
      if reader.skip("W") {
        days += Int(count) * 7
      } else if reader.skip("D") {
        days += Int(count)
      } else if reader.skip("H") {
        seconds += count * 3_600
      } else if reader.skip("M") {
        seconds += count * 60
      } else if reader.skip("S") {
        seconds += count
      } else if count > 0 || !reader.skip("Y") {
        // RFC 5545 does not permit years in a duration, but some programs write zero years
        // (`P0Y…`). Accept zero years, and refuse all other numbers of years and all other letters.
        return nil
      }
    }
    guard hasNumber else { return nil }
    days *= sign
    self.seconds = Int64(sign) * Int64(seconds)
  }

  /// The duration in seconds. Each day counts as 24 hours.
  var total: Int64 { Int64(days) * 86_400 + seconds }

  /// The duration as text, such as `PT1H30M` or `-P1D`.
  var text: String {
    let isNegative = days < 0 || seconds < 0
    let (days, seconds) = (abs(days), abs(seconds))
    var time = ""
    if seconds >= 3_600 { time += "\(seconds / 3_600)H" }
    if seconds % 3_600 >= 60 { time += "\(seconds % 3_600 / 60)M" }
    if seconds % 60 > 0 { time += "\(seconds % 60)S" }
    if days == 0, time.isEmpty { return "PT0S" }
    return (isNegative ? "-P" : "P") + (days > 0 ? "\(days)D" : "")
      + (time.isEmpty ? "" : "T" + time)
  }
}

/// Reads the digits and signs of a date, a time or a duration, from left to right.
struct ICalendarDigits {
  private var rest: ArraySlice<Unicode.Scalar>

  /// Prepares to read `text`. The reader ignores white space around the text, and ignores
  /// semicolons and commas at its end.
  init(_ text: String) {
    rest = Array(text.unicodeScalars)[...]
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.properties.isWhitespace || last == ";" || last == "," {
      rest.removeLast()
    }
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Skips the next character if it is `scalar`, in upper or lower case. If the next character is a
  /// different one, the function skips nothing and returns false.
  @discardableResult
  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard let first = rest.first,
      first == scalar || first.properties.uppercaseMapping == String(scalar)
    else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads a number with exactly `count` digits.
  mutating func number(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1.value) - 48 }
  }

  /// Reads a number of at most nine digits, with or without a fraction.
  mutating func decimal() -> Double? {
    var digits = ""
    while let first = rest.first, ("0"..."9").contains(first) || first == "." || first == "," {
      digits.unicodeScalars.append(first == "," ? "." : first)
      rest.removeFirst()
    }
    return digits.utf8.count <= 10 ? Double(digits) : nil
  }

  /// Reads the plus and minus signs at the present position. The result is -1 if the number of
  /// minus signs is odd, otherwise 1.
  mutating func sign() -> Int {
    var sign = 1
    while let first = rest.first {
      switch first {
      case "+": break
      // The hyphen-minus, and the minus sign and the dashes with which text programs replace the
      // hyphen-minus.
      case "-", "\u{2212}", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}": sign = -sign
      default: return sign
      }
      rest.removeFirst()
    }
    return sign
  }

  /// Reads a time of day. The result is in seconds after midnight.
  mutating func clock() -> Int64? {
    guard let hour = number(2), hour <= 24 else { return nil }
    skip(":")
    guard let minute = number(2), minute < 60 else { return nil }
    let hasColon = skip(":")
    var second = 0
    if hasColon || rest.first.map({ ("0"..."9").contains($0) }) == true {
      guard let digits = number(2), digits <= 60 else { return nil }
      second = min(digits, 59)
      if skip(".") || skip(",") { _ = decimal() }
    }
    let total = hour * 3_600 + minute * 60 + second
    return total <= 86_400 ? Int64(total) : nil
  }

  /// Reads an offset from UTC, such as `Z`, `+01:00` or `-0530`. The result is nil if the text
  /// contains no offset at the present position.
  mutating func offsetSeconds() -> Int64? {
    if skip("Z") { return 0 }
    guard rest.first == "+" || rest.first == "-" else { return nil }
    let before = rest
    let sign = sign()
    if let hour = number(2), hour < 24 {
      skip(":")
      let minute = number(2) ?? 0
      if minute < 60 { return Int64(sign * (hour * 3_600 + minute * 60)) }
    }
    rest = before
    return nil
  }
}

extension Zone {
  /// Returns the local time when `seconds` seconds have elapsed since the local time `local`.
  fileprivate func moved(_ local: CivilDateTime, by seconds: Int64) -> CivilDateTime {
    civil(at: resolve(local).instant.adding(seconds: seconds)).dateTime
  }
}

extension ICalendarLine {
  /// True if the value is a date without a time of day (VALUE=DATE).
  var isDate: Bool { parameter("VALUE")?.trimmed.uppercased() == "DATE" }

  /// The name of the zone of the value; nil if the line contains no name or an empty name.
  var timeZoneID: String? {
    guard let id = parameter("TZID")?.trimmed, !id.isEmpty else { return nil }
    return id
  }
}

extension String {
  /// The text without the white space at its start and end.
  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

extension CivilDate {
  /// The date as text, such as `20261201`.
  var calendarText: String { description.filter { $0 != "-" } }
}

extension CivilDateTime {
  /// The date-time as text, such as `20261201T080000`.
  var calendarText: String { description.filter { $0 != "-" && $0 != ":" } }
}
