import CivilTime

extension PhraseReader {
  /// A form for the first words of a phrase, for example `every day 08:00`.
  struct Opening: Sendable {
    /// An example of this form of a phrase. If the first words of a phrase match no form, the error
    /// message contains the examples of all forms.
    var example: String
    /// A function that returns true if the next words match this form.
    var begins: @Sendable (PhraseReader) -> Bool
    var read: @Sendable (inout PhraseReader) throws(Refusal) -> PhraseOutline
  }

  /// The forms with which a phrase can begin. The reader uses the first form that matches.
  static let openings: [Opening] = [
    Opening(
      example: "in 20 minutes", begins: { $0.peek == "in" },
      read: { (reader) throws(Refusal) in try reader.inFromNow()
      }),
    Opening(
      example: "random between 09:00 and 12:00",
      begins: { $0.words.contains { $0.text == "random" || $0.text == "randomly" } },
      read: { (reader) throws(Refusal) in try reader.random() }),
    Opening(
      example: "30 minutes after breakfast is completed",
      begins: { $0.words.contains { $0.text == "after" } },
      read: { (reader) throws(Refusal) in try reader.afterAnswer() }),
    Opening(
      example: "2026-12-01 14:00",
      begins: { reader in reader.beginsOneOff },
      read: { (reader) throws(Refusal) in try reader.oneOff() }),
    Opening(
      example: "every 90 minutes from 08:00 to 20:00", begins: { $0.beginsElapsed },
      read: { (reader) throws(Refusal) in try reader.elapsedInterval() }),
    Opening(
      example: "every day 08:00", begins: { _ in true },
      read: { (reader) throws(Refusal) in try reader.civilRule() }),
  ]

  /// Reads the whole phrase. The phrase begins with a form of `openings`. After that, the phrase
  /// can contain any number of parts of `tails`, in any order.
  mutating func outline() throws(Refusal) -> PhraseOutline {
    guard peek != nil else { throw expected(Self.examples) }
    for opening in Self.openings where opening.begins(self) {
      var outline = try opening.read(&self)
      try readTails(into: &outline)
      try end()
      return outline
    }
    throw expected(Self.examples)
  }

  static let examples =
    "a schedule, for example \"every day 08:00\", \"weekdays 09:30\", \"mon,wed 18:00\", "
    + "\"every 2 weeks on tue 10:00\", \"last fri of month 10:00\", \"every 8 hours\", "
    + "\"in 20 minutes\", \"2026-12-01 14:00\" or \"random between 09:00 and 12:00\""

  // MARK: Once

  private mutating func inFromNow() throws(Refusal) -> PhraseOutline {
    position += 1
    let seconds = try elapsed()
    var outline = PhraseOutline(kind: .at(Instant(seconds: now.secondsRoundedUp + seconds)))
    outline.isRelative = true
    return outline
  }

  var beginsOneOff: Bool {
    var reader = self
    _ = reader.accept("once")
    _ = reader.accept("on")
    _ = reader.accept("at")
    guard let first = reader.peek else { return false }
    if ["today", "tomorrow", "tonight"].contains(first) { return true }
    if first == "next" { return reader.peek(1).map { Self.weekdays[$0] != nil } ?? false }
    return Self.looksLikeDate(first) || Self.looksLikeTime(first)
  }

  /// Reads a single date and time, or a time alone.
  ///
  /// The forms are `2026-12-01 14:00`, `2026-12-01T14:00`, an RFC 3339 instant, `tomorrow 14:00`
  /// and `next fri 14:00`.
  private mutating func oneOff() throws(Refusal) -> PhraseOutline {
    _ = accept("once")
    _ = accept("on")
    let local = zone.civil(at: now).dateTime
    if peek == "at", let word = peek(1), Self.looksLikeDate(word) { position += 1 }
    guard let first = peek else { throw expected("a date, for example 2026-12-01") }
    if Self.looksLikeDate(first) {
      let parts = first.split(separator: "t", maxSplits: 1)
      if parts.count == 2, first.hasSuffix("z") || parts[1].contains("+") || parts[1].contains("-")
      {
        var outline = PhraseOutline(
          kind: .at(
            try read { text throws(CivilTimeError) in
              try Instant(parsing: text.uppercased())
            }))
        // The person typed an instant. Because `isRelative` is true, the stored phrase contains the
        // local time of this instant in the zone of the alarm.
        outline.isRelative = true
        return outline
      }
      if parts.count == 2 {
        return PhraseOutline(
          kind: .once(
            try read { text throws(CivilTimeError) in
              try CivilDateTime(parsing: text.uppercased())
            }))
      }
      let date = try date()
      return PhraseOutline(kind: .once(CivilDateTime(date: date, time: try time())))
    }
    var outline: PhraseOutline
    if accept("today") || accept("tonight") {
      outline = PhraseOutline(kind: .once(CivilDateTime(date: local.date, time: try time())))
    } else if accept("tomorrow") {
      let date = local.date.adding(days: 1)
      outline = PhraseOutline(kind: .once(CivilDateTime(date: date, time: try time())))
    } else if accept("next"), let day = peek.flatMap({ Self.weekdays[$0] }) {
      position += 1
      let ahead = (day.rawValue - local.date.weekday.rawValue + 6) % 7 + 1
      outline = PhraseOutline(
        kind: .once(CivilDateTime(date: local.date.adding(days: ahead), time: try time())))
    } else {
      let time = try time()
      let date = local.date.adding(days: time > local.time ? 0 : 1)
      outline = PhraseOutline(kind: .once(CivilDateTime(date: date, time: time)))
    }
    outline.isRelative = true
    return outline
  }

  // MARK: Elapsed

  private static func isSpan(_ word: String) -> Bool {
    ["day", "week", "month", "year", "last"].contains(word)
  }

  var beginsElapsed: Bool {
    if peek == "hourly" { return true }
    guard peek == "every", let second = peek(1) else { return false }
    // In "every second tuesday", the word "second" is not a unit of time.
    if second == "second", let third = peek(2), Self.dayGroups[third] != nil || Self.isSpan(third) {
      return false
    }
    if Self.elapsedUnits[second] != nil || Self.compactSeconds(second) != nil { return true }
    return Self.number(second) != nil && peek(2).map { Self.elapsedUnits[$0] != nil } ?? false
  }

  /// Reads an elapsed interval: `every 8 hours`, `every 90 minutes from 08:00 to 20:00`, `every
  /// hour`.
  private mutating func elapsedInterval() throws(Refusal) -> PhraseOutline {
    var seconds: Int64 = 3_600
    if !accept("hourly") {
      position += 1
      if let unit = peek.flatMap({ Self.elapsedUnits[$0] }) {
        position += 1
        seconds = unit
      } else {
        seconds = try elapsed()
      }
    }
    let isFrom = peek == "from" && peek(1).map(Self.looksLikeTime) ?? false
    guard isFrom || peek == "between" else {
      return PhraseOutline(kind: .elapsed(seconds: seconds))
    }
    let (from, to) = try window()
    return PhraseOutline(kind: .within(seconds: seconds, from: from, to: to))
  }

  /// Reads a daily window, for example `from 08:00 to 20:00` or `between 08:00 and 20:00`.
  private mutating func window() throws(Refusal) -> (ClockTime, ClockTime) {
    guard acceptOne(of: ["from", "between"]) else { throw expected("\"from\" or \"between\"") }
    let from = try time()
    guard acceptOne(of: ["to", "and", "until", "till"]) else { throw expected("\"to\" or \"and\"") }
    let word = position
    let to = try time()
    if from == to { throw unreadable(words[word], "the window begins and ends at the same time") }
    return (from, to)
  }

  // MARK: Random

  /// Reads random times: `random between 09:00 and 12:00`, `3 times a day at random between …`.
  private mutating func random() throws(Refusal) -> PhraseOutline {
    var count: Int?
    while let word = peek, word != "between", word != "from" {
      if let number = Self.number(word) ?? Self.repetitions[word] {
        guard count == nil else { throw expected("\"between\"") }
        guard (1...24).contains(number) else {
          throw unreadable(words[position], "it must be 1 to 24 times a day")
        }
        count = number
        position += 1
      } else if !acceptOne(of: Self.randomFillers) {
        throw expected("\"random\", a number of times, or \"between\"")
      }
    }
    let (from, to) = try window()
    return PhraseOutline(kind: .random(perDay: count ?? 1, from: from, to: to))
  }

  // MARK: After an answer

  /// Reads a time after an answer, for example `30 minutes after breakfast is completed` or `8
  /// hours after the last completion`.
  private mutating func afterAnswer() throws(Refusal) -> PhraseOutline {
    let seconds = try elapsed()
    try require("after")
    let first = position
    _ = accept("the")
    if accept("last", "completion") || accept("completion") || accept("last", "time") {
      return PhraseOutline(kind: .after(.itself, seconds: seconds))
    }
    position = first
    let done: Set<String> = ["completed", "done", "finished"]
    guard let last = words.indices.last(where: { $0 > first && done.contains(words[$0].text) })
    else {
      position = words.count
      throw expected("an alarm and \"is completed\", or \"the last completion\"")
    }
    let end = words[last - 1].text == "is" && last - 1 > first ? last - 1 : last
    var name = words[first..<end].map(\.original).joined(separator: " ")
    for quote: Character in ["\"", "'"]
    where name.count > 2 && name.first == quote && name.last == quote {
      name = String(name.dropFirst().dropLast())
    }
    if name.lowercased().hasPrefix("alarm ") { name = String(name.dropFirst(6)) }
    let id: AlarmID
    do {
      id = try findAlarm(name)
    } catch {
      throw unreadable(words[first], error.detail)
    }
    position = last + 1
    return PhraseOutline(kind: .after(.alarm(id), seconds: seconds))
  }
}
