import Testing

@testable import ScreenServer

@Suite struct ClockWatchTests {
  /// Returns one value for each pair of times: true if the clock was set between the previous pair
  /// and this pair.
  private func looks(_ times: [(wall: Int64, elapsed: Int64)]) -> [Bool] {
    var watch = ClockWatch()
    return times.map { watch.wasSet(wall: $0.wall, elapsed: $0.elapsed) }
  }

  @Test(arguments: [
    (step: Int64(0), isStep: false), (20, false), (-199, false), (200, true), (-200, true),
    (3_600_000, true), (-3_600_000, true), (94_672_800_000, true),
  ])
  func `a step counts once, in both directions`(step: Int64, isStep: Bool) {
    let found = looks([
      (1_000_000, 5_000), (1_001_000 + step, 6_000), (1_002_000 + step, 7_000),
    ])
    // The first pair cannot show a clock step, because no pair comes before it.
    #expect(found == [false, isStep, false])
  }

  @Test func `a clock that a time server slows down is not set`() {
    // A time server can slow the clock down by at most half a millisecond in each second.
    let found = looks((0..<10_000).map { ($0 * 1_000 - $0 / 2, $0 * 1_000) })
    #expect(!found.contains(true))
  }

  @Test func `a machine that slept was not set, because both clocks went on`() {
    #expect(looks([(1_000_000, 5_000), (29_800_000, 28_805_000)]) == [false, false])
  }
}
