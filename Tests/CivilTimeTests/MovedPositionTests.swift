import TestRandom
import Testing

@testable import CivilTime

/// Tests rules with SKIP=FORWARD, BYSETPOS and several times of day, and compares them with a list
/// of all times of each month or year.
@Suite struct MovedPositionTests {
  /// The days of a period, as numbers from 1, and the times of day, as hours.
  private struct Pattern {
    var isYearly: Bool
    var interval: Int
    var days: [Int]
    var hours: [Int]
    var positions: [Int]

    var rule: String {
      func list(_ values: [Int]) -> String { values.map(String.init).joined(separator: ",") }
      return "FREQ=\(isYearly ? "YEARLY" : "MONTHLY");INTERVAL=\(interval);"
        + "\(isYearly ? "BYYEARDAY" : "BYMONTHDAY")=\(list(days));BYHOUR=\(list(hours));"
        + "BYSETPOS=\(list(positions));SKIP=FORWARD"
    }

    /// Returns the first and the last day of the period that is `step` intervals after the period of
    /// `start`.
    private func period(_ step: Int, _ start: CivilDate) throws -> (first: Int, length: Int) {
      let months = start.year * 12 + start.month - 1 + step * interval
      let (year, month) =
        isYearly ? (start.year + step * interval, 1) : (months / 12, months % 12 + 1)
      let first = try CivilDate(year: year, month: month, day: 1).dayNumber
      let after =
        isYearly
        ? try CivilDate(year: year + 1, month: 1, day: 1)
        : try CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
      return (first, after.dayNumber - first)
    }

    /// Returns the first times at or after the start, in local seconds, from a list of all times of
    /// the first 80 periods.
    func times(from start: CivilDateTime, count: Int) throws -> [Int64] {
      var found: Set<Int64> = []
      for step in 0..<80 {
        let (first, length) = try period(step, start.date)
        // A day that does not exist is replaced by the first day of the next period.
        let days = Set(days.map { first + min($0, length + 1) - 1 }).sorted()
        let all = days.flatMap { day in hours.sorted().map { Int64(day * 86_400 + $0 * 3_600) } }
        for position in positions {
          let index = position > 0 ? position - 1 : all.count + position
          if all.indices.contains(index) { found.insert(all[index]) }
        }
      }
      return Array(found.filter { $0 >= start.localSeconds }.sorted().prefix(count))
    }
  }

  private func found(_ rule: String, _ start: CivilDateTime, _ count: Int) throws -> [Int64] {
    let recurrence = try Recurrence(
      rule: RecurrenceRule(parsing: rule), start: start, zone: .utc)
    var times: [Int64] = []
    var last = Instant(seconds: start.localSeconds - 1)
    while times.count < count, let next = recurrence.next(after: last) {
      times.append(next.instant.seconds)
      last = next.instant
    }
    return times
  }

  @Test func `a month with a time on a day that SKIP moved there rings at both times`() throws {
    let rule = "FREQ=MONTHLY;BYMONTHDAY=1,31;BYHOUR=8,20;BYSETPOS=1,-1;SKIP=FORWARD"
    let start = try CivilDateTime(parsing: "2026-04-01T08:00")
    let times = try found(rule, start, 5).map { "\(CivilDateTime(localSeconds: $0))" }
    #expect(
      times == [
        "2026-04-01T08:00:00", "2026-05-01T08:00:00", "2026-05-01T20:00:00",
        "2026-05-31T20:00:00", "2026-06-01T08:00:00",
      ])
  }

  @Test func `both times of a moved day ring, also in the first year of a rule`() throws {
    let rule = "FREQ=YEARLY;BYYEARDAY=366;BYHOUR=8,20;BYSETPOS=1,2;SKIP=FORWARD"
    let expected = ["2027-01-01", "2028-01-01", "2028-12-31"].flatMap {
      ["\($0)T08:00:00", "\($0)T20:00:00"]
    }
    for start in ["2026-02-01T08:00", "2026-06-15T08:00", "2026-12-31T23:00"] {
      let times = try found(rule, try CivilDateTime(parsing: start), 6)
      #expect(times.map { "\(CivilDateTime(localSeconds: $0))" } == expected, "\(start)")
    }
  }

  @Test func `random rules ring at the times of a list of all times`() throws {
    var random = SeededGenerator(seed: 31)
    func some(_ values: [Int], _ most: Int) -> [Int] {
      let count = Int.random(in: 1...most, using: &random)
      return Array(values.shuffled(using: &random).prefix(count))
    }
    for number in 0..<600 {
      let isYearly = number % 2 == 0
      let pattern = Pattern(
        isYearly: isYearly, interval: Int.random(in: 1...3, using: &random),
        days: some(isYearly ? [1, 2, 59, 60, 365, 366] : [1, 2, 28, 29, 30, 31], 4),
        hours: some([0, 8, 12, 20, 23], 3), positions: some([1, 2, 3, 4, -1, -2, -3], 3))
      let date = try CivilDate(year: 2026, month: 1, day: 1).adding(
        days: Int.random(in: 0..<1_100, using: &random))
      let start = CivilDateTime(date: date, time: try ClockTime(parsing: "08:00"))
      let expected = try pattern.times(from: start, count: 20)
      if expected.isEmpty { continue }
      #expect(
        try found(pattern.rule, start, expected.count) == expected, "\(pattern.rule) \(start)")
    }
  }
}
