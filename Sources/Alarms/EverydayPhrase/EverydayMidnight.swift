import CivilTime

/// Finds the day to which "midnight" or "24:00" belongs in an everyday phrase.
///
/// Prompter writes midnight as 00:00, the beginning of a day. 24:00 is the end of a day, and is the
/// same instant as 00:00 of the next day. The word "midnight" can mean the beginning or the end of
/// a day.
struct EverydayMidnight {
  let local: CivilDateTime
  private typealias Item = EverydayPhrase.Item

  /// Returns the phrases that a person can mean if the person typed "midnight" or "24:00".
  ///
  /// If the phrase contains neither of these two words, or if it contains "from", "between" or
  /// "every day", the result contains only `items`. If any other phrase with "24:00" contains
  /// further words, but no day that the function can find, the result is empty.
  func moved(
    _ items: [EverydayPhrase.Item], _ reasons: inout [String]
  ) -> [[EverydayPhrase.Item]] {
    let midnights = items.compactMap { item -> EverydayTime.Midnight? in
      if case .time(let time) = item { time.midnight } else { nil }
    }
    guard let midnight = midnights.first else { return [items] }
    let words = EverydayPhrase.words(items)
    if words.contains("from") || words.contains("between") { return [items] }
    if isDaily(words) { return [items] }
    if words.contains("today") { return [replaced(items, "today", ["tomorrow"])] }
    guard let next = nextDay(items) else {
      if midnight == .endOfDay, !words.filter({ $0 != "at" && $0 != "once" }).isEmpty { return [] }
      return [items]
    }
    if midnight == .endOfDay {
      if !words.contains(where: { PhraseReader.dayGroups[$0.lowercased()] != nil }) {
        return [next]
      }
      reasons.append("24:00 is 00:00 of the next day")
      return [next]
    }
    reasons.append("midnight can be the beginning or the end of a day")
    return [items, next]
  }

  private func isDaily(_ words: [String]) -> Bool {
    if words.contains("daily") { return true }
    guard let day = words.firstIndex(of: "day"), day > 0 else { return false }
    return ["every", "each", "a", "per"].contains(words[day - 1])
  }

  /// Returns the phrase with the day after the typed day, for example `tuesday` instead of
  /// `monday`. The result is nil if the function does not find the day in the phrase.
  private func nextDay(_ items: [EverydayPhrase.Item]) -> [EverydayPhrase.Item]? {
    let words = EverydayPhrase.words(items)
    if words.contains("tomorrow") {
      return replaced(items, "tomorrow", ["\(local.date.adding(days: 2))"])
    }
    if let date = words.first(where: PhraseReader.looksLikeDate),
      let day = try? CivilDate(parsing: date)
    {
      return replaced(items, date, ["\(day.adding(days: 1))"])
    }
    let days = words.filter { PhraseReader.dayGroups[$0.lowercased()] != nil }
    guard days.count == 1, let group = PhraseReader.dayGroups[days[0].lowercased()] else {
      return nil
    }
    let after = group.compactMap { Weekday(rawValue: $0.rawValue % 7 + 1) }
    if group.count > 1 {
      var result = items
      result.removeAll { [.word("every"), .word("each"), .word("on")].contains($0) }
      return replaced(result, days[0], EverydayDays.words(after))
    }
    if let place = items.firstIndex(of: .word("next")), items.count > place + 1 {
      let ahead = (group[0].rawValue - local.date.weekday.rawValue + 6) % 7 + 1
      var result = items
      result.replaceSubrange(
        place...place + 1, with: [.word("\(local.date.adding(days: ahead + 1))")])
      return result
    }
    let plural = EverydayDays.isPlural(days[0]) ? "s" : ""
    return replaced(items, days[0], [after[0].name + plural])
  }

  private func replaced(
    _ items: [EverydayPhrase.Item], _ word: String, _ new: [String]
  ) -> [EverydayPhrase.Item] {
    items.flatMap { item -> [EverydayPhrase.Item] in
      item == .word(word) ? new.map { .word($0) } : [item]
    }
  }
}
