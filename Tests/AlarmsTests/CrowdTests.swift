import CivilTime
import Testing

@testable import Alarms

/// So many tasks due at one instant, two rings each, ten seconds a ring, five minutes to be late in.
private func crowd(of count: Int) throws -> Bench {
  var bench = Bench(limits: HomeLimits(alarms: 2_000, tones: 1, ringsPerHour: 1_000))
  bench.ringSeconds = 10
  for number in 0..<count {
    try bench.add("Task \(number)") {
      $0.schedule = "in 60 seconds"
      $0.rings = 2
      $0.spacingSeconds = 30
      $0.lateWindowSeconds = 300
    }
  }
  return bench
}

@Test func `in a crowd everybody is heard once before anybody is heard twice`() throws {
  var bench = try crowd(of: 8)
  bench.pass(seconds: 61 + 8 * 10)
  let heard = bench.records.compactMap { $0.fact.type == "ring_started" ? $0.fact.promptID : nil }
  #expect(Set(heard.prefix(8)).count == 8)
}

@Test
func `who stood in line for longer than their window is missed, and not for want of an answer`()
  throws
{
  var bench = try crowd(of: 400)
  bench.pass(seconds: 3_600)
  #expect(bench.outcomes.count == 400)
  #expect(bench.outcomes.contains(.missedAudioFailed))
  let last = bench.records.last {
    if case .ringIntent(_, let ring, _) = $0.fact { ring.index == 0 } else { false }
  }
  let due = bench.records.first { $0.fact.type == "due" }
  let lastWall = try #require(last).moment.wall
  let late = lastWall.milliseconds(since: try #require(due).moment.wall) / 1_000
  #expect(late <= 300)
  #expect(bench.home.nextWake == nil)
}
