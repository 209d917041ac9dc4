import TestRandom
import Testing

@testable import CivilTime

/// Compares times of day and the days of rules with a count of all seconds or days.
@Suite("Slow comparisons")
struct SlowComparisonTests {
  /// The numbers of times are 1, 8, 9, 16, 18 and 24. The module stores them in different ways.
  @Test(arguments: [
    (hours: [7], minutes: [30], seconds: [15]), ([0, 23], [0, 59], [0, 59]),
    ([3], [5, 6, 7], [0, 20, 40]), ([0, 12], [0, 30], [0, 1, 2, 59]),
    ([0, 9, 23], [0, 15, 59], [0, 59]), ([5, 6], [0, 1, 2, 58], [3, 4, 59]),
  ])
  func `the next time and the rank are correct at each second of a day`(
    hours: [Int], minutes: [Int], seconds: [Int]
  ) {
    func mask(_ values: [Int]) -> UInt64 { values.reduce(0) { $0 | 1 << UInt64($1) } }
    let list = hours.flatMap { hour in
      minutes.flatMap { minute in seconds.map { hour * 3600 + minute * 60 + $0 } }
    }
    let times = TimesOfDay(hours: mask(hours), minutes: mask(minutes), seconds: mask(seconds))
    #expect(times.count == list.count && times.first == list[0])
    #expect(list.indices.map { times.time(rank: $0) } == list)
    var (wrong, index) = ([Int](), 0)
    for second in 0..<86_400 {
      while index < list.count, list[index] < second { index += 1 }
      let expected = index < list.count ? list[index] : -1
      if times.first(atOrAfter: second) != expected || times.rank(before: second) != index {
        wrong.append(second)
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test func `each second of a day is a time of day`() {
    #expect(TimesOfDay.everyHour == 0xFF_FFFF)
    #expect(TimesOfDay.everyMinute == 0xFFF_FFFF_FFFF_FFFF)
    let every = TimesOfDay(
      hours: TimesOfDay.everyHour, minutes: TimesOfDay.everyMinute,
      seconds: TimesOfDay.everyMinute)
    #expect(every.count == 86_400 && every.first == 0)
    for second in [0, 1, 59, 60, 61, 3_599, 3_600, 3_601, 7_259, 45_296, 86_340, 86_399] {
      let found = [every.first(atOrAfter: second), every.rank(before: second)]
      #expect(found == [second, second] && every.time(rank: second) == second)
    }
    #expect(every.first(atOrAfter: 86_400) == -1)
  }

  /// A day, and the distances from the start of a rule to this day.
  private struct Day {
    let date: CivilDate
    let start: CivilDate

    var day: Int { date.day }
    var month: Int { date.month }
    var weekday: Weekday { date.weekday }
    var yearDay: Int { date.dayNumber - CivilDate.newYear(date.year) + 1 }
    var days: Int { date.dayNumber - start.dayNumber }
    var weeks: Int { week(date) - week(start) }
    var months: Int { years * 12 + date.month - start.month }
    var years: Int { date.year - start.year }
    var isLastOfMonth: Bool { date.adding(days: 1).day == 1 }

    /// The number of a week that begins on a Sunday. 1969-12-28, the day number -4, is a Sunday.
    private func week(_ date: CivilDate) -> Int { floorDivide(date.dayNumber + 4, 7) }
  }

  private static let rules: [(rule: String, fits: @Sendable (Day) -> Bool)] = [
    ("FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=31", { $0.day == 31 && $0.months % 2 == 0 }),
    ("FREQ=MONTHLY;INTERVAL=7;BYMONTHDAY=30", { $0.day == 30 && $0.months % 7 == 0 }),
    (
      "FREQ=MONTHLY;INTERVAL=5;BYDAY=FR;BYMONTHDAY=13",
      { $0.day == 13 && $0.weekday == .friday && $0.months % 5 == 0 }
    ),
    (
      "FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU",
      { $0.day > 7 && $0.day < 15 && $0.weekday == .tuesday && $0.months % 2 == 0 }
    ),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", { $0.isLastOfMonth }),
    (
      "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=1,4,5",
      { $0.day == 31 && ($0.month == 1 || $0.month == 5) }
    ),
    (
      "FREQ=YEARLY;INTERVAL=3;BYMONTH=2;BYMONTHDAY=29",
      { $0.month == 2 && $0.day == 29 && $0.years % 3 == 0 }
    ),
    ("FREQ=YEARLY;BYYEARDAY=366", { $0.yearDay == 366 }),
    ("FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH", { $0.weekday == .thursday && $0.yearDay >= 365 }),
    (
      "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
      { $0.weekday == .sunday && $0.month == 10 && $0.day > 24 }
    ),
    ("FREQ=DAILY;INTERVAL=3", { $0.days % 3 == 0 }),
    (
      "FREQ=DAILY;INTERVAL=5;BYMONTH=2,11",
      { $0.days % 5 == 0 && ($0.month == 2 || $0.month == 11) }
    ),
    ("FREQ=WEEKLY;BYDAY=MO,SA", { $0.weekday == .monday || $0.weekday == .saturday }),
    (
      "FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,SU;WKST=SU",
      { $0.weeks % 3 == 0 && ($0.weekday == .tuesday || $0.weekday == .sunday) }
    ),
  ]

  /// The starts are the first day of the calendar, a leap day before 1970, and the end of a month.
  @Test(arguments: rules.indices, ["0001-01-01", "1968-02-29", "2026-01-31"])
  func `the next day of a rule is correct in all years`(index: Int, start: String) throws {
    let (text, fits) = Self.rules[index]
    let first = try CivilDate(parsing: start)
    let days = try #require(
      DaySet.make(rule: RecurrenceRule(parsing: text), start: first, positions: []))
    var random = SeededGenerator(seed: UInt64(index))
    let range = first.dayNumber...DaySet.horizon
    let borders = [
      range.lowerBound, range.lowerBound + 1, -366, -4, -1, 0, 1, DaySet.horizon - 40,
      DaySet.horizon - 1, DaySet.horizon,
    ]
    for day in borders + (0..<12).map({ _ in Int.random(in: range, using: &random) })
    where range.contains(day) {
      var expected = day
      while expected <= DaySet.horizon,
        !fits(Day(date: CivilDate(dayNumber: expected), start: first))
      {
        expected += 1
      }
      let found = days.firstDay(atOrAfter: day)
      #expect(min(found, DaySet.horizon + 1) == expected, "\(text) from \(start) at \(day)")
    }
  }

  @Test func `an interval of weeks never reaches another weekday`() throws {
    func hasDay(_ weekdays: String, every step: Int, _ start: String) throws -> Bool {
      let rule = try RecurrenceRule(parsing: "FREQ=DAILY;BYDAY=\(weekdays)")
      let first = try CivilDate(parsing: start)
      let calendar = RuleCalendar(rule, start: first)
      return Periods(years: calendar, positions: [], rule: rule, start: first)
        .hasDay(every: step, from: first)
    }
    // 2026-01-01 is a Thursday.
    for step in [7, 14, 21, 700] {
      #expect(try !hasDay("MO,WE", every: step, "2026-01-01"), "\(step)")
      #expect(try hasDay("MO,TH", every: step, "2026-01-01"), "\(step)")
    }
    for step in [1, 2, 3, 8, 27, 773] {
      #expect(try hasDay("MO,WE", every: step, "2026-01-01"), "\(step)")
    }
  }
}
