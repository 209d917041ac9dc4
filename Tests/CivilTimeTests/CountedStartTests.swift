import Testing

@testable import CivilTime

/// Tests a start that is not an occurrence of its rule.
@Suite struct `A counted start` {
  private static func counted(_ rule: String, _ start: String) throws -> CountedStart {
    try CountedStart(
      rule: RecurrenceRule(parsing: rule), start: CivilDateTime(parsing: start),
      zone: SystemZone.named("Europe/Berlin"))
  }

  /// Returns the first dates of the rule and of the single date together. The maximum is 6 dates.
  private static func dates(_ counted: CountedStart) throws -> [String] {
    let zone = try SystemZone.named("Europe/Berlin")
    var rules: [Recurrence] = []
    if let rule = counted.rule {
      rules.append(try Recurrence(rule: rule, start: counted.start, zone: zone))
    }
    let set = try RecurrenceSet(
      rules: rules, dates: counted.single.map { [$0] } ?? [], zone: zone)
    var found: [String] = []
    var at = Instant(milliseconds: .min)
    while found.count < 6, let next = set.next(after: at) {
      found.append(next.nominal.date.description)
      at = next.instant
    }
    return found
  }

  @Test(arguments: [
    // RFC 5545 section 3.8.5.3: every Friday the 13th. The start is a Tuesday.
    (
      "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1997-09-02T09:00",
      ["1997-09-02", "1998-02-13", "1998-03-13", "1998-11-13", "1999-08-13", "2000-10-13"]
    ),
    (
      "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "1997-09-02T09:00",
      ["1997-09-02", "1998-02-13", "1998-03-13"]
    ),
    ("FREQ=WEEKLY;BYDAY=TH;COUNT=1", "2027-03-02T08:00", ["2027-03-02"]),
    ("FREQ=WEEKLY;BYDAY=TU;COUNT=2", "2027-03-02T08:00", ["2027-03-02", "2027-03-09"]),
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,FR;COUNT=4", "2027-03-02T08:00",
      ["2027-03-02", "2027-03-04", "2027-03-05", "2027-03-18"]
    ),
    // The rule takes the day of the month (31) from its start. If the first occurrence (28
    // February) became the start, the rule would mean the 28th.
    (
      "FREQ=MONTHLY;BYMONTH=2,3;RSCALE=GREGORIAN;SKIP=BACKWARD;COUNT=4", "2027-01-31T08:00",
      ["2027-01-31", "2027-02-28", "2027-03-31", "2028-02-29"]
    ),
  ])
  func `rings, and counts as the first occurrence`(
    rule: String, start: String, dates: [String]
  ) throws {
    #expect(try Self.dates(Self.counted(rule, start)) == dates)
  }

  @Test func `stays a part of the rule if it is a time of the rule`() throws {
    let fitting = try Self.counted("FREQ=DAILY;COUNT=3", "2027-03-02T08:00")
    #expect(fitting.single == nil && fitting.rule?.end == .count(3))
    // On this day, the clocks skip 02:30. The start is still an occurrence of its rule.
    let skipped = try Self.counted("FREQ=DAILY;COUNT=3", "2027-03-28T02:30")
    #expect(skipped.single == nil)
  }

  @Test func `a rule without a time after its start is refused`() throws {
    #expect(throws: CivilTimeError.self) {
      try Self.counted("FREQ=DAILY;UNTIL=20270101", "2027-03-02T08:00")
    }
  }

  @Test func `the start of one of several rules is enough`() throws {
    let rules = try ["FREQ=WEEKLY;BYDAY=TH;COUNT=2", "FREQ=WEEKLY;BYDAY=TU;COUNT=2"].map {
      try RecurrenceRule(parsing: $0)
    }
    let found = try CountedStart.all(
      rules, start: CivilDateTime(parsing: "2027-03-02T08:00"),
      zone: SystemZone.named("Europe/Berlin"))
    #expect(found.allSatisfy { $0.single == nil })
    #expect(found.map(\.rule?.end) == [.count(2), .count(2)])
  }

  private static func text(_ counted: CountedStart) -> String {
    let rule = counted.rule?.description ?? "no rule"
    return "\(rule) from \(counted.start), single \(counted.single?.description ?? "none")"
  }

  /// 2026-01-01 is a Thursday.
  private static let rows: [(String, String, String, String, String?)] = [
    ("FREQ=HOURLY;INTERVAL=6", "01-01T08", "FREQ=HOURLY;INTERVAL=6", "01-01T08", nil),
    ("FREQ=DAILY;COUNT=2", "01-01T08", "FREQ=DAILY;COUNT=2", "01-01T08", nil),
    ("FREQ=WEEKLY;BYDAY=TU", "01-01T08", "FREQ=WEEKLY;BYDAY=TU", "01-06T08", "01-01T08"),
    ("FREQ=WEEKLY;COUNT=1;BYDAY=TU", "01-01T08", "no rule", "01-01T08", "01-01T08"),
    (
      "FREQ=WEEKLY;COUNT=2;BYDAY=TU", "01-01T08",
      "FREQ=WEEKLY;COUNT=1;BYDAY=TU", "01-06T08", "01-01T08"
    ),
    (
      "FREQ=DAILY;COUNT=3;BYHOUR=7", "01-01T08",
      "FREQ=DAILY;COUNT=2;BYHOUR=7", "01-02T07", "01-01T08"
    ),
    (
      "FREQ=MONTHLY;COUNT=4;BYMONTH=6,7;RSCALE=GREGORIAN;SKIP=BACKWARD", "05-31T08",
      "FREQ=MONTHLY;UNTIL=20270630T060000Z;BYMONTH=6,7;RSCALE=GREGORIAN;SKIP=BACKWARD", "05-31T08",
      "05-31T08"
    ),
    (
      "FREQ=MONTHLY;BYMONTH=6,7;RSCALE=GREGORIAN;SKIP=BACKWARD", "05-31T08",
      "FREQ=MONTHLY;BYMONTH=6,7;RSCALE=GREGORIAN;SKIP=BACKWARD", "05-31T08", "05-31T08"
    ),
  ]

  @Test(arguments: rows.indices)
  func `becomes a rule, its start and a single date`(index: Int) throws {
    let (rule, start, newRule, newStart, single) = Self.rows[index]
    let counted = try Self.counted(rule, "2026-\(start):00")
    let date = single.map { "2026-\($0):00:00" } ?? "none"
    #expect(Self.text(counted) == "\(newRule) from 2026-\(newStart):00:00, single \(date)")
  }

  @Test func `belongs to all rules, or to none of them`() throws {
    func all(_ texts: String...) throws -> [String] {
      try CountedStart.all(
        texts.map { try RecurrenceRule(parsing: $0) },
        start: CivilDateTime(parsing: "2026-01-01T08:00"),
        zone: SystemZone.named("Europe/Berlin")
      ).map(Self.text)
    }
    #expect(
      try all("FREQ=DAILY", "FREQ=WEEKLY;COUNT=2;BYDAY=TU", "FREQ=WEEKLY;COUNT=1;BYDAY=WE") == [
        "FREQ=DAILY from 2026-01-01T08:00:00, single none",
        "FREQ=WEEKLY;COUNT=2;BYDAY=TU from 2026-01-06T08:00:00, single none",
        "FREQ=WEEKLY;COUNT=1;BYDAY=WE from 2026-01-07T08:00:00, single none",
      ])
    #expect(
      try all("FREQ=WEEKLY;BYDAY=TU", "FREQ=WEEKLY;COUNT=3;BYDAY=WE") == [
        "FREQ=WEEKLY;BYDAY=TU from 2026-01-06T08:00:00, single 2026-01-01T08:00:00",
        "FREQ=WEEKLY;COUNT=2;BYDAY=WE from 2026-01-07T08:00:00, single 2026-01-01T08:00:00",
      ])
  }
}
