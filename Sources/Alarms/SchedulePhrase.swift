import CivilTime

/// Reads a schedule as people type it: `every day 08:00`, `mon,wed 18:00`, `in 20 minutes`.
///
/// What it cannot read it refuses, naming the place and what it expected there.
struct SchedulePhrase {
  private let phrase: String
  private let words: [Word]
  private let now: Instant
  private let zone: Zone
  private var position = 0

  /// A word in lower case, with the number of its first character, counted from 1.
  private struct Word {
    var text: String
    var column: Int
  }

  /// - Parameters:
  ///   - now: what "in" and "every … hours" count from, and what "tomorrow" is after.
  ///   - zone: the zone of the civil times in it.
  init(_ phrase: String, now: Instant, zone: Zone) {
    self.phrase = phrase
    self.now = now
    self.zone = zone
    var words: [Word] = []
    var start: Int?
    let characters = Array(phrase.lowercased())
    for (index, character) in (characters + [" "]).enumerated() {
      // The comma of "08:00,20:00" separates words; that of "mon,wed" holds a list together.
      let isTimeComma = character == "," && index > 0 && characters[index - 1].isNumber
      if character == " " || character == "\t" || isTimeComma {
        if let from = start {
          words.append(Word(text: String(characters[from..<index]), column: from + 1))
          start = nil
        }
      } else if start == nil {
        start = index
      }
    }
    self.words = words
  }

  /// - Returns: the schedule, and the words that will mean the same when they are read again.
  /// - Throws: a refusal of the field `schedule`.
  func parsed() throws(Refusal) -> (Schedule, String) {
    var reader = self
    return try reader.read()
  }

  private mutating func read() throws(Refusal) -> (Schedule, String) {
    let canonical = words.map(\.text).joined(separator: " ")
    if canonical.hasPrefix("freq=") || canonical.hasPrefix("rrule:") {
      return (try recurring(rule(of: phrase)), phrase)
    }
    if accept("in") {
      let instant = Instant(seconds: (now.milliseconds + 999) / 1_000 + (try elapsed()))
      try end()
      let local = zone.civil(at: instant).dateTime
      return (.at(instant), "\(local.date) \(clock(local.time))")
    }
    if let once = try oneOff() {
      try end()
      return (.once(once), "\(once.date) \(clock(once.time))")
    }
    if peek == "every", let second = peek(1), Int64(second) != nil, let unit = peek(2),
      Self.elapsedUnits[unit] != nil
    {
      position += 1
      let seconds = try elapsed()
      try end()
      return (.every(seconds: seconds, from: Instant(seconds: now.seconds)), canonical)
    }
    let rule = try civilRule()
    try end()
    return (try recurring(rule), canonical)
  }

  // MARK: One-off

  /// `2026-12-01 14:00`, `2026-12-01T14:00`, `today 14:00`, `tomorrow 14:00`, or a bare time.
  private mutating func oneOff() throws(Refusal) -> CivilDateTime? {
    let local = zone.civil(at: now).dateTime
    guard let first = peek else { throw expected("a schedule, for example \"every day 08:00\"") }
    if first.contains("-"), first.first?.isNumber == true {
      position += 1
      let parts = first.split(separator: "t", maxSplits: 1)
      do {
        let date = try CivilDate(parsing: String(parts[0]))
        if parts.count == 2 {
          return CivilDateTime(date: date, time: try ClockTime(parsing: String(parts[1])))
        }
        return CivilDateTime(date: date, time: try time())
      } catch let error as CivilTimeError {
        throw unreadable(words[position - 1], error.description)
      } catch let refusal as Refusal {
        throw refusal
      } catch {
        throw unreadable(words[position - 1], "\(error)")
      }
    }
    if accept("today") { return CivilDateTime(date: local.date, time: try time()) }
    if accept("tomorrow") {
      return CivilDateTime(date: CivilDate(dayNumber: local.date.dayNumber + 1), time: try time())
    }
    if first.contains(":"), first.first?.isNumber == true {
      let time = try time()
      let day = local.date.dayNumber + (time > local.time ? 0 : 1)
      return CivilDateTime(date: CivilDate(dayNumber: day), time: time)
    }
    return nil
  }

  // MARK: Elapsed

  private static let elapsedUnits: [String: Int64] = [
    "second": 1, "seconds": 1, "sec": 1, "s": 1, "minute": 60, "minutes": 60, "min": 60, "m": 60,
    "hour": 3_600, "hours": 3_600, "h": 3_600,
  ]

  /// `20 minutes`, `90 seconds`, `2 days`: at least a second, at most 366 days.
  private mutating func elapsed() throws(Refusal) -> Int64 {
    guard let word = peek, let count = Int64(word), count > 0 else {
      throw expected("a whole number, for example \"20 minutes\"")
    }
    position += 1
    guard let unit = peek, let seconds = Self.elapsedUnits[unit] ?? Self.dayUnits[unit] else {
      throw expected("\"seconds\", \"minutes\", \"hours\" or \"days\"")
    }
    position += 1
    let (product, overflow) = count.multipliedReportingOverflow(by: seconds)
    guard !overflow, product <= 366 * 86_400 else {
      throw unreadable(words[position - 2], "that is more than 366 days")
    }
    return product
  }

  private static let dayUnits: [String: Int64] = ["day": 86_400, "days": 86_400]

  // MARK: Civil rules

  private static let days: [String: String] = [
    "mon": "MO", "monday": "MO", "tue": "TU", "tuesday": "TU", "wed": "WE", "wednesday": "WE",
    "thu": "TH", "thursday": "TH", "fri": "FR", "friday": "FR", "sat": "SA", "saturday": "SA",
    "sun": "SU", "sunday": "SU",
  ]
  private static let ordinals: [String: Int] = [
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
    "last": -1,
  ]

  private mutating func civilRule() throws(Refusal) -> String {
    if accept("daily") { return "FREQ=DAILY\(try times())" }
    if accept("weekdays") { return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR\(try times())" }
    if accept("weekends") { return "FREQ=WEEKLY;BYDAY=SA,SU\(try times())" }
    if let ordinal = peek.flatMap({ Self.ordinals[$0] }) {
      position += 1
      guard let day = peek.flatMap({ Self.days[$0] }) else { throw expected("a day of the week") }
      position += 1
      try require("of")
      try require("month")
      return "FREQ=MONTHLY;BYDAY=\(ordinal)\(day)\(try times())"
    }
    if peek == "every" {
      position += 1
      return try everyRule()
    }
    if let days = try dayList() { return "FREQ=WEEKLY;BYDAY=\(days)\(try times())" }
    throw expected(
      "a schedule, for example \"every day 08:00\", \"weekdays 09:30\", \"mon,wed 18:00\", "
        + "\"every 8 hours\", \"in 20 minutes\" or \"2026-12-01 14:00\"")
  }

  private mutating func everyRule() throws(Refusal) -> String {
    if accept("day") { return "FREQ=DAILY\(try times())" }
    if accept("weekday") { return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR\(try times())" }
    if let days = try dayList() { return "FREQ=WEEKLY;BYDAY=\(days)\(try times())" }
    guard let word = peek, let count = Int(word), (1...1_000).contains(count) else {
      throw expected("\"day\", a day of the week, or a number from 1 to 1000")
    }
    position += 1
    if accept("days") || accept("day") { return "FREQ=DAILY;INTERVAL=\(count)\(try times())" }
    if accept("weeks") || accept("week") {
      try require("on")
      guard let days = try dayList() else { throw expected("a day of the week") }
      return "FREQ=WEEKLY;INTERVAL=\(count);BYDAY=\(days)\(try times())"
    }
    throw expected("\"days\", \"weeks\", \"hours\", \"minutes\" or \"seconds\"")
  }

  /// `mon,wed` or `mon`; nil where the next word is no day at all.
  private mutating func dayList() throws(Refusal) -> String? {
    guard let word = peek else { return nil }
    let names = word.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let first = names.first, Self.days[first] != nil else { return nil }
    var days: [String] = []
    for name in names {
      guard let day = Self.days[name] else {
        throw unreadable(words[position], "\"\(name)\" is no day of the week")
      }
      if !days.contains(day) { days.append(day) }
    }
    position += 1
    return days.joined(separator: ",")
  }

  /// `08:00`, `at 08:00`, `08:00,20:00`: the BY-parts of the times of day.
  private mutating func times() throws(Refusal) -> String {
    let word = position + (peek == "at" ? 1 : 0)
    var times: [ClockTime] = [try time()]
    while let next = peek, next.first?.isNumber == true { times.append(try time()) }
    let listed = Set(times)
    let minutes = Set(listed.map { $0.secondOfDay % 3_600 })
    guard minutes.count == 1, let first = listed.min() else {
      throw unreadable(
        words[word], "times with different minutes need an alarm each, for example 08:00,20:00 fits")
    }
    let hours = listed.map(\.hour).sorted().map(String.init).joined(separator: ",")
    return ";BYHOUR=\(hours);BYMINUTE=\(first.minute);BYSECOND=\(first.second)"
  }

  private mutating func time() throws(Refusal) -> ClockTime {
    _ = accept("at")
    guard let word = peek else { throw expected("a time of day, for example 08:00") }
    do {
      let time = try ClockTime(parsing: word)
      position += 1
      return time
    } catch {
      throw unreadable(words[position], error.description)
    }
  }

  // MARK: Rules

  private func rule(of phrase: String) -> String {
    let text = phrase.filter { $0 != " " }.uppercased()
    return text.hasPrefix("RRULE:") ? String(text.dropFirst(6)) : text
  }

  /// Anchors a rule at its own first occurrence, so that "every 2 weeks" counts from there.
  private func recurring(_ text: String) throws(Refusal) -> Schedule {
    do {
      let rule = try RecurrenceRule(parsing: text)
      let today = zone.civil(at: now).dateTime
      let recurrence = try Recurrence(rule: rule, start: today, zone: zone)
      guard let first = recurrence.next(after: now) else {
        throw Refusal(
          .invalidField, field: "schedule", "\"\(phrase)\" has no occurrence from now on")
      }
      return .recurring(rule, start: first.nominal)
    } catch let error as CivilTimeError {
      throw Refusal(.invalidField, field: "schedule", "cannot use \"\(phrase)\": \(error)")
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(.invalidField, field: "schedule", "\(error)")
    }
  }

  // MARK: Words

  private var peek: String? { peek(0) }

  private func peek(_ ahead: Int) -> String? {
    position + ahead < words.count ? words[position + ahead].text : nil
  }

  private mutating func accept(_ word: String) -> Bool {
    guard peek == word else { return false }
    position += 1
    return true
  }

  private mutating func require(_ word: String) throws(Refusal) {
    if !accept(word) { throw expected("\"\(word)\"") }
  }

  private func end() throws(Refusal) {
    if position < words.count { throw expected("nothing more") }
  }

  private func clock(_ time: ClockTime) -> String { time.description }

  private func expected(_ what: String) -> Refusal {
    guard position < words.count else {
      return Refusal(
        .invalidField, field: "schedule", "\"\(phrase)\" ends too early: expected \(what)")
    }
    return unreadable(words[position], "expected \(what)")
  }

  private func unreadable(_ word: Word, _ why: String) -> Refusal {
    Refusal(
      .invalidField, field: "schedule",
      "cannot read \"\(word.text)\" at character \(word.column) of \"\(phrase)\": \(why)")
  }
}
