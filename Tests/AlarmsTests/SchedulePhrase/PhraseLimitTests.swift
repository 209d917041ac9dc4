import CivilTime
import Testing

@testable import Alarms

/// Saturday 21 November 2026, 09:00 in Berlin.
private let now = Instant(seconds: 1_795_248_000)

@Suite struct `The length of a phrase` {
  private func words(_ phrase: String) throws(Refusal) -> String {
    try SchedulePhrase(phrase, now: now, zone: CoreFixture.berlin).parsed().words
  }

  private func refusal(_ phrase: String) -> String? {
    do throws(Refusal) {
      _ = try words(phrase)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `is at most 16,384 bytes`() throws {
    let phrase = "every day 08:00"
    let spaces = String(repeating: " ", count: 16_384 - phrase.utf8.count)
    #expect(try words(phrase + spaces) == "every day at 08:00")
    #expect(refusal(phrase + spaces + " ") == "schedule: it is longer than 16,384 bytes")
    // The limit counts bytes, and not characters.
    let letters = String(repeating: "é", count: 8_192)
    #expect(refusal(letters) != "schedule: it is longer than 16,384 bytes")
    #expect(refusal(letters + "é") == "schedule: it is longer than 16,384 bytes")
  }

  @Test func `is at most 60 words in everyday language`() throws {
    let local = CoreFixture.berlin.civil(at: now).dateTime
    func phrase(_ first: String, _ other: String, count: Int) -> [String] {
      [first] + Array(repeating: other, count: count - 1)
    }
    let most = phrase("8am", "please", count: 60)
    #expect(EverydayPhrase.reading(of: most, at: local)?.phrases == ["08:00"])
    #expect(EverydayPhrase.reading(of: most + ["please"], at: local) == nil)
    #expect(EverydayPhrase.reading(of: [], at: local) == nil)
    #expect(EverydayPhrase.isAmbiguous(phrase("monday", "08:00", count: 60)))
    #expect(!EverydayPhrase.isAmbiguous(phrase("monday", "08:00", count: 61)))
    let mondays = phrase("monday", "08:00", count: 61).joined(separator: " ")
    #expect(try words(mondays) == "every Monday at 08:00")
  }

  @Test func `has no alarms and no holidays without functions that find them`() {
    #expect(
      refusal("30 minutes after tea is done")?.contains(
        "cannot find the alarm \"tea\": only the daemon knows the alarms") == true)
    #expect(
      refusal("weekdays 08:00 not on holidays")?.contains(
        "cannot find the list of holidays: only the daemon knows the lists") == true)
  }
}

/// Without the instant of typing, the words of a schedule leave out a start that is only in the
/// future. The words keep a start from which the schedule counts.
@Test(arguments: [
  ("every day 08:00 starting 2027-01-01", "every day at 08:00"),
  ("every day 08:00 and 09:30 starting 2027-01-01", "every day at 08:00 and 09:30"),
  ("every 2 days 08:00 starting 2027-01-01", "every 2 days at 08:00 starting 2027-01-01"),
  ("every day 08:00 for 3 times", "every day at 08:00 starting 2026-11-22 for 3 times"),
  (
    "every 2 hours between 08:00 and 20:00 starting 2027-01-01",
    "every 2 hours from 08:00 to 20:00"
  ),
  (
    "once a day at random between 09:00 and 17:00 starting 2027-01-01 until 2027-01-31",
    "once a day at random between 09:00 and 17:00 until 2027-01-31"
  ),
  (
    "last working day of the month 09:00 holidays DE-BE starting 2027-02-01",
    "the last working day of every month at 09:00 holidays DE-BE"
  ),
])
func `the words of a schedule can leave out its start`(phrase: String, words: String) throws {
  let parsed = try SchedulePhrase(
    phrase, now: now, zone: CoreFixture.berlin,
    findHolidays: { (_) throws(Refusal) in HolidayExclusion(list: "DE-BE", days: []) }
  ).parsed()
  #expect(parsed.words == words)
  #expect(parsed.earlyReminders.isEmpty)
}

/// An interval without an end keeps its start only if the start is less than two intervals away.
@Test func `a late start makes a rule of an interval`() throws {
  func schedule(_ phrase: String) throws -> Schedule {
    try SchedulePhrase(phrase, now: now, zone: CoreFixture.berlin).parsed().schedule
  }
  let hours: Int64 = 8
  func every(from start: Int64) -> Schedule {
    .every(seconds: hours * 3_600, from: now.adding(seconds: start * 3_600))
  }
  #expect(try schedule("every 8 hours") == every(from: 0))
  #expect(try schedule("every 8 hours starting 2026-11-21 16:00") == every(from: -1))
  #expect(try schedule("every 8 hours starting 2026-11-22 00:00") == every(from: 7))
  #expect(try schedule("every 8 hours starting 2026-11-22 01:00") == every(from: 8))
  for late in ["01:00:01", "01:01", "02:00"] {
    guard
      case .recurring(let rule, let start) = try schedule("every 8 hours from 2026-11-22 \(late)")
    else {
      Issue.record("\(late)")
      continue
    }
    #expect("\(rule)" == "FREQ=HOURLY;INTERVAL=8")
    #expect("\(start)" == "2026-11-22T\(late)" + (late.count == 5 ? ":00" : ""))
  }
}

/// A rule without DTSTART, typed on 21 November 2026 at 09:09:14.
@Test(arguments: [
  ("FREQ=DAILY;BYHOUR=10", "2026-11-21T10:00:00"),
  ("FREQ=DAILY;BYHOUR=9", "2026-11-22T09:00:00"),
  ("FREQ=DAILY;BYHOUR=10;BYMINUTE=5", "2026-11-21T10:05:00"),
  ("FREQ=DAILY;BYMINUTE=5", "2026-11-22T09:05:00"), ("FREQ=DAILY", "2026-11-22T09:09:00"),
  ("FREQ=WEEKLY;BYHOUR=10", "2026-11-21T10:00:00"),
  ("FREQ=HOURLY;BYHOUR=10", "2026-11-21T09:09:00"),
  ("FREQ=HOURLY", "2026-11-21T09:09:00"), ("FREQ=MINUTELY", "2026-11-21T09:09:00"),
])
func `a rule without a start begins at the present minute or hour`(
  rule: String, wanted: String
) throws {
  let parsed = try SchedulePhrase(
    rule, now: now.adding(seconds: 9 * 60 + 14), zone: CoreFixture.berlin
  ).parsed()
  guard case .recurring(_, let start) = parsed.schedule else {
    Issue.record("\(parsed.schedule)")
    return
  }
  #expect("\(start)" == wanted)
}
