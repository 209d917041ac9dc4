import CivilTime
import Testing

@testable import Alarms

/// Saturday 21 November 2026, 09:00 in Berlin.
private let now = Instant(seconds: 1_795_248_000)

private func parsed(_ text: String) throws -> SchedulePhrase.Parsed {
  try SchedulePhrase(
    text, now: now, zone: CoreFixture.berlin,
    findAlarm: { (name) throws(Refusal) in
      if name == "Breakfast" || name == "breakfast" || name == "a1" { return AlarmID("a1") }
      throw Refusal(.invalidField, field: "schedule", "there is no alarm \"\(name)\"")
    }
  ).parsed()
}

/// Returns the first `count` occurrences of a phrase as local times.
private func times(_ text: String, count: Int = 3) throws -> [String] {
  let parsed = try parsed(text)
  let plan = try SchedulePlan(
    parsed.schedule, earlyReminders: parsed.earlyReminders, zone: CoreFixture.berlin, seed: 7)
  var times: [String] = []
  var from = now
  while times.count < count, let next = plan.next(after: from) {
    from = next.instant
    let local = CoreFixture.berlin.civil(at: next.instant).dateTime
    times.append("\(local.date) \(local.time)")
  }
  return times
}

/// Phrases, each with its first times. The phrases are typed on Saturday 2026-11-21 at 09:00.
private let phrases: [(String, [String])] = [
  ("every day 08:00", ["2026-11-22 08:00", "2026-11-23 08:00", "2026-11-24 08:00"]),
  ("daily 9:30", ["2026-11-21 09:30", "2026-11-22 09:30", "2026-11-23 09:30"]),
  ("every day at 8:00, 20:00", ["2026-11-21 20:00", "2026-11-22 08:00", "2026-11-22 20:00"]),
  ("every day 08:00 and 20:30", ["2026-11-21 20:30", "2026-11-22 08:00", "2026-11-22 20:30"]),
  ("twice a day 08:00 20:30", ["2026-11-21 20:30", "2026-11-22 08:00", "2026-11-22 20:30"]),
  (
    "3 times a day 8am, noon, 8:15pm", ["2026-11-21 12:00", "2026-11-21 20:15", "2026-11-22 08:00"]
  ),
  ("every other day 09:00", ["2026-11-22 09:00", "2026-11-24 09:00", "2026-11-26 09:00"]),
  (
    "every 2 days 08:00 20:30", ["2026-11-21 20:30", "2026-11-23 08:00", "2026-11-23 20:30"]
  ),
  ("weekdays 09:30", ["2026-11-23 09:30", "2026-11-24 09:30", "2026-11-25 09:30"]),
  ("weekends at 10:00", ["2026-11-21 10:00", "2026-11-22 10:00", "2026-11-28 10:00"]),
  ("mon,wed 18:00", ["2026-11-23 18:00", "2026-11-25 18:00", "2026-11-30 18:00"]),
  ("tue and thu 10:00", ["2026-11-24 10:00", "2026-11-26 10:00", "2026-12-01 10:00"]),
  ("every Tuesday at 10:00", ["2026-11-24 10:00", "2026-12-01 10:00", "2026-12-08 10:00"]),
  // If a schedule of intervals starts in the future, its first due time is the start.
  (
    "every 8 hours starting 2026-12-01 06:00",
    ["2026-12-01 06:00", "2026-12-01 14:00", "2026-12-01 22:00"]
  ),
  (
    "every 45 minutes from 2026-11-22 10:30",
    ["2026-11-22 10:30", "2026-11-22 11:15", "2026-11-22 12:00"]
  ),
  (
    "every 10 hours starting tomorrow",
    ["2026-11-22 00:00", "2026-11-22 10:00", "2026-11-22 20:00"]
  ),
  ("every 2 weeks on tue 10:00", ["2026-11-24 10:00", "2026-12-08 10:00", "2026-12-22 10:00"]),
  ("every second tue 10:00", ["2026-11-24 10:00", "2026-12-08 10:00", "2026-12-22 10:00"]),
  ("every other friday 10:00", ["2026-11-27 10:00", "2026-12-11 10:00", "2026-12-25 10:00"]),
  ("last fri of month 10:00", ["2026-11-27 10:00", "2026-12-25 10:00", "2027-01-29 10:00"]),
  (
    "the first monday of every month at 10:00",
    ["2026-12-07 10:00", "2027-01-04 10:00", "2027-02-01 10:00"]
  ),
  (
    "on the 15th of every month 09:00",
    ["2026-12-15 09:00", "2027-01-15 09:00", "2027-02-15 09:00"]
  ),
  (
    "on the 31st of every month 09:00",
    ["2026-11-30 09:00", "2026-12-31 09:00", "2027-01-31 09:00"]
  ),
  ("last day of month 12:00", ["2026-11-30 12:00", "2026-12-31 12:00", "2027-01-31 12:00"]),
  (
    "monthly on the 1st and 15th 09:00",
    ["2026-12-01 09:00", "2026-12-15 09:00", "2027-01-01 09:00"]
  ),
  (
    "every 3 months on the 1st 09:00", ["2026-12-01 09:00", "2027-03-01 09:00", "2027-06-01 09:00"]
  ),
  (
    "every year on 24 december 18:00", ["2026-12-24 18:00", "2027-12-24 18:00", "2028-12-24 18:00"]
  ),
  ("every year on 29 feb 18:00", ["2027-02-28 18:00", "2028-02-29 18:00", "2029-02-28 18:00"]),
  ("every 8 hours", ["2026-11-21 17:00", "2026-11-22 01:00", "2026-11-22 09:00"]),
  ("every hour", ["2026-11-21 10:00", "2026-11-21 11:00", "2026-11-21 12:00"]),
  ("every 8 hours for 2 times", ["2026-11-21 17:00", "2026-11-22 01:00"]),
  (
    "every 90 minutes from 08:00 to 20:00",
    ["2026-11-21 09:30", "2026-11-21 11:00", "2026-11-21 12:30"]
  ),
  (
    "every 6 hours between 20:00 and 08:00 on weekdays",
    ["2026-11-23 20:00", "2026-11-24 02:00", "2026-11-24 08:00"]
  ),
  ("in 20 minutes", ["2026-11-21 09:20"]),
  ("in 1h30m", ["2026-11-21 10:30"]),
  ("2026-12-01 14:00", ["2026-12-01 14:00"]),
  ("2026-12-01T14:00:30", ["2026-12-01 14:00:30"]),
  ("at 2026-12-01T13:00:00Z", ["2026-12-01 14:00"]),
  ("tomorrow 14:00", ["2026-11-22 14:00"]),
  ("today at 14:00", ["2026-11-21 14:00"]),
  ("next sat 14:00", ["2026-11-28 14:00"]),
  ("08:30", ["2026-11-22 08:30"]),
  ("every day 08:00 until 2026-11-23", ["2026-11-22 08:00", "2026-11-23 08:00"]),
  ("every day 08:00 for 2 days", ["2026-11-22 08:00", "2026-11-23 08:00"]),
  (
    "every day 08:00 20:30 for 3 times",
    ["2026-11-21 20:30", "2026-11-22 08:00", "2026-11-22 20:30"]
  ),
  (
    "every day 08:00 starting 2027-01-01",
    ["2027-01-01 08:00", "2027-01-02 08:00", "2027-01-03 08:00"]
  ),
  (
    "2026-12-01 14:00 and 1h before, and the evening before at 19:00",
    ["2026-11-30 19:00", "2026-12-01 13:00", "2026-12-01 14:00"]
  ),
  ("2026-12-01 14:00 and the day before", ["2026-11-30 14:00", "2026-12-01 14:00"]),
  ("FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=10;COUNT=2", ["2026-11-27 10:00", "2026-12-25 10:00"]),
  ("FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0;COUNT=2", ["2026-11-22 08:00", "2026-11-23 08:00"]),
  (
    "DTSTART:20261201T080000 RRULE:FREQ=DAILY;COUNT=3 EXDATE:20261202T080000 RDATE:20261205T100000",
    ["2026-12-01 08:00", "2026-12-03 08:00", "2026-12-05 10:00"]
  ),
  ("8 hours after the last completion", []),
  ("30 minutes after Breakfast is completed, at the latest 10:00", ["2026-11-21 10:00"]),
]

@Suite struct `Schedules as people type them` {
  @Test(arguments: phrases.indices)
  func `each phrase gives these times`(index: Int) throws {
    let (phrase, wanted) = phrases[index]
    #expect(try times(phrase, count: max(wanted.count, 1)) == wanted, "\(phrase)")
    // If a case lists only one or two times, these are all times of the schedule. A phrase with
    // "latest" is an exception: its latest time comes every day.
    if (1...2).contains(wanted.count), !phrase.contains("latest") {
      #expect(try times(phrase, count: wanted.count + 1) == wanted, "\(phrase)")
    }
  }

  @Test(arguments: phrases.indices)
  func `the printed words of a schedule give the same schedule`(index: Int) throws {
    let (phrase, _) = phrases[index]
    let first = try parsed(phrase)
    let words = first.schedule.words(in: CoreFixture.berlin, typedAt: now)
    #expect(try parsed(words).schedule == first.schedule, "\(phrase) → \(words)")
  }

  @Test(arguments: [
    ("every second tue 10:00", "every 2 weeks on Tuesday at 10:00 starting 2026-11-24"),
    ("every day 8:00,20:30", "every day at 08:00 and 20:30"),
    ("last fri of month 10:00", "the last Friday of every month at 10:00"),
    ("the 31st of every month 9:00", "the 31st of every month at 09:00"),
    ("weekdays 9:30 until 2026-12-31", "weekdays at 09:30 until 2026-12-31"),
    ("every 90 minutes from 8:00 to 20:00", "every 90 minutes from 08:00 to 20:00"),
    (
      "3 times a day at random between 9:00 and 21:00",
      "3 times a day at random between 09:00 and 21:00 at least 15 minutes apart"
    ),
  ])
  func `a phrase is printed in these words`(phrase: String, words: String) throws {
    #expect(try parsed(phrase).schedule.words(in: CoreFixture.berlin, typedAt: now) == words)
  }

  /// Each case has the phrase, the column of the error in the phrase, and some words of the
  /// refusal.
  @Test(arguments: [
    ("every day 25:00", 11, "expected a time of day"),
    ("every dya 08:00", 7, "a day of the week"),
    ("every 0 days 08:00", 7, "1 to 1000"),
    ("mon,wde 18:00", 5, "expected a time of day"),
    ("in 20 parsecs", 7, "\"seconds\", \"minutes\""),
    ("in twenty", 4, "a length of time"),
    ("2026-02-30 08:00", 1, "February 2026 has 28 days"),
    ("every year on 31 april 08:00", 15, "at most 30 days"),
    ("twice a day 08:00", 1, "2 times of day, not 1"),
    ("every day 08:00 until christmas", 23, "year of four digits"),
    ("every day 08:00 for 3 moons", 23, "\"times\", \"days\" or \"weeks\""),
    ("every day 08:00 sharp", 17, "the end of the text"),
    ("every day 08:00 at least 5 minutes apart", 17, "only random times"),
    ("every 90 minutes from 08:00 to 08:00", 32, "ends at the same time"),
    ("30 minutes after dinner is completed", 18, "there is no alarm \"dinner\""),
    ("30 minutes after dinner", 24, "is completed"),
    ("random", 7, "\"from\" or \"between\""),
    ("99 random times a day between 09:00 and 12:00", 1, "1 to 24"),
    ("2026-12-01 14:00 until 2026-12-31", 18, "it is due only once"),
    ("2026-12-01 14:00 and 1 hour", 28, "\"before\""),
    ("", 1, "every day 08:00"),
  ])
  func `a refusal points at the part of a phrase that cannot be read`(
    phrase: String, column: Int, sentence: String
  ) {
    do {
      let found = try parsed(phrase)
      Issue.record("read \"\(phrase)\" as \(found.words)")
    } catch let refusal as Refusal {
      #expect(refusal.field == "schedule")
      #expect(refusal.detail.contains("at character \(column)"), "\(refusal.detail)")
      #expect(refusal.detail.contains(sentence), "\(refusal.detail)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(arguments: [
    ("FREQ=DAILY;BYHUOR=8", "BYHUOR"),
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "would never ring"),
    ("DTSTART;TZID=Asia/Tokyo:20261201T080000 RRULE:FREQ=DAILY", "its zone is Asia/Tokyo"),
    ("DTSTART:20261301T080000 RRULE:FREQ=DAILY", "is not a date"),
    ("every day 08:00 until 2026-11-20", "no occurrence in the future"),
    ("3 times a day at random between 09:00 and 10:00 at least 45 minutes apart", "do not fit"),
    ("at random between 11:00 and 12:00 at least 30 minutes apart", "at least 2 times a day"),
  ])
  func `a rule that cannot be followed is refused with the reason`(
    phrase: String, sentence: String
  ) {
    do {
      let found = try parsed(phrase)
      Issue.record("read \"\(phrase)\" as \(found.words)")
    } catch let refusal as Refusal {
      #expect(refusal.detail.contains(sentence), "\(refusal.detail)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func `a random text of known words is read or refused, and its words read back`() throws {
    let vocabulary = [
      "every", "day", "days", "08:00", "20:30", "and", "mon", "fri", "weekdays", "2", "3", "weeks",
      "hours", "minutes", "from", "to", "between", "random", "times", "a", "at", "least", "apart",
      "until", "2026-12-31", "for", "starting", "2026-12-01", "on", "the", "15th", "31st", "last",
      "first", "of", "month", "year", "24", "december", "after", "Breakfast", "is", "completed",
      "completion", "latest", "10:00", "1", "hour", "before", "evening", "in", "tomorrow", "next",
      "twice", "daily", "other", "second", "noon", "8pm", ",", "DTSTART:20261201T080000",
      "RRULE:FREQ=DAILY", "FREQ=MONTHLY;BYMONTHDAY=31", "EXDATE:20261202", "every 90 minutes",
      "every day 08:00", "for 3 times", "and 1 hour before", "at the latest 22:00",
    ]
    var random = SplitMix64(seed: 20_261_121)
    var read = 0
    for _ in 0..<4_000 {
      let count = Int(random.next(below: 8)) + 1
      let text = (0..<count).map { _ in
        vocabulary[Int(random.next(below: UInt64(vocabulary.count)))]
      }
      .joined(separator: " ")
      guard let first = try? parsed(text) else { continue }
      read += 1
      let words = first.schedule.words(in: CoreFixture.berlin, typedAt: now)
      let again = try? parsed(words)
      #expect(again?.schedule == first.schedule, "\(text) → \(words)")
      let lasting = try? parsed(first.phrase)
      #expect(lasting != nil, "\(text) → \(first.phrase)")
    }
    #expect(read > 50)
  }
}

@Test func `a preview warns of times in the quiet hours, also past midnight`() throws {
  let environment = CoreFixture().environment
  func warned(_ phrase: String, _ from: String, _ to: String) throws -> [ScheduleWarning] {
    var form = AlarmForm()
    form.schedule = phrase
    let now = Instant(seconds: 1_800_000_000)
    let quiet = QuietHours(
      from: try ClockTime(parsing: from), to: try ClockTime(parsing: to))
    return try previewed(
      form, PreviewRange(after: now, count: 4, quietHours: quiet), now: now, beside: nil,
      in: environment
    ).report.warnings.filter { $0.kind == .quietHours }
  }
  #expect(try warned("every day 08:00", "21:00", "07:00").isEmpty)
  #expect(try warned("every day 07:00", "21:00", "07:00").isEmpty)
  #expect(try warned("every day 06:59", "21:00", "07:00").count == 1)
  #expect(
    try warned("every day 21:00", "21:00", "07:00").first?.text.contains("4 of the 4") == true)
  #expect(try warned("every day 13:30", "13:00", "14:00").count == 1)
  #expect(try warned("every day 12:59", "13:00", "14:00").isEmpty)
}

@Test func `a number can be a word`() {
  let words = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
  ]
  #expect(words.map { PhraseReader.number($0) } == Array(1...12))
  let others = ["15", "0", "thirteen", "", "-1", "1.5"]
  #expect(others.map { PhraseReader.number($0) } == [15, 0, nil, nil, nil, nil])
}

@Test(arguments: [
  ("every day 8 am 9 am", "08:00 and 09:00"), ("every day 9 am and 8 pm", "09:00 and 20:00"),
  ("every day at 8 pm and 9 am and 10 am", "09:00 and 10:00 and 20:00"),
])
func `several times can have am or pm as a word of its own`(phrase: String, times: String) throws {
  var fixture = CoreFixture()
  let spoken = try fixture.add { $0.schedule = phrase }
  let plain = try fixture.add { $0.schedule = "every day \(times)" }
  #expect(spoken.schedule == plain.schedule)
}
