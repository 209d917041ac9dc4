import TestRandom
import Testing

@testable import CivilTime

/// Compares two searches in a repeating set of numbers. The second search tries each number in
/// turn.
@Suite struct BitRingTests {
  /// A word has 64 bits. The periods are one less than a multiple of 64, a multiple of 64, one
  /// more, and other numbers.
  @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 400, 4_800])
  func `the next number of a repeating set is the first that a search finds`(period: Int) {
    var random = SeededGenerator(seed: UInt64(period))
    var sets: [Set<Int>] = [[0], [period - 1], [period / 2], Set(0..<period)]
    for size in [2, 5, 40] {
      sets.append(Set((0..<size).map { _ in Int.random(in: 0..<period, using: &random) }))
    }
    for set in sets {
      let ring = BitRing(period: period) { set.contains($0) }
      #expect(!ring.isEmpty && ring.isFull == (set.count == period))
      let starts =
        [0, 1, period - 1, period, period + 1, 3 * period - 1, 70 * period + 5]
        + (0..<40).map { _ in Int.random(in: 0..<3 * period, using: &random) }
      for start in starts {
        var expected = start
        while !set.contains(expected % period) { expected += 1 }
        #expect(ring.next(atOrAfter: start) == expected, "\(set.count) numbers, from \(start)")
      }
    }
  }

  @Test func `a set without numbers is empty`() {
    for period in [1, 64, 100] {
      let ring = BitRing(period: period) { _ in false }
      #expect(ring.isEmpty && !ring.isFull)
    }
    #expect(BitRing.none.isEmpty && BitRing.none.period == 0)
  }
}
