import CivilTime
import Testing

@testable import Alarms

/// Saturday 21 November 2026, 09:00 in Berlin.
private let now = Instant(seconds: 1_795_248_000)

private func schedule(_ phrase: String) throws(Refusal) -> Schedule {
  try SchedulePhrase(
    phrase, now: now, zone: CoreFixture.berlin,
    findAlarm: { (name) throws(Refusal) in AlarmID("a1") }
  ).parsed().schedule
}

/// A rule and its start.
private struct Rule {
  var text: String
  var start: String

  init(_ text: String, _ start: String) {
    self.text = text
    self.start = start
  }

  func rule() throws -> RecurringDates.Rule {
    try RecurringDates.Rule(
      rule: RecurrenceRule(parsing: text), start: CivilDateTime(parsing: start))
  }
}

/// Phrases with times of day. Times that differ in the minute or second need separate rules.
private let civil: [(String, [Rule])] = [
  (
    "every day 08:00 and 20:00",
    [Rule("FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0;BYSECOND=0", "2026-11-21T20:00")]
  ),
  (
    "every day 08:00 and 20:30",
    [
      Rule("FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", "2026-11-22T08:00"),
      Rule("FREQ=DAILY;BYHOUR=20;BYMINUTE=30;BYSECOND=0", "2026-11-21T20:30"),
    ]
  ),
  (
    "every day 08:00 and 09:00:30",
    [
      Rule("FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", "2026-11-22T08:00"),
      Rule("FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=30", "2026-11-21T09:00:30"),
    ]
  ),
  (
    "every day 08:30, 09:30 and 10:00",
    [
      Rule("FREQ=DAILY;BYHOUR=8,9;BYMINUTE=30;BYSECOND=0", "2026-11-21T09:30"),
      Rule("FREQ=DAILY;BYHOUR=10;BYMINUTE=0;BYSECOND=0", "2026-11-21T10:00"),
    ]
  ),
  (
    "every 2 days 08:00 and 20:30",
    [
      Rule("FREQ=DAILY;INTERVAL=2;BYHOUR=8;BYMINUTE=0;BYSECOND=0", "2026-11-23T08:00"),
      Rule("FREQ=DAILY;INTERVAL=2;BYHOUR=20;BYMINUTE=30;BYSECOND=0", "2026-11-21T20:30"),
    ]
  ),
  (
    "every day 08:00, 12:30 and 20:00 for 1 times",
    [Rule("FREQ=DAILY;BYHOUR=12;BYMINUTE=30;BYSECOND=0;COUNT=1", "2026-11-21T12:30")]
  ),
  (
    "every day 08:00, 12:30 and 20:00 for 2 times",
    [
      Rule("FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0;BYSECOND=0;COUNT=1", "2026-11-21T20:00"),
      Rule("FREQ=DAILY;BYHOUR=12;BYMINUTE=30;BYSECOND=0;COUNT=1", "2026-11-21T12:30"),
    ]
  ),
  (
    "every day 08:00, 12:30 and 20:00 for 5 times",
    [
      Rule("FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0;BYSECOND=0;COUNT=3", "2026-11-21T20:00"),
      Rule("FREQ=DAILY;BYHOUR=12;BYMINUTE=30;BYSECOND=0;COUNT=2", "2026-11-21T12:30"),
    ]
  ),
  (
    "every day 08:00 and 20:30 until 2026-11-21",
    [Rule("FREQ=DAILY;BYHOUR=20;BYMINUTE=30;BYSECOND=0;UNTIL=20261121", "2026-11-21T20:30")]
  ),
  (
    "every day 08:00 for 2 days",
    [Rule("FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0;UNTIL=20261123", "2026-11-22T08:00")]
  ),
  (
    "every second tue at 10:00",
    [
      Rule(
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=10;BYMINUTE=0;BYSECOND=0", "2026-11-24T10:00")
    ]
  ),
  (
    "every fri, mon and wed 10:00",
    [Rule("FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=10;BYMINUTE=0;BYSECOND=0", "2026-11-23T10:00")]
  ),
  (
    "28th of month 8:00",
    [Rule("FREQ=MONTHLY;BYMONTHDAY=28;BYHOUR=8;BYMINUTE=0;BYSECOND=0", "2026-11-28T08:00")]
  ),
  (
    "29th and 28th of month 8:00",
    [
      Rule(
        "FREQ=MONTHLY;BYMONTHDAY=28,29;RSCALE=GREGORIAN;SKIP=BACKWARD"
          + ";BYHOUR=8;BYMINUTE=0;BYSECOND=0", "2026-11-28T08:00")
    ]
  ),
]

/// Phrases with intervals of elapsed time that end.
private let elapsed: [(String, Rule)] = [
  ("every 2 hours for 3 times", Rule("FREQ=HOURLY;INTERVAL=2;COUNT=3", "2026-11-21T11:00")),
  ("every 3600 seconds for 2 times", Rule("FREQ=HOURLY;COUNT=2", "2026-11-21T10:00")),
  ("every 120 seconds for 2 times", Rule("FREQ=MINUTELY;INTERVAL=2;COUNT=2", "2026-11-21T09:02")),
  ("every 60 seconds for 2 times", Rule("FREQ=MINUTELY;COUNT=2", "2026-11-21T09:01")),
  (
    "every 45 seconds for 2 times",
    Rule("FREQ=SECONDLY;INTERVAL=45;COUNT=2", "2026-11-21T09:00:45")
  ),
  ("every 90 minutes for 1 day", Rule("FREQ=MINUTELY;INTERVAL=90;COUNT=16", "2026-11-21T10:30")),
  ("every 7 hours for 1 day", Rule("FREQ=HOURLY;INTERVAL=7;COUNT=4", "2026-11-21T16:00")),
  ("every 8 hours for 1 day", Rule("FREQ=HOURLY;INTERVAL=8;COUNT=3", "2026-11-21T17:00")),
  ("every 25 hours for 1 day", Rule("FREQ=HOURLY;INTERVAL=25;COUNT=1", "2026-11-22T10:00")),
  (
    "every 8 hours until 2026-11-30",
    Rule("FREQ=HOURLY;INTERVAL=8;UNTIL=20261130", "2026-11-21T17:00")
  ),
]

@Suite struct `The schedule of a phrase` {
  @Test(arguments: civil.indices)
  func `has these rules`(index: Int) throws {
    let (phrase, rules) = civil[index]
    let wanted = try rules.map { try $0.rule() }
    let expected: Schedule =
      wanted.count == 1
      ? .recurring(wanted[0].rule, start: wanted[0].start)
      : .several(RecurringDates(rules: wanted))
    let found = try schedule(phrase)
    #expect(RuleText.text(found) == RuleText.text(expected), "\(phrase)")
    #expect(found == expected, "\(phrase)")
  }

  @Test(arguments: elapsed.indices)
  func `with an interval and an end has this rule`(index: Int) throws {
    let (phrase, wanted) = elapsed[index]
    let rule = try wanted.rule()
    let expected = Schedule.recurring(rule.rule, start: rule.start)
    let found = try schedule(phrase)
    #expect(RuleText.text(found) == RuleText.text(expected), "\(phrase)")
    #expect(found == expected, "\(phrase)")
  }

  @Test func `with a window has the window, the weekdays and the first and last day`() throws {
    func window(
      _ days: [Weekday], _ first: String, _ last: String?
    ) throws -> DayWindow {
      DayWindow(
        from: try ClockTime(parsing: "08:00"), to: try ClockTime(parsing: "20:00"),
        weekdays: days, firstDay: try CivilDate(parsing: first),
        lastDay: try last.map { text in try CivilDate(parsing: text) })
    }
    let working: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
    let phrase = "every 2 hours between 08:00 and 20:00"
    let rows: [(String, DayWindow)] = [
      ("", try window([], "2026-11-21", nil)),
      (" on weekdays", try window(working, "2026-11-21", nil)),
      (" sundays", try window([.sunday], "2026-11-21", nil)),
      (" for 1 day", try window([], "2026-11-21", "2026-11-21")),
      (" for 2 weeks", try window([], "2026-11-21", "2026-12-04")),
      (" until 2026-12-24", try window([], "2026-11-21", "2026-12-24")),
      (" starting tomorrow", try window([], "2026-11-22", nil)),
      (
        " on weekdays starting 2026-12-01 for 3 days",
        try window(working, "2026-12-01", "2026-12-03")
      ),
    ]
    for (tail, window) in rows {
      #expect(try schedule(phrase + tail) == .within(seconds: 7_200, window), "\(tail)")
    }
  }

  /// By default, the distance is 15 minutes, or a shorter time if the window is short.
  @Test(
    arguments: [
      ("random between 9:00 and 10:00", 1, 0), ("once daily randomly between 9:00 and 10:00", 1, 0),
      ("2 times a day at random between 9:00 and 9:59", 2, 885),
      ("2 times a day at random between 9:00 and 10:00", 2, 900),
      ("2 times a day at random between 9:00 and 10:01", 2, 900),
      ("3 times a day at random between 9:00 and 9:59", 3, 590),
      ("thrice a day at random between 9:00 and 12:00", 3, 900),
      ("24 times a day at random between 0:00 and 8:00", 24, 600),
      ("2 times a day at random between 9:00 and 9:20 at least 19 minutes apart", 2, 1_140),
      ("2 times a day at random between 9:00 and 9:20 at least 1199 seconds apart", 2, 1_199),
      ("3 times a day at random between 9:00 and 9:20 at least 599 seconds apart", 3, 599),
    ] as [(String, Int, Int64)])
  func `with random times has a distance between the times`(
    phrase: String, perDay: Int, distance: Int64
  ) throws {
    guard case .random(let times) = try schedule(phrase) else {
      Issue.record("\(phrase)")
      return
    }
    #expect(times.perDay == perDay)
    #expect(times.minimumDistanceSeconds == distance)
  }

  @Test(arguments: [
    "2 times a day at random between 9:00 and 9:20 at least 20 minutes apart",
    "3 times a day at random between 9:00 and 9:20 at least 10 minutes apart",
  ])
  func `with random times cannot need more time than its window`(phrase: String) {
    do throws(Refusal) {
      let found = try schedule(phrase)
      Issue.record("read \"\(phrase)\" as \(found.words)")
    } catch {
      #expect(error.detail.hasSuffix(" apart, do not fit between 09:00 and 09:20"))
    }
  }

  @Test func `after an answer has the first time and the latest time of the phrase`() throws {
    func after(
      _ anchor: AfterAnswer.Anchor, _ seconds: Int64, latest: String? = nil, first: Int64? = nil
    ) throws -> Schedule {
      .after(
        AfterAnswer(
          anchor: anchor, seconds: seconds,
          latest: try latest.map { text in try ClockTime(parsing: text) },
          first: first.map { now.adding(seconds: $0) }))
    }
    let hour: Int64 = 3_600
    let alarm = AfterAnswer.Anchor.alarm(AlarmID("a1"))
    let rows: [(String, Schedule)] = [
      ("8 hours after the last completion", try after(.itself, 8 * hour, first: 8 * hour)),
      (
        "8 hours after completion starting 2026-11-21 10:00",
        try after(.itself, 8 * hour, first: hour)
      ),
      ("1 hour after the last time starting tomorrow", try after(.itself, hour, first: 15 * hour)),
      ("1 hour after tea is completed", try after(alarm, hour)),
      ("1 hour after tea is done by 10:00", try after(alarm, hour, latest: "10:00")),
      ("1 hour after tea is done latest 10:00", try after(alarm, hour, latest: "10:00")),
      ("1 hour after tea is done no later than 10:00", try after(alarm, hour, latest: "10:00")),
      ("1 hour after tea is done at the latest 10:00", try after(alarm, hour, latest: "10:00")),
    ]
    for (phrase, wanted) in rows { #expect(try schedule(phrase) == wanted, "\(phrase)") }
  }
}

@Suite struct `An early reminder in words` {
  @Test func `is a length of time, or a number of days with a time of day`() throws {
    let (evening, later) = (try ClockTime(parsing: "19:00"), try ClockTime(parsing: "20:30"))
    let rows: [(String, EarlyReminder)] = [
      ("1 second", .elapsed(seconds: 1)), ("1 minute before", .elapsed(seconds: 60)),
      ("1 hour", .elapsed(seconds: 3_600)), ("an hour earlier", .elapsed(seconds: 3_600)),
      ("one hour beforehand", .elapsed(seconds: 3_600)), ("one hour", .elapsed(seconds: 3_600)),
      ("the one hour before", .elapsed(seconds: 3_600)), ("1h30m", .elapsed(seconds: 5_400)),
      ("2 hours 30 minutes before", .elapsed(seconds: 9_000)),
      ("1 day", .days(1, at: nil)), ("the day before", .days(1, at: nil)),
      ("one day before", .days(1, at: nil)), ("2 days before", .days(2, at: nil)),
      ("60 days before", .days(60, at: nil)), ("1 week before", .days(7, at: nil)),
      ("the week before", .days(7, at: nil)), ("one week before", .days(7, at: nil)),
      ("2 weeks", .days(14, at: nil)), ("8 weeks before", .days(56, at: nil)),
      ("the evening before", .days(1, at: evening)), ("night before", .days(1, at: evening)),
      ("the evening before at 20:30", .days(1, at: later)),
      ("the day before 20:30", .days(1, at: later)),
      ("3 days before at 7pm", .days(3, at: evening)),
    ]
    for (text, reminder) in rows {
      #expect(try EarlyReminder(words: text) == reminder, "\(text)")
      #expect(try EarlyReminder(words: reminder.words) == reminder, "\(reminder.words)")
    }
  }

  @Test(arguments: [
    ("0 days before", "it must be 1 to 60 days before"),
    ("61 days before", "it must be 1 to 60 days before"),
    ("0 weeks before", "it must be 1 to 60 days before"),
    ("9 weeks before", "it must be 1 to 60 days before"),
    ("0 minutes before", "it must be at least a second"),
    ("1 hour before 10:00", "expected the end of the text"),
    ("1 hour 10 before", "expected the end of the text"),
    ("before", "expected a length of time, for example \"20 minutes\""),
    ("the", "expected a length of time, for example \"20 minutes\" at character 4"),
    ("", "expected a length of time, for example \"20 minutes\" at character 1"),
  ])
  func `is refused with the reason`(text: String, reason: String) {
    do throws(Refusal) {
      let found = try EarlyReminder(words: text)
      Issue.record("read \"\(text)\" as \(found.words)")
    } catch {
      #expect(error.field == "leads")
      #expect(error.detail.hasSuffix(reason), "\(error.detail)")
    }
  }
}
