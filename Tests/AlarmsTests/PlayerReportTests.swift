import CivilTime
import Testing

@testable import Alarms

/// Due in ten seconds, three rings a minute apart; nothing that the player says is believed here
/// before the test says it.
private func mute() throws -> Bench {
  var bench = Bench()
  bench.isPlayerSilent = true
  try bench.add {
    $0.schedule = "in 10 seconds"
    $0.rings = 3
    $0.lateWindowSeconds = 600
  }
  bench.pass(seconds: 11)
  return bench
}

private func ringEvents(_ bench: Bench) -> Int {
  bench.records.filter { $0.event.type.hasPrefix("ring_") }.count
}

private func intents(_ bench: Bench) -> Int {
  bench.records.filter { $0.event.type == "ring_intent" }.count
}

@Test func `a player that hangs uses up the burst and no more`() throws {
  var bench = try mute()
  bench.pass(seconds: 3_600)
  #expect(intents(bench) == 3)
  #expect(bench.outcomes == [.missedAudioFailed])
}

@Test func `a start that is reported twice, or of a ring given up, counts once`() throws {
  var bench = try mute()
  let id = try #require(bench.home.sounding)
  for _ in 0..<2 { try bench.take(.sound(.started(id, ring: 1, device: "bench"))) }
  #expect(bench.home.prompt(id)?.ringsSounded == 1)
  bench.pass(seconds: 3_600)
  let before = ringEvents(bench)
  try bench.take(.sound(.started(id, ring: 3, device: "bench")))
  try bench.take(.sound(.failed(id, ring: 3, reason: "late")))
  #expect(ringEvents(bench) == before)
}

@Test func `an end without a start is a ring that failed`() throws {
  var bench = try mute()
  let id = try #require(bench.home.sounding)
  try bench.take(
    .sound(.ended(id, ring: 1, device: "bench", frames: 48_000, xruns: 0, stopped: false)))
  #expect(bench.home.prompt(id)?.ringsFailed == 1)
}

@Test func `what stands in is a problem until a ring goes by without`() throws {
  var bench = try mute()
  let id = try #require(bench.home.sounding)
  try bench.take(.sound(.fallback(id, from: "a.wav", to: "normal", reason: "gone")))
  try bench.take(.sound(.started(id, ring: 1, device: "bench")))
  try bench.take(
    .sound(.ended(id, ring: 1, device: "bench", frames: 48_000, xruns: 0, stopped: false)))
  #expect(bench.home.speaker.standIns.map(\.reason) == ["gone"])
  #expect(bench.records.count { $0.event.type == "audio_fallback" } == 1)

  bench.pass(seconds: 60)
  let level = SoundLevel(foundPercent: 10, wasMuted: true, setPercent: 80)
  try bench.take(.sound(.started(id, ring: 2, device: "bench", level: level)))
  try bench.take(
    .sound(.ended(id, ring: 2, device: "bench", frames: 48_000, xruns: 0, stopped: false)))
  #expect(bench.home.speaker.standIns.isEmpty)
  let device = try #require(bench.home.speaker.devices["bench"])
  #expect(device.level == level && device.lastHeardAt == bench.now.wall)
}

@Test func `losing the last device is recorded once, and its return too`() throws {
  var bench = try mute()
  for _ in 0..<2 {
    try bench.take(.sound(.tested([DeviceTest(device: "hw:Box", trouble: "open: no such device")])))
    try bench.take(.sound(.unusable(reason: "hw:Box: open: no such device")))
  }
  #expect(bench.home.speaker.isUsable == false)
  #expect(bench.home.speaker.devices["hw:Box"]?.trouble == "open: no such device")
  for _ in 0..<2 { try bench.take(.sound(.usable(device: "hw:Box"))) }
  #expect(bench.home.speaker.isUsable == true && bench.home.speaker.trouble == nil)
  let types = bench.records.map(\.event.type).filter { $0.hasPrefix("audio_") }
  #expect(types == ["audio_lost", "audio_restored"])
}
