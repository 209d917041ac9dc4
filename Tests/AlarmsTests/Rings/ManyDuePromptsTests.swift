import CivilTime
import Testing

@testable import Alarms

/// Adds `count` tasks that are due at one instant. Each task has two rings of ten seconds each, and
/// a late window of five minutes.
private func manyDue(of count: Int, ringsPerHour: Int = 1_000) throws -> CoreFixture {
  var fixture = CoreFixture(limits: HomeLimits(alarms: 2_000, tones: 1, ringsPerHour: ringsPerHour))
  fixture.ringSeconds = 10
  for number in 0..<count {
    try fixture.add("Task \(number)") {
      $0.schedule = "in 60 seconds"
      $0.rings = 2
      $0.spacingSeconds = 30
      $0.lateWindowSeconds = 300
    }
  }
  return fixture
}

@Test func `of many due prompts each rings once before any rings twice`() throws {
  var fixture = try manyDue(of: 8)
  fixture.pass(seconds: 61 + 8 * 10)
  let heard = fixture.records.compactMap {
    $0.event.type == "ring_started" ? $0.event.promptID : nil
  }
  #expect(Set(heard.prefix(8)).count == 8)
}

@Test
func
  `a prompt that waits in the queue longer than its late window is missed for lack of the speaker`()
  throws
{
  var fixture = try manyDue(of: 400)
  fixture.pass(seconds: 3_600)
  #expect(fixture.outcomes.count == 400)
  #expect(fixture.outcomes.contains(.missedAudioFailed))
  let last = fixture.records.last {
    if case .ringIntent(_, let ring, _) = $0.event { ring.index == 0 } else { false }
  }
  let due = fixture.records.first { $0.event.type == "due" }
  let lastWall = try #require(last).reading.wall
  let late = lastWall.milliseconds(since: try #require(due).reading.wall) / 1_000
  #expect(late <= 300)
  #expect(fixture.home.nextWake == nil)
}

@Test
func `of many due prompts each first ring sounds, and the hourly limit counts repetitions only`()
  throws
{
  var fixture = try manyDue(of: 1_200, ringsPerHour: 10)
  fixture.pass(seconds: 600)
  let rings = fixture.records.compactMap { record in
    if case .ringIntent(_, let ring, _) = record.event { ring } else { nil }
  }
  #expect(rings.count { !$0.isRepetition } > 25)
  #expect(rings.count { $0.isRepetition } <= 10)
  #expect(fixture.longestDecision <= 600)
  fixture.pass(seconds: 7_200)
  #expect(fixture.outcomes.count == 1_200)
  #expect(!fixture.outcomes.contains(.suppressedCap))
}

@Test func `a prompt that becomes urgent rings before many prompts that have waited longer`() throws
{
  var fixture = try manyDue(of: 300)
  try fixture.add("Now") {
    $0.schedule = "in 40 seconds"
    $0.steps = [
      StepForm(rings: 1, spacingSeconds: 20, loudness: .decibels([-12])),
      StepForm(rings: 1, spacingSeconds: 20, loudness: .louder, isUrgent: true, pauseSeconds: 90),
    ]
  }
  fixture.pass(seconds: 40 + 90 + 25)
  #expect(fixture.played.contains { $0.isUrgent })
}

@Test func `alarms with equal texts share them in memory, and each rings at its own times`() throws
{
  var fixture = CoreFixture()
  let zones = [CoreFixture.berlin.name, "UTC", Alarm.floating, CoreFixture.berlin.name]
  let daily = try zones.map { zone in
    try fixture.add {
      $0.schedule = "every day 08:00"
      $0.zone = zone
    }.id
  }
  let random = try (0..<2).map { _ in
    try fixture.add { $0.schedule = "random between 09:00 and 12:00" }.id
  }
  func due(_ fixture: CoreFixture, _ ids: [AlarmID]) -> [Instant?] {
    ids.map {
      fixture.home.nextOccurrences(of: $0, after: fixture.now.wall, count: 1).first?.instant
    }
  }
  let before = due(fixture, daily + random)
  fixture.crash()
  #expect(due(fixture, daily + random) == before)
  let (berlin, utc, floating) = (before[0], before[1], before[2])
  #expect(berlin != nil && berlin == floating && berlin == before[3] && berlin != utc)
  #expect(before[4] != before[5])
  let chains = Set(
    fixture.home.alarms.map { withUnsafeBytes(of: $0.sharedEscalation) { Array($0) } })
  #expect(chains.count == 1)
}

@Test func `the number of alarms that notify a contact stays correct when alarms change`() throws {
  var fixture = CoreFixture()
  let first = try fixture.add {
    $0.schedule = "every day 08:00"
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
  }
  try fixture.add {
    $0.schedule = "every day 09:00"
    $0.notifySteps = ["anna", "bob", "anna"].map { NotifyStep(contact: $0, afterSeconds: 60) }
  }
  #expect(fixture.home.alarmsByContact == ["anna": 2, "bob": 1])
  fixture.crash()
  #expect(fixture.home.alarmsByContact == ["anna": 2, "bob": 1])
  var form = AlarmForm()
  form.allowsDuplicate = true
  form.schedule = "every day 08:00"
  form.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 60)]
  try fixture.handle(.command(.edit(first.id, ifVersion: nil, form), CoreFixture.anna))
  #expect(fixture.home.alarmsByContact == ["anna": 1, "bob": 2])
  try fixture.handle(.command(.remove(first.id, ifVersion: nil), CoreFixture.anna))
  #expect(fixture.home.alarmsByContact == ["anna": 1, "bob": 1])
}

@Test func `the open prompts of an alarm behave like a set`() {
  var (small, set) = (OpenNominals.none, Set<Int64>())
  var seed: UInt64 = 7
  for _ in 0..<2_000 {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let key = Int64(seed >> 33 % 4)
    if seed >> 40 & 1 == 0 {
      small.insert(key)
      set.insert(key)
    } else {
      small.remove(key)
      set.remove(key)
    }
    #expect(small.keys == set)
    for key in Int64(0)..<4 { #expect(small.contains(key) == set.contains(key)) }
    #expect(small.contains { $0 > 1 } == set.contains { $0 > 1 })
  }
}
