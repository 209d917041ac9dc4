import CivilTime

// Reads the part of a phrase that leaves out holidays: `not on holidays DE-BE`.
extension PhraseReader {
  private static let negations: Set<String> = ["not", "except", "but"]
  private static let nouns: Set<String> = ["holidays", "holiday"]

  /// True if the next words leave out holidays.
  var beginsHolidays: Bool {
    var reader = self
    return reader.skipToHolidays()
  }

  /// Reads the words that leave out holidays, and the name of the list.
  mutating func holidays(_ outline: inout PhraseOutline) throws(Refusal) {
    _ = skipToHolidays()
    let (list, isNamed) = try holidayList()
    outline.holidays = list
    // The stored phrase always contains the name, because the home can get a second list later.
    if !isNamed { outline.isRelative = true }
  }

  /// Reads the name of a list. If the phrase ends here or continues with another part, the home
  /// must have exactly one list.
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
