import CivilTime
import Testing

@testable import Sentences

@Suite struct SpokenTimeTests {
  @Test(arguments: [
    ("00:00:00", "midnight", "0 Uhr", "0 giờ"),
    ("08:00:00", "8 a.m.", "8 Uhr", "8 giờ"),
    ("08:05:00", "8:05", "8 Uhr 5", "8 giờ 5"),
    ("11:59:59", "11:59", "11 Uhr 59", "11 giờ 59"),
    ("12:00:00", "noon", "12 Uhr", "12 giờ"),
    ("13:00:00", "1 p.m.", "13 Uhr", "13 giờ"),
    ("14:30:00", "14:30", "14 Uhr 30", "14 giờ 30"),
    ("23:00:00", "11 p.m.", "23 Uhr", "23 giờ"),
  ])
  func `a voice reads a time as people say it`(
    time: String, english: String, german: String, vietnamese: String
  ) throws {
    let time = try CivilDateTime(parsing: "2026-11-26T\(time)").time
    #expect(SpokenTime.of(time, in: .english) == english)
    #expect(SpokenTime.of(time, in: .german) == german)
    #expect(SpokenTime.of(time, in: .vietnamese) == vietnamese)
  }
}

@Suite struct LanguageTests {
  @Test(arguments: [
    (["de-AT", "vi"], Language.german, "de-AT"), (["fr", "vi"], .vietnamese, "vi"),
    (["fr"], .english, "en"), ([], .english, "en"), (["", "EN-GB"], .english, "EN-GB"),
  ])
  func `the first language of a list that Prompter has is chosen, else English`(
    tags: [String], language: Language, tag: String
  ) {
    let found = Language.first(of: tags)
    #expect(found.language == language && found.tag == tag)
  }
}
