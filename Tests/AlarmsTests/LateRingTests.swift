import CivilTime
import Testing

@testable import Alarms

private func rings(_ bench: Bench) -> Int {
  bench.records.filter { $0.event.type == "ring_started" }.count
}

/// Due in ten seconds, five rings a minute apart, ten minutes to be late in.
private func oneOff() throws -> Bench {
  var bench = Bench()
  bench.ringSeconds = 25
  try bench.add {
    $0.schedule = "in 10 seconds"
    $0.lateWindowSeconds = 600
  }
  return bench
}

@Test func `cut off while it sounds, a prompt does not ring again days later`() throws {
  var bench = try oneOff()
  bench.pass(seconds: 20)
  #expect(bench.sounding != nil)
  bench.crash(offForSeconds: 3 * 86_400, newBoot: true)
  bench.pass(seconds: 3_600)
  #expect(rings(bench) == 1)
  #expect(bench.outcomes == [.missedDeviceOff])
}

@Test func `a ring whose end is only heard of after a long sleep is not followed by the next`()
  throws
{
  var bench = try oneOff()
  bench.pass(seconds: 20)
  let order = try #require(bench.sounding?.order)
  bench.move(to: bench.now.wall.adding(seconds: 7_200))
  try bench.take(
    .sound(
      .ended(order.prompt, ring: 1, device: "bench", frames: 1, xruns: 0, stopped: false)))
  #expect(rings(bench) == 1)
  #expect(bench.outcomes == [.missedSuspended])
}

@Test func `intended late and cut off before it sounds, a ring is not rung again past its window`()
  throws
{
  var bench = try oneOff()
  bench.isPlayerSilent = true
  bench.crash(offForSeconds: 500)
  #expect(bench.records.last?.event.type == "ring_intent")
  bench.isPlayerSilent = false
  bench.crash(offForSeconds: 200, newBoot: true)
  bench.pass(seconds: 3_600)
  #expect(rings(bench) == 0)
  #expect(bench.outcomes == [.missedDeviceOff])
}

@Test func `held back by a full hour and cut off before it sounds, a ring is as late as it was`()
  throws
{
  var bench = Bench()
  try bench.person { $0.ringsPerHour = 3 }
  for (label, schedule, rings) in [("A", "in 10 seconds", 3), ("B", "in 100 seconds", 2)] {
    try bench.add(label) {
      $0.schedule = schedule
      $0.rings = rings
      $0.lateWindowSeconds = 3_600
    }
  }
  try bench.person { $0.ringsPerHour = 2 }
  bench.pass(seconds: 3_660)
  // The older prompt loses its second repetition.
  #expect(rings(bench) == 4 && bench.states.contains("held cap"))
  bench.isPlayerSilent = true
  bench.pass(seconds: 20)
  #expect(bench.records.count { $0.event.type == "ring_intent" } == 5)
  bench.isPlayerSilent = false
  // 3,880 seconds after the beginning; it was to ring at 130, and has an hour.
  bench.crash(offForSeconds: 200, newBoot: true)
  bench.pass(seconds: 3_600)
  #expect(rings(bench) == 4)
  #expect(bench.outcomes.last == .missedDeviceOff)
}
