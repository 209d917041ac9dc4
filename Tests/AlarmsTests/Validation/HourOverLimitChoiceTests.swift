import CivilTime
import Testing

@testable import Alarms

/// Checks which rings count for an hour that exceeds the limit.
///
/// The clock shows Friday 15 January 2027, 09:00 in Berlin. At most 4 repetitions sound in an hour.
@Suite struct `An hour over the limit` {
  private func home(_ tasks: [(schedule: String, rings: Int)]) throws -> CoreFixture {
    var fixture = CoreFixture()
    try fixture.person { $0.ringsPerHour = 4 }
    for (index, task) in tasks.enumerated() {
      try fixture.add("\(index)") { ($0.schedule, $0.rings) = (task.schedule, task.rings) }
    }
    return fixture
  }

  private func hour(
    _ fixture: CoreFixture, touching label: String? = nil, after seconds: Int64 = 0
  ) -> HourOverLimit? {
    let transition = Transition(fixture.home, fixture.now, CoreFixture.anna, fixture.environment)
    let from = fixture.now.wall.adding(seconds: seconds)
    let calls = transition.calls(in: from..<from.adding(seconds: 86_400), of: .patient)
    let id = label.map { label in fixture.home.alarms.first { $0.label == label }?.id }
    return transition.hourOverLimit(of: .patient, calls[.patient] ?? [], touching: id ?? nil)
  }

  @Test func `considers only hours in which the given alarm repeats its ring`() throws {
    let fixture = try home([
      ("every day 10:00", 2), ("every day 12:00", 4), ("every day 12:10", 4),
      ("every day 14:00", 4), ("every day 14:10", 3),
    ])
    #expect(hour(fixture)?.labels == ["1", "2"])
    #expect(hour(fixture, touching: "0") == nil)
    #expect(hour(fixture, touching: "2")?.labels == ["1", "2"])
    #expect(hour(fixture, touching: "4")?.labels == ["3", "4"])
    #expect(hour(fixture, touching: "4")?.repetitions == 5)
  }

  @Test func `stops to consider an alarm an hour after its last repetition`() throws {
    // The repetition of "0" is at 10:01. The five other repetitions are at 10:58, 10:59 and 11:00,
    // or at 11:01, 11:02 and 11:03.
    for (time, isFound) in [("11:00", false), ("10:57", true)] {
      let fixture = try home([
        ("every day 10:00", 2), ("every day \(time)", 4), ("every day \(time)", 3),
      ])
      #expect(hour(fixture)?.repetitions == (isFound ? 6 : 5))
      #expect((hour(fixture, touching: "0") != nil) == isFound, "\(time)")
    }
  }

  @Test func `counts no urgent step, no announcement and no silent prompt`() throws {
    var fixture = try home([("every day 10:00", 4)])
    try fixture.add("urgent") {
      $0.schedule = "every day 10:10"
      $0.steps = [StepForm(rings: 1), StepForm(rings: 3, isUrgent: true, pauseSeconds: 60)]
    }
    #expect(hour(fixture) == nil)
    try fixture.say { ($0.schedule, $0.rings) = ("in 70 minutes", 4) }
    #expect(hour(fixture) == nil)
    try fixture.add("paused") {
      ($0.schedule, $0.rings, $0.pausedUntil) = ("every day 10:20", 4, "2027-02-01")
    }
    try fixture.add("quiet") {
      ($0.schedule, $0.rings, $0.quietHours) = ("every day 10:30", 4, "suppress")
    }
    try fixture.person { $0.quietHours = "10:30-11:00" }
    #expect(hour(fixture) == nil)
    try fixture.person { $0.quietHours = "" }
    #expect(hour(fixture)?.labels == ["0", "quiet"] && hour(fixture)?.repetitions == 6)
  }

  @Test func `includes the later rings of an alarm that was due before the period`() throws {
    let fixture = try home([("every day 09:05", 4), ("every day 09:07", 4)])
    let first = fixture.now.wall.adding(seconds: 360)
    #expect(hour(fixture)?.repetitions == 6 && hour(fixture)?.from == first)
    // The last ring of the first alarm is at 09:08, which is the start of the second period.
    #expect(hour(fixture, after: 360)?.from == first)
    #expect(hour(fixture, after: 480)?.from == first)
    #expect(hour(fixture, after: 481)?.from == first.adding(seconds: 86_400))
  }

  @Test func `is a sentence with the person, the alarms, the numbers and the time`() throws {
    var fixture = try home([("every day 10:00", 4), ("every day 10:10", 4)])
    try fixture.person { $0.zone = "UTC" }
    let found = fixture.home.hoursOverLimit(at: fixture.now, fixture.environment)
    #expect(
      found.map(\.words) == [
        "if nobody answers, the alarms of patient (\"0\", \"1\") would repeat their rings 6 times "
          + "in the hour from 2027-01-15 09:01; at most 4 repetitions sound in one hour, and the "
          + "alarm that rang first loses its repetitions first; each alarm still rings once, and "
          + "urgent steps always ring"
      ])
  }

  @Test func `reads the next prompt of each alarm in a home with very many alarms`() throws {
    var fixture = try home([
      ("every 3 hours", 4), ("every day 12:10", 4), ("every day 15:10", 4),
      ("2027-01-16 19:20", 4), ("every day 19:10", 4), ("every day 08:00", 1),
    ])
    try fixture.person("eva") { _ in }
    func fill(_ count: Int) throws {
      while fixture.home.entries.count < count {
        try fixture.add("filler") {
          ($0.schedule, $0.rings, $0.person) = ("every day 08:00", 1, "eva")
        }
      }
    }
    func hours(_ label: String) -> [String]? { hour(fixture, touching: label)?.labels }
    func warnings(_ label: String, _ kind: ScheduleWarning.Kind) throws -> [String] {
      var copy = fixture
      let id = try #require(copy.home.alarms.first { $0.label == label }?.id)
      let (_, _, report) = try copy.edit(id) { $0.instructions = "Slowly" }
      return report.warnings.filter { $0.kind == kind }.map(\.text)
    }
    let together = "it rings together with \"filler\" (eva)"
    try fill(200)
    #expect(hours("1") == ["0", "1"] && hours("2") == ["0", "2"])
    // The second due time of "4" is in the same hour as the only due time of "3".
    #expect(try warnings("4", .hourOverLimit).count == 1)
    #expect(
      try warnings("5", .collision) == Array(repeating: "\(together) at 08:00", count: 5))
    // Of "0", only the prompt of 12:00 is planned.
    try fill(201)
    #expect(hours("1") == ["0", "1"] && hours("2") == nil)
    #expect(hour(fixture, after: 4 * 3_600) == nil)
    #expect(try warnings("4", .hourOverLimit) == [])
    #expect(
      try warnings("5", .collision)
        == Array(repeating: "\(together) on 2027-01-16 at 08:00", count: 5))
    // A prompt that is already due does not ring together with a later prompt.
    for (label, schedule) in [("soon", "in 10 seconds"), ("later", "in 20 seconds")] {
      try fixture.add(label) {
        ($0.schedule, $0.rings, $0.person) = (schedule, 1, "patient")
      }
      fixture.pass(seconds: 15)
    }
    #expect(try warnings("later", .collision) == [])
  }

  private func calls(_ fixture: CoreFixture, seconds: Int64) -> Int? {
    let transition = Transition(fixture.home, fixture.now, CoreFixture.anna, fixture.environment)
    let from = fixture.now.wall
    return transition.calls(in: from..<from.adding(seconds: seconds), of: nil)[.patient]?.count
  }

  @Test func `is searched in at most 64 due times per alarm and 300 due times per person`() throws {
    var fixture = CoreFixture()
    for (number, count) in [64, 128, 192, 256, 300, 300].enumerated() {
      try fixture.add("\(number)") { ($0.schedule, $0.rings) = ("every 10 minutes", 1) }
      #expect(calls(fixture, seconds: 86_400) == count, "\(number)")
    }
  }

  @Test func `is searched before the end of the period, which is one day for the status`() throws {
    var fixture = try home([("every day 08:50", 4), ("every day 09:00", 4)])
    #expect(calls(fixture, seconds: 86_400) == 1)
    #expect(calls(fixture, seconds: 86_401) == 2)
    func found() -> [HourOverLimit] {
      fixture.home.hoursOverLimit(at: fixture.now, fixture.environment).map(\.hour)
    }
    #expect(found() == [])
    // The first repetition is at 08:51 on the next day.
    let ring = fixture.now.wall.adding(seconds: 86_400 - 540)
    fixture.now.wall = fixture.now.wall.adding(seconds: 1)
    #expect(
      found() == [
        HourOverLimit(person: .patient, from: ring, repetitions: 6, limit: 4, labels: ["0", "1"])
      ])
  }
}
