import CivilTime

/// Reads the days in everyday phrases: ranges of weekdays, exceptions such as `except sunday`, and
/// dates.
enum EverydayDays {
  static let shortNames: [String: Weekday] = [
    "mo": .monday, "tu": .tuesday, "we": .wednesday, "th": .thursday, "fr": .friday,
    "sa": .saturday, "su": .sunday, "weds": .wednesday,
  ]

  /// Returns the weekday that a word names, for example `mon`, `mondays` or `mo`.
  static func weekday(_ word: String) -> Weekday? {
    PhraseReader.weekdays[word] ?? shortNames[word]
  }

  /// Returns true if the word is the plural of a weekday, for example `mondays`.
  static func isPlural(_ word: String) -> Bool {
    PhraseReader.weekdays[word].map { $0.name.lowercased() + "s" == word } ?? false
  }

  private static let working: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]

  /// Returns the weekdays in words that `PhraseReader` reads, for example `every Monday and
  /// Friday`.
  static func words(_ days: [Weekday]) -> [String] {
    let sorted = days.sorted { $0.rawValue < $1.rawValue }
    if sorted == working { return ["weekdays"] }
    if sorted == [.saturday, .sunday] { return ["weekends"] }
    if sorted.count == 7 { return ["every", "day"] }
    var words = ["every"]
    for day in sorted { words += words.count == 1 ? [day.name] : ["and", day.name] }
    return words
  }

  // MARK: Weekdays

  /// Replaces ranges such as `monday to friday` and exceptions such as `every day except sunday` by
  /// words that name the remaining days, for example `weekdays` or `every monday and tuesday`.
  static func weekdays(_ typed: [String]) -> [String] { exceptions(ranges(typed)) }

  private static func ranges(_ typed: [String]) -> [String] {
    var words: [String] = []
    var index = 0
    while index < typed.count {
      guard let from = weekday(typed[index]), index + 2 < typed.count,
        ["to", "till", "until", "through", "thru", "-"].contains(typed[index + 1]),
        let to = weekday(typed[index + 2])
      else {
        words.append(typed[index])
        index += 1
        continue
      }
      while let last = words.last, ["from", "on", "every", "each"].contains(last) {
        words.removeLast()
      }
      let length = (to.rawValue - from.rawValue + 7) % 7
      let days = (0...length).compactMap { Weekday(rawValue: (from.rawValue + $0 - 1) % 7 + 1) }
      words += self.words(days)
      index += 3
    }
    return words
  }

  private static func exceptions(_ typed: [String]) -> [String] {
    guard let except = typed.firstIndex(where: { ["except", "but"].contains($0) }) else {
      return typed
    }
    var end = except + 1
    var without: Set<Weekday> = []
    while end < typed.count {
      if let days = PhraseReader.dayGroups[typed[end]] {
        without.formUnion(days)
      } else if !["on", "for", "the", "and", "or"].contains(typed[end]) {
        break
      }
      end += 1
    }
    var words = Array(typed[..<except])
    guard !without.isEmpty, let (place, count, base) = base(words) else { return typed }
    let days = base.filter { !without.contains($0) }
    if days.isEmpty { return typed }
    words.replaceSubrange(place..<place + count, with: self.words(days))
    return words + typed[end...]
  }

  /// Finds the words that mean "every day" or "every day from Monday to Friday". The result
  /// contains the index of the first word, the number of words, and the days. The caller then
  /// removes the exceptions from these days.
  private static func base(_ words: [String]) -> (Int, Int, [Weekday])? {
    for (index, word) in words.enumerated() {
      let isEvery = ["every", "each"].contains(word)
      let next = words.dropFirst(index + 1).first
      if isEvery, next == "day" { return (index, 2, Weekday.allCases) }
      if isEvery, next == "weekday" { return (index, 2, working) }
      if word == "daily" { return (index, 1, Weekday.allCases) }
      if word == "weekdays" { return (index, 1, working) }
    }
    return nil
  }

  // MARK: Dates

  /// A date that the words contain.
  enum Found {
    /// A date with a year. The list contains two dates if the order of day and month is not clear,
    /// for example in `3/4/2027`.
    case dates([CivilDate])
    /// A day and a month, without a year.
    case yearly(day: Int, month: Int)
    /// The number of a day, without a month, for example `the 15th`.
    case monthly(day: Int)
  }

  /// Reads the date at the beginning of `words`. The result contains the date, and the number of
  /// words that form the date. The result is nil if `words` do not begin with a date.
  static func date(_ words: ArraySlice<String>) -> (Found, Int)? {
    guard let first = words.first else { return nil }
    if let found = numeric(first) { return (found, 1) }
    var taken = 1
    var day: Int?
    var month = PhraseReader.months[first]
    func next() -> String? { words.dropFirst(taken).first }
    if month == nil {
      guard let number = PhraseReader.monthDay(first) else { return nil }
      day = number
      if next() == "of" { taken += 1 }
      month = next().flatMap { PhraseReader.months[$0] }
      if month == nil { return isLoneDay(first, words) ? (.monthly(day: number), 1) : nil }
      taken += 1
    } else {
      if next() == "the" { taken += 1 }
      day = next().flatMap { word in
        EverydayTime.digits(word)?.minute == nil ? PhraseReader.monthDay(word) : nil
      }
      taken += 1
    }
    guard let day, let month else { return nil }
    if let year = next().flatMap(Int.init), (2_000...2_200).contains(year),
      let date = try? CivilDate(year: year, month: month, day: day)
    {
      return (.dates([date]), taken + 1)
    }
    return (.yearly(day: day, month: month), taken)
  }

  /// Returns true if a day such as `15th` stands alone: the next word is not a weekday, a second
  /// day of the month, or a word such as "of" or "month".
  private static func isLoneDay(_ word: String, _ words: ArraySlice<String>) -> Bool {
    guard let start = word.first, let end = word.last, start.isNumber, !end.isNumber else {
      return false
    }
    guard let next = words.dropFirst().first else { return true }
    let other: Set<String> = [
      "of", "in", "day", "days", "working", "business", "work", "and", "week", "weeks", "month",
      "months", "year", "years", "every", "each",
    ]
    return PhraseReader.dayGroups[next] == nil && !other.contains(next)
      && (PhraseReader.monthDay(next) == nil || next.last != "h")
  }

  /// Reads `24.12.2026`, `24/12/2026`, `24-12-2026`, `2026/12/24` and `24.12.`.
  private static func numeric(_ word: String) -> Found? {
    guard let mark = word.first(where: { !$0.isNumber }), "./-".contains(mark) else { return nil }
    let parts = word.split(separator: mark, omittingEmptySubsequences: false).map { Int($0) }
    if mark == ".", parts.count == 3, parts[2] == nil, word.last == ".", let day = parts[0],
      let month = parts[1], (1...12).contains(month), (1...31).contains(day)
    {
      return .yearly(day: day, month: month)
    }
    guard parts.count == 3, let first = parts[0], let second = parts[1], let third = parts[2] else {
      return nil
    }
    func date(_ day: Int, _ month: Int, _ year: Int) -> CivilDate? {
      guard (2_000...2_200).contains(year) else { return nil }
      return try? CivilDate(year: year, month: month, day: day)
    }
    if first > 999 {
      return mark == "-" ? nil : date(third, second, first).map { .dates([$0]) }
    }
    var dates = [date(first, second, third)].compactMap { $0 }
    if mark != ".", let other = date(second, first, third), !dates.contains(other) {
      dates.append(other)
    }
    return dates.isEmpty ? nil : .dates(dates)
  }
}
