/// Adds the words that an everyday phrase lacks, for example a time of day.
///
/// The program never sets an alarm from a phrase to which the program added words. The refusal
/// proposes the phrase with the added words, and the person can type this phrase.
enum EverydayGaps {
  typealias Item = EverydayPhrase.Item

  /// Adds each of these parts that the phrase lacks: a time of day, a weekday, a day of the month.
  /// Returns the reasons why the daemon does not accept the phrase as the person typed it.
  static func fill(_ items: inout [Item]) -> [String] {
    var reasons: [String] = []
    addDay(&items, &reasons)
    addMonth(&items, &reasons)
    addParts(&items, &reasons)
    let words = EverydayPhrase.words(items)
    let isElapsed = words.contains {
      EverydayPhrase.elapsedUnits.contains($0) || PhraseReader.compactSeconds($0) != nil
    }
    guard !EverydayPhrase.hasTime(items), !isElapsed, words.first != "in",
      !words.contains(where: { $0.contains(":") || $0.hasPrefix("random") })
    else { return reasons }
    let parts = items.compactMap { if case .part(let part) = $0 { part } else { nil } }
    let usual = parts.isEmpty ? usualTimes(words) : parts.map(\.usual)
    let times: [Item] = usual.map { .time(EverydayTime(options: [$0], typed: "")) }
    items.removeAll(where: \.isPart)
    items.insert(contentsOf: times, at: EverydayOrder.tailStart(items))
    reasons.append("it names no time of day")
    return reasons
  }

  /// Returns usual times of day for a phrase such as "three times a day", in minutes after
  /// midnight.
  private static func usualTimes(_ words: [String]) -> [Int] {
    let named = words.compactMap { PhraseReader.repetitions[$0] }.first
    let counted = words.firstIndex(of: "times").flatMap {
      words[..<$0].last.flatMap(PhraseReader.number)
    }
    let isDaily = words.contains("day") || words.contains("daily")
    let count = isDaily ? min(max(named ?? counted ?? 1, 1), 12) : 1
    if count == 1 { return [480] }
    // The first time is 08:00, and no time is later than 20:00. The intervals between the times are
    // about equal, and each time is a full hour or a half hour.
    return (0..<count).map { 480 + $0 * (720 / (count - 1)) / 30 * 30 }
  }

  private static func addDay(_ items: inout [Item], _ reasons: inout [String]) {
    let words = EverydayPhrase.words(items)
    func place(_ names: Set<String>) -> Int? {
      items.firstIndex { if case .word(let word) = $0 { names.contains(word) } else { false } }
    }
    let hasWeekday = words.contains { EverydayDays.weekday($0) != nil }
    let hasDay = words.contains {
      $0 == "day" || PhraseReader.dayGroups[$0] != nil
        || PhraseReader.monthDay($0) != nil && Int($0) == nil
    }
    let counts = ["twice": 2, "two": 2, "2": 2, "thrice": 3, "three": 3, "3": 3]
    let count = words.first.flatMap { counts[$0] }
    if words.contains("for") || words.first == "in" { return }
    if let found = place(["week", "weeks", "weekly", "fortnight", "fortnightly"]), !hasWeekday {
      if let count, words.contains("a") || words.contains("per") {
        let days =
          count == 2 ? ["monday", "and", "thursday"] : ["monday", "wednesday", "and", "friday"]
        items.replaceSubrange(...found, with: days.map { .word($0) })
      } else {
        items.insert(contentsOf: [.word("on"), .word("monday")], at: found + 1)
      }
      reasons.append("it names no day of the week")
    } else if let found = place(["month", "months", "monthly"]), !hasDay {
      if let count, words.contains("a") || words.contains("per") {
        let days = count == 2 ? "the 1st and 15th" : "the 1st and 10th and 20th"
        let text = (days + " of every month").split(separator: " ")
        items.replaceSubrange(...found, with: text.map { .word(String($0)) })
      } else {
        items.insert(contentsOf: [.word("on"), .word("the"), .word("1st")], at: found + 1)
      }
      reasons.append("it names no day of the month")
    }
  }

  /// Adds a usual time for each part of the day in a phrase such as "morning, noon and evening".
  private static func addParts(_ items: inout [Item], _ reasons: inout [String]) {
    let isTwelveHour: (Item) -> Bool = {
      if case .time(let time) = $0 { time.isTwelveHour } else { false }
    }
    let parts = items.indices.filter { items[$0].isPart }
    guard parts.count > 1, EverydayPhrase.hasTime(items), !items.contains(where: isTwelveHour)
    else { return }
    var isAdded = false
    for place in parts {
      guard case .part(let part) = items[place] else { continue }
      let neighbours = [place - 1, place + 1].filter { items.indices.contains($0) }
      let isExact = neighbours.contains {
        if case .time(let time) = items[$0] { time.isOnlyTwentyFourHour } else { false }
      }
      if isExact { continue }
      items[place] = .time(EverydayTime(options: [part.usual], typed: ""))
      isAdded = true
    }
    if isAdded { reasons.append("it names no time of day") }
  }

  /// Adds "of the month" to a phrase such as "last friday 10:00".
  private static func addMonth(_ items: inout [Item], _ reasons: inout [String]) {
    let words = EverydayPhrase.words(items)
    let other: Set<String> = ["of", "in", "month", "months", "every", "each", "week", "weeks"]
    if words.contains(where: other.contains) { return }
    let start = words.prefix { ["on", "the"].contains($0) }.count
    guard let first = words.dropFirst(start).first, PhraseReader.ordinals[first] != nil else {
      return
    }
    let rest = words[(start + 1)...]
    let isWorking = ["working", "business", "work"].contains(rest.first)
    let count = isWorking ? 3 : 2
    guard let day = rest.dropFirst(count - 2).first,
      day == "day" || EverydayDays.weekday(day) != nil
    else { return }
    items.insert(contentsOf: [.word("of"), .word("the"), .word("month")], at: start + count)
    reasons.append("it names no month")
  }

  /// Adds "every day" to a phrase that names times of day, but no days. The phrase must name
  /// several times, or must also contain a part such as "until 2026-12-24". Without such a part, a
  /// single time could mean one day only.
  static func addEveryDay(_ items: inout [Item], _ reasons: inout [String]) {
    var isOnlyTimes = true
    var times = 0
    for (place, item) in items.enumerated() {
      if case .time = item {
        times += 1
      } else if ![.word("at"), .word("and")].contains(item) {
        let isTail = place == EverydayOrder.tailStart(items) && item != .word("and")
        if !isTail || times == 0 { return }
        isOnlyTimes = false
        break
      }
    }
    guard times > 1 || !isOnlyTimes else { return }
    items.insert(contentsOf: [.word("every"), .word("day")], at: 0)
    reasons.append("it does not name the days")
  }
}
