import CivilTime
import Testing

@testable import Sentences

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
