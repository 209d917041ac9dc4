import CivilTime

/// A date or time in the format of a calendar file.
enum ICalendarTime: Hashable {
  case date(CivilDate)
  case local(CivilDateTime)
  case utc(CivilDateTime)

  /// Reads a date or time, such as `20261201`, `20261201T080000` or `20261201T080000Z`.
  init?(_ text: String) {
    var digits = text.trimmed.uppercased()
    let isUTC = digits.hasSuffix("Z")
    if isUTC { digits.removeLast() }
    let parts = digits.split(separator: "T", omittingEmptySubsequences: false).map(Array.init)
    guard let date = parts.first, date.count == 8, parts.count <= 2,
      let day = try? CivilDate(
        parsing: "\(String(date[0..<4]))-\(String(date[4..<6]))-\(String(date[6..<8]))")
    else { return nil }
    if parts.count == 1 {
      if isUTC { return nil }
      self = .date(day)
      return
    }
    let clock = parts[1]
    guard clock.count == 6,
      let time = try? ClockTime(
        parsing: "\(String(clock[0..<2])):\(String(clock[2..<4])):\(String(clock[4..<6]))")
    else { return nil }
    let dateTime = CivilDateTime(date: day, time: time)
    self = isUTC ? .utc(dateTime) : .local(dateTime)
  }

  /// The local time in a zone. A date without a time becomes this date at the time `allDay`.
  func local(in zone: Zone, allDay: ClockTime) -> CivilDateTime {
    switch self {
    case .date(let date): CivilDateTime(date: date, time: allDay)
    case .local(let dateTime): dateTime
    case .utc(let dateTime): zone.civil(at: Zone.utc.resolve(dateTime).instant).dateTime
    }
  }
}

/// A DURATION of RFC 5545. If a duration in days or weeks is added to a local time, the time of day
/// stays the same, even across a clock change. A duration in hours, minutes and seconds is real
/// time (section 3.3.6).
struct ICalendarDuration: Hashable {
  var days = 0
  var seconds: Int64 = 0

  init(days: Int, seconds: Int64) {
    self.days = days
    self.seconds = seconds
  }

  /// Reads a duration, such as `PT15M`, `-P1DT2H` or `P2W`.
  init?(_ text: String) {
    var rest = Substring(text.trimmed.uppercased())
    var sign: Int64 = 1
    if let first = rest.first, first == "-" || first == "+" {
      sign = first == "-" ? -1 : 1
      rest.removeFirst()
    }
    guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
    var isTime = false
    while let character = rest.first {
      if character == "T", !isTime {
        isTime = true
        rest.removeFirst()
        if rest.isEmpty { return nil }
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard digits.count <= 9, let count = Int64(digits) else { return nil }
      rest.removeFirst(digits.count)
      switch (rest.popFirst(), isTime) {
      case ("W", false): days += Int(count) * 7
      case ("D", false): days += Int(count)
      case ("H", true): seconds += count * 3_600
      case ("M", true): seconds += count * 60
      case ("S", true): seconds += count
      default: return nil
      }
    }
    days *= Int(sign)
    seconds *= sign
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
