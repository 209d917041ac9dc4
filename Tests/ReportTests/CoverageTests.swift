import TestRandom
import Testing

@testable import Report

/// Simulates trials whose true values are known, and counts how often a 95 % interval contains the
/// true value.
@Suite struct `The intervals of 2,000 simulated trials` {
  private static let trials = 2_000

  /// The largest difference between the probability of a person and the mean of the group. The
  /// differences of the people are uniformly distributed.
  private static let spread = 0.2

  private static func person(
    _ shares: [(phase: String, mean: Double)], arm: String, _ random: inout SeededGenerator
  ) -> AnalysedPerson {
    var person = AnalysedPerson(arm: arm)
    let own = Double.random(in: -spread...spread, using: &random)
    for (index, share) in shares.enumerated() {
      // The effect of a phase and the number of prompts also differ from person to person.
      let effect = Double.random(in: -0.05...0.05, using: &random)
      let prompts = Int.random(in: 20...42, using: &random)
      person.phases[share.phase] = AnalysedPerson.PhaseCount(
        count: PromptCount(
          counted: prompts, completed: random.count(of: prompts, share.mean + own + effect)),
        first: Double(index * 100), last: Double(index * 100 + 50))
    }
    return person
  }

  /// Checks that 93 to 97 % of the intervals contain the true value, and that the mean of the
  /// estimates is the true value.
  private func expectCoverage(
    _ truths: [(name: String, group: String, truth: Double)], seed: UInt64,
    _ trial: (inout SeededGenerator) -> [AnalysedPerson]
  ) throws {
    var random = SeededGenerator(seed: seed)
    var (hits, sums) = (
      [Int](repeating: 0, count: truths.count), [Double](repeating: 0, count: truths.count)
    )
    for _ in 0..<Self.trials {
      var estimates = Estimates(Study())
      estimates.add(trial(&random), .main)
      for (index, known) in truths.enumerated() {
        let row = try #require(
          estimates.rows.first { $0.name == known.name && $0.group == known.group })
        let numbers = row.numbers.compactMap { Double($0) }
        hits[index] += numbers[2] <= known.truth && known.truth <= numbers[3] ? 1 : 0
        sums[index] += numbers[0]
      }
    }
    for (index, known) in truths.enumerated() {
      let coverage = 100 * Double(hits[index]) / Double(Self.trials)
      let mean = sums[index] / Double(Self.trials)
      #expect((93...97).contains(coverage), "\(known.name) \(known.group): \(coverage) %")
      #expect(abs(mean - known.truth) < 0.5, "\(known.name) \(known.group): \(mean)")
    }
  }

  @Test func `of a crossover contain the truth in 93 to 97 percent`() throws {
    // In the second period, people complete 6 points more than in the first period. In each period,
    // the group that begins with control completes 4 points more than the other group.
    try expectCoverage(
      [
        ("treatment_effect", "prompted - control", 20), ("period_effect", "first - second", -6),
        ("carry_over", "AB - BA", -8), ("paired_difference", "prompted - control", 20),
        ("share_pooled", "prompted", 75), ("share_mean", "control", 55),
      ], seed: 7
    ) { random in
      (0..<24).map { index in
        index % 2 == 0
          ? Self.person([("prompted", 0.70), ("control", 0.56)], arm: "AB", &random)
          : Self.person([("control", 0.54), ("prompted", 0.80)], arm: "BA", &random)
      }
    }
  }

  @Test func `of two parallel arms contain the truth in 93 to 97 percent`() throws {
    try expectCoverage(
      [
        ("arm_difference", "Y - X", 15), ("arm_difference_pooled", "Y - X", 15),
        ("share_pooled", "arm X", 50),
      ], seed: 11
    ) { random in
      (0..<40).map { index in
        index % 2 == 0
          ? Self.person([("prompted", 0.50)], arm: "X", &random)
          : Self.person([("prompted", 0.65)], arm: "Y", &random)
      }
    }
  }
}

extension SeededGenerator {
  /// Returns the number of successes in `n` tries with this probability.
  fileprivate mutating func count(of n: Int, _ probability: Double) -> Int {
    (0..<n).count { _ in Double.random(in: 0..<1, using: &self) < probability }
  }
}
