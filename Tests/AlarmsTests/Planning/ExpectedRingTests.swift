import CivilTime
import Testing

@testable import Alarms

@Suite struct `The next rings that a reply lists` {
  /// Returns the first expected ring of a new alarm at 23:00. The expected ring contains the
  /// suppression, and the time at which the prompt rings instead of at 23:00.
  private func first(
    policy: QuietPolicy, override: String? = nil, in fixture: inout CoreFixture
  ) throws -> ExpectedRing {
    try fixture.person {
      $0.quietHours = "22:00-07:00"
      $0.quietPolicy = policy
    }
    var form = AlarmForm()
    form.label = "Pills"
    form.allowsDuplicate = true
    form.schedule = "every day 23:00"
    form.quietHours = override
    let id = AlarmID("alarm\(fixture.records.count)")
    guard
      case .alarm(_, let next, _)? = try fixture.handle(.command(.add(id, form), CoreFixture.anna))
    else {
      preconditionFailure("no alarm came back")
    }
    // A query after the command returns the same rings as the reply to the command.
    #expect(
      fixture.home.expectedRings(of: id, at: fixture.now, count: 5, fixture.environment) == next)
    return try #require(next.first)
  }

  @Test func `quiet hours that hold a prompt back say when it rings`() throws {
    var fixture = CoreFixture()
    let ring = try first(policy: .hold, in: &fixture)
    #expect(ring.suppression?.why == .quietHours)
    let end = try #require(ring.suppression?.ringsAt)
    #expect(end.milliseconds(since: ring.occurrence.instant) == 8 * 3_600_000)
    fixture.pass(seconds: end.seconds - fixture.now.wall.seconds + 1)
    #expect(fixture.records.contains { if case .ringStarted = $0.event { true } else { false } })
  }

  @Test func `a suppressed prompt never rings, and an alarm that may break through does`() throws {
    var fixture = CoreFixture()
    #expect(
      try first(policy: .suppress, in: &fixture).suppression
        == ExpectedSuppression(why: .quietHours, ringsAt: nil))
    #expect(try first(policy: .suppress, override: "ring", in: &fixture).suppression == nil)
    #expect(
      try first(policy: .suppress, override: "hold", in: &fixture).suppression?.ringsAt != nil)
  }

  @Test func `a control phase silences exactly the prompts within it`() throws {
    var fixture = CoreFixture()
    try fixture.phase(.control, from: "2027-01-16", to: "2027-01-17")
    let alarm = try fixture.add { $0.schedule = "every day 10:00" }
    let next = fixture.home.expectedRings(
      of: alarm.id, at: fixture.now, count: 5, fixture.environment)
    #expect(
      next.map { $0.suppression?.why } == [nil, .controlPhase, .controlPhase, nil, nil])
  }

  @Test func `a prompt that waits for an answer is counted, and a planned one is not`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.add { $0.schedule = "in 10 seconds" }
    #expect(fixture.home.waitingCount(of: alarm.id) == 0)
    fixture.pass(seconds: 11)
    #expect(fixture.home.waitingCount(of: alarm.id) == 1)
    try fixture.answer(.complete)
    #expect(fixture.home.waitingCount(of: alarm.id) == 0)
  }

  @Test func `an announcement waits for no answer and takes no answer meant for a task`() throws {
    var fixture = CoreFixture()
    let pills = try fixture.add {
      $0.schedule = "in 10 seconds"
      $0.rings = 2
    }
    fixture.pass(seconds: 25)
    let lunch = try fixture.say()
    fixture.pass(seconds: 20)
    #expect(fixture.home.waitingPrompts.map(\.id.alarm) == [pills.id])
    #expect(fixture.home.waitingCount(of: lunch) == 0)
    #expect(try fixture.answer(.complete).prompt.id.alarm == pills.id)
    #expect(try fixture.answer(.acknowledge).prompt.id.alarm == lunch)
  }
}
