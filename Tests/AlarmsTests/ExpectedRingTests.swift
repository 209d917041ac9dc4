import CivilTime
import Testing

@testable import Alarms

@Suite struct `What a caretaker is told of the next rings` {
  /// The first of the next rings of a new alarm at 23:00: what keeps it silent, and when it rings then.
  private func first(
    policy: QuietPolicy, override: String? = nil, in fixture: inout CoreFixture
  ) throws -> ExpectedRing {
    try fixture.person {
      $0.quietHours = "22:00-07:00"
      $0.quietPolicy = policy
    }
    var form = AlarmForm()
    form.label = "Pills"
    form.schedule = "every day 23:00"
    form.quietHours = override
    let id = AlarmID("alarm\(fixture.records.count)")
    guard
      case .alarm(_, let next, _)? = try fixture.take(.command(.add(id, form), CoreFixture.anna))
    else {
      preconditionFailure("no alarm came back")
    }
    // What the reply says is what is said of it later.
    #expect(
      fixture.home.expectedRings(of: id, at: fixture.now, count: 5, fixture.environment) == next)
    return try #require(next.first)
  }

  @Test func `quiet hours that hold say when it rings after all`() throws {
    var fixture = CoreFixture()
    let ring = try first(policy: .hold, in: &fixture)
    #expect(ring.suppression?.why == .quietHours)
    let end = try #require(ring.suppression?.ringsAt)
    #expect(end.milliseconds(since: ring.occurrence.instant) == 8 * 3_600_000)
    fixture.pass(seconds: end.seconds - fixture.now.wall.seconds + 1)
    #expect(fixture.records.contains { if case .ringStarted = $0.event { true } else { false } })
  }

  @Test func `what is suppressed never rings, and what may break through does`() throws {
    var fixture = CoreFixture()
    #expect(
      try first(policy: .suppress, in: &fixture).suppression
        == ExpectedSuppression(why: .quietHours, ringsAt: nil))
    #expect(try first(policy: .suppress, override: "ring", in: &fixture).suppression == nil)
    #expect(
      try first(policy: .suppress, override: "hold", in: &fixture).suppression?.ringsAt != nil)
  }

  @Test func `a control phase is silent, and is over when it is over`() throws {
    var fixture = CoreFixture()
    try fixture.phase(.control, from: "2027-01-16", to: "2027-01-18")
    let alarm = try fixture.add { $0.schedule = "every day 10:00" }
    let next = fixture.home.expectedRings(
      of: alarm.id, at: fixture.now, count: 5, fixture.environment)
    #expect(
      next.map { $0.suppression?.why } == [nil, .controlPhase, .controlPhase, nil, nil])
  }

  @Test func `an alarm that waits for an answer is counted, and one that is planned is not`() throws
  {
    var fixture = CoreFixture()
    let alarm = try fixture.add { $0.schedule = "in 10 seconds" }
    #expect(fixture.home.waitingCount(of: alarm.id) == 0)
    fixture.pass(seconds: 11)
    #expect(fixture.home.waitingCount(of: alarm.id) == 1)
    try fixture.answer(.complete)
    #expect(fixture.home.waitingCount(of: alarm.id) == 0)
  }

  @Test func `what is merely said waits for no answer and takes none that is for a task`() throws {
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
