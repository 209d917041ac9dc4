import CivilTime
import Testing

@testable import Alarms

/// Saturday 21 November 2026, 09:00 in Berlin.
private let now = Instant(seconds: 1_795_248_000)

private func schedule(_ phrase: String) throws(Refusal) -> Schedule {
  try SchedulePhrase(phrase, now: now, zone: CoreFixture.berlin).parsed().schedule
}

/// Returns the rule of a phrase with a single time of day.
private func rule(_ phrase: String) throws -> RecurrenceRule? {
  guard case .recurring(let rule, _) = try schedule(phrase) else { return nil }
  return rule
}

private func rule(with parts: String) throws -> RecurrenceRule {
  try RecurrenceRule(parsing: "\(parts);BYHOUR=8;BYMINUTE=0;BYSECOND=0")
}

/// Reads phrases with each word of the tables of `PhraseReader`. The golden file
/// `schedule-words.txt` contains the meaning of each word.
@Suite struct `Each word of a schedule` {
  @Test func `that names weekdays is read`() throws {
    for (word, days) in PhraseReader.dayGroups {
      let list = days.map(\.ruleText).joined(separator: ",")
      let wanted = try rule(with: "FREQ=WEEKLY;BYDAY=\(list)")
      #expect(try rule("every \(word) 08:00") == wanted, "\(word)")
      let everyOther = try rule(with: "FREQ=WEEKLY;INTERVAL=2;BYDAY=\(list)")
      #expect(try rule("every 2 weeks on \(word) 08:00") == everyOther, "\(word)")
    }
  }

  @Test func `that names a month is read`() throws {
    for (word, month) in PhraseReader.months {
      let wanted = try rule(with: "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=5")
      for phrase in ["every year on 5 \(word) 08:00", "yearly on \(word) 5th 08:00"] {
        #expect(try rule(phrase) == wanted, "\(phrase)")
      }
      let last = try rule(with: "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=-1")
      #expect(try rule("last day of \(word) 08:00") == last, "\(word)")
    }
  }

  @Test func `that is an ordinal number is read with each weekday`() throws {
    for (word, ordinal) in PhraseReader.ordinals {
      for day in Weekday.allCases {
        let wanted = try rule(with: "FREQ=MONTHLY;BYDAY=\(ordinal)\(day.ruleText)")
        let phrase = "the \(word) \(day.name) of every month 08:00"
        #expect(try rule(phrase) == wanted, "\(phrase)")
      }
      guard ordinal > 0 else { continue }
      let wanted = try rule(with: "FREQ=MONTHLY;BYMONTHDAY=\(ordinal)")
      #expect(try rule("the \(word) of every month 08:00") == wanted, "\(word)")
    }
  }

  @Test func `that is a number or a unit is read in a length of time`() throws {
    for (unit, seconds) in PhraseReader.elapsedUnits {
      for (word, count) in PhraseReader.numberWords {
        let length = Int64(count) * seconds
        let phrase = "every \(word) \(unit)"
        #expect(try schedule(phrase) == .every(seconds: length, from: now), "\(phrase)")
      }
      #expect(try schedule("every \(unit)") == .every(seconds: seconds, from: now), "\(unit)")
      #expect(try schedule("in a \(unit)") == .at(now.adding(seconds: seconds)), "\(unit)")
    }
    for (unit, seconds) in PhraseReader.dayUnits {
      let length = 3 * seconds
      #expect(try schedule("in three \(unit)") == .at(now.adding(seconds: length)), "\(unit)")
    }
  }

  @Test func `that names a time of day is read`() throws {
    for (word, hour) in PhraseReader.namedTimes {
      let wanted = try RecurrenceRule(
        parsing: "FREQ=DAILY;BYHOUR=\(hour);BYMINUTE=0;BYSECOND=0")
      #expect(try rule("every day at \(word)") == wanted, "\(word)")
    }
  }

  /// "Once a day" is also an everyday phrase for "every day". Therefore a phrase with "once a day"
  /// can have several times of day.
  @Test func `for a number of times a day needs the same number of times of day`() throws {
    let times = ["01:00", "02:00", "03:00", "04:00"]
    for (word, count) in PhraseReader.repetitions where count > 1 {
      for listed in 1...4 {
        let phrase = "\(word) a day \(times.prefix(listed).joined(separator: " "))"
        let found = try? schedule(phrase)
        #expect((found != nil) == (listed == count), "\(phrase)")
      }
    }
  }
}

@Test(
  arguments: [
    ("1s", 1), ("90m", 5_400), ("1h30m", 5_400), ("2d", 172_800), ("1d2h3m4s", 93_784),
    ("1m1m", 120), ("99999999s", 99_999_999), ("999999999s", nil), ("0s", nil), ("0h1s", 1),
    ("90", nil), ("h", nil), ("1h30", nil), ("1x", nil), ("", nil), ("1 h", nil), ("-1h", nil),
  ] as [(String, Int64?)])
func `a duration without spaces is read in seconds`(word: String, seconds: Int64?) {
  #expect(PhraseReader.compactSeconds(word) == seconds)
}

@Test func `each set of weekdays is written in words that are read as the same weekdays`() throws {
  for bits in 1..<128 {
    let days = Weekday.allCases.filter { bits >> ($0.rawValue - 1) & 1 == 1 }
    let words = EverydayDays.words(days.reversed()).joined(separator: " ")
    let list = days.map(\.ruleText).joined(separator: ",")
    let wanted = try rule(with: days.count == 7 ? "FREQ=DAILY" : "FREQ=WEEKLY;BYDAY=\(list)")
    let found = try schedule("\(words) 08:00")
    #expect(try rule("\(words) 08:00") == wanted, "\(words)")
    #expect(try schedule(found.words(in: CoreFixture.berlin, typedAt: now)) == found, "\(words)")
  }
}

@Test(arguments: [
  ("midnight", true), ("every day midnight", true), ("tonight 8:00", true), ("monday", true),
  ("monday 10:00", true), ("on monday 10:00", true), ("the once monday 10:00", true),
  ("mo 10:00", true), ("monday 10:00 and friday", true), ("24 december 18:00", true),
  ("on the 24 december", true), ("december 24", true), ("tuesday until midnight", true),
  ("mondays 10:00", false), ("monday and friday 10:00", false), ("monday friday 10:00", false),
  ("monday weekends 10:00", false), ("every monday 10:00", false), ("15th 8:00", false),
  ("24 december 2026 18:00", false), ("8:00", false), ("", false), ("on the", false),
  ("monday 10:00 from 2026-12-01", false), ("24 december 18:00 from 2026-12-01", false),
  ("at monday", false),
])
func `some phrases have two meanings, and other phrases have only one meaning`(
  phrase: String, isAmbiguous: Bool
) {
  let words = phrase.split(separator: " ").map(String.init)
  #expect(EverydayPhrase.isAmbiguous(words) == isAmbiguous)
}

@Test func `a phrase with a part after its times has one meaning`() {
  for tail in EverydayPhrase.tails {
    #expect(!EverydayPhrase.isAmbiguous(["monday", "10:00", tail]), "\(tail)")
    #expect(!EverydayPhrase.isAmbiguous(["24", "december", "18:00", tail]), "\(tail)")
  }
}
