import Testing

@testable import CivilTime

/// Tests the last occurrence of a rule. The last occurrence is part of the rule, and no occurrence
/// follows.
@Suite("Last occurrences")
struct LastOccurrenceTests {
  @Test(
    arguments: [
      ("FREQ=DAILY;COUNT=3", "2026-01-01T08:00", "2026-01-03T08:00:00", 3),
      ("FREQ=WEEKLY;COUNT=3", "2026-01-01T08:00", "2026-01-15T08:00:00", 3),
      ("FREQ=MONTHLY;COUNT=3", "2026-01-31T08:00", "2026-05-31T08:00:00", 3),
      ("FREQ=YEARLY;COUNT=2", "2026-01-01T08:00", "2027-01-01T08:00:00", 2),
      (
        "FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=-1;COUNT=2", "2026-01-28T08:00",
        "2026-02-25T08:00:00", 2
      ),
      ("FREQ=WEEKLY;BYHOUR=8,20;COUNT=4", "2026-01-01T08:00", "2026-01-08T20:00:00", 4),
      ("FREQ=WEEKLY;COUNT=1", "2026-01-01T08:00", "2026-01-01T08:00:00", 1),
      ("FREQ=WEEKLY;UNTIL=20260115", "2026-01-01T23:59:59", "2026-01-15T23:59:59", 3),
      ("FREQ=WEEKLY;UNTIL=20260114", "2026-01-01T00:00", "2026-01-08T00:00:00", 2),
      ("FREQ=WEEKLY;UNTIL=20260115T080000Z", "2026-01-01T08:00", "2026-01-15T08:00:00", 3),
      ("FREQ=WEEKLY;UNTIL=20260115T075959Z", "2026-01-01T08:00", "2026-01-08T08:00:00", 2),
      ("FREQ=HOURLY;INTERVAL=23;UNTIL=20260101", "2026-01-01T00:59:59", "2026-01-01T23:59:59", 2),
      ("FREQ=HOURLY;INTERVAL=23;UNTIL=20260101", "2026-01-01T01:00", "2026-01-01T01:00:00", 1),
      ("FREQ=HOURLY;INTERVAL=5;COUNT=4", "2026-01-01T00:00", "2026-01-01T15:00:00", 4),
    ] as [(String, String, String, Int)])
  func `a rule ends with its last occurrence`(
    rule: String, start: String, last: String, count: Int
  ) throws {
    let recurrence = try Recurrence(
      rule: RecurrenceRule(parsing: rule), start: local(start), zone: .utc)
    let (from, to) = (try instant("2025-01-01T00:00:00Z"), try instant("2030-01-01T00:00:00Z"))
    let listed = recurrence.occurrences(from: from, to: to).map { $0.nominal.description }
    #expect(listed.count == count && listed.last == last)
    // If the test asks for one occurrence after another, the rule gives the same occurrences.
    var found: [String] = []
    var at = from
    while let next = recurrence.next(after: at) {
      found.append(next.nominal.description)
      #expect(recurrence.identities(at: next.instant) == [next])
      at = next.instant
    }
    #expect(found == listed)
    #expect(recurrence.identities(at: at.adding(milliseconds: 1)).isEmpty)
    // The end of the range is exclusive, and its start is inclusive.
    let end = try #require(recurrence.next(after: at.adding(milliseconds: -1))?.instant)
    #expect(recurrence.occurrences(from: end, to: to).map { $0.nominal.description } == [last])
    #expect(recurrence.occurrences(from: from, to: end).map { _ in 1 }.count == count - 1)
  }

  @Test func `occurrences at one instant are in the order of their local times`() throws {
    let zone = try SystemZone.named("America/New_York")
    let both = try Recurrence(
      rule: RecurrenceRule(parsing: "FREQ=DAILY;BYHOUR=2,3"), start: local("2026-03-07T02:30"),
      zone: zone)
    let gap = try instant("2026-03-08T07:30:00Z")
    let set = try RecurrenceSet(
      rules: [both], dates: [local("2026-03-08T02:30"), local("2026-03-08T03:30")], zone: zone)
    let found = set.identities(at: gap).map { $0.nominal.description }
    #expect(found == found.sorted() && Set(found).count == 2)
    #expect(
      try RecurrenceSet(rules: [both], zone: zone).identities(at: gap).map(\.nominal)
        == [local("2026-03-08T02:30"), local("2026-03-08T03:30")])
  }
}
