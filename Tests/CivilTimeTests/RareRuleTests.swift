import Testing

@testable import CivilTime

/// Tests rules whose times are rare, and compares them with a count of all days.
@Suite("Rare rules")
struct RareRuleTests {
  private func recurrence(
    _ rule: String, _ start: String, _ zone: Zone = .utc
  ) throws -> Recurrence {
    try Recurrence(rule: RecurrenceRule(parsing: rule), start: local(start), zone: zone)
  }

  private func first(
    _ count: Int, _ rule: String, _ start: String, _ zone: Zone = .utc
  ) throws -> [String] {
    let recurrence = try recurrence(rule, start, zone)
    var found: [Occurrence] = []
    while found.count < count,
      let next = recurrence.next(after: found.last?.instant ?? Instant(milliseconds: .min))
    {
      found.append(next)
    }
    return found.map { "\($0.nominal)" }
  }

  /// 2026-01-01 is a Thursday, 2028 is a leap year, and each rule starts at 08:00.
  private static let yearDays: [(rule: String, start: String, days: [String])] = [
    (
      "FREQ=YEARLY;BYYEARDAY=366;SKIP=FORWARD", "2026-06-15",
      ["2027-01-01", "2028-01-01", "2028-12-31", "2030-01-01"]
    ),
    (
      "FREQ=YEARLY;BYYEARDAY=366;SKIP=BACKWARD", "2026-06-15",
      ["2026-12-31", "2027-12-31", "2028-12-31", "2029-12-31"]
    ),
    ("FREQ=YEARLY;BYYEARDAY=366", "2026-06-15", ["2028-12-31", "2032-12-31"]),
    (
      "FREQ=YEARLY;BYMONTH=1,12;BYYEARDAY=366;SKIP=FORWARD", "2026-01-01",
      ["2028-12-31", "2032-12-31"]
    ),
    (
      "FREQ=YEARLY;BYMONTHDAY=1,31;BYYEARDAY=366;SKIP=FORWARD", "2026-01-01",
      ["2028-12-31", "2032-12-31"]
    ),
    (
      "FREQ=YEARLY;BYYEARDAY=365,-365;SKIP=FORWARD", "2026-06-15",
      ["2026-12-31", "2027-01-01", "2027-12-31", "2028-01-02", "2028-12-30", "2029-01-01"]
    ),
    (
      "FREQ=YEARLY;BYYEARDAY=366;BYDAY=MO,SA,SU;SKIP=FORWARD", "2026-01-01",
      ["2028-01-01", "2028-12-31", "2034-01-01", "2035-01-01"]
    ),
    (
      "FREQ=YEARLY;BYYEARDAY=-366;SKIP=FORWARD", "2026-06-15",
      ["2027-01-01", "2028-01-01", "2029-01-01"]
    ),
    (
      "FREQ=YEARLY;BYMONTHDAY=-31;BYMONTH=2,4;SKIP=FORWARD", "2026-01-01",
      ["2026-02-01", "2026-04-01", "2027-02-01"]
    ),
    ("FREQ=HOURLY;INTERVAL=24;BYYEARDAY=366;SKIP=FORWARD", "2026-06-15", ["2028-12-31"]),
    ("FREQ=MONTHLY;BYMONTHDAY=-31", "2026-01-01", ["2026-01-01", "2026-03-01", "2026-05-01"]),
    (
      "FREQ=MONTHLY;BYMONTHDAY=-30,-29", "2026-02-01",
      ["2026-03-02", "2026-03-03", "2026-04-01", "2026-04-02", "2026-05-02"]
    ),
    (
      "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=4,5;SKIP=FORWARD", "2026-01-01",
      ["2026-05-31", "2027-05-31"]
    ),
  ]

  @Test(arguments: yearDays.indices)
  func `SKIP replaces a day that a year does not have`(index: Int) throws {
    let (rule, start, days) = Self.yearDays[index]
    let found = try first(days.count, rule, "\(start)T08:00")
    #expect(found == days.map { "\($0)T08:00:00" }, "\(rule) \(start)")
  }

  @Test func `both times of a moved day ring`() throws {
    let rule = "FREQ=YEARLY;BYYEARDAY=366;BYHOUR=8,20;BYSETPOS=1,2;SKIP=FORWARD"
    let expected = ["2027-01-01", "2028-01-01", "2028-12-31"].flatMap {
      ["\($0)T08:00:00", "\($0)T20:00:00"]
    }
    #expect(try first(6, rule, "2026-02-01T08:00") == expected)
  }

  @Test func `a day of the next month belongs to BYSETPOS of the month before`() throws {
    let rule = "FREQ=MONTHLY;BYMONTHDAY=30,31;BYHOUR=8,20;BYSETPOS=-1;SKIP=FORWARD"
    let expected = ["01-31", "03-01", "03-31", "05-01", "05-31"].map { "2026-\($0)T20:00:00" }
    #expect(try first(5, rule, "2026-01-01T08:00") == expected)
    let monthly = try recurrence(rule, "2026-01-01T08:00")
    // On the first day of a month, the search also looks at the month before.
    for (from, next) in [
      ("2026-02-01T00:00:00", "2026-03-01"), ("2026-03-01T19:59:59", "2026-03-01"),
      ("2026-03-01T20:00:00", "2026-03-31"), ("2026-04-01T08:00:00", "2026-05-01"),
      ("2026-06-01T08:00:00", "2026-07-01"),
    ] {
      let found = monthly.next(after: try instant("\(from)Z"))
      #expect(found?.nominal.description == "\(next)T20:00:00", "\(from)")
    }
  }

  /// The second value is the number of days between two days of the rule.
  @Test(arguments: [
    ("FREQ=MINUTELY;INTERVAL=61;BYHOUR=3;BYMINUTE=0;BYSECOND=0,1", 61),
    ("FREQ=MINUTELY;INTERVAL=61;BYHOUR=3;BYMINUTE=0;BYSECOND=0,1,2", 61),
    ("FREQ=HOURLY;INTERVAL=25;BYHOUR=3;BYMINUTE=0,1", 25),
    ("FREQ=SECONDLY;INTERVAL=601;BYHOUR=3;BYMINUTE=0;BYSECOND=0", 601),
    ("FREQ=MINUTELY;INTERVAL=7;BYHOUR=3;BYMINUTE=0", 7),
  ])
  func `a rule of elapsed time with rare times has all of its times`(rule: String, days: Int) throws
  {
    let text = "2026-01-01T03:00"
    let start = try local(text).localSeconds
    let width = rule.hasSuffix("0,1,2") ? 3 : rule.hasSuffix("0,1") ? 2 : 1
    let unit: Int64 = rule.contains("HOURLY") ? 60 : 1
    // The times cover 400 years. A list contains only the first of these times.
    let expected = stride(from: 0, to: 146_097, by: days).flatMap { day in
      (0..<width).map { start + Int64(day) * 86_400 + Int64($0) * unit }
    }
    let made = try recurrence(rule, text)
    let end = Instant(seconds: start + 146_097 * 86_400)
    let found = made.occurrences(from: Instant(seconds: 0), to: end).map(\.instant.seconds)
    #expect(found == expected)
    for index in expected.indices.dropLast() where index < 20 || index % 50 == 0 {
      let (second, following) = (expected[index], expected[index + 1])
      for before in [second, (second + following) / 2, following - 1] {
        #expect(made.next(after: Instant(seconds: before))?.instant.seconds == following)
      }
      #expect(made.next(after: Instant(seconds: second - 1))?.instant.seconds == second)
    }
    for count in [1, 2, 3, 8] {
      let counted = try recurrence("\(rule);COUNT=\(count)", text)
      let all = counted.occurrences(from: Instant(seconds: 0), to: end).map(\.instant.seconds)
      #expect(all == Array(expected.prefix(count)))
    }
  }

  private static let none = "no date up to the year 9999 fits all of its parts"
  private static let late = "no time fits all of its parts (searched until 2028-03-11)"

  /// 2026-01-01 is a Thursday.
  @Test(arguments: [
    ("FREQ=MINUTELY;INTERVAL=5;BYMINUTE=1", "08:00", none),
    ("FREQ=MINUTELY;INTERVAL=4;BYMINUTE=1", "08:00", late),
    ("FREQ=HOURLY;INTERVAL=24;BYHOUR=5;BYMINUTE=30", "23:15", none),
    ("FREQ=HOURLY;INTERVAL=24;BYHOUR=23;BYMINUTE=0", "22:15", none),
    ("FREQ=HOURLY;INTERVAL=24;BYHOUR=21;BYMINUTE=59", "22:15", none),
    ("FREQ=MINUTELY;INTERVAL=1440;BYHOUR=8;BYMINUTE=1;BYSECOND=0", "08:00", none),
    ("FREQ=HOURLY;INTERVAL=168;BYDAY=FR,WE", "08:00", none),
    ("FREQ=HOURLY;INTERVAL=168;BYDAY=TH;BYHOUR=7,9", "08:00", none),
  ])
  func `a rule that can never fit a window is refused with its reason`(
    rule: String, time: String, reason: String
  ) throws {
    let error = #expect(throws: CivilTimeError.self) {
      try recurrence(rule, "2026-01-01T\(time)")
    }
    let text = try RecurrenceRule(parsing: rule).description
    #expect(error == .neverOccurs(rule: text, reason: reason))
  }

  @Test(arguments: [
    ("FREQ=MINUTELY;INTERVAL=5;BYMINUTE=5", "08:00", "2026-01-01T08:05:00"),
    ("FREQ=MINUTELY;INTERVAL=5;BYMINUTE=1", "08:01", "2026-01-01T08:01:00"),
    ("FREQ=HOURLY;INTERVAL=24;BYHOUR=23;BYMINUTE=59", "23:15", "2026-01-01T23:59:00"),
    ("FREQ=HOURLY;INTERVAL=24;BYHOUR=22;BYMINUTE=0", "22:15", "2026-01-02T22:00:00"),
    ("FREQ=HOURLY;INTERVAL=168;BYDAY=TH", "08:00", "2026-01-01T08:00:00"),
    ("FREQ=HOURLY;INTERVAL=168;BYDAY=TH;BYHOUR=8", "08:00", "2026-01-01T08:00:00"),
  ])
  func `a rule that fits one window is accepted`(
    rule: String, time: String, expected: String
  ) throws {
    #expect(try first(1, rule, "2026-01-01T\(time)") == [expected])
  }

  @Test func `an occurrence after UNTIL is not due`() throws {
    for rule in ["FREQ=DAILY", "FREQ=HOURLY;INTERVAL=24"] {
      let made = try recurrence("\(rule);UNTIL=20260103T080000Z", "2026-01-01T08:00")
      let due = try ["03T08:00:00", "03T08:00:01", "04T08:00:00"].map {
        made.identities(at: try instant("2026-01-\($0)Z")).count
      }
      #expect(due == [1, 0, 0], "\(rule)")
      let end = try instant("2026-02-01T00:00:00Z")
      let all = made.occurrences(from: Instant(milliseconds: .min), to: end).map(\.nominal)
      #expect(all.map(\.date.day) == [1, 2, 3])
    }
    let seconds = try recurrence("FREQ=SECONDLY;UNTIL=20260101T080002Z", "2026-01-01T08:00")
    let end = try instant("2027-01-01T00:00:00Z")
    let all = seconds.occurrences(from: Instant(seconds: 0), to: end)
    #expect(all.map(\.nominal.time.second) == [0, 1, 2])
  }
}
