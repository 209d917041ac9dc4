import Testing

@testable import CivilTime

@Suite("Sets of rules, dates and exclusions")
struct RecurrenceSetTests {
  private func rule(_ text: String, _ start: String, _ zone: Zone) throws -> Recurrence {
    try Recurrence(rule: RecurrenceRule(parsing: text), start: local(start), zone: zone)
  }

  private func times(_ set: RecurrenceSet, from: String, to: String) throws -> [String] {
    set.occurrences(from: try instant(from), to: try instant(to)).map {
      "\($0.nominal.date.day) \($0.nominal.time)"
    }
  }

  @Test func `parts are merged, and equal instants ring once`() throws {
    let zone = try SystemZone.named("Europe/Berlin")
    let set = try RecurrenceSet(
      rules: [
        rule("FREQ=DAILY", "2026-01-01T08:00", zone),
        rule("FREQ=DAILY;INTERVAL=2", "2026-01-01T08:00", zone),
        rule("FREQ=DAILY;INTERVAL=2", "2026-01-01T20:00", zone),
      ],
      dates: [local("2026-01-02T12:00"), local("2026-01-02T08:00")], zone: zone)
    #expect(
      try times(set, from: "2026-01-01T00:00:00Z", to: "2026-01-04T00:00:00Z") == [
        "1 08:00", "1 20:00", "2 08:00", "2 12:00", "3 08:00", "3 20:00",
      ])
  }

  @Test func `exclusions remove a time, an instant or a day, and those without effect are named`()
    throws
  {
    let zone = try SystemZone.named("Europe/Berlin")
    let set = try RecurrenceSet(
      rules: [rule("FREQ=DAILY;BYHOUR=8,20", "2026-01-01T08:00", zone)],
      exclusions: [
        .dateTime(local("2026-01-01T20:00")), .instant(instant("2026-01-02T07:00:00Z")),
        .day(CivilDate(parsing: "2026-01-03")), .dateTime(local("2026-01-04T09:00")),
      ], zone: zone)
    #expect(
      try times(set, from: "2026-01-01T00:00:00Z", to: "2026-01-05T00:00:00Z") == [
        "1 08:00", "2 20:00", "4 08:00", "4 20:00",
      ])
    #expect(set.warnings.map(\.kind) == ["excludes-whole-day", "excludes-nothing"])
    #expect(try set.next(after: instant("2026-01-01T07:00:00Z"))?.nominal.date.day == 2)
  }

  @Test func `COUNT counts before exclusions, and a long run of exclusions is one step`() throws {
    let start = try local("2026-01-01T08:00")
    let daily = try rule("FREQ=DAILY;COUNT=1000", "2026-01-01T08:00", .utc)
    let exclusions = (1..<999).map {
      RecurrenceSet.Exclusion.dateTime(
        CivilDateTime(date: start.date.adding(days: $0), time: start.time))
    }
    let set = try RecurrenceSet(rules: [daily], exclusions: exclusions, zone: .utc)
    let first = try #require(set.next(after: Instant(seconds: 0)))
    let second = try #require(set.next(after: first.instant))
    #expect(second.nominal.date == start.date.adding(days: 999))
    #expect(set.next(after: second.instant) == nil)
  }

  @Test func `an exclusion in a gap leaves the other time at the same instant`() throws {
    let zone = try SystemZone.named("America/New_York")
    let both = try rule("FREQ=DAILY;BYHOUR=2,3", "2026-03-07T02:30", zone)
    let set = try RecurrenceSet(
      rules: [both], exclusions: [.dateTime(local("2026-03-08T03:30"))], zone: zone)
    let found = try #require(set.next(after: try instant("2026-03-08T00:00:00Z")))
    #expect(found.nominal == (try local("2026-03-08T02:30")))
    #expect(found.instant == (try instant("2026-03-08T07:30:00Z")))
    let neither = try RecurrenceSet(
      rules: [both], exclusions: [.instant(instant("2026-03-08T07:30:00Z"))], zone: zone)
    let next = try #require(neither.next(after: try instant("2026-03-08T00:00:00Z")))
    #expect(next.nominal == (try local("2026-03-09T02:30")))
  }

  @Test func `a set without any time is refused`() throws {
    let once = try rule("FREQ=DAILY;COUNT=1", "2026-01-01T08:00", .utc)
    #expect(throws: CivilTimeError.self) {
      try RecurrenceSet(
        rules: [once], exclusions: [.dateTime(local("2026-01-01T08:00"))], zone: .utc)
    }
    #expect(throws: CivilTimeError.self) { try RecurrenceSet(rules: [], zone: .utc) }
  }
}
