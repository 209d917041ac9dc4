import CICal
import CivilTime
import ICalendar

/// Computes the offsets of a VTIMEZONE with libical.
enum LibicalOffsets {
  /// The time between two instants at which the search asks for the offset, in seconds. If an
  /// offset applies for less than this time, the search can miss the offset.
  private static let step: Int64 = 12 * 3_600
  /// The search covers the time from one year before `around` to ten years after `around`. These
  /// values are in seconds.
  private static let before: Int64 = 366 * 86_400
  private static let after: Int64 = 3_653 * 86_400
  /// The maximum number of rules in a VTIMEZONE, and the maximum number of times in one line RDATE.
  /// A VTIMEZONE of Exchange has two rules. If a program makes a VTIMEZONE from tzdata, the
  /// VTIMEZONE has at most about 300 rules.
  private static let mostRules = 1_000

  /// Makes libical and ICU load their data. In the sandbox, a program cannot open files. Therefore
  /// a program calls this function before it enters the sandbox.
  static func prepare() {
    var year = RepairedComponent("STANDARD", number: 0)
    for (name, value) in [
      ("DTSTART", "16010101T030000"), ("TZOFFSETFROM", "+0200"), ("TZOFFSETTO", "+0100"),
      ("RRULE", "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10"),
    ] {
      year.lines.append(ContentLine(name: name, value: value, number: 0))
    }
    var zone = RepairedComponent("VTIMEZONE", number: 0)
    zone.components = [year]
    _ = offsets(of: zone, around: Instant(seconds: 0))
  }

  /// Returns the offsets of a VTIMEZONE; nil if it defines no offset.
  static func offsets(of component: RepairedComponent, around now: Instant) -> ICalendarOffsets? {
    guard let text = definition(component), let root = icalparser_parse_string(text) else {
      return nil
    }
    guard let zone = icaltimezone_new() else {
      icalcomponent_free(root)
      return nil
    }
    defer { icaltimezone_free(zone, 1) }
    guard icaltimezone_set_component(zone, root) != 0 else {
      icalcomponent_free(root)
      return nil
    }
    let start = max(now.seconds - before, min(firstOnset(component) ?? .min, now.seconds))
    let end = now.seconds + after
    var last = offset(zone, start)
    var offsets = ICalendarOffsets(start: start, end: end, firstOffset: last, changes: [])
    var second = start
    while second < end {
      let next = min(second + step, end)
      let new = offset(zone, next)
      if new != last {
        var (low, high) = (second, next)
        while high - low > 1 {
          let middle = (low + high) / 2
          if offset(zone, middle) == last { low = middle } else { high = middle }
        }
        offsets.changes.append(.init(second: high, offset: new))
        last = new
      }
      second = next
    }
    // Some files contain only the clock changes of a few years. Such a file does not say whether
    // the clocks change again after its last clock change.
    if !isEndless(component), let change = offsets.changes.last {
      offsets.end = min(end, max(change.second + known, now.seconds + 2 * known))
    }
    return offsets
  }

  /// The time for which the offset is certain after the last clock change of a file, in seconds. In
  /// a zone with two clock changes a year, each offset applies for a longer time than this value.
  private static let known: Int64 = 60 * 86_400

  /// Returns a time shortly after the earliest DTSTART of the VTIMEZONE, in seconds since 1970. The
  /// time is the beginning (in UTC) of the second day after this DTSTART. The result is nil if the
  /// function cannot find a readable DTSTART.
  ///
  /// At this time, the first offset is certain. Before its earliest DTSTART, the VTIMEZONE does not
  /// say which offset applies.
  private static func firstOnset(_ component: RepairedComponent) -> Int64? {
    component.components.compactMap { rule in
      guard let text = rule.line("DTSTART").flatMap({ time($0.value) }) else { return nil }
      let (year, rest) = (text.prefix(4), text.dropFirst(4))
      let day = try? CivilDate(parsing: "\(year)-\(rest.prefix(2))-\(rest.dropFirst(2).prefix(2))")
      return day.map { Int64($0.dayNumber + 2) * 86_400 }
    }.min()
  }

  /// Returns true if a rule of the VTIMEZONE has no end.
  private static func isEndless(_ component: RepairedComponent) -> Bool {
    component.components.contains { rule in
      rule.lines.contains { line in
        line.name == "RRULE" && !line.value.uppercased().contains("UNTIL=")
          && !line.value.uppercased().contains("COUNT=")
      }
    }
  }

  private static func offset(_ zone: OpaquePointer, _ second: Int64) -> Int {
    var time = icaltime_from_timet_with_zone(time_t(second), 0, icaltimezone_get_utc_timezone())
    return Int(icaltimezone_get_utc_offset_of_utc_time(zone, &time, nil))
  }

  /// Writes the VTIMEZONE for libical in the form of RFC 5545, with only the properties that
  /// libical needs. The result is nil if no part STANDARD or DAYLIGHT contains a valid DTSTART and
  /// a valid TZOFFSETTO.
  private static func definition(_ component: RepairedComponent) -> String? {
    var parts = ""
    let rules = component.components.filter { $0.name == "STANDARD" || $0.name == "DAYLIGHT" }
    for rule in rules.prefix(mostRules) {
      guard let start = rule.line("DTSTART").flatMap({ time($0.value) }),
        let to = rule.line("TZOFFSETTO").flatMap({ offset($0.value) })
      else { continue }
      let from = rule.line("TZOFFSETFROM").flatMap { offset($0.value) } ?? to
      parts += "BEGIN:\(rule.name)\r\nDTSTART:\(start)\r\nTZOFFSETFROM:\(from)\r\n"
      parts += "TZOFFSETTO:\(to)\r\n"
      for line in rule.lines {
        switch line.name {
        case "RRULE": if let value = yearly(line.value) { parts += "RRULE:\(value)\r\n" }
        case "RDATE":
          let times = line.value.split(separator: ",").prefix(mostRules).compactMap { time($0) }
          for time in times { parts += "RDATE:\(time)\r\n" }
        default: break
        }
      }
      parts += "END:\(rule.name)\r\n"
    }
    guard !parts.isEmpty else { return nil }
    return "BEGIN:VTIMEZONE\r\nTZID:x\r\n\(parts)END:VTIMEZONE\r\n"
  }

  /// Returns a local time as `YYYYMMDDTHHMMSS`; nil if the text is not a local time.
  private static func time(_ text: some StringProtocol) -> String? {
    let digits = text.utf8.filter { (0x30...0x39).contains($0) }
    guard digits.count == 8 || digits.count >= 12 else { return nil }
    let all = String(decoding: digits, as: UTF8.self)
    let clock = (String(all.dropFirst(8)) + "000000").prefix(6)
    return "\(all.prefix(8))T\(clock)"
  }

  /// Returns an offset as `+HHMM` or `+HHMMSS`; nil if the text is not an offset.
  private static func offset(_ text: String) -> String? {
    let digits = text.utf8.filter { (0x30...0x39).contains($0) }
    guard digits.count == 4 || digits.count == 6 else { return nil }
    let sign = text.contains("-") ? "-" : "+"
    return sign + String(decoding: digits, as: UTF8.self)
  }

  /// Returns the rule if it is a yearly rule, otherwise nil. If a rule had very many times, for
  /// example one time in each second, the program would exceed its limit of processor time.
  private static func yearly(_ rule: String) -> String? {
    // Lotus Notes repeats the time of DTSTART in the rule, as one BYHOUR and one BYMINUTE. Leave
    // out these parts.
    let clock = ["BYHOUR=", "BYMINUTE=", "BYSECOND="]
    let parts = rule.uppercased().split(separator: ";").map { String($0).stripped }.filter { part in
      part.contains(",") || !clock.contains { part.hasPrefix($0) }
    }
    let names: Set<String> = [
      "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYDAY", "BYMONTHDAY", "WKST", "BYSETPOS",
    ]
    let isPlain = parts.allSatisfy { part in
      names.contains(String(part.prefix { $0 != "=" }))
    }
    return isPlain && parts.contains("FREQ=YEARLY") ? parts.joined(separator: ";") : nil
  }
}
