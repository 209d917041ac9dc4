import CivilTime

/// Reads a schedule as people type it: `every day 08:00`, `mon,wed 18:00`, `in 20 minutes`.
///
/// The result also contains the schedule as a complete phrase. If a person types this phrase, the
/// result is the same schedule. If a phrase is not valid, the refusal contains the position of the
/// error and the expected words. `PhraseReader.openings` lists the forms for the first words of a
/// phrase. `PhraseReader.tails` lists the parts that can follow these first words.
public struct SchedulePhrase: Sendable {
  /// The schedule and the early reminders that a phrase means.
  public struct Parsed: Hashable, Sendable {
    public var schedule: Schedule
    /// The early reminders in the phrase.
    public var earlyReminders: [EarlyReminder]
    /// The phrase that a person typed, but with dates instead of the relative parts of the phrase.
    /// For example, a date replaces the word "tomorrow".
    public var phrase: String
    /// The schedule as a complete phrase. If a person types this phrase, the result is the same
    /// schedule.
    public var words: String
  }

  /// A function that finds an alarm by the id or the label in a phrase. The label must belong to
  /// only one alarm.
  ///
  /// The function throws a refusal if no alarm or more than one alarm matches.
  public typealias AlarmFinder = @Sendable (String) throws(Refusal) -> AlarmID

  /// A function that finds a list of holidays by the name in a phrase. The name is nil if the
  /// phrase contains no name.
  ///
  /// The function throws a refusal if the home has no list with this name. It also throws a refusal
  /// if the name is nil and the home does not have exactly one list.
  public typealias HolidayFinder = @Sendable (String?) throws(Refusal) -> HolidayExclusion

  private let reader: PhraseReader

  /// Splits the phrase into words. The function `parsed` then reads the words.
  ///
  /// - Parameters:
  ///   - now: the start instant for phrases such as "in 20 minutes" and "every 8 hours". In a
  ///     phrase, "tomorrow" is the day after `now`.
  ///   - zone: the zone of the civil times in the phrase.
  ///   - findAlarm: a function that finds an alarm by its name, for example "breakfast" in the
  ///     phrase "30 minutes after breakfast is completed".
  ///   - findHolidays: a function that finds a list of holidays by its name, for example "DE-BE" in
  ///     the phrase "weekdays 08:00 not on holidays DE-BE".
  public init(
    _ phrase: String, now: Instant, zone: Zone,
    findAlarm: @escaping AlarmFinder = { (name) throws(Refusal) in
      throw Refusal(
        .invalidField, field: "schedule",
        "cannot find the alarm \"\(name)\": only the daemon knows the alarms")
    },
    findHolidays: @escaping HolidayFinder = { (_) throws(Refusal) in
      throw Refusal(
        .invalidField, field: "schedule",
        "cannot find the list of holidays: only the daemon knows the lists")
    }
  ) {
    reader = PhraseReader(
      phrase, now: now, zone: zone, findAlarm: findAlarm, findHolidays: findHolidays)
  }

  /// Reads the phrase, and returns its schedule and its early reminders.
  ///
  /// - Throws: a refusal of the field `schedule`.
  public func parsed() throws(Refusal) -> Parsed {
    // No real schedule is longer than this limit. Without the limit, a request with a very long
    // text could keep the daemon busy.
    guard reader.phrase.utf8.count <= 16_384 else {
      throw Refusal(.invalidField, field: "schedule", "it is longer than 16,384 bytes")
    }
    if RuleText.isRuleText(reader.phrase) {
      let schedule = try RuleText(reader.phrase, now: reader.now, zone: reader.zone).schedule()
      let text = RuleText.text(schedule) ?? reader.phrase
      return Parsed(schedule: schedule, earlyReminders: [], phrase: text, words: schedule.words)
    }
    return try understood()
  }

  /// Reads the phrase with `PhraseReader`. If `PhraseReader` cannot read the phrase, or if the
  /// phrase is ambiguous, the function reads the phrase as everyday words.
  private func understood() throws(Refusal) -> Parsed {
    let typed = reader.words.map(\.text)
    var fault: Refusal?
    if !EverydayPhrase.isAmbiguous(typed) {
      do { return try exact(reader) } catch { fault = error }
    }
    let local = reader.zone.civil(at: reader.now).dateTime
    guard let reading = EverydayPhrase.reading(of: typed, at: local) else {
      if let fault { throw fault }
      return try exact(reader)
    }
    var found: [(phrase: String, parsed: Parsed)] = []
    var originals: [String: String] = [:]
    for word in reader.words { originals[word.text] = word.original }
    for plain in reading.phrases {
      // In `plain`, the typed words are in lower case. The loop puts back the words as the person
      // typed them, so that the name of a list of holidays keeps its upper-case letters.
      let phrase = plain.split(separator: " ").map { originals[String($0)] ?? String($0) }
        .joined(separator: " ")
      let other = PhraseReader(
        phrase, now: reader.now, zone: reader.zone, findAlarm: reader.findAlarm,
        findHolidays: reader.findHolidays)
      guard let parsed = try? exact(other),
        !found.contains(where: {
          $0.parsed.schedule == parsed.schedule && $0.parsed.earlyReminders == parsed.earlyReminders
        })
      else { continue }
      found.append((phrase, parsed))
    }
    if let only = found.first, found.count == 1, reading.reasons.isEmpty { return only.parsed }
    if found.isEmpty {
      if let fault { throw fault }
      return try exact(reader)
    }
    // The refusal asks the person which schedule the person means. If some of the found schedules
    // are not over yet, the refusal proposes only these schedules. Otherwise it proposes all found
    // schedules.
    let coming = found.filter { !isPast($0.parsed.schedule) }
    throw question(reading.reasons, (coming.isEmpty ? found : coming).map(\.phrase))
  }

  private func exact(_ typed: PhraseReader) throws(Refusal) -> Parsed {
    var reader = typed
    let outline = try reader.outline()
    let schedule = try reader.anchored(outline)
    return Parsed(
      schedule: schedule, earlyReminders: outline.earlyReminders,
      phrase: reader.lasting(outline, schedule), words: schedule.words)
  }

  private func isPast(_ schedule: Schedule) -> Bool {
    switch schedule {
    case .at(let instant): instant <= reader.now
    case .once(let dateTime): reader.zone.resolve(dateTime).instant <= reader.now
    default: false
    }
  }

  /// Returns the refusal of a phrase with several meanings. The refusal contains the phrases from
  /// which the person can choose.
  private func question(_ reasons: [String], _ phrases: [String]) -> Refusal {
    let quoted = phrases.map { "\"\($0)\"" }
    let last = quoted[quoted.count - 1]
    let choice =
      quoted.count == 1 ? last : quoted.dropLast().joined(separator: ", ") + " or " + last
    let isExample = reasons.contains { $0.hasPrefix("it names no") }
    return Refusal(
      .invalidField, field: "schedule",
      "cannot use \"\(reader.phrase)\": \(reasons.joined(separator: ", and ")); "
        + "type\(isExample ? " for example" : "") \(choice)")
  }

  /// Reads an early reminder. Examples: `1 hour`, `1h before`, `the evening before at 19:00`.
  ///
  /// - Throws: a refusal of the field `leads`.
  static func earlyReminder(_ text: String, now: Instant, zone: Zone) throws(Refusal)
    -> EarlyReminder
  {
    var reader = PhraseReader(
      text, now: now, zone: zone,
      findAlarm: { (_) throws(Refusal) in
        throw Refusal(.invalidField, field: "leads", "an early reminder cannot name an alarm")
      },
      findHolidays: { (_) throws(Refusal) in
        throw Refusal(.invalidField, field: "leads", "an early reminder cannot name holidays")
      })
    do {
      let earlyReminder = try reader.earlyReminder(needsBefore: false)
      try reader.end()
      return earlyReminder
    } catch {
      throw Refusal(error.kind, field: "leads", error.detail)
    }
  }
}

/// A word in lower case, with its position.
struct PhraseWord {
  var text: String
  /// The position of the word's first character in the phrase, from 1.
  var column: Int
  /// The word as the person typed it.
  var original: String
}

/// The parts of a phrase after the reader has read the words. From these parts, the reader makes
/// the schedule.
struct PhraseOutline {
  enum Kind {
    case at(Instant)
    case once(CivilDateTime)
    case rule(CivilPattern, times: [ClockTime])
    case elapsed(seconds: Int64)
    case within(seconds: Int64, from: ClockTime, to: ClockTime)
    case random(perDay: Int, from: ClockTime, to: ClockTime)
    case after(AfterAnswer.Anchor, seconds: Int64)
  }

  /// The days on which a schedule with civil times is due.
  struct CivilPattern {
    var frequency: String
    var interval = 1
    /// The text for the days in a rule of RFC 5545, for example `;BYDAY=MO,WE`.
    var parts = ""

    /// True if the rule selects a working day of a month, for example the last working day.
    var isWorkingDay: Bool { parts.contains(WorkingDays.ruleText + ";BYSETPOS=") }
  }

  enum End {
    case date(CivilDate)
    case times(Int)
    case days(Int)
  }

  var kind: Kind
  var weekdays: [Weekday] = []
  var starting: (date: CivilDate, time: ClockTime?)?
  var ending: End?
  var apartSeconds: Int64?
  var latest: ClockTime?
  var earlyReminders: [EarlyReminder] = []
  var holidays: HolidayExclusion?
  /// True if the meaning of the phrase depends on the present time, as with the word "tomorrow", or
  /// on the present lists of holidays.
  var isRelative = false
}

/// The words of a phrase, and the position of the next word to read.
struct PhraseReader {
  let phrase: String
  let words: [PhraseWord]
  let now: Instant
  let zone: Zone
  let findAlarm: SchedulePhrase.AlarmFinder
  let findHolidays: SchedulePhrase.HolidayFinder
  var position = 0

  init(
    _ phrase: String, now: Instant, zone: Zone, findAlarm: @escaping SchedulePhrase.AlarmFinder,
    findHolidays: @escaping SchedulePhrase.HolidayFinder
  ) {
    self.phrase = phrase
    self.now = now
    self.zone = zone
    self.findAlarm = findAlarm
    self.findHolidays = findHolidays
    var words: [PhraseWord] = []
    var start: Int?
    let characters = Array(phrase)
    for (index, character) in (characters + [" "]).enumerated() {
      // Commas only separate words: "mon,wed", "08:00, 20:00".
      if character.isWhitespace || character == "," {
        if let from = start {
          let original = String(characters[from..<index])
          words.append(
            PhraseWord(text: original.lowercased(), column: from + 1, original: original))
          start = nil
        }
      } else if start == nil {
        start = index
      }
    }
    self.words = words
  }

  var peek: String? { peek(0) }

  func peek(_ ahead: Int) -> String? {
    position + ahead < words.count ? words[position + ahead].text : nil
  }

  /// Skips the expected words if these words are the next words of the phrase. Returns true if the
  /// function skipped the words.
  mutating func accept(_ expected: String...) -> Bool {
    for (ahead, word) in expected.enumerated() where peek(ahead) != word { return false }
    position += expected.count
    return true
  }

  mutating func acceptOne(of choices: Set<String>) -> Bool {
    guard let peek, choices.contains(peek) else { return false }
    position += 1
    return true
  }

  mutating func require(_ word: String) throws(Refusal) {
    if !accept(word) { throw expected("\"\(word)\"") }
  }

  func end() throws(Refusal) {
    if position < words.count { throw expected("the end of the text") }
  }

  func expected(_ what: String) -> Refusal {
    guard position < words.count else {
      return Refusal(
        .invalidField, field: "schedule",
        "\"\(phrase)\" ends too early: expected \(what) at character \(phrase.count + 1)")
    }
    return unreadable(words[position], "expected \(what)")
  }

  func unreadable(_ word: PhraseWord, _ why: String) -> Refusal {
    Refusal(
      .invalidField, field: "schedule",
      "cannot read \"\(word.original)\" at character \(word.column) of \"\(phrase)\": \(why)")
  }
}

extension EarlyReminder {
  /// Reads an early reminder, for example from the text that `words` returns.
  ///
  /// - Throws: a refusal of the field `leads`.
  public init(words text: String) throws(Refusal) {
    // The meaning of an early reminder does not depend on the day or the zone, so the function can
    // pass any instant and any zone.
    self = try SchedulePhrase.earlyReminder(text, now: Instant(milliseconds: 0), zone: .utc)
  }
}
