import Testing

@testable import CivilTime

/// Tests COUNT near the last day of the calendar. Also tests the parts of a rule that come from its
/// start.
@Suite("Counts and starts")
struct CountLimitTests {
  private func last(_ rule: String, _ start: String) throws -> String? {
    let recurrence = try Recurrence(
      rule: RecurrenceRule(parsing: rule), start: local(start), zone: .utc)
    let from = try instant("\(start):00Z")
    return recurrence.occurrences(from: from, to: from.adding(seconds: 90 * 86_400)).map {
      "\($0.nominal)"
    }.last
  }

  /// Each rule starts on 9999-12-01 at 08:00. The second value is the day and the hour of the last
  /// occurrence. 9999-12-31 is a Friday.
  @Test(arguments: [
    ("FREQ=DAILY;COUNT=999999999", "31T08"), ("FREQ=DAILY;COUNT=31", "31T08"),
    ("FREQ=DAILY;COUNT=32", "31T08"), ("FREQ=DAILY;COUNT=30", "30T08"),
    ("FREQ=DAILY;INTERVAL=4;COUNT=999999999", "29T08"), ("FREQ=DAILY;INTERVAL=4;COUNT=7", "25T08"),
    ("FREQ=DAILY;INTERVAL=3;COUNT=11", "31T08"), ("FREQ=DAILY;INTERVAL=3;COUNT=12", "31T08"),
    ("FREQ=DAILY;INTERVAL=999999999;COUNT=999999999", "01T08"),
    ("FREQ=DAILY;INTERVAL=2;BYMONTH=12;COUNT=999999", "31T08"),
    ("FREQ=DAILY;INTERVAL=2;BYMONTH=12;COUNT=15", "29T08"),
    ("FREQ=WEEKLY;BYDAY=MO,TU;COUNT=999999999", "28T08"),
    ("FREQ=WEEKLY;BYDAY=MO,TU;COUNT=8", "28T08"), ("FREQ=WEEKLY;BYDAY=MO,TU;COUNT=7", "27T08"),
    ("FREQ=WEEKLY;BYDAY=MO,TU;COUNT=9", "28T08"), ("FREQ=WEEKLY;BYDAY=MO,FR;COUNT=9", "31T08"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=4", "27T08"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=5", "31T08"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=6", "31T08"),
    ("FREQ=DAILY;BYHOUR=8,20;COUNT=62", "31T20"), ("FREQ=DAILY;BYHOUR=8,20;COUNT=61", "31T08"),
    ("FREQ=DAILY;BYHOUR=7,20;COUNT=2", "02T07"), ("FREQ=DAILY;BYHOUR=7,20;COUNT=999", "31T20"),
    ("FREQ=MONTHLY;COUNT=999999999", "01T08"), ("FREQ=YEARLY;COUNT=999999999", "01T08"),
    ("FREQ=MONTHLY;BYMONTHDAY=5,7,9;COUNT=2", "07T08"),
    ("FREQ=MONTHLY;BYMONTHDAY=5,7,9;COUNT=4", "09T08"),
    ("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=3", "28T08"),
    ("FREQ=MONTHLY;BYMONTHDAY=31;SKIP=FORWARD;COUNT=9", "31T08"),
    ("FREQ=MONTHLY;BYMONTHDAY=31;SKIP=FORWARD;COUNT=999999999", "31T08"),
    ("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=999999999", "28T08"),
    ("FREQ=MONTHLY;BYDAY=MO;BYHOUR=8,9;BYSETPOS=1,-1;COUNT=100000", "27T09"),
    ("FREQ=MONTHLY;BYDAY=MO;BYHOUR=8,9;BYSETPOS=1,-1;COUNT=1", "06T08"),
    ("FREQ=WEEKLY;BYMONTH=12;BYDAY=MO,TU;BYSETPOS=-1;COUNT=3", "21T08"),
    ("FREQ=HOURLY;INTERVAL=6;COUNT=999999999", "31T20"),
    ("FREQ=HOURLY;INTERVAL=6;COUNT=123", "31T20"), ("FREQ=HOURLY;INTERVAL=6;COUNT=122", "31T14"),
    ("FREQ=HOURLY;INTERVAL=6;BYHOUR=8;COUNT=100000", "31T08"),
    ("FREQ=HOURLY;INTERVAL=6;BYHOUR=8;COUNT=30", "30T08"),
  ])
  func `COUNT ends a rule, but never after the last day`(rule: String, expected: String) throws {
    #expect(try last(rule, "9999-12-01T08:00") == "9999-12-\(expected):00:00")
  }

  @Test(arguments: [
    ("FREQ=DAILY", "FREQ=DAILY;BYSECOND=30;BYMINUTE=15;BYHOUR=8"),
    ("FREQ=DAILY;COUNT=3;BYHOUR=9", "FREQ=DAILY;COUNT=3;BYSECOND=30;BYMINUTE=15;BYHOUR=9"),
    ("FREQ=DAILY;BYMINUTE=1;BYSECOND=2", "FREQ=DAILY;BYSECOND=2;BYMINUTE=1;BYHOUR=8"),
    ("FREQ=WEEKLY", "FREQ=WEEKLY;BYSECOND=30;BYMINUTE=15;BYHOUR=8;BYDAY=TH"),
    ("FREQ=WEEKLY;BYDAY=MO", "FREQ=WEEKLY;BYSECOND=30;BYMINUTE=15;BYHOUR=8;BYDAY=MO"),
    ("FREQ=MONTHLY", "FREQ=MONTHLY;BYSECOND=30;BYMINUTE=15;BYHOUR=8;BYMONTHDAY=5"),
    ("FREQ=MONTHLY;BYDAY=MO", "FREQ=MONTHLY;BYSECOND=30;BYMINUTE=15;BYHOUR=8;BYDAY=MO"),
    ("FREQ=MONTHLY;BYMONTHDAY=1", "FREQ=MONTHLY;BYSECOND=30;BYMINUTE=15;BYHOUR=8;BYMONTHDAY=1"),
    ("FREQ=YEARLY", "FREQ=YEARLY;BYSECOND=30;BYMINUTE=15;BYHOUR=8;BYMONTHDAY=5;BYMONTH=3"),
    (
      "FREQ=YEARLY;BYMONTH=7",
      "FREQ=YEARLY;BYSECOND=30;BYMINUTE=15;BYHOUR=8;BYMONTHDAY=5;BYMONTH=7"
    ),
    ("FREQ=YEARLY;BYYEARDAY=9", "FREQ=YEARLY;BYSECOND=30;BYMINUTE=15;BYHOUR=8;BYYEARDAY=9"),
    ("FREQ=YEARLY;BYWEEKNO=9", "FREQ=YEARLY;BYSECOND=30;BYMINUTE=15;BYHOUR=8;BYWEEKNO=9"),
    ("FREQ=HOURLY", "FREQ=HOURLY"), ("FREQ=MINUTELY;BYHOUR=3", "FREQ=MINUTELY;BYHOUR=3"),
  ])
  func `the start gives the missing parts`(rule: String, expected: String) throws {
    let start = try local("2026-03-05T08:15:30")
    #expect(try RecurrenceRule(parsing: rule).spelledOut(from: start).description == expected)
  }

  private static let missed: [(rule: String, start: String, months: [Int])] = [
    ("FREQ=MONTHLY", "2026-01-28", []), ("FREQ=MONTHLY", "2026-01-29", [2]),
    ("FREQ=MONTHLY;INTERVAL=3", "2026-01-31", [4]),
    ("FREQ=MONTHLY;INTERVAL=3", "2026-05-31", [2, 11]),
    ("FREQ=MONTHLY;INTERVAL=5", "2026-01-31", [2, 4, 6, 9, 11]),
    ("FREQ=MONTHLY;BYDAY=MO", "2026-01-31", []), ("FREQ=WEEKLY", "2026-01-31", []),
    ("FREQ=MONTHLY;BYMONTH=1,4;BYMONTHDAY=31", "2026-01-31", [4]),
    ("FREQ=MONTHLY;BYMONTHDAY=29,31;BYSETPOS=1", "2026-01-31", [2]),
    ("FREQ=MONTHLY;BYMONTHDAY=-1,31;BYSETPOS=1", "2026-01-31", []),
    ("FREQ=MONTHLY;BYMONTHDAY=-30,31;BYSETPOS=1", "2026-01-31", [2]),
    ("FREQ=YEARLY;BYMONTHDAY=-30;BYSETPOS=1", "2026-01-02", []),
    ("FREQ=MONTHLY;BYMONTHDAY=28,31", "2026-01-31", [2, 4, 6, 9, 11]),
    ("FREQ=MONTHLY;BYMONTHDAY=-31,28", "2026-01-31", []),
    ("FREQ=DAILY;BYMONTHDAY=31", "2026-01-31", []), ("FREQ=YEARLY", "2026-03-31", []),
    ("FREQ=YEARLY;BYMONTHDAY=31", "2026-01-31", [2, 4, 6, 9, 11]),
    ("FREQ=YEARLY;BYMONTH=2,3;BYMONTHDAY=30", "2026-03-30", [2]),
    ("FREQ=YEARLY;BYMONTH=2,4", "2024-02-29", [2]),
    ("FREQ=YEARLY;BYWEEKNO=5", "2026-01-31", []), ("FREQ=YEARLY;BYYEARDAY=31", "2026-01-31", []),
    ("FREQ=YEARLY;BYDAY=MO", "2026-01-31", []),
    ("FREQ=MONTHLY;SKIP=FORWARD", "2026-01-31", []),
  ]

  @Test(arguments: missed.indices)
  func `the months without the day are named`(index: Int) throws {
    let (rule, start, months) = Self.missed[index]
    let made = try Recurrence(
      rule: RecurrenceRule(parsing: rule), start: local("\(start)T08:00"), zone: .utc)
    #expect(made.missedMonths == months, "\(rule) \(start)")
  }

  @Test func `equal rules are one element of a set`() throws {
    let texts = ["FREQ=DAILY;BYHOUR=8,9", "BYHOUR=9,8;FREQ=DAILY", "FREQ=DAILY;BYHOUR=8"]
    #expect(try Set(texts.map { try RecurrenceRule(parsing: $0) }).count == 2)
  }
}
