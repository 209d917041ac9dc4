import CivilTime

// Reads the part of a phrase that excludes holidays: `not on holidays DE-BE`.
extension PhraseReader {
  private static let negations: Set<String> = ["not", "except", "but"]
  private static let nouns: Set<String> = ["holidays", "holiday"]

  /// Returns the number of words in the name for a working day: 2 for `working day`, 1 for
  /// `workday`. The name begins `ahead` words after the next word. The result is nil if these words
  /// mean something else.
  func workingDayWords(after ahead: Int) -> Int? {
    switch (peek(ahead), peek(ahead + 1)) {
    case ("working", "day"), ("business", "day"), ("work", "day"): 2
    case ("workday", _), ("weekday", _): 1
    default: nil
    }
  }

  /// True if the next words can name the list of holidays that working days use. Example: `holidays
  /// DE-BE` in `last working day of the month 09:00 holidays DE-BE`.
  var beginsHolidayList: Bool { peek.map { Self.nouns.contains($0) } ?? false }

  /// Reads the words `holidays NAME` after the words for a working day. The days of the list NAME
  /// are not working days.
  mutating func workingDayHolidays(_ outline: inout PhraseOutline) throws(Refusal) {
    guard case .rule(let pattern, _) = outline.kind, pattern.isWorkingDay else {
      throw unreadable(
        words[position],
        "write \"not on holidays\", or a schedule such as \"last working day of "
          + "the month 09:00 holidays DE-BE\"")
    }
    position += 1
    try readHolidays(into: &outline)
  }

  /// True if the next words exclude holidays, for example `not on holidays`.
  var beginsHolidays: Bool {
    var reader = self
    return reader.skipToHolidays()
  }

  /// Reads the words that exclude holidays, for example `not on holidays`, and the name of the list
  /// of holidays.
  mutating func holidays(_ outline: inout PhraseOutline) throws(Refusal) {
    _ = skipToHolidays()
    try readHolidays(into: &outline)
  }

  private mutating func readHolidays(into outline: inout PhraseOutline) throws(Refusal) {
    let (list, isNamed) = try holidayList()
    outline.holidays = list
    // The stored phrase always contains the name of the list, because the home can get a second
    // list later. If the person typed no name, the code sets `isRelative`, so that `lasting` writes
    // a new phrase that contains the name.
    if !isNamed { outline.isRelative = true }
  }

  /// Reads the name of a list of holidays. If the phrase contains no name here, the home must have
  /// exactly one list.
  private mutating func holidayList() throws(Refusal) -> (HolidayExclusion, isNamed: Bool) {
    _ = acceptOne(of: ["of", "in"])
    let first = position
    guard let word = peek, !HolidayRules.reserved.contains(word) else {
      return (try findHolidays(nil), false)
    }
    position += 1
    do {
      return (try findHolidays(words[first].original), true)
    } catch {
      throw Refusal(
        error.kind, field: error.field,
        "cannot read \"\(words[first].original)\" at character \(words[first].column) of "
          + "\"\(phrase)\": \(error.detail)")
    }
  }

  private mutating func skipToHolidays() -> Bool {
    guard acceptOne(of: Self.negations) else { return false }
    _ = accept("not")
    _ = acceptOne(of: ["on", "for"])
    _ = accept("the")
    return acceptOne(of: Self.nouns)
  }
}
