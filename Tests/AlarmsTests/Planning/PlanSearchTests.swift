import CivilTime
import Testing

@testable import Alarms

/// Checks the search for the next due time of schedules that are rarely used.
@Suite struct `The search for a due time` {
  private func instant(_ text: String) throws -> Instant {
    Zone.utc.resolve(try CivilDateTime(parsing: text)).instant
  }

  private func window(
    _ from: String, _ to: String, _ weekdays: [Weekday] = [], first: String
  ) throws -> DayWindow {
    DayWindow(
      from: try ClockTime(parsing: from), to: try ClockTime(parsing: to), weekdays: weekdays,
      firstDay: try CivilDate(parsing: first))
  }

  private func times(_ plan: SchedulePlan, from text: String, count: Int) throws -> [String] {
    var at = try instant(text)
    var found: [String] = []
    while found.count < count, let next = plan.next(after: at) {
      at = next.instant
      found.append(next.nominal.description)
    }
    return found
  }

  @Test func `finds each random time of a day once`() throws {
    let random = RandomTimes(
      perDay: 3, window: try window("08:00", "20:00", first: "2027-01-15"),
      minimumDistanceSeconds: 600)
    let plan = try SchedulePlan(.random(random), zone: .utc, seed: 5)
    var wanted: [Int64] = []
    for day in ["2027-01-15", "2027-01-16", "2027-01-17"] {
      let bounds = (
        start: try instant("\(day)T08:00:00").seconds, end: try instant("\(day)T20:00:00").seconds
      )
      wanted += random.seconds(of: try CivilDate(parsing: day), in: bounds, seed: 5)
    }
    var found: [Int64] = []
    var at = try instant("2027-01-01T00:00:00")
    while found.count < 9, let next = plan.next(after: at) {
      at = next.instant
      found.append(at.seconds)
    }
    #expect(found == wanted)
  }

  @Test func `begins with the first day of a window, also if this day is a year away`() throws {
    let plan = try SchedulePlan(
      .within(seconds: 3_600, try window("08:00", "09:00", first: "2028-06-01")), zone: .utc,
      seed: 1)
    #expect(
      try times(plan, from: "2027-01-01T00:00:00", count: 3)
        == ["2028-06-01T08:00:00", "2028-06-01T09:00:00", "2028-06-02T08:00:00"])
    let weekly = try SchedulePlan(
      .within(seconds: 7_200, try window("23:00", "00:30", [.friday], first: "2027-01-15")),
      zone: .utc, seed: 1)
    #expect(
      try times(weekly, from: "2027-01-15T22:59:59", count: 2)
        == ["2027-01-15T23:00:00", "2027-01-22T23:00:00"])
    #expect(
      try times(weekly, from: "2027-01-16T00:29:59", count: 1) == ["2027-01-22T23:00:00"])
  }

  @Test func `finds the latest time of day of each day`() throws {
    let after = AfterAnswer(
      anchor: .itself, seconds: 60, latest: try ClockTime(parsing: "08:00"), first: nil)
    let plan = try SchedulePlan(.after(after), zone: .utc, seed: 1)
    for (from, next) in [
      ("2027-01-15T07:59:59", "2027-01-15T08:00:00"),
      ("2027-01-15T08:00:00", "2027-01-16T08:00:00"),
      ("2027-01-15T23:59:59", "2027-01-16T08:00:00"),
    ] {
      #expect(try times(plan, from: from, count: 1) == [next])
    }
    let free = AfterAnswer(anchor: .itself, seconds: 60, latest: nil, first: nil)
    let never = try SchedulePlan(.after(free), zone: .utc, seed: 1)
    #expect(try times(never, from: "2027-01-15T00:00:00", count: 1) == [])
  }

  @Test func `prefers an occurrence to an early reminder at the same instant`() throws {
    let rule = RecurringDates.Rule(
      rule: try RecurrenceRule(parsing: "FREQ=DAILY"),
      start: try CivilDateTime(parsing: "2027-01-15T08:00:00"))
    let reminders: [[EarlyReminder]] = [
      [.elapsed(seconds: 86_400)], [.days(1, at: nil)],
      [.days(1, at: try ClockTime(parsing: "08:00"))],
      [.days(0, at: try ClockTime(parsing: "08:00"))],
    ]
    for early in reminders {
      let plan = try SchedulePlan(
        .several(RecurringDates(rules: [rule])), earlyReminders: early, zone: .utc, seed: 1)
      let due = try #require(plan.due(after: try instant("2027-01-16T07:59:59")))
      #expect(due.leadsTo == nil && due.main == due.occurrence, "\(early)")
      #expect(due.occurrence.instant == (try instant("2027-01-16T08:00:00")))
    }
  }

  @Test func `finds an early reminder on the same day only before its occurrence`() throws {
    let rules = try ["08:00", "10:00"].map {
      RecurringDates.Rule(
        rule: try RecurrenceRule(parsing: "FREQ=DAILY"),
        start: try CivilDateTime(parsing: "2027-01-15T\($0):00"))
    }
    let plan = try SchedulePlan(
      .several(RecurringDates(rules: rules)),
      earlyReminders: [.days(0, at: try ClockTime(parsing: "09:00"))], zone: .utc, seed: 1)
    #expect(
      try times(plan, from: "2027-01-15T00:00:00", count: 5) == [
        "2027-01-15T08:00:00", "2027-01-15T09:00:00", "2027-01-15T10:00:00",
        "2027-01-16T08:00:00", "2027-01-16T09:00:00",
      ])
    let nine = try #require(plan.due(after: try instant("2027-01-15T08:00:00")))
    #expect(nine.leadsTo?.nominal.description == "2027-01-15T10:00:00")
  }

  @Test func `draws a random number again only if the result is below the threshold`() {
    // The threshold is 1, the remainder of 2^64 divided by 3. The first number of this generator,
    // multiplied by 3, is 2 * 2^64 + 1. The lower half of this product is 1, which is not below the
    // threshold.
    var exact = SplitMix64(seed: 0x7F83_AB8D_A2E7_1DD1)
    #expect(exact.next(below: 3) == 2)
    #expect(exact.next() == 0x5888_D28F_31A9_C913)
    // The first number of this generator is 0, so the lower half of the product is below the
    // threshold.
    var below = SplitMix64(seed: 0x61C8_8646_80B5_83EB)
    #expect(below.next(below: 3) == 2)
    #expect(below.next() == 0x6E78_9E6A_A1B9_65F4)
  }
}
