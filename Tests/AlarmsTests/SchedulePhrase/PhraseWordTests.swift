import CivilTime
import Testing

@testable import Alarms

/// Writes the words that Prompter knows in a schedule. A native speaker can review this text.
///
/// A line of the text contains words. If a table contains the meaning of the words, the line also
/// contains an equals sign and the meaning.
private struct WordList {
  private(set) var text = ""

  mutating func add(_ title: String, _ lines: [String]) {
    text += "== \(title)\n" + lines.map { "\($0)\n" }.joined()
  }

  /// Adds a table whose order has no meaning. The text contains the rows in alphabetical order.
  mutating func add<Value>(
    _ title: String, _ table: [String: Value], _ meaning: (Value) -> String = { "\($0)" }
  ) {
    let rows = table.sorted { $0.key < $1.key }
    add(title, rows.map { "\($0.key) = \(meaning($0.value))" })
  }

  /// Adds a table in which an earlier row takes precedence over a later row.
  mutating func add(_ title: String, inOrder table: [(from: String, to: String)]) {
    add(title, table.map { "\($0.from) = \($0.to.isEmpty ? "(nothing)" : $0.to)" })
  }

  mutating func add(_ title: String, _ words: Set<String>) { add(title, words.sorted()) }
}

extension `The meaning of phrases` {
  @Test func `uses the words in the golden file`() throws {
    var list = WordList()
    addForeignWords(to: &list)
    addEverydayWords(to: &list)
    addWords(to: &list)
    try GoldenFile("schedule-words.txt").expect(list.text) { $0.hasPrefix("== ") }
  }

  private func addForeignWords(to list: inout WordList) {
    list.add("German and French phrases, in English", inOrder: EverydayTranslation.table)
    list.add("German and French weekdays, in English", EverydayTranslation.days)
    list.add("German and French months, in English", EverydayTranslation.months)
    list.add("Words that show that a phrase is German or French", EverydayTranslation.signs)
  }

  private func addEverydayWords(to list: inout WordList) {
    list.add("Everyday words, in the words of a schedule", inOrder: EverydayWords.table)
    list.add("Words without meaning at the beginning and at the end", EverydayWords.fillers)
    list.add("Short names of weekdays", EverydayDays.shortNames) { $0.name }
    list.add("Hours in words", EverydayTime.hourWords)
    list.add("Minutes before or after an hour", EverydayTime.minuteWords)
    list.add("Minutes in words after an hour in words", EverydayTime.spokenMinutes)
    list.add("Words for minutes after an hour", EverydayTime.after)
    list.add("Words for minutes before an hour", EverydayTime.before)
    list.add(
      "Parts of the day, with their usual time",
      EverydayPart.allCases.map { "\($0.rawValue) = \(EverydayTime.text($0.usual))" })
    list.add("Words that begin a part after the days and times", EverydayPhrase.tails)
    list.add("Units that need no time of day", EverydayPhrase.elapsedUnits)
    list.add("Words of a date that comes again", EverydayDates.recurring)
    list.add("Words before the first or the last day", EverydayDates.bounds)
    list.add("Words between two times", EverydayItems.links)
    list.add("Words before the beginning of a window", EverydayItems.rangeStarts)
    list.add("Words before the end of a window", EverydayItems.rangeLinks)
    list.add("Words after a number that is not a time of day", EverydayItems.counted)
    list.add("Words before a number that is a time of day", EverydayItems.dayWords)
  }

  private func addWords(to list: inout WordList) {
    list.add("Weekdays", PhraseReader.weekdays) { $0.name }
    list.add("Groups of weekdays", PhraseReader.dayGroups.filter { $0.value.count > 1 }) {
      $0.map(\.name).joined(separator: ", ")
    }
    list.add("Months", PhraseReader.months) { PhraseReader.monthNames[$0 - 1] }
    list.add("Numbers", PhraseReader.numberWords)
    list.add("Ordinal numbers; -1 is the last", PhraseReader.ordinals)
    list.add("How often a day", PhraseReader.repetitions)
    list.add("Hours of named times", PhraseReader.namedTimes)
    list.add("Units of time in seconds", PhraseReader.elapsedUnits)
    list.add("Units of days in seconds", PhraseReader.dayUnits)
    list.add("Words beside the number of random times", PhraseReader.randomFillers)
    list.add(
      "Days of the month", (1...31).map { "\($0) = \(PhraseReader.ordinal($0))" })
    list.add("Names of weekdays", Weekday.allCases.map { "\($0.ruleText) = \($0.name)" })
  }
}

/// Checks that the tables contain each phrase only once, and that no row hides another row.
@Suite struct `The tables of words` {
  @Test func `contain each German or French phrase only once`() {
    let phrases = EverydayTranslation.table.map(\.from)
    #expect(Set(phrases).count == phrases.count)
    #expect(phrases.allSatisfy { $0 == $0.lowercased() && !$0.isEmpty })
    let names = Set(EverydayTranslation.days.keys).union(EverydayTranslation.months.keys)
    #expect(names.isDisjoint(with: phrases))
  }

  /// In a list of replacements, the first group of words that matches applies.
  @Test func `use each row of the everyday words`() {
    let rows = EverydayWords.groups(EverydayWords.table)
    for (place, row) in rows.enumerated() {
      let first = rows.firstIndex { row.from.starts(with: $0.from) }
      #expect(first == place, "\(row.from)")
      // The words before and after the replaced words stay as typed.
      let plain = EverydayWords.plain(["8:00"] + row.from + ["8:15"])
      #expect(plain == ["8:00"] + row.to + ["8:15"], "\(row.from)")
    }
  }

  /// The word "heute" shows that the phrase is German.
  @Test func `use each row of the German and French phrases`() throws {
    for row in EverydayWords.groups(EverydayTranslation.table) {
      // After "at", the word "hours" belongs to a time of day. Therefore this phrase does not
      // contain "at".
      let english = EverydayTranslation.english(["heute"] + row.from)
      #expect(english == ["today"] + row.to, "\(row.from)")
    }
    for (word, day) in EverydayTranslation.days {
      #expect(EverydayTranslation.english(["8:00", word, "8:15"]) == ["8:00", day, "8:15"])
    }
    for (word, month) in EverydayTranslation.months {
      #expect(EverydayTranslation.english(["24", word, "2026"]) == ["24", month, "2026"])
    }
  }

  @Test func `translate a phrase with a German or French word, and no English phrase`() {
    for sign in EverydayTranslation.signs {
      // "20 Uhr" alone is a time that Prompter reads without a translation.
      let isForeign = EverydayTranslation.english(["8:00", sign]) != nil
      #expect(isForeign == (sign != "uhr"), "\(sign)")
    }
    #expect(EverydayTranslation.english([]) == nil)
    #expect(EverydayTranslation.english(["am", "8:00", "weekdays"]) == nil)
  }

  @Test func `replace a typographic apostrophe, and remove "heures" after a time of day`() {
    func english(_ phrase: String) -> String? {
      EverydayTranslation.english(phrase.split(separator: " ").map(String.init))?
        .joined(separator: " ")
    }
    #expect(english("aujourd’hui 8:00") == "today 8:00")
    #expect(english("à 8 heures") == "at 8")
    #expect(english("à 8 heures et à 9 heures") == "at 8 and at 9")
    #expect(english("8 heures") == "8 hours")
    #expect(english("toutes les 8 heures") == "every 8 hours")
    #expect(english("toutes les 8 heures à 9 heures demain") == "every 8 hours at 9 tomorrow")
    #expect(english("heures") == "hours")
    #expect(english("à heures") == "at hours")
  }
}

@Test(
  arguments: [
    (0, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute"), (61, "61 seconds"),
    (120, "2 minutes"), (3_599, "3599 seconds"), (3_600, "1 hour"), (3_601, "3601 seconds"),
    (3_660, "61 minutes"), (7_200, "2 hours"), (86_400, "24 hours"),
  ] as [(Int64, String)])
func `a length of time is written in its largest whole unit`(seconds: Int64, words: String) {
  #expect(Schedule.words(seconds: seconds) == words)
}

@Test func `a time of day is written with two digits for the hour and the minute`() {
  let minutes = [0, 9, 10, 59, 60, 540, 599, 600, 720, 1_439]
  let texts = [
    "00:00", "00:09", "00:10", "00:59", "01:00", "09:00", "09:59", "10:00", "12:00", "23:59",
  ]
  #expect(minutes.map(EverydayTime.text) == texts)
}

@Test func `each day of the month has its suffix`() {
  let days = (1...31).map(PhraseReader.ordinal)
  let special = [
    1: "1st", 2: "2nd", 3: "3rd", 21: "21st", 22: "22nd", 23: "23rd", 31: "31st",
  ]
  #expect(days == (1...31).map { special[$0] ?? "\($0)th" })
  // `PhraseReader` can read each of these days.
  #expect(days.map { PhraseReader.monthDay($0) } == Array(1...31))
  #expect(
    ["0th", "32nd", "st", "", "last"].map { PhraseReader.monthDay($0) } == [
      nil, nil, nil, nil, nil,
    ])
}
