import CivilTime
import Sentences
import Testing

@testable import Pages

@Suite struct ClockFaceTests {
  private func face(_ now: String, _ zone: Zone) throws -> ClockFace {
    ClockFace(now: try Instant(parsing: now), zone: zone, language: .english)
  }

  @Test func `a face contains each part of the next day`() throws {
    let face = try face("2026-11-26T08:01:00.000Z", .utc)
    #expect(
      face.segments.map(\.dayAndPart) == [
        "Thursday morning", "Thursday morning", "Thursday midday", "Thursday afternoon",
        "Thursday evening", "Thursday night", "Friday morning", "Friday morning",
      ])
    #expect(face.segments.first?.from == face.now)
    #expect(face.segments.map(\.offsetSeconds).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [
    ("2026-10-24T20:00:00.000Z", "2026-10-25T01:00:00.000Z", 3_600),
    ("2027-03-27T20:00:00.000Z", "2027-03-28T01:00:00.000Z", 7_200),
  ])
  func `a face knows the change of the clocks in advance`(
    now: String, change: String, after: Int
  ) throws {
    let segments = try face(now, zone("Europe/Berlin")).segments
    let changed = segments.first { $0.from.description == change }
    #expect(changed?.offsetSeconds == after)
    #expect(segments.first?.offsetSeconds == (after == 3_600 ? 7_200 : 3_600))
  }
}
