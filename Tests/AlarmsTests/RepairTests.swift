import CivilTime
import Testing

@testable import Alarms

private func defects(_ bench: Bench) -> [Defect] {
  bench.records.compactMap { if case .repaired(_, let defect) = $0.event { defect } else { nil } }
}

private func rings(_ bench: Bench) -> Int {
  bench.records.filter { $0.event.type == "ring_started" }.count
}

/// What a home may have lost sight of, in each phase that waits for something.
private func forgetful(_ phase: String) throws -> Bench {
  var bench = Bench()
  try bench.add {
    $0.schedule = "in 10 minutes"
    $0.rings = 2
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 900)]
  }
  if phase != "planned" { bench.pass(seconds: 605) }
  if phase == "delayed" { try bench.answer(.delay(seconds: 600)) }
  if phase == "acknowledged" { try bench.answer(.acknowledge) }
  bench.home.queue = DueQueue()
  return bench
}

@Suite struct `The self-audit` {
  @Test(arguments: ["planned", "waiting", "delayed", "acknowledged"])
  func `takes up a step that nothing waited for`(phase: String) throws {
    var bench = try forgetful(phase)
    let before = rings(bench)
    bench.pass(seconds: 300)
    // Without an audit it is lost for good; with one it is taken up at the next heartbeat.
    #expect(rings(bench) <= before + 1)
    try bench.take(.heartbeat)
    #expect(defects(bench) == [.stepNotAwaited])
    bench.pass(seconds: 900)
    #expect(rings(bench) > before)
    try bench.take(.heartbeat)
    #expect(defects(bench) == [.stepNotAwaited])
  }

  @Test func `takes up somebody who was to be told`() throws {
    var bench = Bench()
    try bench.add {
      $0.schedule = "in 10 minutes"
      $0.rings = 1
      $0.lateWindowSeconds = 7_200
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 900)]
    }
    bench.pass(seconds: 700)
    bench.home.queue = DueQueue()
    bench.pass(seconds: 1_200)
    #expect(bench.notified.isEmpty)
    try bench.take(.heartbeat)
    #expect(bench.notified.map(\.contact) == ["anna"])
    #expect(defects(bench) == [.stepNotAwaited])
  }

  @Test func `blames the device for what was lost and is too late`() throws {
    var bench = Bench()
    try bench.add {
      $0.schedule = "every day 09:05"
      $0.lateWindowSeconds = 300
    }
    bench.home.queue = DueQueue()
    bench.pass(seconds: 900)
    try bench.take(.heartbeat)
    #expect(bench.outcomes == [.unknownCrash])
    #expect(defects(bench) == [.stepNotAwaited])
    bench.pass(seconds: 86_400)
    #expect(rings(bench) == 5)
  }

  @Test(arguments: ["step", "sleep", "zones"])
  func `looks after every waking`(waking: String) throws {
    var bench = try forgetful("planned")
    bench.pass(seconds: 500)
    switch waking {
    case "step": bench.stepClock(seconds: 20)
    case "sleep":
      bench.move(to: bench.now.wall.adding(seconds: 20))
      bench.now.asleepMilliseconds += 15_000
      try bench.take(.woke)
    default: try bench.take(.zonesChanged)
    }
    #expect(defects(bench) == [.stepNotAwaited])
    bench.pass(seconds: 100)
    #expect(rings(bench) == 1)
  }

  @Test(arguments: [Defect.stepNotStored, .promptNotStored])
  func `stores anew what a start finds astray`(defect: Defect) throws {
    var bench = Bench()
    try bench.add { $0.schedule = "in 10 minutes" }
    var snapshot = bench.snapshot()
    let prompt = try #require(snapshot.openPrompts.first)
    if defect == .promptNotStored { snapshot.openPrompts = [] }
    snapshot.strays = [ProjectionMismatch(prompt: prompt, defect: defect)]
    bench.home = HomeState(
      snapshot: snapshot, limits: .standard, environment: bench.environment)
    let start = try step(
      bench.home, .started(Start(version: "test")), at: bench.now, in: bench.environment)
    #expect(start.changes.prompts[prompt.id] == prompt)
    try bench.take(.started(Start(version: "test")))
    #expect(defects(bench) == [defect])
    try bench.take(.heartbeat)
    #expect(defects(bench) == [defect])
    bench.pass(seconds: 601)
    #expect(rings(bench) == 1)
  }

  @Test func `stores anew what is over, and it does not ring again`() throws {
    var bench = Bench()
    try bench.add { $0.schedule = "every day 09:05" }
    bench.pass(seconds: 400)
    let done = try bench.answer(.complete).prompt
    var snapshot = bench.snapshot()
    snapshot.closedNominals = [:]
    snapshot.answeredPrompts = []
    snapshot.strays = [ProjectionMismatch(prompt: done, defect: .promptNotStored)]
    bench.home = HomeState(
      snapshot: snapshot, limits: .standard, environment: bench.environment)
    let start = try step(
      bench.home, .started(Start(version: "test")), at: bench.now, in: bench.environment)
    #expect(start.changes.prompts[done.id] == done)
    try bench.take(.started(Start(version: "test")))
    let before = rings(bench)
    bench.stepClock(seconds: -380)
    bench.pass(seconds: 3_600)
    #expect(rings(bench) == before)
  }

  @Test func `plans an alarm that has a future and no prompt`() throws {
    var bench = Bench()
    try bench.add { $0.schedule = "every day 09:05" }
    var snapshot = bench.snapshot()
    snapshot.openPrompts = []
    bench.home = HomeState(
      snapshot: snapshot, limits: .standard, environment: bench.environment)
    try bench.take(.heartbeat)
    #expect(defects(bench) == [.notPlanned])
    bench.pass(seconds: 400)
    #expect(rings(bench) > 0)
  }

  @Test func `finds nothing where what was missed may come again by a clock that is set back`()
    throws
  {
    var bench = Bench()
    try bench.add { $0.schedule = "2027-01-15 09:05" }
    bench.crash(offForSeconds: 7_200, newBoot: true)
    #expect(bench.outcomes == [.missedDeviceOff])
    bench.now.wall = bench.now.wall.adding(seconds: -7_200)
    bench.crash(newBoot: true)
    bench.pass(seconds: 400)
    #expect(rings(bench) > 0)
    #expect(defects(bench).isEmpty)
  }

  /// A heartbeat looks at every open prompt: of a home as large as may be that must not hold up a ring.
  @Test func `takes no time that anybody would notice, with 5,000 alarms`() throws {
    var bench = Bench(limits: HomeLimits(alarms: 5_000, tones: 1, ringsPerHour: 20))
    for number in 0..<5_000 {
      try bench.add { $0.schedule = "every day \(10 + number % 10):\(10 + number % 50)" }
    }
    #expect(bench.home.openPrompts.count == 5_000)
    let took = try ContinuousClock().measure { try bench.take(.heartbeat) }
    print("a heartbeat with 5,000 alarms took \(took)")
    #expect(took < .milliseconds(500))
    #expect(defects(bench).isEmpty)
  }
}
