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

  @Test func `warnings are those of the rules, then days, then times without effect, in order`()
    throws
  {
    let zone = try SystemZone.named("Europe/Berlin")
    let set = try RecurrenceSet(
      rules: [rule("FREQ=WEEKLY;BYDAY=TU;UNTIL=20270101", "2026-01-01T08:00", zone)],
      dates: [local("2026-01-09T08:00")],
      exclusions: [
        .dateTime(local("2026-03-05T01:00")), .day(CivilDate(parsing: "2026-02-05")),
        .instant(instant("2026-03-04T00:00:00Z")), .dateTime(local("2026-03-03T00:00")),
        .day(CivilDate(parsing: "2026-02-03")), .dateTime(local("2026-01-09T08:00")),
        .instant(instant("2026-01-13T07:00:00Z")), .dateTime(local("2026-01-06T08:00")),
      ], zone: zone)
    #expect(
      try set.warnings == [
        .startNotInRule(start: local("2026-01-01T08:00"), first: local("2026-01-06T08:00")),
        .untilNotUTC, .excludesWholeDay(CivilDate(parsing: "2026-02-03")),
        .excludesWholeDay(CivilDate(parsing: "2026-02-05")),
        .excludesNothing(local("2026-03-03T00:00")), .excludesNothing(local("2026-03-04T01:00")),
        .excludesNothing(local("2026-03-05T01:00")),
      ])
    let twentieth = try instant("2026-01-20T07:00:00Z")
    #expect(set.next(after: Instant(seconds: 0))?.instant == twentieth)
    let week = twentieth.adding(seconds: 7 * 86_400)
    #expect(set.occurrences(from: twentieth, to: week).map(\.instant) == [twentieth])
    let later = twentieth.adding(milliseconds: 1)
    let weekEnd = week.adding(milliseconds: 1)
    #expect(set.occurrences(from: later, to: weekEnd).map(\.instant) == [week])
    #expect(set.identities(at: later).isEmpty && set.identities(at: twentieth).count == 1)
  }

  @Test func `a set without any time says so`() throws {
    let once = try rule("FREQ=DAILY;COUNT=1", "2026-01-01T08:00", .utc)
    let twice = try rule("FREQ=WEEKLY;COUNT=1", "2026-01-01T08:00", .utc)
    let error = #expect(throws: CivilTimeError.self) {
      try RecurrenceSet(
        rules: [once, twice], exclusions: [.day(CivilDate(parsing: "2026-01-01"))], zone: .utc)
    }
    #expect(
      error?.description
        == "the rule \"FREQ=DAILY;COUNT=1, FREQ=WEEKLY;COUNT=1\" would never ring: all of its times"
        + " are excluded")
  }

  @Test func `a time in the fold is excluded in both passes of an elapsed rule`() throws {
    let zone = try SystemZone.named("Europe/Berlin")
    let set = try RecurrenceSet(
      rules: [rule("FREQ=HOURLY;COUNT=6", "2026-10-25T00:30", zone)],
      dates: [local("2026-10-25T02:30"), local("2026-10-25T05:30")],
      exclusions: [.dateTime(local("2026-10-25T02:30"))], zone: zone)
    #expect(
      try times(set, from: "2026-10-24T00:00:00Z", to: "2026-10-26T00:00:00Z") == [
        "25 00:30", "25 01:30", "25 03:30", "25 04:30", "25 05:30",
      ])
    #expect(set.warnings.isEmpty)
    let passes = try ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"].map { text in
      try RecurrenceSet(
        rules: [rule("FREQ=HOURLY;COUNT=6", "2026-10-25T00:30", zone)],
        dates: [local("2026-10-25T02:30")], exclusions: [.instant(instant(text))], zone: zone
      ).occurrences(
        from: try instant("2026-10-25T00:00:00Z"), to: try instant("2026-10-25T02:00:00Z")
      ).map(\.fold)
    }
    #expect(passes == [[1], [0]])
  }
}
