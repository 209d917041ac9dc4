import CivilTime

// Reads the words in phrases: numbers, names, durations, dates and times of day.
extension PhraseReader {
  static let elapsedUnits: [String: Int64] = [
    "second": 1, "seconds": 1, "sec": 1, "s": 1, "minute": 60, "minutes": 60, "min": 60, "m": 60,
    "mins": 60, "hour": 3_600, "hours": 3_600, "h": 3_600, "hr": 3_600, "hrs": 3_600,
  ]
  static let dayUnits: [String: Int64] = [
    "day": 86_400, "days": 86_400, "week": 604_800, "weeks": 604_800,
  ]
  static let repetitions = ["once": 1, "twice": 2, "thrice": 3]
  static let randomFillers: Set<String> = [
    "random", "randomly", "at", "times", "time", "a", "per", "every", "each", "day", "daily",
  ]
  static let ordinals: [String: Int] = [
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
    "fifth": 5, "5th": 5, "last": -1,
  ]
  static let months: [String: Int] = {
    var months: [String: Int] = [:]
    for (index, name) in monthNames.enumerated() {
      months[name.lowercased()] = index + 1
      months[String(name.lowercased().prefix(3))] = index + 1
    }
    return months
  }()
  static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  static let weekdays: [String: Weekday] = {
    var days: [String: Weekday] = ["tues": .tuesday, "thur": .thursday, "thurs": .thursday]
    for day in Weekday.allCases {
      let name = day.name.lowercased()
      for form in [name, name + "s", String(name.prefix(3))] { days[form] = day }
    }
    return days
  }()
  static let dayGroups: [String: [Weekday]] = {
    let working: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
    var groups = weekdays.mapValues { [$0] }
    for name in ["weekday", "weekdays", "workday", "workdays"] { groups[name] = working }
    for name in ["weekend", "weekends"] { groups[name] = [.saturday, .sunday] }
    return groups
  }()
  static let namedTimes = ["noon": 12, "midday": 12, "midnight": 0]
  static let numberWords = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
  ]

  /// Returns the whole number that a word contains in digits or in words; nil if the word is not a
  /// number.
  static func number(_ word: String) -> Int? {
    if let named = numberWords[word] { return named }
    guard word.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(word)
  }

  /// Returns the day of the month, from 1 to 31, that a word such as `15`, `15th` or `first` means;
  /// nil for any other word.
  static func monthDay(_ word: String) -> Int? {
    if let ordinal = ordinals[word], ordinal > 0 { return ordinal }
    var digits = word[...]
    for suffix in ["st", "nd", "rd", "th", "."] where word.hasSuffix(suffix) {
      digits = word.dropLast(suffix.count)
    }
    guard let day = number(String(digits)), (1...31).contains(day), digits.first?.isNumber == true
    else { return nil }
    return day
  }

  /// Returns the day with its ordinal suffix, for example `1st`, `22nd` or `13th`.
  ///
  /// - Parameter day: a day of the month, from 1 to 31.
  static func ordinal(_ day: Int) -> String {
    let suffix = day / 10 == 1 ? nil : [1: "st", 2: "nd", 3: "rd"][day % 10]
    return "\(day)\(suffix ?? "th")"
  }

  static func looksLikeDate(_ word: String) -> Bool {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count >= 3 && parts[0].count == 4 && parts[0].allSatisfy(\.isNumber)
  }

  static func looksLikeTime(_ word: String) -> Bool {
    if word == "at" || namedTimes[word] != nil { return true }
    guard let first = word.first, first.isASCII, first.isNumber else { return false }
    return word.contains(":") || word.hasSuffix("am") || word.hasSuffix("pm")
  }

  /// Returns the length in seconds of a short duration, for example `90m` or `1h30m`; nil for any
  /// other word.
  static func compactSeconds(_ word: String) -> Int64? {
    var total: Int64 = 0
    var digits = ""
    for character in word {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      guard digits.count < 9, let count = Int64(digits),
        let unit = ["s": 1, "m": 60, "h": 3_600, "d": 86_400][String(character)]
      else { return nil }
      total += count * Int64(unit)
      digits = ""
    }
    return digits.isEmpty && total > 0 ? total : nil
  }

  /// Reads a duration, and returns the duration in seconds: `20 minutes`, `1h30m`, `2 hours 30
  /// minutes`.
  ///
  /// The duration must be at least 1 second and at most 366 days.
  mutating func elapsed() throws(Refusal) -> Int64 {
    let first = position
    var total: Int64 = 0
    while let word = peek {
      var part: Int64?
      if let compact = Self.compactSeconds(word) {
        part = compact
        position += 1
      } else if let count = ["a", "an"].contains(word) ? 1 : Self.number(word) {
        let known = peek(1).flatMap { Self.elapsedUnits[$0] ?? Self.dayUnits[$0] }
        if known == nil, total > 0 { break }
        position += 1
        guard let unit = known else {
          throw expected("\"seconds\", \"minutes\", \"hours\" or \"days\"")
        }
        position += 1
        let (product, overflow) = Int64(count).multipliedReportingOverflow(by: unit)
        part = overflow ? .max : product
      }
      guard let part else { break }
      let (sum, overflow) = total.addingReportingOverflow(part)
      guard !overflow, sum <= 366 * 86_400 else {
        throw unreadable(words[first], "that is more than 366 days")
      }
      guard part > 0 else { throw unreadable(words[first], "it must be at least a second") }
      total = sum
    }
    guard total > 0 else { throw expected("a length of time, for example \"20 minutes\"") }
    return total
  }

  mutating func date() throws(Refusal) -> CivilDate {
    try read { text throws(CivilTimeError) in try CivilDate(parsing: text) }
  }

  /// Reads a time of day. The word "at" before the time is optional.
  ///
  /// The forms are `08:00`, `8:00`, `08:00:30`, `8am`, `8:30 pm` and `noon`.
  mutating func time() throws(Refusal) -> ClockTime {
    _ = accept("at")
    guard let word = peek else { throw expected("a time of day, for example 08:00") }
    if let hour = Self.namedTimes[word] {
      position += 1
      do { return try ClockTime(hour: hour, minute: 0) } catch { throw expected("a time of day") }
    }
    var text = word
    var half = ["am", "pm"].first { text.hasSuffix($0) }
    var taken = 1
    if half != nil {
      text = String(text.dropLast(2))
    } else if let next = peek(1), next == "am" || next == "pm" {
      (half, taken) = (next, 2)
    }
    if half != nil, !text.contains(":") { text += ":00" }
    if text.prefix(while: { $0 != ":" }).count == 1 { text = "0" + text }
    var time: ClockTime
    do {
      time = try ClockTime(parsing: text)
      if let half {
        guard (1...12).contains(time.hour) else {
          throw unreadable(words[position], "with \"\(half)\" the hour is 1 to 12")
        }
        time = try ClockTime(
          hour: time.hour % 12 + (half == "pm" ? 12 : 0), minute: time.minute, second: time.second)
      }
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw unreadable(words[position], "expected a time of day, for example 08:00")
    }
    position += taken
    return time
  }

  /// Reads the next word as a date, time or instant.
  mutating func read<Value>(
    _ parse: (String) throws(CivilTimeError) -> Value
  ) throws(Refusal) -> Value {
    guard let word = peek else { throw expected("a date, for example 2026-12-01") }
    do {
      let value = try parse(word)
      position += 1
      return value
    } catch {
      throw unreadable(words[position], error.description)
    }
  }
}
