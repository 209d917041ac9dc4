import CivilTime
import Glibc

/// Times and counts as people say them.
package enum TextFormat {
  /// The wall clock, for "in 12 minutes" only; nothing is decided by it.
  package static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// `in 12 minutes`, `3 hours ago`, `now`; empty where the text is no instant.
  package static func distance(_ utc: String, from now: Instant = now()) -> String {
    guard let instant = try? Instant(parsing: utc) else { return "" }
    let seconds = (instant.milliseconds(since: now) + 500) / 1_000
    let amount = span(abs(seconds))
    if seconds == 0 { return "now" }
    return seconds > 0 ? "in \(amount)" : "\(amount) ago"
  }

  /// A length of time in one unit, coarse enough to be read at a glance.
  package static func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<90: counted(Int(seconds), "second")
    case ..<5_400: counted(Int((seconds + 30) / 60), "minute")
    case ..<129_600: counted(Int((seconds + 1_800) / 3_600), "hour")
    default: counted(Int((seconds + 43_200) / 86_400), "day")
    }
  }

  /// `Tue 1 Dec 2026 08:00`, with seconds where they are not zero; the text itself where it is no
  /// local time.
  package static func local(_ text: String) -> String {
    guard let value = try? CivilDateTime(parsing: text) else { return text }
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let date = value.date
    let day = "\(weekdays[date.weekday.rawValue - 1]) \(date.day) \(months[date.month - 1])"
    return "\(day) \(date.year) \(clock(value.time))"
  }

  private static func clock(_ time: ClockTime) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(two(time.hour)):\(two(time.minute))"
    return time.second == 0 ? text : "\(text):\(two(time.second))"
  }

  /// Somebody's words on one line: a line break must not break a table, nor an escape a terminal.
  package static func oneLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      // CR and LF are one line break.
      if last == "\r", scalar == "\n" { continue }
      last = scalar
      let isBreak =
        scalar.properties.generalCategory == .control
        || "\u{2028}\u{2029}".unicodeScalars.contains(scalar)
      line.append(isBreak ? " " : scalar)
    }
    return String(line)
  }

  /// `1 ring`, `3 rings`, `2 tries`.
  package static func counted(_ count: Int, _ noun: String, _ nouns: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : nouns ?? "\(noun)s")"
  }

  /// `missed_no_response` as `missed, no response`.
  package static func outcome(_ name: String) -> String {
    for head in ["missed", "suppressed", "cancelled", "completed", "superseded"]
    where name.hasPrefix(head + "_") {
      let rest = name.dropFirst(head.count + 1).map { $0 == "_" ? " " : $0 }
      return "\(head), \(String(rest))"
    }
    return String(name.map { $0 == "_" ? " " : $0 })
  }

  /// A text as one word of a shell.
  package static func shellQuoted(_ text: String) -> String {
    // By byte: a mark behind a quotation mark makes another Character of it, and not for a shell.
    let parts = text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "'\\''") + "'"
  }
}
