import CivilTime
import Testing

@testable import Alarms

@Suite struct `What a caretaker is told of the next rings` {
  /// The first of the next rings of a new alarm at 23:00: what keeps it silent, and when it rings then.
  private func first(
    policy: QuietPolicy, override: String? = nil, in bench: inout Bench
  ) throws -> ExpectedRing {
    try bench.person {
      $0.quietHours = "22:00-07:00"
      $0.quietPolicy = policy
    }
    var form = AlarmForm()
    form.label = "Pills"
    form.schedule = "every day 23:00"
    form.quietHours = override
    let id = AlarmID("alarm\(bench.records.count)")
    guard case .alarm(_, let next, _)? = try bench.take(.command(.add(id, form), Bench.anna)) else {
      preconditionFailure("no alarm came back")
    }
    // What the reply says is what is said of it later.
    #expect(
      bench.home.expectedRings(of: id, at: bench.now, count: 5, bench.environment) == next)
    return try #require(next.first)
  }

  @Test func `quiet hours that hold say when it rings after all`() throws {
    var bench = Bench()
    let ring = try first(policy: .hold, in: &bench)
    #expect(ring.suppression?.why == .quietHours)
    let end = try #require(ring.suppression?.ringsAt)
    #expect(end.milliseconds(since: ring.occurrence.instant) == 8 * 3_600_000)
    bench.pass(seconds: end.seconds - bench.now.wall.seconds + 1)
    #expect(bench.records.contains { if case .ringStarted = $0.event { true } else { false } })
  }

  @Test func `what is suppressed never rings, and what may break through does`() throws {
    var bench = Bench()
    #expect(
      try first(policy: .suppress, in: &bench).suppression
        == ExpectedSuppression(why: .quietHours, ringsAt: nil))
    #expect(try first(policy: .suppress, override: "ring", in: &bench).suppression == nil)
    #expect(
      try first(policy: .suppress, override: "hold", in: &bench).suppression?.ringsAt != nil)
  }

  @Test func `a control phase is silent, and is over when it is over`() throws {
    var bench = Bench()
    try bench.phase(.control, from: "2027-01-16", to: "2027-01-18")
    let alarm = try bench.add { $0.schedule = "every day 10:00" }
    let next = bench.home.expectedRings(
      of: alarm.id, at: bench.now, count: 5, bench.environment)
    #expect(
      next.map { $0.suppression?.why } == [nil, .controlPhase, .controlPhase, nil, nil])
  }

  @Test func `an alarm that waits for an answer is counted, and one that is planned is not`() throws
  {
    var bench = Bench()
    let alarm = try bench.add { $0.schedule = "in 10 seconds" }
    #expect(bench.home.waitingCount(of: alarm.id) == 0)
    bench.pass(seconds: 11)
    #expect(bench.home.waitingCount(of: alarm.id) == 1)
    try bench.answer(.complete)
    #expect(bench.home.waitingCount(of: alarm.id) == 0)
  }

  @Test func `what is merely said waits for no answer and takes none that is for a task`() throws {
    var bench = Bench()
    let pills = try bench.add {
      $0.schedule = "in 10 seconds"
      $0.rings = 2
    }
    bench.pass(seconds: 25)
    let lunch = try bench.say()
    bench.pass(seconds: 20)
    #expect(bench.home.waitingPrompts.map(\.id.alarm) == [pills.id])
    #expect(bench.home.waitingCount(of: lunch) == 0)
    #expect(try bench.answer(.complete).prompt.id.alarm == pills.id)
    #expect(try bench.answer(.acknowledge).prompt.id.alarm == lunch)
  }
}
