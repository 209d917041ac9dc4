import CivilTime
import Testing

@testable import Alarms

/// Makes a daily window that begins on 2026-11-21. If `weekdays` is not empty, the window exists
/// only on these weekdays.
private func window(
  _ from: String, _ to: String, _ weekdays: [Weekday] = []
) throws -> DayWindow {
  DayWindow(
    from: try ClockTime(parsing: from), to: try ClockTime(parsing: to), weekdays: weekdays,
    firstDay: try CivilDate(parsing: "2026-11-21"))
}

/// Returns the due times on one local day in Berlin, as a clock shows them. `~2` marks the second
/// occurrence of a repeated local time.
private func times(_ schedule: Schedule, on day: String, seed: UInt64 = 1) throws -> [String] {
  let plan = try SchedulePlan(schedule, zone: CoreFixture.berlin, seed: seed)
  let date = try CivilDate(parsing: day)
  var from = CoreFixture.berlin.resolve(CivilDateTime(date: date, time: .midnight)).instant
    .adding(milliseconds: -1)
  var times: [String] = []
  while let next = plan.next(after: from), next.nominal.date == date {
    #expect(next.instant > from)
    from = next.instant
    let local = CoreFixture.berlin.civil(at: next.instant)
    times.append(local.dateTime.time.description + (local.fold == 1 ? "~2" : ""))
  }
  return times
}

@Suite struct `Kinds of schedules` {
  @Test
  func `an interval within a window starts again each day and includes the end of the window`()
    throws
  {
    let schedule = Schedule.within(seconds: 5_400, try window("08:00", "14:00"))
    #expect(try times(schedule, on: "2026-11-22") == ["08:00", "09:30", "11:00", "12:30", "14:00"])
    let uneven = Schedule.within(seconds: 7_200, try window("08:00", "13:00"))
    #expect(try times(uneven, on: "2026-11-22") == ["08:00", "10:00", "12:00"])
  }

  @Test func `an interval within a window is elapsed time when the clocks change`()
    throws
  {
    let schedule = Schedule.within(seconds: 3_600, try window("00:30", "04:00"))
    #expect(try times(schedule, on: "2027-03-27") == ["00:30", "01:30", "02:30", "03:30"])
    #expect(try times(schedule, on: "2027-03-28") == ["00:30", "01:30", "03:30"])
    #expect(
      try times(schedule, on: "2027-10-31") == ["00:30", "01:30", "02:30", "02:30~2", "03:30"])
  }

  @Test func `a window past midnight belongs to the day on which it begins`() throws {
    let schedule = Schedule.within(seconds: 14_400, try window("22:00", "06:00", [.saturday]))
    #expect(try times(schedule, on: "2026-11-21") == ["22:00"])
    #expect(try times(schedule, on: "2026-11-22") == ["02:00", "06:00"])
    #expect(try times(schedule, on: "2026-11-23") == [])
  }

  @Test func `random times keep to their window and distance, and differ from day to day`()
    throws
  {
    let schedule = Schedule.random(
      RandomTimes(perDay: 4, window: try window("09:00", "12:00"), minimumDistanceSeconds: 1_800))
    let plan = try SchedulePlan(schedule, zone: CoreFixture.berlin, seed: 42)
    var from = CoreFixture.berlin.resolve(
      CivilDateTime(date: try CivilDate(parsing: "2026-11-21"), time: .midnight)
    ).instant
    var days: [CivilDate: [Int]] = [:]
    for _ in 0..<4_000 {
      let next = try #require(plan.next(after: from))
      days[next.nominal.date, default: []].append(next.nominal.time.secondOfDay)
      from = next.instant
    }
    #expect(days.count == 1_000)
    for times in days.values {
      #expect(times.count == 4)
      #expect(times.allSatisfy { (32_400..<43_200).contains($0) })
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 1_800 })
    }
    #expect(Set(days.values).count == 1_000)
    // The mean of all times is within 90 seconds of 10:30, the middle of the window.
    let all = days.values.flatMap { $0 }
    #expect(abs(all.reduce(0, +) / all.count - 37_800) < 90)
  }

  @Test func `random times are the same on each computer and at each query`() throws {
    // A Python program computed these values independently of Prompter. A later version of Prompter
    // must not move the prompts of a running study.
    let schedule = Schedule.random(
      RandomTimes(perDay: 3, window: try window("09:00", "21:00"), minimumDistanceSeconds: 900))
    let seed = randomSeed(person: PersonID("p1"), alarm: AlarmID("k3v9t2m8q4wz"))
    #expect(seed == 0xFD98_65E2_05BE_82DA)
    #expect(
      try times(schedule, on: "2026-12-01", seed: seed) == ["09:13:57", "12:01:34", "19:54:24"])
    let other = randomSeed(person: PersonID("p2"), alarm: AlarmID("k3v9t2m8q4wz"))
    #expect(
      try times(schedule, on: "2026-12-01", seed: other) == ["09:03:01", "16:18:37", "20:40:04"])
  }

  @Test func `SplitMix64 gives the published numbers`() {
    // Rosetta Code publishes these first numbers of SplitMix64 for the seed 1234567.
    var random = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func `random times ring as planned after a crash, and no others do`() throws {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "3 times a day at random between 09:30 and 18:00"
      $0.rings = 1
    }
    let planned = try #require(fixture.home.openPrompts.first { $0.state == .planned })
    fixture.crash(offForSeconds: 5)
    #expect(fixture.home.openPrompts.filter { $0.state == .planned }.map(\.id) == [planned.id])
    var steady = fixture
    steady.pass(seconds: 3 * 86_400)
    for _ in 0..<36 {
      fixture.pass(seconds: 2 * 3_600 - 5)
      fixture.crash(offForSeconds: 5)
    }
    let rung = { (fixture: CoreFixture) in
      fixture.records.compactMap { if case .due(let id, _) = $0.event { id } else { nil } }
    }
    #expect(rung(fixture) == rung(steady))
    #expect(rung(fixture).count == 9)
  }

  @Test func `early reminders are prompts of their own, and one answer leaves the others open`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "2027-01-17 14:00 and 1 hour before and the evening before at 19:00"
      $0.rings = 1
    }
    var due: [String] {
      fixture.records.compactMap {
        if case .due(let id, _) = $0.event { "\(id.nominal)" } else { nil }
      }
    }
    fixture.pass(seconds: 3 * 86_400)
    #expect(due == ["2027-01-16T19:00:00", "2027-01-17T13:00:00", "2027-01-17T14:00:00"])
    #expect(fixture.outcomes.count == 3)
    #expect(fixture.home.nextWake == nil)
  }

  @Test func `an hour before 08:00 is never 06:00, also if the clocks change in between`()
    throws
  {
    // On 28 March 2027, the clocks go forward from 02:00 to 03:00. Therefore 03:30 is one elapsed
    // hour after 01:30 on this day, and not two hours.
    let plan = try SchedulePlan(
      .once(try CivilDateTime(parsing: "2027-03-28T03:30")),
      earlyReminders: [.elapsed(seconds: 3_600)],
      zone: CoreFixture.berlin, seed: 0)
    let earlyReminder = try #require(plan.due(after: Instant(seconds: 1_800_000_000)))
    #expect(earlyReminder.occurrence.nominal.description == "2027-03-28T01:30:00")
    #expect(earlyReminder.main.nominal.description == "2027-03-28T03:30:00")
  }

  @Test func `two rules at one instant ring once, and an excluded date does not ring`() throws {
    let parsed = try SchedulePhrase(
      "DTSTART:20261201T080000 RRULE:FREQ=DAILY;COUNT=4 RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2 "
        + "EXDATE:20261203T080000 EXDATE;VALUE=DATE:20261204 RDATE:20261202T080000",
      now: Instant(seconds: 1_795_248_000), zone: CoreFixture.berlin
    ).parsed()
    let plan = try SchedulePlan(parsed.schedule, zone: CoreFixture.berlin, seed: 0)
    var from = Instant(seconds: 1_795_248_000)
    var days: [Int] = []
    while let next = plan.next(after: from) {
      days.append(next.nominal.date.day)
      from = next.instant
    }
    #expect(days == [1, 2, 8])
  }
}
