import CivilTime

// Reads the optional parts after the first words of a phrase, for example the start, the end and
// the early reminders.
extension PhraseReader {
  /// An optional part of a phrase, for example `until 2026-12-31`.
  struct Tail: Sendable {
    enum Kind: Sendable { case until, times, starting, apart, latest, days, early, holidays }

    var kind: Kind
    /// An example of this part of a phrase. If the next words match no part, the error message
    /// contains the examples of all parts.
    var example: String
    var begins: @Sendable (PhraseReader) -> Bool
    var read: @Sendable (inout PhraseReader, inout PhraseOutline) throws(Refusal) -> Void
  }

  static let tails: [Tail] = [
    Tail(
      kind: .until, example: "until 2026-12-31",
      begins: { ["until", "till", "through"].contains($0.peek) },
      read: { (reader, outline) throws(Refusal) in
        reader.position += 1
        outline.ending = .date(try reader.date())
      }),
    Tail(
      kind: .times, example: "for 10 times", begins: { $0.peek == "for" },
      read: { (reader, outline) throws(Refusal) in outline.ending = try reader.ending()
      }),
    Tail(
      kind: .starting, example: "starting 2026-12-01",
      begins: { ["starting", "from", "beginning", "since"].contains($0.peek) },
      read: { (reader, outline) throws(Refusal) in try reader.starting(&outline) }),
    Tail(
      kind: .apart, example: "at least 30 minutes apart",
      begins: { $0.peek == "at" && $0.peek(1) == "least" },
      read: { (reader, outline) throws(Refusal) in
        reader.position += 2
        outline.apartSeconds = try reader.elapsed()
        try reader.require("apart")
      }),
    Tail(
      kind: .latest, example: "at the latest 10:00",
      begins: {
        $0.peek == "latest" || $0.peek == "by" || ($0.peek == "at" && $0.peek(1) == "the")
          || ($0.peek == "no" && $0.peek(1) == "later")
      },
      read: { (reader, outline) throws(Refusal) in
        if !reader.accept("no", "later", "than"), !reader.accept("by"), !reader.accept("latest") {
          reader.position += 2
          try reader.require("latest")
        }
        outline.latest = try reader.time()
      }),
    Tail(
      kind: .days, example: "on weekdays",
      begins: { reader in
        let day = reader.peek == "on" ? reader.peek(1) : reader.peek
        return day.map { PhraseReader.dayGroups[$0] != nil } ?? false
      },
      read: { (reader, outline) throws(Refusal) in
        _ = reader.accept("on")
        outline.weekdays = reader.dayList() ?? []
      }),
    Tail(
      kind: .early, example: "and 1 hour before",
      begins: { ["and", "with", "also"].contains($0.peek) },
      read: { (reader, outline) throws(Refusal) in
        reader.position += 1
        let earlyReminder = try reader.earlyReminder(needsBefore: true)
        if !outline.earlyReminders.contains(earlyReminder) {
          outline.earlyReminders.append(earlyReminder)
        }
      }),
    Tail(
      kind: .holidays, example: "not on holidays DE-BE", begins: { $0.beginsHolidays },
      read: { (reader, outline) throws(Refusal) in try reader.holidays(&outline) }),
    Tail(
      kind: .holidays, example: "holidays DE-BE", begins: { $0.beginsHolidayList },
      read: { (reader, outline) throws(Refusal) in try reader.workingDayHolidays(&outline) }),
  ]

  mutating func readTails(into outline: inout PhraseOutline) throws(Refusal) {
    while peek != nil {
      guard let tail = Self.tails.first(where: { $0.begins(self) }) else {
        let examples = Self.tails.map { "\"\($0.example)\"" }.joined(separator: ", ")
        throw expected("the end of the text, or one of: \(examples)")
      }
      let first = position
      try tail.read(&self, &outline)
      if let why = misfit(of: tail, in: outline) { throw unreadable(words[first], why) }
    }
  }

  /// Returns the reason why a phrase for the schedule of `outline` must not contain `tail`; nil if
  /// the phrase may contain `tail`.
  private func misfit(of tail: Tail, in outline: PhraseOutline) -> String? {
    switch (tail.kind, outline.kind) {
    case (.days, .within), (.days, .random): nil
    case (.days, _): "write the days before the times, for example \"weekdays 09:30\""
    case (.apart, .random): nil
    case (.apart, _): "only random times can have a distance"
    case (.latest, .after): nil
    case (.latest, _): "only a schedule that follows an answer can have a latest time"
    case (.early, .after), (.early, .random):
      "an early reminder needs a time that is known in advance"
    case (.early, _): nil
    case (.holidays, .rule): nil
    case (.holidays, _):
      "only a schedule with times of day, for example \"weekdays 08:00\", can leave out holidays"
    case (_, .at), (_, .once): "it is due only once, so it cannot have a beginning or an end"
    case (.starting, .after(.itself, _)): nil
    case (_, .after): "it follows an answer, so it cannot have a beginning or an end"
    default: nil
    }
  }

  /// Reads the end of a schedule as a count or a duration: `for 10 times`, `for 2 weeks`.
  private mutating func ending() throws(Refusal) -> PhraseOutline.End {
    position += 1
    guard let count = peek.flatMap(Self.number), (1...100_000).contains(count) else {
      throw expected("a number from 1 to 100000")
    }
    position += 1
    if acceptOne(of: ["times", "time", "occurrences"]) { return .times(count) }
    if acceptOne(of: ["days", "day"]) { return .days(count) }
    if acceptOne(of: ["weeks", "week"]) { return .days(min(count, 14_000) * 7) }
    throw expected("\"times\", \"days\" or \"weeks\"")
  }

  /// Reads the start of a schedule: `starting 2026-12-01`, `starting on 2026-12-01 08:00`,
  /// `starting tomorrow`.
  private mutating func starting(_ outline: inout PhraseOutline) throws(Refusal) {
    position += 1
    _ = accept("on")
    let today = zone.civil(at: now).dateTime.date
    if accept("today") || accept("tomorrow") {
      let isToday = words[position - 1].text == "today"
      outline.starting = (isToday ? today : today.adding(days: 1), nil)
      outline.isRelative = true
    } else {
      outline.starting = (try date(), nil)
    }
    if startsTime(0) { outline.starting?.time = try time() }
  }

  /// Reads an early reminder: `1 hour before`, `1h before`, `the evening before at 19:00`, `2 days
  /// before`.
  mutating func earlyReminder(needsBefore: Bool) throws(Refusal) -> EarlyReminder {
    _ = acceptOne(of: ["the", "one"])
    let first = position
    var days: Int?
    var usual: ClockTime?
    if acceptOne(of: ["evening", "night"]) {
      (days, usual) = (1, try? ClockTime(hour: 19, minute: 0))
    } else if accept("day") {
      days = 1
    } else if accept("week") {
      days = 7
    } else if let count = peek.flatMap(Self.number),
      let length = ["day": 1, "days": 1, "week": 7, "weeks": 7][peek(1) ?? ""]
    {
      guard (1...60).contains(count * length) else {
        throw unreadable(words[first], "it must be 1 to 60 days before")
      }
      days = count * length
      position += 2
    }
    if let days {
      try before(needsBefore)
      return .days(days, at: startsTime(0) ? try time() : usual)
    }
    // If the phrase contains "one hour", the code above has already skipped the word "one". This
    // word is the number of hours, so the reader goes back to this word.
    if words[..<position].last?.text == "one" { position -= 1 }
    let seconds = try elapsed()
    try before(needsBefore)
    return .elapsed(seconds: seconds)
  }

  private mutating func before(_ isNeeded: Bool) throws(Refusal) {
    if !acceptOne(of: ["before", "earlier", "beforehand"]), isNeeded {
      throw expected("\"before\"")
    }
  }
}
