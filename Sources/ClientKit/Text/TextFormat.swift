import CivilTime
import Glibc
import JSONValue

/// Formats times and counts in words for a person.
package enum TextFormat {
  /// Returns the wall-clock time of this machine. The command line uses this time, for example, for
  /// texts such as "in 12 minutes", for previews and for the outbox.
  package static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Returns the time until an instant, or the time since an instant, in words. Examples: `in 12
  /// minutes`, `3 hours ago`, `now`, `on 25 Mar 2040`.
  ///
  /// If the instant is 100 days or more away, the text is the date in the zone of this machine.
  ///
  /// - Returns: an empty text if `utc` is not an instant.
  package static func distance(_ utc: String, from now: Instant = now()) -> String {
    guard let instant = try? Instant(parsing: utc) else { return "" }
    let near = nearDistance(utc, from: now)
    return near.isEmpty ? "on \(day(SystemZones.home().civil(at: instant).dateTime.date))" : near
  }

  /// Returns the time between now and an instant, in the format of `distance`. If the time is 100
  /// days or longer, the text is empty. Use this function for lines that also show the date.
  package static func nearDistance(_ utc: String, from now: Instant = now()) -> String {
    guard let instant = try? Instant(parsing: utc) else { return "" }
    let seconds = (instant.milliseconds(since: now) + 500) / 1_000
    guard abs(seconds) < farSeconds else { return "" }
    let amount = span(abs(seconds))
    if seconds == 0 { return "now" }
    return seconds > 0 ? "in \(amount)" : "\(amount) ago"
  }

  /// The limit for `distance`: 100 days, in seconds. If an instant is at least 100 days away,
  /// `distance` shows the date of the instant.
  private static let farSeconds: Int64 = 100 * 86_400

  /// Returns a duration in words, rounded to one unit: seconds, minutes, hours or days.
  package static func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<90: counted(Int(seconds), "second")
    case 3_570..<3_630: "an hour"
    case ..<5_400: counted(Int((seconds + 30) / 60), "minute")
    case ..<129_600: counted(Int((seconds + 1_800) / 3_600), "hour")
    default: counted(Int((seconds + 43_200) / 86_400), "day")
    }
  }

  /// Returns a local time such as `Tue 1 Dec 2026 08:00`. Seconds are shown if they are not zero.
  ///
  /// - Returns: the unchanged text if the text is not a local time.
  package static func local(_ text: String) -> String {
    guard let value = try? CivilDateTime(parsing: text) else { return text }
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let weekday = weekdays[value.date.weekday.rawValue - 1]
    return "\(weekday) \(day(value.date)) \(clock(value.time, showsSeconds: true))"
  }

  /// Returns the end of a pause in words, for example `the end of Sun 27 Dec 2026` or `Sun 27 Dec
  /// 2026 12:00`.
  ///
  /// - Parameter text: the local time at which the pause ends. If this time is midnight, the words
  ///   contain the previous day, because it is the last day of the pause.
  package static func pauseEnd(_ text: String) -> String {
    guard let value = try? CivilDateTime(parsing: text), value.time == .midnight else {
      return local(text)
    }
    let before = CivilDateTime(date: value.date.adding(days: -1), time: .midnight)
    return "the end of \(local(before.description).dropLast(6))"
  }

  /// Returns the local time of an instant: `08:00` for today, or `Wed 2 Dec 2026 08:00` for a day
  /// that is not today.
  ///
  /// The text contains the seconds only if they are not zero. For today, there is a second
  /// condition: the instant must be less than two minutes before or after `now`.
  ///
  /// - Parameters:
  ///   - utc: an instant as text, in UTC.
  ///   - zone: the tzdata name of the zone. If this machine does not know the name, the function
  ///     uses the zone of this machine.
  /// - Returns: nil if `utc` is not an instant.
  package static func time(_ utc: String, zone: String, from now: Instant = now()) -> String? {
    guard let instant = try? Instant(parsing: utc) else { return nil }
    let zone = SystemZones.zone(zone) ?? SystemZones.home()
    let (value, today) = (zone.civil(at: instant).dateTime, zone.civil(at: now).dateTime.date)
    guard value.date == today else { return local(value.description) }
    return clock(value.time, showsSeconds: abs(instant.milliseconds(since: now)) < 120_000)
  }

  /// Returns the local date and time of an instant, such as `Wed 2 Dec 2026 08:00`.
  package static func whole(_ utc: String, zone: Zone) -> String {
    guard let instant = try? Instant(parsing: utc) else { return utc }
    return local(zone.civil(at: instant).dateTime.description)
  }

  /// Returns a date such as `1 Dec 2026`.
  private static func day(_ date: CivilDate) -> String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return "\(date.day) \(months[date.month - 1]) \(date.year)"
  }

  /// Returns a time of day such as `08:00`, or `08:00:05` if the seconds are shown and are not
  /// zero.
  private static func clock(_ time: ClockTime, showsSeconds: Bool) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(two(time.hour)):\(two(time.minute))"
    return time.second == 0 || !showsSeconds ? text : "\(text):\(two(time.second))"
  }

  /// Returns a typed text as a single line.
  ///
  /// The result contains no line breaks and no escape sequences. A line break could damage a table.
  /// An escape sequence could control a terminal.
  package static func oneLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      // CR and LF together are one line break.
      if last == "\r", scalar == "\n" { continue }
      last = scalar
      let isBreak =
        scalar.properties.generalCategory == .control
        || "\u{2028}\u{2029}".unicodeScalars.contains(scalar)
      line.append(isBreak ? " " : scalar)
    }
    return String(line)
  }

  /// Returns a count and its noun, in the singular or the plural. Examples: `1 ring`, `3 rings`, `2
  /// tries`.
  package static func counted(_ count: Int, _ noun: String, _ nouns: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : nouns ?? "\(noun)s")"
  }

  /// Returns the warnings of a reply, one line each. The function highlights warnings about a
  /// danger for the patient.
  package static func warnings(_ document: JSON) -> [String] {
    document.list("warnings").map {
      let text = oneLine($0.text("text"))
      return ["too_close", "ends_prompt"].contains($0.text("kind"))
        ? Emphasis.bad("WARNING: \(text).") : "Note: \(text)."
    }
  }

  /// Returns the words for an outcome. Example: `missed_no_response` becomes `missed, no response`.
  package static func outcome(_ name: String) -> String {
    for head in ["missed", "suppressed", "cancelled", "completed", "superseded"]
    where name.hasPrefix(head + "_") {
      let rest = name.dropFirst(head.count + 1).map { $0 == "_" ? " " : $0 }
      return "\(head), \(String(rest))"
    }
    return String(name.map { $0 == "_" ? " " : $0 })
  }

  /// Quotes a text so that a shell reads it as one word.
  package static func shellQuoted(_ text: String) -> String {
    // Split the text by bytes, because a shell also reads bytes. Swift would join a quotation mark
    // and a following accent into one `Character`, and a search would not find the quotation mark.
    let parts = text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "'\\''") + "'"
  }
}
