import CivilTime

/// Writes the dates of an everyday phrase in the form 2026-12-24.
struct EverydayDates {
  let local: CivilDateTime
  static let recurring: Set<String> = [
    "every", "each", "yearly", "annually", "year", "years", "month", "months", "monthly",
  ]
  static let bounds: Set<String> = [
    "until", "till", "through", "starting", "from", "beginning", "since",
  ]

  /// Returns the words, with each date in the form that `PhraseReader` reads. If a date has two
  /// meanings, the result contains two variants of the words.
  func variants(of typed: [String], _ reasons: inout [String]) -> [[String]] {
    let words = relative(typed)
    let isRecurring = words.contains { Self.recurring.contains($0) }
    for index in words.indices {
      let last = words[..<index].last ?? ""
      guard last != "at", last != "and", let (found, taken) = EverydayDays.date(words[index...])
      else {
        continue
      }
      if let named = withWeekday(found, last, in: words, from: index - 1, to: index + taken) {
        return [named]
      }
      let isBound =
        Self.bounds.contains(last)
        || last == "on" && index > 1 && Self.bounds.contains(words[index - 2])
      let texts = texts(
        found, isBound: isBound, isRecurring: isRecurring, in: words, &reasons)
      if texts.isEmpty { continue }
      return texts.flatMap { text -> [[String]] in
        var new = words
        var from = index
        while !isBound, let before = new[..<from].last, ["on", "the", "every"].contains(before) {
          from -= 1
        }
        new.replaceSubrange(from..<index + taken, with: text)
        return isBound ? variants(of: new, &reasons) : [new]
      }
    }
    return [words]
  }

  /// Writes a weekday and its date, for example `Monday 30 November`, as a date with a year. The
  /// result is nil if the date is not on this weekday.
  private func withWeekday(
    _ found: EverydayDays.Found, _ name: String, in words: [String], from: Int, to: Int
  ) -> [String]? {
    guard let weekday = EverydayDays.weekday(name) else { return nil }
    var date: CivilDate?
    switch found {
    case .dates(let dates): date = dates.first { $0.weekday == weekday }
    case .yearly(let day, let month): date = next(day: day, month: month)
    case .monthly: break
    }
    guard let date, date.weekday == weekday else { return nil }
    var new = words
    let first = words[..<from].last == "on" ? from - 1 : from
    new.replaceSubrange(first..<to, with: ["\(date)"])
    return new
  }

  private func texts(
    _ found: EverydayDays.Found, isBound: Bool, isRecurring: Bool, in words: [String],
    _ reasons: inout [String]
  ) -> [[String]] {
    switch found {
    case .dates(let dates):
      if dates.count > 1 { reasons.append("the order of day and month is not clear") }
      return dates.map { ["\($0)"] }
    case .yearly(let day, let month):
      guard let next = next(day: day, month: month) else { return [] }
      if isBound { return [["\(next)"]] }
      if words.contains("every"), !words.contains(where: { $0.hasPrefix("year") }) {
        return [["every", "year", "on", "\(day)", PhraseReader.monthNames[month - 1]]]
      }
      if isRecurring || words.contains(where: { EverydayPhrase.tails.contains($0) }) { return [] }
      let yearly = ["every", "year", "on", "\(day)", PhraseReader.monthNames[month - 1]]
      reasons.append("it can mean once or every year")
      return [["\(next)"], yearly]
    case .monthly(let day):
      guard let next = next(day: day) else { return [] }
      if isBound { return [["\(next)"]] }
      if words.contains(where: { $0.hasPrefix("month") || $0.hasPrefix("year") }) { return [] }
      let monthly = ["the", PhraseReader.ordinal(day), "of", "every", "month"]
      if isRecurring {
        reasons.append("it names no month")
        return [monthly]
      }
      reasons.append("it can mean once or every month")
      return [["\(next)"], monthly]
    }
  }

  /// Returns the next date with this day and this month, today or later. February 29 can be up to 8
  /// years away.
  private func next(day: Int, month: Int) -> CivilDate? {
    (0...8).lazy.compactMap { try? CivilDate(year: local.date.year + $0, month: month, day: day) }
      .first { $0 >= local.date }
  }

  private func next(day: Int) -> CivilDate? {
    (0...2).lazy.compactMap { ahead -> CivilDate? in
      let month = Int(local.date.month) - 1 + ahead
      return try? CivilDate(year: local.date.year + month / 12, month: month % 12 + 1, day: day)
    }.first { $0 >= local.date }
  }

  // MARK: Relative days

  /// Replaces relative days by dates, for example `the day after tomorrow`, `in 3 days at …` and
  /// `this friday`.
  private func relative(_ typed: [String]) -> [String] {
    var words = typed
    if let place = words.indices.first(where: {
      words[$0...].starts(with: ["day", "after", "tomorrow"])
    }) {
      words.replaceSubrange(place..<place + 3, with: ["\(local.date.adding(days: 2))"])
      if words[..<place].last == "the" { words.remove(at: place - 1) }
    }
    if let place = words.firstIndex(of: "this"), place + 1 < words.count,
      let day = EverydayDays.weekday(words[place + 1])
    {
      let ahead = (day.rawValue - local.date.weekday.rawValue + 7) % 7
      words.replaceSubrange(place...place + 1, with: ["\(local.date.adding(days: ahead))"])
    }
    for place in words.indices.dropLast() where Self.bounds.contains(words[place]) {
      var taken = place + 1
      if ["on", "next", "this"].contains(words[taken]), taken + 1 < words.count { taken += 1 }
      if words[taken] == "tomorrow", words[place] != "from" {
        words.replaceSubrange(place + 1...taken, with: ["\(local.date.adding(days: 1))"])
        break
      }
      guard let day = EverydayDays.weekday(words[taken]), !EverydayDays.isPlural(words[taken])
      else {
        continue
      }
      let ahead = (day.rawValue - local.date.weekday.rawValue + 7) % 7
      words.replaceSubrange(place + 1...taken, with: ["\(local.date.adding(days: ahead))"])
      break
    }
    if words.first == "in", words.count > 3, let days = span(words[1], words[2]) {
      words.replaceSubrange(0...2, with: ["\(local.date.adding(days: days))"])
    }
    return words
  }

  private func span(_ count: String, _ unit: String) -> Int? {
    let number = ["a", "an"].contains(count) ? 1 : PhraseReader.number(count)
    let length = ["day": 1, "days": 1, "week": 7, "weeks": 7][unit]
    guard let number, let length, (1...1_000).contains(number) else { return nil }
    return number * length
  }
}
