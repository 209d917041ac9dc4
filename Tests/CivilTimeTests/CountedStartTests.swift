import Testing

@testable import CivilTime

/// A start that does not fit its rule.
@Suite struct `A counted start` {
  private static func counted(_ rule: String, _ start: String) throws -> CountedStart {
    try CountedStart(
      rule: RecurrenceRule(parsing: rule), start: CivilDateTime(parsing: start),
      zone: SystemZone.named("Europe/Berlin"))
  }

  /// Returns the dates of the rule and of the single date, in order; at most 6.
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
    // If the rule started at a later date, it would be a rule for the 28th.
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
    // On this day, the clocks skip 02:30. The start still fits its rule.
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
}
