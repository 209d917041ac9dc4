import CivilTime

// Reads civil rules: the days, and then the times of day.
extension PhraseReader {
  typealias Pattern = PhraseOutline.CivilPattern

  /// Reads a civil rule.
  ///
  /// Examples are `every day 08:00`, `mon,wed 18:00`, `last fri of month 10:00` and `on the 15th of
  /// every month 09:00`.
  mutating func civilRule() throws(Refusal) -> PhraseOutline {
    let first = position
    let repeats = try timesADay()
    let pattern = try repeats == nil ? days() : Pattern(frequency: "DAILY")
    let firstTime = position
    let times = try times()
    if let repeats, times.count != repeats {
      throw unreadable(
        words[first],
        "it needs \(repeats) times of day, not \(times.count) "
          + "(from character \(words[firstTime].column) on)"
      )
    }
    return PhraseOutline(kind: .rule(pattern, times: times))
  }

  /// Reads a phrase like `3 times a day` and returns the number, 3 in this example. The caller must
  /// then read the same number of times of day, for example `08:00, 12:00 and 18:00`.
  private mutating func timesADay() throws(Refusal) -> Int? {
    guard let word = peek else { return nil }
    var ahead = 1
    var count = Self.repetitions[word]
    if count == nil, let number = Self.number(word), peek(1) == "times" {
      (count, ahead) = (number, 2)
    }
    guard let count else { return nil }
    if peek(ahead) == "daily" {
      position += ahead + 1
    } else if ["a", "per", "every", "each"].contains(peek(ahead)), peek(ahead + 1) == "day" {
      position += ahead + 2
    } else {
      position += ahead
      throw expected("\"a day\"")
    }
    return count
  }

  /// Reads the words of the phrase that are before the times of day, for example "every second
  /// Monday".
  private mutating func days() throws(Refusal) -> Pattern {
    _ = accept("on")
    _ = accept("the")
    if accept("daily") { return Pattern(frequency: "DAILY") }
    if accept("weekly") { return try weekly(interval: 1) }
    if accept("fortnightly") || accept("biweekly") { return try weekly(interval: 2) }
    if accept("monthly") { return try monthly(interval: 1) }
    if accept("yearly") || accept("annually") { return try yearly(interval: 1) }
    if let days = dayList() { return Self.weekly(days, interval: 1) }
    if let found = try ordinalOfMonth() { return found }
    if acceptOne(of: ["every", "each"]) { return try everyRule() }
    throw expected(Self.examples)
  }

  private mutating func everyRule() throws(Refusal) -> Pattern {
    var interval = 1
    if accept("other") {
      interval = 2
    } else if let days = dayList() {
      return Self.weekly(days, interval: 1)
    } else if let count = peek.flatMap(Self.number), peek(1) != "of" {
      guard (1...1_000).contains(count) else {
        throw unreadable(words[position], "it must be 1 to 1000")
      }
      interval = count
      position += 1
    } else if let found = try ordinalOfMonth() {
      return found
    } else if let ordinal = peek.flatMap({ Self.ordinals[$0] }), ordinal > 1 {
      interval = ordinal
      position += 1
    }
    if acceptOne(of: ["day", "days"]) { return Pattern(frequency: "DAILY", interval: interval) }
    if acceptOne(of: ["week", "weeks"]) { return try weekly(interval: interval) }
    if acceptOne(of: ["month", "months"]) { return try monthly(interval: interval) }
    if acceptOne(of: ["year", "years"]) { return try yearly(interval: interval) }
    if let days = dayList() { return Self.weekly(days, interval: interval) }
    throw expected(
      interval == 1
        ? "\"day\", a day of the week, \"month\", or a number from 1 to 1000"
        : "\"days\", \"weeks\", \"months\", \"years\", \"hours\", \"minutes\" or \"seconds\"")
  }

  private static func weekly(_ days: [Weekday], interval: Int) -> Pattern {
    let text = days.sorted { $0.rawValue < $1.rawValue }.map(\.ruleText).joined(separator: ",")
    return Pattern(frequency: "WEEKLY", interval: interval, parts: ";BYDAY=\(text)")
  }

  private mutating func weekly(interval: Int) throws(Refusal) -> Pattern {
    _ = accept("on")
    guard let days = dayList() else { throw expected("a day of the week") }
    return Self.weekly(days, interval: interval)
  }

  private mutating func monthly(interval: Int) throws(Refusal) -> Pattern {
    _ = accept("on")
    _ = accept("the")
    guard let parts = try monthParts() else {
      throw expected("a day of the month, for example \"the 15th\", \"the last day\"")
    }
    return Pattern(frequency: "MONTHLY", interval: interval, parts: parts)
  }

  /// Reads words for a day of each month or of each year. Examples: `first mon of the month`, `15th
  /// of every month`, `last day of month`, `24 december`.
  private mutating func ordinalOfMonth() throws(Refusal) -> Pattern? {
    let start = position
    if peek(1).flatMap({ Self.months[$0] }) != nil, peek.flatMap(Self.monthDay) != nil {
      return try yearly(interval: 1)
    }
    guard let parts = try monthParts() else {
      position = start
      return nil
    }
    // "every second tue 10:00" means a Tuesday every 2 weeks. "every second tue of the month" means
    // the second Tuesday of each month.
    let next = peek
    guard next == "of" || next == "in" || next == "month" || next == "every" else {
      let isWeekday = peek.map(Self.looksLikeTime) ?? true
      let named = words[start..<position].contains { Self.weekdays[$0.text] != nil }
      if isWeekday, named, start > 0 {
        position = start
        return nil
      }
      // In "every day 8", the person probably means the time 08:00. Therefore this error message
      // also shows a time of day.
      throw expected(
        words[start].text == "day"
          ? "a time of day with its minutes, for example 08:00, or \"of the month\""
          : "\"of the month\"")
    }
    _ = acceptOne(of: ["of", "in"])
    _ = acceptOne(of: ["the", "every", "each", "a"])
    if let month = peek.flatMap({ Self.months[$0] }) {
      // The value -1 is the last day of the month, which exists in every month. For any other day,
      // `yearly` reads the words again and checks that the day exists in the month.
      if parts.hasPrefix(";BYMONTHDAY="), parts != ";BYMONTHDAY=-1" {
        position = start
        return try yearly(interval: 1)
      }
      position += 1
      return Pattern(frequency: "YEARLY", parts: ";BYMONTH=\(month)" + parts)
    }
    var interval = 1
    if accept("other") {
      interval = 2
    } else if let count = peek.flatMap(Self.number), peek(1) == "months" {
      guard (1...1_000).contains(count) else {
        throw unreadable(words[position], "it must be 1 to 1000")
      }
      (interval, position) = (count, position + 1)
    }
    guard acceptOne(of: ["month", "months"]) else { throw expected("\"month\"") }
    return Pattern(frequency: "MONTHLY", interval: interval, parts: parts)
  }

  /// Reads days of a month, for example `first mon`, `15th and 31st` or `last day`, and returns
  /// these days as BYDAY or BYMONTHDAY of RFC 5545.
  ///
  /// If a month does not contain the day, for example the 31st, the alarm is due on the last day of
  /// the month (SKIP=BACKWARD of RFC 7529). A person who types "the 31st" also expects a reminder
  /// in June. But if a month has no fifth Monday, `fifth mon` is not due in this month.
  private mutating func monthParts() throws(Refusal) -> String? {
    if accept("last", "day") { return ";BYMONTHDAY=-1" }
    if let ordinal = peek.flatMap({ Self.ordinals[$0] }), (-1...5).contains(ordinal),
      let length = workingDayWords(after: 1)
    {
      position += 1 + length
      return "\(WorkingDays.ruleText);BYSETPOS=\(ordinal)"
    }
    if let ordinal = peek.flatMap({ Self.ordinals[$0] }), (-1...5).contains(ordinal),
      let day = peek(1).flatMap({ Self.weekdays[$0] })
    {
      position += 2
      return ";BYDAY=\(ordinal)\(day.ruleText)"
    }
    if let parts = ordinalWeekdays() { return parts }
    _ = accept("day")
    var days: [Int] = []
    while true {
      let before = position
      if !days.isEmpty { _ = accept("and") }
      if !days.isEmpty { _ = accept("the") }
      guard let day = peek.flatMap(Self.monthDay), !Self.looksLikeTime(peek ?? "") else {
        position = before
        break
      }
      position += 1
      days.append(day)
    }
    let listed = Set(days).sorted()
    guard let last = listed.last else { return nil }
    return ";BYMONTHDAY=\(listed.map(String.init).joined(separator: ","))"
      + (last > 28 ? ";RSCALE=GREGORIAN;SKIP=BACKWARD" : "")
  }

  /// Reads several ordinal numbers and then one weekday, for example `first and third monday`. The
  /// result is nil if the next words mean something else.
  private mutating func ordinalWeekdays() -> String? {
    var ordinals: [Int] = []
    var ahead = 0
    while let word = peek(ahead) {
      if let ordinal = Self.ordinals[word], (-1...5).contains(ordinal) {
        ordinals.append(ordinal)
      } else if word != "and" && word != "the" || ordinals.isEmpty {
        break
      }
      ahead += 1
    }
    guard ordinals.count > 1, let day = peek(ahead).flatMap({ Self.weekdays[$0] }) else {
      return nil
    }
    position += ahead + 1
    // Sort the weeks by their place in the month. The ordinal -1 means the last week, so this
    // ordinal comes after the other ordinals.
    let sorted = Set(ordinals).sorted { ($0 < 0 ? 6 : $0) < ($1 < 0 ? 6 : $1) }
    return ";BYDAY=" + sorted.map { "\($0)\(day.ruleText)" }.joined(separator: ",")
  }

  /// Reads a day of the year: `on 24 december`, `on december 24`, `on the 15th and
  /// 31st of december`.
  private mutating func yearly(interval: Int) throws(Refusal) -> Pattern {
    _ = accept("on")
    _ = accept("the")
    var days: [Int] = []
    var lastDay = position
    func takeDays() {
      guard days.isEmpty else { return }
      while true {
        let before = position
        if !days.isEmpty { _ = accept("and") }
        _ = accept("the")
        guard let day = peek.flatMap(Self.monthDay), !startsTime(0) else {
          position = before
          return
        }
        if !days.contains(day) { days.append(day) }
        lastDay = position
        position += 1
      }
    }
    takeDays()
    _ = accept("of")
    guard let month = peek.flatMap({ Self.months[$0] }) else {
      throw expected("a day and a month, for example \"24 december\"")
    }
    position += 1
    takeDays()
    guard let last = days.max() else { throw expected("a day of the month") }
    let length = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    if last > length {
      throw unreadable(words[lastDay], "that month has at most \(length) days")
    }
    let list = days.sorted().map(String.init).joined(separator: ",")
    return Pattern(
      frequency: "YEARLY", interval: interval,
      parts: ";BYMONTH=\(month);BYMONTHDAY=\(list)"
        + (month == 2 && last == 29 ? ";RSCALE=GREGORIAN;SKIP=BACKWARD" : ""))
  }

  /// Reads a list of weekdays: `mon,wed and fri`, `weekdays`, `weekends`; nil if the next word is
  /// not a day.
  mutating func dayList() -> [Weekday]? {
    var days: [Weekday] = []
    while let word = peek {
      let isAnd = word == "and" && !days.isEmpty
      guard let name = isAnd ? peek(1) : word, let found = Self.dayGroups[name] else { break }
      position += isAnd ? 2 : 1
      for day in found where !days.contains(day) { days.append(day) }
    }
    return days.isEmpty ? nil : days
  }

  /// Reads times of day, for example `08:00` or `at 8:00 and 20:30`. The result is sorted and has
  /// no duplicates.
  private mutating func times() throws(Refusal) -> [ClockTime] {
    var times = [try time()]
    while let word = peek {
      let isAnd = word == "and"
      guard startsTime(isAnd ? 1 : 0) else { break }
      if isAnd { position += 1 }
      times.append(try time())
    }
    return Set(times).sorted()
  }

  /// Returns true if a time of day starts `ahead` words after the next word. If `ahead` is 0, the
  /// function checks the next word.
  func startsTime(_ ahead: Int) -> Bool {
    guard let word = peek(ahead) else { return false }
    if word == "at" { return peek(ahead + 1).map(Self.looksLikeTime) ?? false }
    return Self.looksLikeTime(word) || peek(ahead + 1) == "am" || peek(ahead + 1) == "pm"
  }
}

extension Weekday {
  /// The two-letter name of the weekday in RFC 5545, for example `MO`.
  var ruleText: String { ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][rawValue - 1] }
  /// The English name of the weekday.
  var name: String {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][rawValue - 1]
  }
}
