import CivilTime
import TestRandom
import Testing

@testable import Alarms

/// Checks the due times of a plan one second before, at and after each boundary.
@Suite struct PlanBoundaryTests {
  private static let start = Instant(seconds: 1_800_000_000)

  private func plan(
    _ schedule: Schedule, _ early: [EarlyReminder] = [], zone: Zone = .utc
  ) throws -> SchedulePlan {
    try SchedulePlan(schedule, earlyReminders: early, zone: zone, seed: 1)
  }

  /// Returns the next due time, in seconds after `start`.
  private func next(_ plan: SchedulePlan, after seconds: Int64, milliseconds: Int64 = 0) -> Int64? {
    plan.next(after: Self.start.adding(milliseconds: seconds * 1_000 + milliseconds)).map {
      $0.instant.milliseconds(since: Self.start) / 1_000
    }
  }

  @Test func `an interval counts from its start, also before its start`() throws {
    let plan = try plan(.every(seconds: 100, from: Self.start))
    let cases: [(Int64, Int64)] = [
      (0, 100), (1, 100), (99, 100), (100, 200), (101, 200), (1_000, 1_100), (-1, 100),
      (-99, 100), (-100, 100), (-101, -100), (-199, -100), (-200, -100), (-201, -200),
    ]
    for (after, expected) in cases { #expect(next(plan, after: after) == expected, "\(after)") }
    #expect(next(plan, after: 99, milliseconds: 999) == 100)
    #expect(next(plan, after: -101, milliseconds: 999) == -100)
  }

  @Test func `one time is due once`() throws {
    for schedule in [Schedule.at(Self.start), .once(Zone.utc.civil(at: Self.start).dateTime)] {
      let plan = try plan(schedule)
      #expect(next(plan, after: -1) == 0)
      #expect(next(plan, after: -1, milliseconds: 999) == 0)
      #expect(next(plan, after: 0) == nil)
    }
  }

  private func window(
    _ from: String, _ to: String, _ weekdays: [Weekday] = [], last: String? = nil
  ) throws -> DayWindow {
    DayWindow(
      from: try ClockTime(parsing: from), to: try ClockTime(parsing: to), weekdays: weekdays,
      firstDay: try CivilDate(parsing: "2027-01-15"),
      lastDay: try last.map { try CivilDate(parsing: $0) })
  }

  /// Returns the next due times as texts with the day of the month, for example "15 08:00".
  private func times(_ plan: SchedulePlan, from text: String, count: Int) throws -> [String] {
    var at = Zone.utc.resolve(try CivilDateTime(parsing: text)).instant.adding(milliseconds: -1)
    var found: [String] = []
    while found.count < count, let next = plan.next(after: at) {
      at = next.instant
      let nominal = next.nominal
      found.append("\(nominal.date.day) \(nominal.time.description.prefix(5))")
    }
    return found
  }

  @Test func `a window contains its start and its end`() throws {
    let day = try plan(.within(seconds: 3_600, try window("08:00", "10:00", last: "2027-01-16")))
    #expect(
      try times(day, from: "2027-01-01T00:00:00", count: 9)
        == ["15 08:00", "15 09:00", "15 10:00", "16 08:00", "16 09:00", "16 10:00"])
    #expect(try times(day, from: "2027-01-15T08:00:01", count: 1) == ["15 09:00"])
    let night = try plan(.within(seconds: 3_600, try window("23:00", "00:59", [.friday])))
    #expect(
      try times(night, from: "2027-01-15T00:00:00", count: 4)
        == ["15 23:00", "16 00:00", "22 23:00", "23 00:00"])
    #expect(try times(night, from: "2027-01-16T00:00:00", count: 1) == ["16 00:00"])
    let whole = try plan(.within(seconds: 43_200, try window("06:00", "06:00")))
    #expect(
      try times(whole, from: "2027-01-15T00:00:00", count: 3) == [
        "15 06:00", "15 18:00", "16 06:00",
      ])
    #expect(try window("08:00", "10:00").seconds == 7_200)
    #expect(try window("10:00", "08:00").seconds == 79_200)
    #expect(try window("08:00", "08:00").seconds == 86_400)
    #expect(try window("08:00", "08:01").seconds == 60)
  }

  @Test func `an early reminder comes before its occurrence only`() throws {
    let daily = try RecurrenceRule.daily8
    let plan = try plan(
      .several(RecurringDates(rules: [daily])),
      [.elapsed(seconds: 3_600), .days(1, at: try ClockTime(parsing: "19:00")), .days(2, at: nil)])
    #expect(
      try times(plan, from: "2027-01-15T00:00:00", count: 7)
        == ["15 07:00", "15 08:00", "15 19:00", "16 07:00", "16 08:00", "16 19:00", "17 07:00"])
    let at = Zone.utc.resolve(try CivilDateTime(parsing: "2027-01-15T19:00:00")).instant
    let found = try #require(plan.due(after: at.adding(milliseconds: -1)))
    #expect(found.leadsTo?.nominal.description == "2027-01-16T08:00:00")
    #expect(found.main == found.leadsTo)
    let main = try #require(plan.due(after: at.adding(seconds: 12 * 3_600)))
    #expect(main.leadsTo == nil && main.main == main.occurrence)
  }

  @Test func `an early reminder that is later than its occurrence is left out`() throws {
    let plan = try plan(
      .once(try CivilDateTime(parsing: "2027-01-16T08:00:00")),
      [
        .days(0, at: try ClockTime(parsing: "09:00")),
        .days(0, at: try ClockTime(parsing: "07:59")),
      ])
    #expect(try times(plan, from: "2027-01-15T00:00:00", count: 5) == ["16 07:59", "16 08:00"])
  }

  @Test func `the open prompts of an alarm are a set of keys`() {
    var random = SeededGenerator(seed: 3)
    var (open, keys) = (OpenNominals.none, Set<Int64>())
    #expect(
      open.isEmpty && open.keys == [] && !open.contains(1) && !open.contains(where: { _ in true }))
    for _ in 0..<2_000 {
      let key = Int64.random(in: 0..<4, using: &random)
      if Bool.random(using: &random) {
        open.insert(key)
        keys.insert(key)
      } else {
        open.remove(key)
        keys.remove(key)
      }
      #expect(open.keys == keys && open.isEmpty == keys.isEmpty)
      for other in 0..<4 as Range<Int64> {
        #expect(open.contains(other) == keys.contains(other))
        #expect(open.contains(where: { $0 == other }) == keys.contains(other))
      }
      switch open {
      case .none: #expect(keys.isEmpty)
      case .one: #expect(keys.count == 1)
      case .several: #expect(keys.count > 1)
      }
    }
  }

  @Test func `a pause holds until its end, on its days, and for skipped occurrences`() throws {
    func time(_ text: String) throws -> CivilDateTime { try CivilDateTime(parsing: text) }
    func day(_ text: String) throws -> CivilDate { try CivilDate(parsing: text) }
    let skipped = try time("2027-03-01T08:00:00")
    let pauses = Alarms.Pauses(
      until: try time("2027-01-15T10:00:00"),
      occurrences: [
        PromptID.nominalKey(skipped, fold: 1), PromptID.nominalKey(skipped, fold: 0) - 4,
      ],
      days: [
        try day("2027-02-03")...(try day("2027-02-04")),
        try day("2027-02-01")...(try day("2027-02-01")),
      ])
    #expect(pauses.occurrences == pauses.occurrences.sorted())
    #expect(try pauses.days.map(\.lowerBound) == [day("2027-02-01"), day("2027-02-03")])
    let cases: [(String, Bool)] = [
      ("2027-01-15T09:59:59", true), ("2027-01-15T10:00:00", false), ("2027-01-31T23:59:59", false),
      ("2027-02-01T00:00:00", true), ("2027-02-01T23:59:59", true), ("2027-02-02T12:00:00", false),
      ("2027-02-03T00:00:00", true), ("2027-02-04T23:59:59", true), ("2027-02-05T00:00:00", false),
      ("2027-03-01T08:00:00", false),
    ]
    for (text, isSilent) in cases {
      #expect(pauses.holds(at: try time(text)) == isSilent, "\(text)")
      #expect(pauses.interruptions(try time(text), fold: 0) == isSilent, "\(text)")
    }
    #expect(pauses.interruptions(skipped, fold: 1))
    #expect(pauses.interruptions(try time("2027-03-01T07:59:58"), fold: 0))
    let none = Alarms.Pauses.none
    #expect(!none.holds(at: skipped) && !none.interruptions(skipped, fold: 0))
  }
}

extension RecurrenceRule {
  /// A rule that is due every day at 08:00, beginning on 2027-01-01.
  fileprivate static var daily8: RecurringDates.Rule {
    get throws {
      RecurringDates.Rule(
        rule: try RecurrenceRule(parsing: "FREQ=DAILY"),
        start: try CivilDateTime(parsing: "2027-01-01T08:00:00"))
    }
  }
}
