import CivilTime

/// Finds the times and the parts of the day in the words of an everyday phrase.
struct EverydayItems {
  let words: [String]
  static let links: Set<String> = ["and", "or"]
  static let rangeStarts: Set<String> = ["from", "between"]
  static let rangeLinks: Set<String> = ["to", "until", "till", "and"]
  /// If one of these words follows a number, the number is not a time of day.
  static let counted: Set<String> = [
    "day", "days", "week", "weeks", "month", "months", "year", "years", "times", "time", "of", "x",
    "random", "occurrences", "before", "moons",
  ]
  static let dayWords: Set<String> = [
    "day", "days", "daily", "today", "tomorrow", "tonight", "at", "um",
  ]

  func items() -> [EverydayPhrase.Item] {
    var items: [EverydayPhrase.Item] = []
    var index = 0
    while index < words.count {
      let rest = words[index...]
      let last = index > 0 ? words[index - 1] : nil
      if let (part, taken, days) = EverydayPart.read(rest, after: last) {
        // If the phrase already contains "today", do not add "today" a second time.
        if !(days == ["today"] && items.contains(.word("today"))) {
          items += days.map { .word($0) }
        }
        // In "noon and evening", the evening is not the part of the day of the time "noon".
        if rest.first == "and", items.last?.isTime == true { items.append(.word("and")) }
        items.append(.part(part))
        index += taken
      } else if !isBlocked(index),
        let (time, taken) = EverydayTime.read(
          rest, hasContext: hasContext(index, items), isRange: isInRange(items))
      {
        items.append(.time(time))
        index += taken
      } else {
        items.append(.word(words[index]))
        index += 1
      }
    }
    return items
  }

  /// Returns true if the number at `index` counts something, for example days.
  private func isBlocked(_ index: Int) -> Bool {
    let next = words.dropFirst(index + 1).first ?? ""
    let isNumber = PhraseReader.number(words[index]) != nil
    guard isNumber, words[index].count != 4 else { return false }
    return Self.counted.contains(next) || EverydayPhrase.elapsedUnits.contains(next)
      || PhraseReader.months[next] != nil
  }

  /// Returns true if the neighbouring words show that the number at `index` is a time of day.
  private func hasContext(_ index: Int, _ items: [EverydayPhrase.Item]) -> Bool {
    let isOnlyNumbers = words.allSatisfy {
      Self.links.contains($0) || EverydayTime.digits($0) != nil
    }
    if isOnlyNumbers { return true }
    guard index > 0 else {
      return EverydayPart.read(words[(index + 1)...], after: words[index]) != nil
    }
    let last = words[index - 1]
    if Self.dayWords.contains(last) || PhraseReader.dayGroups[last] != nil { return true }
    if EverydayPart(word: last) != nil || PhraseReader.looksLikeDate(last) { return true }
    if isInRange(items) { return true }
    if EverydayPart.read(words[(index + 1)...], after: last) != nil { return true }
    let before = Self.links.contains(last) ? items.dropLast().last : items.last
    if case .time? = before { return true }
    if case .part? = before { return true }
    return false
  }

  /// Returns true if the next item is the beginning or the end of a window, as in "from 8 to 20".
  private func isInRange(_ items: [EverydayPhrase.Item]) -> Bool {
    let last = items.suffix(3).map { item -> String in
      switch item {
      case .word(let word): word
      case .time: "time"
      case .part: "part"
      }
    }
    guard let link = last.last else { return false }
    if Self.rangeStarts.contains(link) { return true }
    return last.count == 3 && last[1] == "time" && Self.rangeStarts.contains(last[0])
      && Self.rangeLinks.contains(link)
  }
}
