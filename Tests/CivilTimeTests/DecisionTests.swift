import Testing

@testable import CivilTime

/// The decisions of this module about time. Each test is an example of a decision.
@Suite("Decisions")
struct DecisionTests {
  static let york = "America/New_York"

  private func recurrence(
    _ rule: String, _ start: String, zone: String = york,
    reading: Recurrence.Reading = .imported
  ) throws -> Recurrence {
    try Recurrence(
      rule: RecurrenceRule(parsing: rule), start: local(start), zone: SystemZone.named(zone),
      reading: reading)
  }

  @Test func `a time in the gap rings once, with the offset before the gap`() throws {
    let daily = try recurrence("FREQ=DAILY", "2026-03-07T02:30")
    let found = try #require(daily.next(after: try instant("2026-03-07T12:00:00Z")))
    #expect(found.instant == (try instant("2026-03-08T07:30:00Z")))
    #expect(found.nominal == (try local("2026-03-08T02:30")))
    #expect(found.moved == .gap)
    #expect(
      try firstTimes("FREQ=DAILY", from: "2026-03-07T02:30", zone: Self.york, count: 3) == [
        "2026-03-07T02:30:00", "2026-03-08T03:30:00", "2026-03-09T02:30:00",
      ])
  }

  @Test func `a time in the fold rings once, with the earlier offset`() throws {
    let daily = try recurrence("FREQ=DAILY", "2026-10-31T01:30")
    let found = try #require(daily.next(after: try instant("2026-10-31T12:00:00Z")))
    #expect(found.instant == (try instant("2026-11-01T05:30:00Z")))
    #expect(found.moved == .fold)
    // On this day, 01:30 occurs twice, and the rule rings only at the first 01:30. After that, the
    // next time is on the next day.
    for text in ["2026-11-01T05:30:00Z", "2026-11-01T06:29:00Z", "2026-11-01T06:30:00Z"] {
      let next = daily.next(after: try instant(text))
      #expect(next?.instant == (try instant("2026-11-02T06:30:00Z")))
    }
  }

  @Test func `two times at one instant ring once, and both are named`() throws {
    let rule = "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=15,30"
    let daily = try recurrence(rule, "2026-03-07T02:15")
    var times: [String] = []
    var last = try instant("2026-03-08T06:00:00Z")
    for _ in 0..<3 {
      let next = try #require(daily.next(after: last))
      times.append("\(next.nominal) \(next.instant)")
      last = next.instant
    }
    #expect(
      times == [
        "2026-03-08T03:15:00 2026-03-08T07:15:00.000Z",
        "2026-03-08T03:30:00 2026-03-08T07:30:00.000Z",
        "2026-03-09T02:15:00 2026-03-09T06:15:00.000Z",
      ])
    let both = daily.identities(at: try instant("2026-03-08T07:30:00Z"))
    #expect(both.map(\.nominal.description) == ["2026-03-08T02:30:00", "2026-03-08T03:30:00"])
    #expect(both.map(\.moved) == [.gap, nil])
  }

  @Test func `in a gap, later times can come before earlier ones`() throws {
    // On this day, the clocks skip the hour from 02:00. The time 02:45 becomes 03:45, which is
    // after 03:00.
    let times = try firstTimes(
      "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,45", from: "2026-03-08T02:00", zone: Self.york, count: 3)
    #expect(times == ["2026-03-08T03:00:00", "2026-03-08T03:45:00", "2026-03-09T02:00:00"])
  }

  @Test
  func `every 6 hours is elapsed time across both clock changes and rings at both repeated times`()
    throws
  {
    let spring = try firstTimes(
      "FREQ=HOURLY;INTERVAL=6", from: "2026-03-07T20:30", zone: Self.york, count: 3)
    #expect(spring == ["2026-03-07T20:30:00", "2026-03-08T03:30:00", "2026-03-08T09:30:00"])
    let hourly = try recurrence("FREQ=HOURLY", "2026-11-01T00:30")
    let first = try #require(hourly.next(after: try instant("2026-11-01T04:30:00Z")))
    let second = try #require(hourly.next(after: first.instant))
    #expect((first.nominal, first.fold) == (try local("2026-11-01T01:30"), 0))
    #expect((second.nominal, second.fold) == (try local("2026-11-01T01:30"), 1))
    #expect(second.instant.milliseconds - first.instant.milliseconds == 3_600_000)
  }

  @Test func `every hour at named hours follows the wall clock`() throws {
    let times = try firstTimes(
      "FREQ=HOURLY;BYHOUR=1,2", from: "2026-03-08T01:30", zone: Self.york, count: 3)
    #expect(times == ["2026-03-08T01:30:00", "2026-03-08T03:30:00", "2026-03-09T01:30:00"])
  }

  @Test func `SKIP decides if the 31st is left out, moved back or moved forward`() throws {
    func months(_ skip: String) throws -> [String] {
      let rule = "FREQ=MONTHLY;BYMONTHDAY=31;RSCALE=GREGORIAN;SKIP=\(skip)"
      return try firstTimes(rule, from: "2026-01-31T08:00", zone: "UTC", count: 4).map {
        String($0.prefix(10))
      }
    }
    #expect(try months("OMIT") == ["2026-01-31", "2026-03-31", "2026-05-31", "2026-07-31"])
    #expect(try months("BACKWARD") == ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"])
    #expect(try months("FORWARD") == ["2026-01-31", "2026-03-01", "2026-03-31", "2026-05-01"])
  }

  @Test(
    arguments: [
      ("FREQ=HOURLY", false), ("FREQ=HOURLY;BYMINUTE=0,30", true), ("FREQ=HOURLY;BYHOUR=8", true),
      ("FREQ=HOURLY;BYSECOND=30", false), ("FREQ=HOURLY;INTERVAL=2;BYHOUR=8", false),
      ("FREQ=HOURLY;INTERVAL=2;BYMINUTE=0,30", false), ("FREQ=MINUTELY;BYMINUTE=0,30", true),
      ("FREQ=MINUTELY;INTERVAL=5", false), ("FREQ=DAILY;INTERVAL=2", true),
    ])
  func `a rule shorter than a day uses the wall clock if it names hours or minutes`(
    rule: String, isCivil: Bool
  ) throws {
    let times = RuleTimes(try RecurrenceRule(parsing: rule), start: try ClockTime(parsing: "08:00"))
    #expect(times.isCivil == isCivil)
  }

  @Test(arguments: ["", ";BYHOUR=8,20;BYSETPOS=1"])
  func `no day moves to the first day of the year 1`(positions: String) throws {
    let rule = "FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=FORWARD;BYYEARDAY=366\(positions)"
    let found = try firstTimes(rule, from: "0001-01-01T08:00", zone: "UTC", count: 3)
    #expect(found.map { String($0.prefix(10)) } == ["0002-01-01", "0003-01-01", "0004-01-01"])
  }

  @Test func `a rule that misses months names them`() throws {
    func missed(_ rule: String, _ start: String) throws -> [Int] {
      try recurrence(rule, start).missedMonths
    }
    #expect(try missed("FREQ=MONTHLY", "2026-01-31T08:00") == [2, 4, 6, 9, 11])
    #expect(try missed("FREQ=MONTHLY;BYMONTHDAY=30", "2026-01-30T08:00") == [2])
    #expect(try missed("FREQ=YEARLY", "2024-02-29T08:00") == [2])
    #expect(try missed("FREQ=MONTHLY;INTERVAL=2", "2026-01-31T08:00") == [9, 11])
    #expect(try missed("FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "2026-01-31T08:00") == [])
    #expect(try missed("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31T08:00") == [])
    #expect(try missed("FREQ=MONTHLY;SKIP=BACKWARD", "2026-01-31T08:00") == [])
    let warnings = try recurrence("FREQ=MONTHLY", "2026-01-31T08:00").warnings
    #expect(warnings == [.missesMonths([2, 4, 6, 9, 11])])
  }

  @Test func `a start outside the rule is refused if typed here and gives a warning if imported`()
    throws
  {
    let rule = "FREQ=WEEKLY;BYDAY=TU"
    let error = #expect(throws: CivilTimeError.self) {
      try recurrence(rule, "2026-11-21T08:00", reading: .native)
    }
    #expect(error?.kind == "start-not-in-rule")
    #expect(error?.description.contains("the nearest is 2026-11-24T08:00:00") == true)
    let imported = try recurrence(rule, "2026-11-21T08:00")
    #expect(imported.warnings.map(\.kind) == ["start-not-in-rule"])
    #expect(try recurrence(rule, "2026-11-24T08:00", reading: .native).warnings.isEmpty)
  }

  @Test func `COUNT counts times that a gap moved`() throws {
    let times = try firstTimes(
      "FREQ=DAILY;COUNT=3", from: "2026-03-07T02:30", zone: Self.york, count: 9)
    #expect(times == ["2026-03-07T02:30:00", "2026-03-08T03:30:00", "2026-03-09T02:30:00"])
  }

  @Test(arguments: [
    ("FREQ=DAILY;COUNT=100000", "2299-10-16T08:00:00"),
    ("FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=8,20;COUNT=7", "2026-01-09T08:00:00"),
    ("FREQ=MONTHLY;BYMONTHDAY=1,31;SKIP=FORWARD;COUNT=5", "2026-03-31T08:00:00"),
    ("FREQ=YEARLY;COUNT=4", "2029-01-01T08:00:00"),
    ("FREQ=MINUTELY;INTERVAL=90;COUNT=3", "2026-01-01T11:00:00"),
    ("FREQ=MINUTELY;INTERVAL=90;BYHOUR=8;COUNT=2", "2026-01-02T08:00:00"),
    ("FREQ=MONTHLY;BYDAY=MO,TU;BYHOUR=8,9;BYSETPOS=-1;COUNT=2", "2026-02-24T09:00:00"),
    ("FREQ=DAILY;INTERVAL=2;BYMONTH=1;COUNT=17", "2027-01-02T08:00:00"),
  ])
  func `COUNT ends the rule after its last time`(rule: String, last: String) throws {
    let recurrence = try recurrence(rule, "2026-01-01T08:00", zone: "UTC")
    let end = try instant("\(last)Z")
    #expect(recurrence.next(after: end) == nil)
    #expect(recurrence.next(after: end.adding(seconds: -1))?.instant == end)
    let start = try instant("2026-01-01T00:00:00Z")
    let count = recurrence.occurrences(from: start, to: end.adding(seconds: 1)).reduce(0) {
      count, _ in count + 1
    }
    #expect(recurrence.rule.end == .count(count))
  }

  @Test func `UNTIL is inclusive, in UTC, as local time, and as a whole day`() throws {
    func last(_ until: String) throws -> String? {
      let daily = try recurrence("FREQ=DAILY;BYHOUR=8,20;UNTIL=\(until)", "2026-01-01T08:00")
      let times = daily.occurrences(
        from: Instant(seconds: 0), to: try instant("2027-01-01T00:00:00Z"))
      return times.map(\.nominal.description).last
    }
    #expect(try last("20260103T130000Z") == "2026-01-03T08:00:00")
    #expect(try last("20260103T125959Z") == "2026-01-02T20:00:00")
    #expect(try last("20260103T080000") == "2026-01-03T08:00:00")
    #expect(try last("20260103") == "2026-01-03T20:00:00")
    #expect(
      try recurrence("FREQ=DAILY;UNTIL=20260103", "2026-01-01T08:00").warnings == [.untilNotUTC])
  }

  @Test func `an interval includes its start and excludes its end`() throws {
    let daily = try recurrence("FREQ=DAILY", "2026-01-01T08:00", zone: "UTC")
    let (from, to) = (try instant("2026-01-02T08:00:00Z"), try instant("2026-01-04T08:00:00Z"))
    #expect(daily.occurrences(from: from, to: to).map(\.nominal.date.day) == [2, 3])
    #expect(daily.occurrences(from: from.adding(milliseconds: 1), to: to).map { _ in 1 } == [1])
    let later = to.adding(milliseconds: 1)
    #expect(daily.occurrences(from: from, to: later).map(\.nominal.date.day) == [2, 3, 4])
    #expect(daily.occurrences(from: to, to: from).map { _ in 1 } == [])
  }
}
