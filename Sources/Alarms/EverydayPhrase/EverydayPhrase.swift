import CivilTime

/// Reads a schedule in everyday words, and writes the schedule in words that `PhraseReader` can
/// read.
///
/// Example: `8am every morning please` becomes `every day 08:00`. If the words have several
/// meanings, the reading contains one phrase for each meaning, and the person must choose.
struct EverydayPhrase {
  /// The phrases that the words can mean.
  struct Reading {
    /// The phrases, in the words that `PhraseReader` knows. `PhraseReader` can still refuse some of
    /// these phrases.
    var phrases: [String]
    /// The reasons why the person must choose; empty if the words have only one meaning.
    var reasons: [String]
  }

  enum Item: Equatable {
    case word(String)
    case time(EverydayTime)
    case part(EverydayPart)

    var isTime: Bool { if case .time = self { true } else { false } }
    var isPart: Bool { if case .part = self { true } else { false } }
  }

  /// The maximum number of words of an everyday phrase. A longer phrase is not everyday language.
  /// The limit also keeps the processor time for one phrase short.
  static let mostWords = 60

  /// The words that begin a part after the days and times: see `PhraseReader.tails`.
  static let tails: Set<String> = [
    "until", "till", "through", "for", "starting", "beginning", "since", "not", "except", "but",
    "holidays",
  ]

  /// The units of an interval that needs no time of day, for example `every 8 hours`.
  static let elapsedUnits: Set<String> = [
    "hour", "hours", "h", "hr", "hrs", "minute", "minutes", "min", "mins", "second", "seconds",
    "sec", "hourly",
  ]

  /// Reads the words that a person typed.
  ///
  /// - Parameter local: the present local time in the zone of the alarm.
  /// - Returns: the phrases that the words can mean; nil if the words are not everyday words for a
  ///   schedule.
  static func reading(of typed: [String], at local: CivilDateTime) -> Reading? {
    guard !typed.isEmpty, typed.count <= mostWords else { return nil }
    let answers: Set<String> = ["completed", "completion", "done", "finished"]
    var reading = Reading(phrases: [], reasons: [])
    if let after = typed.firstIndex(of: "after"), typed.contains(where: answers.contains) {
      // The words after "after" contain the label of an alarm, so these words stay as typed.
      let words = EverydayWords.plain(Array(typed[..<after])) + typed[after...]
      reading.phrases = [words.joined(separator: " ")]
      return reading
    }
    if let length = length(typed) {
      reading.phrases = ["in \(length)", "every \(length)"]
      reading.reasons = ["it can mean once or again and again"]
      return reading
    }
    let english = EverydayTranslation.english(typed)
    if english != nil { reading.reasons.append("Prompter reads only English schedules") }
    let plain = EverydayDays.weekdays(EverydayWords.plain(english ?? typed))
    for words in EverydayDates(local: local).variants(of: plain, &reading.reasons) {
      var items = EverydayItems(words: words).items()
      var reasons = EverydayGaps.fill(&items)
      addTimes(&items, &reasons)
      distribute(&items, &reasons)
      EverydayGaps.addEveryDay(&items, &reasons)
      for variant in weekdayVariants(items, &reasons) {
        for times in EverydayChoice(items: variant).choices(&reasons) {
          let moved = EverydayMidnight(local: local).moved(times, &reasons)
          reading.phrases += moved.map { EverydayOrder.text(of: $0, at: local) }
        }
      }
      for reason in reasons where !reading.reasons.contains(reason) {
        reading.reasons.append(reason)
      }
    }
    var seen: Set<String> = []
    reading.phrases = reading.phrases.filter { seen.insert($0).inserted }
    return reading
  }

  /// Returns the length of time, for example "5 minutes", if the phrase contains only a length of
  /// time; nil for any other phrase.
  private static func length(_ typed: [String]) -> String? {
    let words = EverydayWords.plain(typed)
    let count = words.first.flatMap { ["a", "an"].contains($0) ? 1 : PhraseReader.number($0) }
    guard words.count == 2, words[0].first != "0", let count, elapsedUnits.contains(words[1]) else {
      return nil
    }
    return "\(count) \(words[1])"
  }

  /// Returns true if `PhraseReader` understands the words, but people use these words with two
  /// meanings.
  ///
  /// Example: "monday 10:00" can mean one Monday or every Monday.
  static func isAmbiguous(_ words: [String]) -> Bool {
    guard words.count <= mostWords else { return false }
    if words.contains("midnight") || words.contains("tonight") { return true }
    let rest = words.drop { ["on", "the", "once"].contains($0) }
    if words.contains(where: { tails.contains($0) || $0 == "from" }) { return false }
    if let first = rest.first, EverydayDays.weekday(first) != nil {
      let next = rest.dropFirst().first ?? ""
      return !EverydayDays.isPlural(first) && next != "and" && PhraseReader.dayGroups[next] == nil
    }
    if case .yearly? = EverydayDays.date(rest)?.0 { return true }
    return false
  }

  static func words(_ items: [Item]) -> [String] {
    items.compactMap { if case .word(let word) = $0 { word } else { nil } }
  }

  static func hasTime(_ items: [Item]) -> Bool {
    items.contains(where: \.isTime)
  }

  // MARK: Parts of the day

  /// Adds a time for each part in a phrase such as "every morning and evening at 8".
  private static func addTimes(_ items: inout [Item], _ reasons: inout [String]) {
    let parts = items.indices.filter { items[$0].isPart }
    let times = items.indices.filter { items[$0].isTime }
    guard parts.count > 1, times.count == 1, let last = parts.last, times[0] > last,
      case .time(let time) = items[times[0]]
    else { return }
    let all = parts.flatMap { place -> [Item] in
      guard case .part(let part) = items[place] else { return [] }
      var own = time
      own.options = Array(part.times(time.options[0]).prefix(1))
      own.isTwelveHour = false
      own.isOnlyTwentyFourHour = false
      return [.time(own)]
    }
    items.replaceSubrange(times[0]...times[0], with: all)
    items.removeAll(where: \.isPart)
    reasons.append("it names several parts of the day")
  }

  /// Uses the parts of the day, for example "evening", to decide if a time is before or after noon.
  /// In `8 in the evening`, the time 8 means 20:00.
  ///
  /// If a part does not fit to its time, as in `9am in the evening`, the person must choose between
  /// the typed time and the times of the part. If "and" stands before a part and the part belongs to
  /// no time, the part gets its usual time. In `midday and evening`, the evening means 20:00.
  private static func distribute(_ items: inout [Item], _ reasons: inout [String]) {
    let parts = items.enumerated().compactMap { place, item -> (Int, EverydayPart)? in
      if case .part(let part) = item { (place, part) } else { nil }
    }
    var used: Set<Int> = []
    for (place, item) in items.enumerated() {
      guard case .time(var time) = item else { continue }
      // If a part of the day follows the time directly, this part applies to the time. Otherwise
      // the last part before the time applies. If no part comes before the time, the first part
      // after the time applies.
      let following = parts.first { part in
        part.0 > place && parts.allSatisfy { $0.0 <= place || $0.0 >= part.0 }
      }
      let isAttached = following.map { $0.0 == place + 1 } ?? false
      let own = isAttached ? following : parts.last { $0.0 < place }
      let isOpen = time.isTwelveHour || time.isOnlyTwentyFourHour
      guard let part = own ?? (isOpen ? following : nil) else { continue }
      used.insert(part.0)
      // A time that is certain does not need the part of a time before it. If Prompter added the
      // time, `typed` is empty.
      let isFree = part.0 < place && items[part.0..<place].contains(where: \.isTime)
      if time.midnight != nil || !isOpen && (isFree || time.typed.isEmpty) { continue }
      let known = isOpen ? time.halfDayOptions : time.options
      let fitting = known.flatMap(part.1.times)
      if fitting.count > known.count || !isOpen && fitting != known {
        reasons.append("\(time.typed) and \"\(part.1.rawValue)\" do not fit together")
      }
      let options = isOpen ? fitting : known + fitting.filter { !known.contains($0) }
      if part.1 == .night, options[0] < 300, let today = items.firstIndex(of: .word("today")) {
        items[today] = .word("tomorrow")
        reasons.append("this night also belongs to the next day")
      }
      time.options = options
      time.isTwelveHour = false
      items[place] = .time(time)
    }
    for (place, part) in parts where !used.contains(place) && items[..<place].last == .word("and") {
      items[place] = .time(EverydayTime(options: [part.usual], typed: ""))
      reasons.append("it names no time for \"\(part.rawValue)\"")
    }
    items.removeAll(where: \.isPart)
  }

  // MARK: Weekdays

  /// Returns the possible meanings of a phrase with a single weekday: every week, or once.
  private static func weekdayVariants(_ items: [Item], _ reasons: inout [String]) -> [[Item]] {
    let words = words(items)
    let days = items.indices.filter {
      if case .word(let word) = items[$0] { EverydayDays.weekday(word) != nil } else { false }
    }
    let clear: Set<String> = [
      "every", "each", "week", "weeks", "weekly", "of", "month", "next", "day", "days", "daily",
      "other", "fortnightly", "biweekly", "random", "from", "between",
    ]
    guard days.count == 1, case .word(let name) = items[days[0]],
      let day = EverydayDays.weekday(name), !EverydayDays.isPlural(name),
      !words.contains(where: {
        clear.contains($0) || PhraseReader.ordinals[$0] != nil || PhraseReader.months[$0] != nil
          || tails.contains($0)
      })
    else { return [items] }
    var items = items
    let isOnce = words.first == "once"
    items[days[0]] = .word(day.name)
    var place = days[0]
    while place > 0, case .word(let word) = items[place - 1], ["on", "the", "once"].contains(word) {
      items.remove(at: place - 1)
      place -= 1
    }
    var (weekly, once) = (items, items)
    weekly.insert(.word("every"), at: place)
    once.insert(.word("next"), at: place)
    if isOnce { return [once] }
    reasons.append("it can mean once or every week")
    return [weekly, once]
  }
}
