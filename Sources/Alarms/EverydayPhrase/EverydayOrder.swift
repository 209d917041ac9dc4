import CivilTime

/// Writes the items of an everyday phrase in the order that `PhraseReader` reads.
enum EverydayOrder {
  typealias Item = EverydayPhrase.Item

  /// Returns the items as a phrase that `PhraseReader` can read.
  static func text(of items: [Item], at local: CivilDateTime) -> String {
    text(ordered(merged(items)), at: local)
  }

  /// Keeps only the first "every day" of the items. Example: in "every morning at 8 and every
  /// evening at 9", both parts of the day have added "every day".
  private static func merged(_ items: [Item]) -> [Item] {
    var result: [Item] = []
    var hasDay = false
    for item in items {
      result.append(item)
      guard result.suffix(2) == [.word("every"), .word("day")] else { continue }
      if hasDay { result.removeLast(2) }
      hasDay = true
    }
    while result.last == .word("and") { result.removeLast() }
    return result
  }

  /// Puts the times after the days: `08:00 every day` becomes `every day 08:00`.
  private static func ordered(_ items: [Item]) -> [Item] {
    var items = items
    if items.first == .word("once"), case .word(let next)? = items.dropFirst().first,
      EverydayDays.weekday(next) != nil
    {
      items.removeFirst()
    }
    if case .word(let first)? = items.first, ["from", "between"].contains(first),
      let every = items.firstIndex(where: { [.word("every"), .word("hourly")].contains($0) })
    {
      return Array(items[every...]) + Array(items[..<every])
    }
    var end = 0
    while end < items.count {
      let isLink = [.word("at"), .word("and")].contains(items[end])
      let place = isLink ? end + 1 : end
      guard place < items.count, items[place].isTime else { break }
      end += 1
    }
    if end == 0 { return timesBeforeTails(items) }
    if end == items.count { return items }
    var rest = Array(items[end...])
    while rest.first == .word("on") || rest.first == .word("at") { rest.removeFirst() }
    let place = tailStart(rest)
    if place == 0 { return items }
    return Array(rest[..<place]) + Array(items[..<end]) + Array(rest[place...])
  }

  /// Moves the times to a place before the last part of the phrase, for example a part that begins
  /// with "until". `every monday until 2026-12-24 09:00` becomes `every monday 09:00 until
  /// 2026-12-24`.
  private static func timesBeforeTails(_ items: [Item]) -> [Item] {
    let tail = tailStart(items)
    guard tail > 0, !items[..<tail].contains(where: \.isTime), !hasInterval(items),
      let first = items.firstIndex(where: \.isTime),
      items[first...].allSatisfy({
        $0.isTime || $0 == .word("and") || $0 == .word("at")
      })
    else { return items }
    var end = first
    if items[end - 1] == .word("at") { end -= 1 }
    return Array(items[..<tail]) + Array(items[first...]) + Array(items[tail..<end])
  }

  private static func hasInterval(_ items: [Item]) -> Bool {
    EverydayPhrase.words(items).contains { EverydayPhrase.elapsedUnits.contains($0) }
  }

  /// Returns the index of the first item after the days and times, for example of `until` or
  /// `starting`. If nothing follows the days and times, the result is the number of items.
  static func tailStart(_ items: [Item]) -> Int {
    for (place, item) in items.enumerated() {
      guard case .word(let word) = item else { continue }
      if EverydayPhrase.tails.contains(word) { return place }
      if word == "and", EverydayPhrase.words(Array(items[place...])).contains("before") {
        return place
      }
      if word == "from", case .word(let next)? = items.dropFirst(place + 1).first,
        PhraseReader.looksLikeDate(next)
      {
        return place
      }
    }
    return items.count
  }

  private static func hasOneTime(_ items: [Item]) -> Bool {
    items.filter(\.isTime).count == 1
  }

  /// Adds a date to a start that consists only of a time, for example in `every 8 hours starting at
  /// 8:00`.
  private static func addStart(
    _ words: inout [String], at minutes: Int, isAlone: Bool, _ local: CivilDateTime
  ) {
    guard let last = words.last, ["starting", "beginning", "since", "from"].contains(last) else {
      return
    }
    if last == "from" {
      if !isAlone || !words.contains(where: EverydayPhrase.elapsedUnits.contains) { return }
      words[words.count - 1] = "starting"
    }
    let isToday = minutes * 60 > local.time.secondOfDay
    words.append("\(local.date.adding(days: isToday ? 0 : 1))")
  }

  /// Returns the items as a phrase that `PhraseReader` can read.
  private static func text(_ items: [Item], at local: CivilDateTime) -> String {
    var words: [String] = []
    for item in items {
      switch item {
      case .word(let word): words.append(word)
      case .part(let part): words.append(part.rawValue)
      case .time(let time):
        if words.last == "at" { words.removeLast() }
        addStart(&words, at: time.options[0], isAlone: hasOneTime(items), local)
        words.append(EverydayTime.text(time.options[0]))
      }
    }
    // A person who types "Monday 10:00" on a Monday at 09:00 can mean today. At this point, the
    // typed "Monday" has become "next Monday". But `PhraseReader` reads "next Monday" as the Monday
    // one week later. Therefore, "today" replaces "next Monday".
    if words.starts(with: ["next", local.date.weekday.name]),
      let time = words.dropFirst(2).first, time > "\(local.time)".prefix(5)
    {
      words.replaceSubrange(0...1, with: ["today"])
    }
    if words.first == "on" { words.removeFirst() }
    return words.joined(separator: " ")
  }
}
