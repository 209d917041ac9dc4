import CivilTime
import Testing

@testable import Alarms

/// Adds an alarm that is due in ten seconds. It has three rings, one minute apart.
///
/// The player of the fixture sends no reports. Each test sends the reports itself.
private func mute() throws -> CoreFixture {
  var fixture = CoreFixture()
  fixture.isPlayerSilent = true
  try fixture.add {
    $0.schedule = "in 10 seconds"
    $0.rings = 3
    $0.lateWindowSeconds = 600
  }
  fixture.pass(seconds: 11)
  return fixture
}

private func ringEvents(_ fixture: CoreFixture) -> Int {
  fixture.records.filter { $0.event.type.hasPrefix("ring_") }.count
}

private func intents(_ fixture: CoreFixture) -> Int {
  fixture.records.filter { $0.event.type == "ring_intent" }.count
}

@Test func `a player that hangs uses up the burst and nothing else`() throws {
  var fixture = try mute()
  fixture.pass(seconds: 3_600)
  #expect(intents(fixture) == 3)
  #expect(fixture.outcomes == [.missedAudioFailed])
}

@Test func `a start that is reported twice, or for an abandoned ring, counts once`() throws {
  var fixture = try mute()
  let id = try #require(fixture.home.sounding)
  for _ in 0..<2 { try fixture.handle(.sound(.started(id, ring: 1, device: "card0"))) }
  #expect(fixture.home.prompt(id)?.ringsSounded == 1)
  fixture.pass(seconds: 3_600)
  let before = ringEvents(fixture)
  try fixture.handle(.sound(.started(id, ring: 3, device: "card0")))
  try fixture.handle(.sound(.failed(id, ring: 3, reason: "late")))
  #expect(ringEvents(fixture) == before)
}

@Test func `an end without a start is a failed ring`() throws {
  var fixture = try mute()
  let id = try #require(fixture.home.sounding)
  try fixture.handle(
    .sound(.ended(id, ring: 1, device: "card0", frames: 48_000, xruns: 0, stopped: false)))
  #expect(fixture.home.prompt(id)?.ringsFailed == 1)
}

@Test func `a fallback is a problem until a ring works without it`() throws {
  var fixture = try mute()
  let id = try #require(fixture.home.sounding)
  try fixture.handle(.sound(.fallback(id, from: "a.wav", to: "normal", reason: "gone")))
  try fixture.handle(.sound(.started(id, ring: 1, device: "card0")))
  try fixture.handle(
    .sound(.ended(id, ring: 1, device: "card0", frames: 48_000, xruns: 0, stopped: false)))
  #expect(fixture.home.speaker.fallbacks.map(\.reason) == ["gone"])
  #expect(fixture.records.count { $0.event.type == "audio_fallback" } == 1)

  fixture.pass(seconds: 60)
  let level = SoundLevel(foundPercent: 10, wasMuted: true, setPercent: 80)
  try fixture.handle(.sound(.started(id, ring: 2, device: "card0", level: level)))
  try fixture.handle(
    .sound(.ended(id, ring: 2, device: "card0", frames: 48_000, xruns: 0, stopped: false)))
  #expect(fixture.home.speaker.fallbacks.isEmpty)
  let device = try #require(fixture.home.speaker.devices["card0"])
  #expect(device.level == level && device.lastHeardAt == fixture.now.wall)
}

@Test func `the loss of the last device is recorded once, and so is its return`() throws {
  var fixture = try mute()
  for _ in 0..<2 {
    try fixture.handle(
      .sound(.tested([DeviceTest(device: "hw:Box", trouble: "open: no such device")])))
    try fixture.handle(.sound(.unusable(reason: "hw:Box: open: no such device")))
  }
  #expect(fixture.home.speaker.isUsable == false)
  #expect(fixture.home.speaker.devices["hw:Box"]?.trouble == "open: no such device")
  for _ in 0..<2 { try fixture.handle(.sound(.usable(device: "hw:Box"))) }
  #expect(fixture.home.speaker.isUsable == true && fixture.home.speaker.trouble == nil)
  let types = fixture.records.map(\.event.type).filter { $0.hasPrefix("audio_") }
  #expect(types == ["audio_lost", "audio_restored"])
}

@Test(arguments: [-3_600, 3_600] as [Int64])
func `a clock step does not change how long a ring can use the speaker`(step: Int64) throws {
  var fixture = try mute()
  func failures() -> Int { fixture.records.count { $0.event.type == "ring_failed" } }
  // The daemon recorded the ring intent one second ago. Because the player reports nothing, the
  // daemon gives up the ring in 44 s.
  fixture.stepClock(seconds: step)
  fixture.pass(seconds: 43)
  #expect(failures() == 0 && intents(fixture) == 1)
  fixture.pass(seconds: 2)
  #expect(failures() == 1)
}

@Test func `a prompt that sounded once is missed without an answer, also if other rings fail`()
  throws
{
  var fixture = try mute()
  let id = try #require(fixture.home.sounding)
  try fixture.handle(.sound(.started(id, ring: 1, device: "card0")))
  try fixture.handle(
    .sound(.ended(id, ring: 1, device: "card0", frames: 480_000, xruns: 0, stopped: false)))
  fixture.isSpeakerBroken = true
  fixture.pass(seconds: 3_600)
  #expect(fixture.records.count { $0.event.type == "ring_failed" } == 2)
  #expect(fixture.outcomes == [.missedNoResponse])
}

@Test func `a ring that is stopped before it sounds is not a failure of the speaker`() throws {
  var fixture = try mute()
  let id = try #require(fixture.home.sounding)
  try fixture.answer(.delay(seconds: nil), to: id)
  try fixture.handle(
    .sound(.ended(id, ring: 1, device: "card0", frames: 0, xruns: 0, stopped: true)))
  #expect(fixture.records.count { $0.event.type == "ring_ended" } == 1)
  #expect(fixture.records.count { $0.event.type == "ring_failed" } == 0)
  #expect(fixture.home.prompt(id)?.ringsFailed == 0)
}
