import CivilTime
import Testing

@testable import Pages

@Suite struct DateWordsTests {
  @Test(arguments: [
    ("2026-11-24T02:00:00", "Monday night", "Montagnacht", "Đêm thứ Hai"),
    ("2026-11-24T05:59:59", "Monday night", "Montagnacht", "Đêm thứ Hai"),
    ("2026-11-24T06:00:00", "Tuesday morning", "Dienstagmorgen", "Sáng thứ Ba"),
    ("2026-11-24T10:00:00", "Tuesday morning", "Dienstagvormittag", "Sáng thứ Ba"),
    ("2026-11-24T12:00:00", "Tuesday midday", "Dienstagmittag", "Trưa thứ Ba"),
    ("2026-11-24T14:00:00", "Tuesday afternoon", "Dienstagnachmittag", "Chiều thứ Ba"),
    ("2026-11-24T21:59:59", "Tuesday evening", "Dienstagabend", "Tối thứ Ba"),
    ("2026-11-29T22:00:00", "Sunday night", "Sonntagnacht", "Đêm Chủ nhật"),
  ])
  func `a night belongs to the evening before`(
    local: String, english: String, german: String, vietnamese: String
  ) throws {
    let local = try CivilDateTime(parsing: local)
    #expect(DateWords.dayAndPart(local, in: .english) == english)
    #expect(DateWords.dayAndPart(local, in: .german) == german)
    #expect(DateWords.dayAndPart(local, in: .vietnamese) == vietnamese)
  }

  @Test func `the date is the date of the day that the screen names`() throws {
    let night = try CivilDateTime(parsing: "2027-01-01T02:00:00")
    #expect(DateWords.date(night, in: .english) == "31 December 2026")
    #expect(DateWords.date(night, in: .german) == "31. Dezember 2026")
    #expect(DateWords.date(night, in: .vietnamese) == "ngày 31 tháng 12 năm 2026")
  }

  @Test func `a count has the right plural form`() {
    func progress(_ count: Int) -> Sentence { .progress(done: 1, count: count) }
    #expect(progress(1).text(in: .english) == "1 of 1 task done")
    #expect(progress(2).text(in: .english) == "1 of 2 tasks done")
    #expect(progress(1).text(in: .german) == "1 von 1 Aufgabe erledigt")
    #expect(progress(0).text(in: .german) == "1 von 0 Aufgaben erledigt")
    #expect(progress(2).text(in: .vietnamese) == "Đã xong 1 trên 2 việc")
  }

  @Test(arguments: [
    ("de-AT", Language.german), ("EN", .english), ("vi", .vietnamese), ("fr", nil), ("", nil),
  ])
  func `a language is known by its tag`(tag: String, language: Language?) {
    #expect(Language(tag: tag) == language)
  }
}

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
