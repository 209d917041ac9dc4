import Testing

@testable import CivilTime

@Suite("Rules as text")
struct RuleTextTests {
  @Test(arguments: [
    ("FREQ=DAILY;FREQ=DAILY", "invalid-rule", 12, "given twice"),
    ("", "malformed-rule", 1, "the name of a rule part"),
    ("FREQ=DAILY;", "malformed-rule", 12, "the name of a rule part"),
    ("INTERVAL=2", "invalid-rule", 1, "FREQ is missing"),
    ("FREQ=FORTNIGHTLY", "malformed-rule", 6, "SECONDLY, MINUTELY"),
    ("FREQ=DAILY;INTERVAL=0", "rule-value-out-of-range", 21, "INTERVAL must be 1"),
    ("FREQ=DAILY;INTERVAL=-1", "malformed-rule", 21, "a number"),
    ("FREQ=DAILY;COUNT=0", "rule-value-out-of-range", 18, "COUNT must be 1"),
    ("FREQ=DAILY;COUNT=99999999999999999999", "rule-value-out-of-range", 18, "COUNT must be"),
    ("FREQ=DAILY;COUNT=3;UNTIL=20260101", "invalid-rule", 20, "COUNT and UNTIL"),
    ("FREQ=DAILY;UNTIL=20260230", "rule-value-out-of-range", 24, "February 2026 has 28 days"),
    ("FREQ=DAILY;UNTIL=2026-01-01", "malformed-rule", 22, "a date such as 20261224"),
    ("FREQ=DAILY;BYHOUR=24", "rule-value-out-of-range", 19, "BYHOUR must be 0 to 23"),
    ("FREQ=DAILY;BYHOUR=8,,9", "malformed-rule", 21, "a number"),
    ("FREQ=DAILY;BYSECOND=61", "rule-value-out-of-range", 21, "BYSECOND must be 0 to 60"),
    ("FREQ=DAILY;BYMONTHDAY=0", "rule-value-out-of-range", 23, "cannot be 0"),
    ("FREQ=DAILY;BYMONTHDAY=32", "rule-value-out-of-range", 23, "-31 to 31"),
    ("FREQ=DAILY;BYDAY=XX", "malformed-rule", 18, "MO, TU"),
    ("FREQ=DAILY;BYDAY=1MO", "invalid-rule", 12, "a number in BYDAY needs"),
    ("FREQ=MONTHLY;BYDAY=0MO", "rule-value-out-of-range", 20, "cannot be 0"),
    ("FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO", "invalid-rule", 24, "cannot be used with BYWEEKNO"),
    ("FREQ=MONTHLY;BYWEEKNO=3", "invalid-rule", 14, "BYWEEKNO needs FREQ=YEARLY"),
    ("FREQ=WEEKLY;BYMONTHDAY=3", "invalid-rule", 13, "BYMONTHDAY cannot"),
    ("FREQ=MONTHLY;BYYEARDAY=3", "invalid-rule", 14, "BYYEARDAY cannot"),
    ("FREQ=DAILY;BYSETPOS=1", "invalid-rule", 12, "BYSETPOS needs another"),
    ("FREQ=DAILY;X-COLOR=RED", "invalid-rule", 12, "X-COLOR is not a part"),
    ("FREQ=DAILY INTERVAL=2", "malformed-rule", 11, "\";\" or the end"),
    ("FREQ=MONTHLY;RSCALE=CHINESE", "unsupported-rule", 21, "only the calendar GREGORIAN"),
    ("FREQ=YEARLY;BYMONTH=5L", "unsupported-rule", 22, "no leap months"),
    ("FREQ=MONTHLY;SKIP=SIDEWAYS", "malformed-rule", 19, "OMIT, BACKWARD or FORWARD"),
    (
      "FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=BACKWARD", "unsupported-rule", 29,
      "counted from the end"
    ),
    ("täglich", "invalid-rule", 1, "T is not a part"),
    ("FREQ=DÄILY;BYHOUR=x", "malformed-rule", 6, "SECONDLY"),
    ("FREQ=DAILY;ä=1;BYHOUR=x", "malformed-rule", 12, "the name of a rule part"),
  ])
  func `the error of a bad rule names place and reason`(
    text: String, kind: String, position: Int, sentence: String
  ) {
    let error = #expect(throws: CivilTimeError.self) { try RecurrenceRule(parsing: text) }
    #expect(error?.kind == kind, "\(text)")
    #expect(error?.position == position, "\(text)")
    #expect(error?.description.contains(sentence) == true, "\(error as Any)")
  }

  @Test(arguments: [
    ("rrule:freq=weekly;byday=th,TU,th", "FREQ=WEEKLY;BYDAY=TU,TH"),
    ("BYSECOND=60,59,0;FREQ=DAILY;INTERVAL=1", "FREQ=DAILY;BYSECOND=0,59"),
    ("FREQ=MONTHLY;BYDAY=FR,-1FR,2MO;WKST=MO", "FREQ=MONTHLY;BYDAY=-1FR,FR,2MO"),
    ("FREQ=DAILY;UNTIL=19971224T235960Z", "FREQ=DAILY;UNTIL=19971224T235959Z"),
    ("FREQ=DAILY;UNTIL=19971224", "FREQ=DAILY;UNTIL=19971224"),
    ("FREQ=DAILY;UNTIL=19971224T000000;WKST=SU", "FREQ=DAILY;UNTIL=19971224T000000;WKST=SU"),
    ("SKIP=FORWARD;FREQ=MONTHLY", "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD"),
    ("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT", "FREQ=MONTHLY"),
    ("FREQ=YEARLY;BYMONTHDAY=+1,-1", "FREQ=YEARLY;BYMONTHDAY=-1,1"),
  ])
  func `a rule is printed in one canonical form`(text: String, canonical: String) throws {
    #expect(try RecurrenceRule(parsing: text).description == canonical)
  }

  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;INTERVAL=12;BYMONTH=2",
    "FREQ=DAILY;INTERVAL=7;BYDAY=TU", "FREQ=HOURLY;INTERVAL=24;BYHOUR=3",
    "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6", "FREQ=MONTHLY;BYDAY=6MO",
    "FREQ=DAILY;BYHOUR=8,9;BYSETPOS=3", "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1",
    "FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=8,9;BYSETPOS=5", "FREQ=SECONDLY;BYMONTH=4;BYMONTHDAY=31",
    "FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=29", "FREQ=DAILY;UNTIL=20251231T000000Z",
  ])
  func `a rule that can never ring is refused when it is made`(text: String) throws {
    // The start is Thursday, 1 January 2026. None of the years 2026, 2126, 2226 and so on is a leap
    // year.
    let start = try local("2026-01-01T08:00")
    let rule = try RecurrenceRule(parsing: text)
    let zone = try SystemZone.named("Asia/Tokyo")
    let error = #expect(throws: CivilTimeError.self) {
      try Recurrence(rule: rule, start: start, zone: zone)
    }
    #expect(error?.kind == "rule-never-occurs", "\(text)")
  }

  /// These rules look similar to the rules in the test above. But each of these rules rings.
  @Test(arguments: [
    ("FREQ=DAILY;INTERVAL=7;BYDAY=TH", "2026-01-01T08:00"),
    ("FREQ=DAILY;INTERVAL=6;BYDAY=TU", "2026-01-13T08:00"),
    // The rule counts elapsed time from 08:00. After the clocks are set forward on 29 March, the
    // rule rings at 09:00.
    ("FREQ=HOURLY;INTERVAL=24;BYHOUR=9", "2026-03-29T09:00"),
    ("FREQ=HOURLY;INTERVAL=168;BYDAY=FR;BYHOUR=0", "2026-04-03T00:00"),
    ("FREQ=HOURLY;INTERVAL=12;BYMINUTE=30,59;BYHOUR=8", "2026-01-01T08:30"),
    ("FREQ=MINUTELY;INTERVAL=7;BYHOUR=3;BYMINUTE=0", "2026-01-05T03:00"),
  ])
  func `a rule whose first time is far away is accepted`(text: String, first: String) throws {
    let midnight = text.contains("BYHOUR=0") ? "2026-01-01T23:00" : "2026-01-01T08:00"
    let rule = try Recurrence(
      rule: try RecurrenceRule(parsing: text), start: try local(midnight),
      zone: try SystemZone.named("Europe/Berlin"))
    #expect(rule.next(after: Instant(milliseconds: 0))?.nominal == (try local(first)), "\(text)")
  }
}
