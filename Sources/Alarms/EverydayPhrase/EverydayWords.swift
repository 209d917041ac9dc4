import CivilTime

/// Replaces everyday words with words that `PhraseReader` knows.
///
/// Example: the words "remind me once a day" become "every day". The replacement of a group of
/// words never changes the times of day.
enum EverydayWords {
  /// Words that say nothing about the time. The function `plain` removes these words at the
  /// beginning and at the end of a phrase.
  static let fillers: Set<String> = [
    "please", "kindly", "remind", "me", "ring", "thanks", "always",
  ]

  /// Groups of words and their replacements. The first matching group applies. Therefore a longer
  /// group must come before a shorter group with the same first words.
  static let table: [(from: String, to: String)] = [
    ("each and every day", "every day"), ("every single day", "every day"),
    ("7 days a week", "every day"), ("seven days a week", "every day"),
    ("everyday", "every day"), ("all days", "every day"), ("each day", "every day"),
    ("on alternate days", "every other day"), ("alternate days", "every other day"),
    ("every alternate day", "every other day"), ("every two days", "every 2 days"),
    ("once every day", "every day"), ("once a day", "every day"), ("once daily", "every day"),
    ("once per day", "every day"), ("once a week", "every week"), ("once per week", "every week"),
    ("once a month", "every month"), ("once per month", "every month"),
    ("once a year", "every year"), ("once every", "every"), ("per week", "a week"),
    ("each week", "every week"), ("each month", "every month"),
    ("half an hour", "30 minutes"), ("a half hour", "30 minutes"), ("half hour", "30 minutes"),
    ("half hourly", "every 30 minutes"), ("half-hourly", "every 30 minutes"),
    ("three quarters of an hour", "45 minutes"), ("a quarter of an hour", "15 minutes"),
    ("quarter of an hour", "15 minutes"), ("quarter hour", "15 minutes"),
    ("an hour and a half", "90 minutes"), ("one and a half hours", "90 minutes"),
    ("two and a half hours", "150 minutes"),
    ("at the end of the month", "last day of the month"),
    ("at the end of every month", "last day of every month"),
    ("the end of the month", "last day of the month"),
    ("the end of every month", "last day of every month"),
    ("end of the month", "last day of the month"),
    ("end of every month", "last day of every month"),
    ("end of month", "last day of the month"),
    ("at the beginning of the month", "1st of the month"),
    ("at the start of the month", "1st of the month"),
    ("beginning of the month", "1st of the month"), ("start of the month", "1st of the month"),
    ("last weekday of", "last working day of"),
    ("set an alarm for", ""), ("set alarm for", ""), ("wake me up at", "at"), ("wake me at", "at"),
    ("at the weekends", "weekends"), ("at the weekend", "weekends"), ("at weekends", "weekends"),
    ("12:00 noon", "noon"), ("half-yearly", "every 6 months"), ("tmrw", "tomorrow"),
    ("tmr", "tomorrow"), ("for a week", "for 1 week"),
    ("for one week", "for 1 week"), ("for a day", "for 1 day"), ("1st day of", "1st of"),
    ("first day of", "1st of"), ("a fortnight", "2 weeks"), ("fortnight", "2 weeks"),
    ("twelve noon", "noon"),
    ("12 noon", "noon"), ("12 midnight", "midnight"), ("at lunch time", "at lunchtime"),
    ("bed time", "bedtime"), ("o clock", "o'clock"), ("every quarter", "every 3 months"),
    ("quarterly", "every 3 months"), ("every half year", "every 6 months"),
    ("the coming", "next"), ("this coming", "this"), ("coming", "next"),
    ("only once", "once"), ("just once", "once"), ("working days", "weekdays"),
    ("business days", "weekdays"), ("work days", "weekdays"), ("every working day", "weekdays"),
    ("every business day", "weekdays"), ("each weekday", "every weekday"),
    ("with the exception of", "except"), ("apart from", "except"), ("other than", "except"),
    ("excluding", "except"), ("not on", "except"), ("but not", "except"), ("without", "except"),
  ]

  private static let replacements = groups(table)

  /// Splits the two texts in each row of `table` into words.
  static func groups(
    _ table: [(from: String, to: String)]
  ) -> [(from: [String], to: [String])] {
    table.map { row in
      let from = row.from.split(separator: " ").map(String.init)
      return (from, row.to.split(separator: " ").map(String.init))
    }
  }

  /// Returns the words of a phrase after these changes:
  /// - The function removes punctuation.
  /// - The function removes words without meaning (`fillers`) at the start and at the end.
  /// - The function replaces groups of words as `table` says.
  static func plain(_ typed: [String]) -> [String] {
    var words = typed.flatMap(pieces)
    while let first = words.first, fillers.contains(first) { words.removeFirst() }
    while let last = words.last, fillers.contains(last) { words.removeLast() }
    words = replaced(words)
    return lengths(words)
  }

  /// Splits one typed word into words that `PhraseReader` knows: `a.m.` becomes `am`, `8:00-20:00`
  /// becomes `from 8:00 to 20:00`.
  private static func pieces(_ typed: String) -> [String] {
    var word = typed.filter { !"\"!?;()„“”".contains($0) }
    word = String(word.map { "’‘`´".contains($0) ? "'" : "–—−‑".contains($0) ? "-" : $0 })
    if word.allSatisfy({ $0.isLetter || $0 == "." }) { word = word.filter { $0 != "." } }
    for half in ["am", "pm"] {
      let dotted = half.map { "\($0)." }.joined()
      if word.hasSuffix(dotted) || word.hasSuffix(String(dotted.dropLast())) {
        word = String(word.prefix { $0 != half.first }) + half
      }
    }
    if word.hasSuffix("."), word.dropLast().contains(":") { word.removeLast() }
    if word == "&" || word == "+" { return ["and"] }
    if word == "@" { return ["at"] }
    if word.isEmpty { return [] }
    let listed = word.split(separator: "/").map(String.init)
    if listed.count > 1, listed.allSatisfy({ PhraseReader.dayGroups[$0] != nil }) { return listed }
    if listed.count == 2, listed.allSatisfy({ isTime($0) }) {
      return [listed[0], "and", listed[1]]
    }
    if let count = word.last == "x" ? Int(word.dropLast()) : nil { return ["\(count)", "times"] }
    return range(word) ?? [word]
  }

  /// Returns true for a time of day such as `8:30` or `8am`; false for a number such as `8`.
  private static func isTime(_ word: String) -> Bool {
    EverydayTime.digits(word).map { $0.minute != nil || !$0.suffix.isEmpty } ?? false
  }

  /// Returns the words for a range of times or weekdays that a person typed as one word, for
  /// example `8-20`. The result is nil if the word is not a range.
  private static func range(_ word: String) -> [String]? {
    if word.hasSuffix("/day") { return pieces(String(word.dropLast(4))) + ["a", "day"] }
    let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    if ends.count > 2, ends.allSatisfy({ PhraseReader.weekdays[$0] != nil }) { return ends }
    guard ends.count == 2 else { return nil }
    if ends.allSatisfy({ EverydayDays.weekday($0) != nil }) { return [ends[0], "to", ends[1]] }
    let isTime = ends.allSatisfy { EverydayTime.digits($0) != nil }
    return isTime ? ["from", ends[0], "to", ends[1]] : nil
  }

  private static func replaced(_ words: [String]) -> [String] {
    var result: [String] = []
    var index = 0
    while index < words.count {
      let rest = words[index...]
      let found = replacements.first { rest.starts(with: $0.from) }
      // The words "not on holidays" exclude the days of a list of holidays. `PhraseReader` knows
      // these words, so the function does not replace these words.
      if let found, !(found.to == ["except"] && rest.contains { $0.hasPrefix("holiday") }) {
        result += found.to
        index += found.from.count
      } else {
        result.append(words[index])
        index += 1
      }
    }
    return result
  }

  /// Rewrites lengths of time: `1.5 hours` becomes `90 minutes`, `20 minutes from now` becomes `in
  /// 20 minutes`.
  private static func lengths(_ typed: [String]) -> [String] {
    var words = typed
    for index in words.indices.dropLast() where words[index + 1].hasPrefix("hour") {
      let parts = words[index].split(separator: ".").map(String.init)
      guard parts.count == 2, parts[1].count == 1, let whole = Int(parts[0]),
        let tenths = Int(parts[1]), whole < 1_000
      else { continue }
      (words[index], words[index + 1]) = ("\(whole * 60 + tenths * 6)", "minutes")
    }
    // "every monday and every thursday" becomes "every monday and thursday".
    for place in words.indices.dropLast(2).reversed()
    where words[place] == "and" && ["every", "on", "each"].contains(words[place + 1]) {
      if PhraseReader.weekdays[words[place + 2]] != nil { words.remove(at: place + 1) }
    }
    // "every 3rd day" becomes "every 3 days".
    if let every = words.indices.dropLast(2).first(where: { words[$0] == "every" }),
      ["day", "week", "month", "year"].contains(words[every + 2]),
      let number = PhraseReader.monthDay(words[every + 1]), number > 1
    {
      words.replaceSubrange(every + 1...every + 2, with: ["\(number)", words[every + 2] + "s"])
    }
    if words.suffix(2) == ["from", "now"] { words = ["in"] + words.dropLast(2) }
    if words.first == "in", words.last == "time" { words.removeLast() }
    if words.first == "8-hourly" || words.first == "8" && words.dropFirst().first == "hourly" {
      words = ["every", "8", "hours"] + words.drop { $0 == "8" || $0.hasSuffix("hourly") }
    }
    return words
  }
}
