import CivilTime
import Testing

@testable import Alarms

/// Saturday 21 November 2026, 09:00 in Berlin.
private let now = Instant(seconds: 1_795_248_000)

@Suite struct `A schedule as RFC 5545 text` {
  @Test func `begins with the name of a property or with FREQ`() {
    let texts = [
      "FREQ=DAILY", "freq=daily", "  FREQ=DAILY", "\nRRULE:FREQ=DAILY", "DTSTART:20261201T080000",
      "dtstart;TZID=UTC:20261201T080000", "RDATE:20261201T080000", "EXDATE:20261201T080000",
    ]
    for text in texts { #expect(RuleText.isRuleText(text), "\(text)") }
    let others = ["", "FREQ", "FREQ:DAILY", "DTSTAR", "XFREQ=DAILY", "every day 08:00", "daily"]
    for text in others { #expect(!RuleText.isRuleText(text), "\(text)") }
  }

  /// The second text has the typed start and the local time in Berlin. This time is one hour ahead
  /// of UTC in winter, and two hours ahead of UTC in summer.
  @Test(
    arguments: [
      ("DTSTART:20261201T080000Z RRULE:FREQ=DAILY", "20261201T080000Z 2026-12-01T09:00:00"),
      ("dtstart:20261201t080000z rrule:freq=daily", "20261201t080000z 2026-12-01T09:00:00"),
      ("DTSTART:20260701T080000Z RRULE:FREQ=DAILY", "20260701T080000Z 2026-07-01T10:00:00"),
      ("RRULE:FREQ=DAILY DTSTART:20261201T080000Z", "20261201T080000Z 2026-12-01T09:00:00"),
      ("DTSTART:20261231T233000Z RRULE:FREQ=DAILY", "20261231T233000Z 2027-01-01T00:30:00"),
      (
        "DTSTART:20261201T080000 RRULE:FREQ=DAILY DTSTART:20261202T080000Z RRULE:FREQ=DAILY",
        "20261202T080000Z 2026-12-02T09:00:00"
      ),
      (
        "DTSTART:20261301T080000Z RRULE:FREQ=DAILY DTSTART:20261202T080000Z",
        "20261202T080000Z 2026-12-02T09:00:00"
      ),
      ("DTSTART:20261201T080000 RRULE:FREQ=DAILY", nil), ("DTSTART:20261201T080000Z", nil),
      ("DTSTART:20261201T080000Z RDATE:20261202T080000", nil), ("RRULE:FREQ=DAILY", nil),
      ("RDATE:20261201T080000Z RRULE:FREQ=DAILY", nil), ("FREQ=DAILY", nil),
      ("DTSTART:20261201Z RRULE:FREQ=DAILY", nil), ("every day 08:00", nil),
      ("x DTSTART:20261201T080000Z RRULE:FREQ=DAILY", nil),
    ] as [(String, String?)])
  func `can have a start in UTC`(text: String, wanted: String?) {
    let found = RuleText.startInUTC(text, zone: CoreFixture.berlin)
    #expect(found.map { "\($0.typed) \($0.local)" } == wanted)
    // In a zone whose local time is always UTC, the start is a local time.
    #expect(RuleText.startInUTC(text, zone: .utc) == nil)
  }

  @Test func `exists only for schedules of rules and dates`() throws {
    func schedule(_ phrase: String) throws -> Schedule {
      try SchedulePhrase(
        phrase, now: now, zone: CoreFixture.berlin,
        findAlarm: { (_) throws(Refusal) in AlarmID("a1") }
      ).parsed().schedule
    }
    let others = [
      "in 20 minutes", "2026-12-01 08:00", "every 8 hours", "random between 8:00 and 20:00",
      "every 2 hours between 8:00 and 20:00", "1 hour after tea is done",
    ]
    for phrase in others { #expect(RuleText.text(try schedule(phrase)) == nil, "\(phrase)") }
    let texts = [
      "DTSTART:20261201T080000 RRULE:FREQ=DAILY;COUNT=3",
      "DTSTART:20261201T080000 RRULE:FREQ=DAILY RDATE:20261205T100000,20261206T100000 "
        + "EXDATE:20261203T080000 EXDATE;VALUE=DATE:20261207,20261208",
      "DTSTART:20261201T080000 RRULE:FREQ=DAILY DTSTART:20261202T090000 RRULE:FREQ=WEEKLY",
    ]
    for text in texts {
      let read = try schedule(text)
      let written = try #require(RuleText.text(read))
      #expect(try schedule(written) == read, "\(written)")
      // The written text has the same properties in the same order.
      func names(_ text: String) -> [Substring] {
        text.split(separator: " ").compactMap { $0.split(separator: ":").first }
      }
      #expect(names(written) == names(text), "\(written)")
    }
  }
}
