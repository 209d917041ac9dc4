import CivilTime
import Testing

@testable import Alarms

/// Tests of the points in a chart of answers.
@Suite struct `A series of answers` {
  /// Answers at these times, in seconds. The value of each answer is its time divided by 10.
  private func answers(_ seconds: Double...) -> [(at: Instant, value: Double)] {
    seconds.map { (Instant(milliseconds: Int64($0 * 1_000)), $0 / 10) }
  }

  /// Each point as text: its time in milliseconds, its mean, its smallest and largest value, and
  /// the number of its answers.
  private func text(_ series: Series) -> [String] {
    series.points.map { "\($0.at.milliseconds) \($0.mean) \($0.least)…\($0.most) \($0.count)" }
  }

  @Test func `without answers has no points`() {
    let series = Series([], limit: 3)
    #expect(series.points == [] && series.count == 0)
  }

  @Test func `with few answers has one point for each answer`() {
    #expect(
      text(Series(answers(0, 10, 20), limit: 3)) == [
        "0 0.0 0.0…0.0 1", "10000 1.0 1.0…1.0 1", "20000 2.0 2.0…2.0 1",
      ])
  }

  @Test func `with many answers has one point for each equal part of the time`() {
    // The three parts are 0 to 30 s, 30 to 60 s, and 60 to 90 s. An answer at the boundary of two
    // parts belongs to the later part. The answer at 90 s belongs to the last part.
    let series = Series(answers(0, 29.999, 30, 59, 90), limit: 3)
    #expect(series.count == 5)
    #expect(
      text(series) == [
        "15000 1.49995 0.0…2.9999 2", "44500 4.45 3.0…5.9 2", "90000 9.0 9.0…9.0 1",
      ])
  }

  @Test func `has no point for a part without answers`() {
    #expect(
      text(Series(answers(0, 1, 100), limit: 2)) == [
        "500 0.05 0.0…0.1 2", "100000 10.0 10.0…10.0 1",
      ])
    #expect(text(Series(answers(0, 1, 2, 99, 100), limit: 4)).count == 2)
  }

  @Test func `at one instant has one point`() {
    let same = answers(5, 5, 5)
    #expect(text(Series(same, limit: 2)) == ["5000 0.5 0.5…0.5 3"])
  }
}
