import CivilTime
import Testing

@testable import Alarms

private func rings(_ fixture: CoreFixture) -> Int {
  fixture.records.filter { $0.event.type == "ring_started" }.count
}

/// Adds an alarm that is due in ten seconds. It has five rings, one minute apart, and a late window
/// of ten minutes.
private func oneOff() throws -> CoreFixture {
  var fixture = CoreFixture()
  fixture.ringSeconds = 25
  try fixture.add {
    $0.schedule = "in 10 seconds"
    $0.lateWindowSeconds = 600
  }
  return fixture
}

@Test func `a prompt that is cut off while it sounds does not ring again days later`() throws {
  var fixture = try oneOff()
  fixture.pass(seconds: 20)
  #expect(fixture.sounding != nil)
  fixture.crash(offForSeconds: 3 * 86_400, newBoot: true)
  fixture.pass(seconds: 3_600)
  #expect(rings(fixture) == 1)
  #expect(fixture.outcomes == [.missedDeviceOff])
}

@Test func `no ring follows a ring whose end is reported after a long sleep`()
  throws
{
  var fixture = try oneOff()
  fixture.pass(seconds: 20)
  let order = try #require(fixture.sounding?.order)
  fixture.move(to: fixture.now.wall.adding(seconds: 7_200))
  try fixture.handle(
    .sound(
      .ended(order.prompt, ring: 1, device: "card0", frames: 1, xruns: 0, stopped: false)))
  #expect(rings(fixture) == 1)
  #expect(fixture.outcomes == [.missedSuspended])
}

@Test func `a late ring that is cut off before it sounds does not ring past the late window`()
  throws
{
  var fixture = try oneOff()
  fixture.isPlayerSilent = true
  fixture.crash(offForSeconds: 500)
  #expect(fixture.records.last?.event.type == "ring_intent")
  fixture.isPlayerSilent = false
  fixture.crash(offForSeconds: 200, newBoot: true)
  fixture.pass(seconds: 3_600)
  #expect(rings(fixture) == 0)
  #expect(fixture.outcomes == [.missedDeviceOff])
}

@Test func `a ring held back by the hourly limit and cut off keeps its original time`()
  throws
{
  var fixture = CoreFixture()
  try fixture.person { $0.ringsPerHour = 3 }
  for (label, schedule, rings) in [("A", "in 10 seconds", 3), ("B", "in 100 seconds", 2)] {
    try fixture.add(label) {
      $0.schedule = schedule
      $0.rings = rings
      $0.lateWindowSeconds = 3_600
    }
  }
  try fixture.person { $0.ringsPerHour = 2 }
  fixture.pass(seconds: 3_660)
  // The limit allows two repetitions in an hour and reserves one of them for B. Therefore the limit
  // holds back the second repetition of A, which was due at 130 seconds.
  #expect(rings(fixture) == 4 && fixture.states.contains("held cap"))
  fixture.isPlayerSilent = true
  fixture.pass(seconds: 20)
  #expect(fixture.records.count { $0.event.type == "ring_intent" } == 5)
  fixture.isPlayerSilent = false
  // After this crash, 3,880 seconds have passed since the start. The late window of the repetition
  // ended one hour after 130 seconds, so this repetition does not sound any more.
  fixture.crash(offForSeconds: 200, newBoot: true)
  fixture.pass(seconds: 3_600)
  #expect(rings(fixture) == 4)
  #expect(fixture.outcomes.last == .missedDeviceOff)
}

@Test(arguments: [(120, true), (121, false)] as [(Int64, Bool)])
func `a prompt rings up to the last second of its late window`(late: Int64, rings: Bool) throws {
  var fixture = try pills()
  fixture.crash(offForSeconds: 15 + late, newBoot: true)
  #expect(fixture.played.count == (rings ? 1 : 0))
  #expect(fixture.outcomes == (rings ? [] : [.missedDeviceOff]))
}
