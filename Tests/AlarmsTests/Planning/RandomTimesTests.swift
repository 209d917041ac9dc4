import CivilTime
import Testing

@testable import Alarms

/// Compares the random numbers with numbers that other programs computed.
///
/// If a new version of Prompter computed other numbers, the prompts of a running study would move.
@Suite struct RandomTimesTests {
  @Test func `the generator gives the published numbers`() {
    // These are the first numbers of `SplitMix64`. The numbers for the seed 0 are from Java, and
    // the numbers for the seed 1234567 are from Rosetta Code.
    var zero = SplitMix64(seed: 0)
    #expect(
      (0..<3).map { _ in zero.next() } == [
        0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F,
      ])
    var other = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in other.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `a number below a bound is as in a separate computation`() {
    var random = SplitMix64(seed: 7)
    #expect((0..<6).map { _ in random.next(below: 1_000) } == [389, 16, 900, 582, 452, 249])
    // With this bound, `next(below:)` rejects one of the first seven numbers of the generator.
    var large = SplitMix64(seed: 7)
    #expect(
      (0..<6).map { _ in large.next(below: 3 << 62 + 1) } == [
        5_393_317_200_669_280_865, 12_462_076_310_111_707_010, 8_064_874_446_226_104_152,
        6_259_559_884_125_542_755, 3_450_899_591_599_161_228, 6_474_156_980_567_153_848,
      ])
    var one = SplitMix64(seed: 7)
    #expect((0..<3).map { _ in one.next(below: 1) } == [0, 0, 0])
  }

  @Test func `the seed is the FNV-1a hash of both ids`() {
    let cases: [(String, String, UInt64)] = [
      ("patient", "alarm1", 0xF9F2_434A_06BE_5DC2), ("", "", 0xAF63_BD4C_8601_B7DF),
      ("a", "b", 0xE5D2_9919_0426_66B2),
    ]
    for (person, alarm, seed) in cases {
      #expect(randomSeed(person: PersonID(person), alarm: AlarmID(alarm)) == seed)
    }
  }

  private typealias Case = (
    perDay: Int, distance: Int64, day: Int, bounds: Zone.WindowBounds, seed: UInt64, [Int64]
  )

  @Test func `the times of a day are as in a separate computation`() throws {
    let cases: [Case] = [
      (3, 1_800, 20_000, (1_000, 37_000), 42, [14_899, 20_869, 29_599]),
      (1, 1_800, 20_000, (1_000, 37_000), 42, [21_076]),
      // The window is too short for the minimum distance, so the distances between the times are
      // shorter than this minimum.
      (4, 10_000, 20_001, (0, 3_601), 42, [0, 1_200, 2_400, 3_600]),
      (2, 600, 20_000, (0, 601), 1, [0, 600]), (2, 5, -3, (0, 1), 9, [0, 0]),
      (2, 5, -3, (7, 7), 9, [7]),
    ]
    let day = try CivilDate(parsing: "2027-01-15")
    for (perDay, distance, number, bounds, seed, expected) in cases {
      let times = RandomTimes(
        perDay: perDay,
        window: DayWindow(
          from: try ClockTime(parsing: "08:00"), to: try ClockTime(parsing: "20:00"),
          firstDay: day), minimumDistanceSeconds: distance)
      let found = times.seconds(of: CivilDate(dayNumber: number), in: bounds, seed: seed)
      #expect(found == expected)
    }
  }
}
