import CivilTime
import Testing

@testable import Alarms

/// So many tasks due at one instant, two rings each, ten seconds a ring, five minutes to be late in.
private func crowd(of count: Int, ringsPerHour: Int = 1_000) throws -> Bench {
  var bench = Bench(limits: HomeLimits(alarms: 2_000, tones: 1, ringsPerHour: ringsPerHour))
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

@Test func `a crowd for which the hour has no room is held back piece by piece`() throws {
  var bench = try crowd(of: 1_200, ringsPerHour: 10)
  bench.pass(seconds: 600)
  #expect(bench.records.count { $0.fact.type == "ring_started" } == 10)
  #expect(bench.longestDecision <= 600)
  bench.pass(seconds: 7_200)
  #expect(bench.outcomes.count == 1_200)
  #expect(bench.outcomes.contains(.suppressedCap))
}

@Test func `what has become urgent goes before a crowd that has waited longer`() throws {
  var bench = try crowd(of: 300)
  try bench.add("Now") {
    $0.schedule = "in 40 seconds"
    $0.steps = [
      StepForm(rings: 1, spacingSeconds: 20, loudness: .decibels([-12])),
      StepForm(rings: 1, spacingSeconds: 20, loudness: .louder, isUrgent: true, pauseSeconds: 90),
    ]
  }
  bench.pass(seconds: 40 + 90 + 25)
  #expect(bench.played.contains { $0.isUrgent })
}
