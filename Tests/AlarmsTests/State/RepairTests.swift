import CivilTime
import Testing

@testable import Alarms

private func defects(_ fixture: CoreFixture) -> [Defect] {
  fixture.records.compactMap { if case .repaired(_, let defect) = $0.event { defect } else { nil } }
}

private func rings(_ fixture: CoreFixture) -> Int {
  fixture.records.filter { $0.event.type == "ring_started" }.count
}

/// Makes a home whose due queue has lost the next action of a prompt. `phase` is the state of this
/// prompt.
private func forgetful(_ phase: String) throws -> CoreFixture {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "in 10 minutes"
    $0.rings = 2
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 900)]
  }
  if phase != "planned" { fixture.pass(seconds: 605) }
  if phase == "delayed" { try fixture.answer(.delay(seconds: 600)) }
  if phase == "acknowledged" { try fixture.answer(.acknowledge) }
  fixture.home.queue = DueQueue()
  return fixture
}

@Suite struct `The self-audit` {
  @Test(arguments: ["planned", "waiting", "delayed", "acknowledged"])
  func `restores a step that no timer waited for`(phase: String) throws {
    var fixture = try forgetful(phase)
    let before = rings(fixture)
    fixture.pass(seconds: 300)
    // Without the self-audit, the prompt would never continue. At the next heartbeat, the
    // self-audit restores the lost action.
    #expect(rings(fixture) <= before + 1)
    try fixture.handle(.heartbeat)
    #expect(defects(fixture) == [.stepNotAwaited])
    fixture.pass(seconds: 900)
    #expect(rings(fixture) > before)
    try fixture.handle(.heartbeat)
    #expect(defects(fixture) == [.stepNotAwaited])
  }

  @Test func `restores a notification that was due`() throws {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "in 10 minutes"
      $0.rings = 1
      $0.lateWindowSeconds = 7_200
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 900)]
    }
    fixture.pass(seconds: 700)
    fixture.home.queue = DueQueue()
    fixture.pass(seconds: 1_200)
    #expect(fixture.notified.isEmpty)
    try fixture.handle(.heartbeat)
    #expect(fixture.notified.map(\.contact) == ["anna"])
    #expect(defects(fixture) == [.stepNotAwaited])
  }

  @Test func `names the device as the cause of a lost prompt that is too late`() throws {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "every day 09:05"
      $0.lateWindowSeconds = 300
    }
    fixture.home.queue = DueQueue()
    fixture.pass(seconds: 900)
    try fixture.handle(.heartbeat)
    #expect(fixture.outcomes == [.unknownCrash])
    #expect(defects(fixture) == [.stepNotAwaited])
    fixture.pass(seconds: 86_400)
    #expect(rings(fixture) == 5)
  }

  @Test(arguments: ["step", "sleep", "zones"])
  func `runs after each clock step, sleep and change of zones`(waking: String) throws {
    var fixture = try forgetful("planned")
    fixture.pass(seconds: 500)
    switch waking {
    case "step": fixture.stepClock(seconds: 20)
    case "sleep":
      fixture.move(to: fixture.now.wall.adding(seconds: 20))
      fixture.now.asleepMilliseconds += 15_000
      try fixture.handle(.woke)
    default: try fixture.handle(.zonesChanged)
    }
    #expect(defects(fixture) == [.stepNotAwaited])
    fixture.pass(seconds: 100)
    #expect(rings(fixture) == 1)
  }

  @Test(arguments: [Defect.stepNotStored, .promptNotStored])
  func `stores a missing step or prompt again at the start`(defect: Defect) throws {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "in 10 minutes" }
    var snapshot = fixture.snapshot()
    let prompt = try #require(snapshot.openPrompts.first)
    if defect == .promptNotStored { snapshot.openPrompts = [] }
    snapshot.mismatches = [ProjectionMismatch(prompt: prompt, defect: defect)]
    fixture.home = HomeState(
      snapshot: snapshot, limits: .standard, environment: fixture.environment)
    let start = try step(
      fixture.home, .started(Start(version: "test")), at: fixture.now, in: fixture.environment)
    #expect(start.changes.prompts[prompt.id] == prompt)
    try fixture.handle(.started(Start(version: "test")))
    #expect(defects(fixture) == [defect])
    try fixture.handle(.heartbeat)
    #expect(defects(fixture) == [defect])
    fixture.pass(seconds: 601)
    #expect(rings(fixture) == 1)
  }

  @Test func `stores a missing closed prompt again, which does not ring again`() throws {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "every day 09:05" }
    fixture.pass(seconds: 400)
    let done = try fixture.answer(.complete).prompt
    var snapshot = fixture.snapshot()
    snapshot.closedNominals = [:]
    snapshot.answeredPrompts = []
    snapshot.mismatches = [ProjectionMismatch(prompt: done, defect: .promptNotStored)]
    fixture.home = HomeState(
      snapshot: snapshot, limits: .standard, environment: fixture.environment)
    let start = try step(
      fixture.home, .started(Start(version: "test")), at: fixture.now, in: fixture.environment)
    #expect(start.changes.prompts[done.id] == done)
    try fixture.handle(.started(Start(version: "test")))
    let before = rings(fixture)
    fixture.stepClock(seconds: -380)
    fixture.pass(seconds: 3_600)
    #expect(rings(fixture) == before)
  }

  @Test func `plans an alarm that has future times and no prompt`() throws {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "every day 09:05" }
    var snapshot = fixture.snapshot()
    snapshot.openPrompts = []
    fixture.home = HomeState(
      snapshot: snapshot, limits: .standard, environment: fixture.environment)
    try fixture.handle(.heartbeat)
    #expect(defects(fixture) == [.notPlanned])
    fixture.pass(seconds: 400)
    #expect(rings(fixture) > 0)
  }

  @Test func `finds nothing if a missed prompt may ring again after the clock is set back`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "2027-01-15 09:05" }
    fixture.crash(offForSeconds: 7_200, newBoot: true)
    #expect(fixture.outcomes == [.missedDeviceOff])
    fixture.now.wall = fixture.now.wall.adding(seconds: -7_200)
    fixture.crash(newBoot: true)
    fixture.pass(seconds: 400)
    #expect(rings(fixture) > 0)
    #expect(defects(fixture).isEmpty)
  }

  /// At each heartbeat, the self-audit checks every open prompt.
  @Test func `finds no defect in a home with 1,000 alarms`() throws {
    var fixture = CoreFixture(limits: HomeLimits(alarms: 1_000, tones: 1, ringsPerHour: 20))
    for number in 0..<1_000 {
      try fixture.add { $0.schedule = "every day \(10 + number % 10):\(10 + number % 50)" }
    }
    #expect(fixture.home.openPrompts.count == 1_000)
    try fixture.handle(.heartbeat)
    #expect(defects(fixture).isEmpty)
  }
}
