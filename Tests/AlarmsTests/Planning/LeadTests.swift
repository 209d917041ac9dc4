import CivilTime
import Sentences
import Testing

@testable import Alarms

/// Early reminders of a task that is due at 10:30 in Berlin on Friday 15 January 2027.
@Suite struct `An early reminder` {
  private static func instant(_ local: String) throws -> Instant {
    CoreFixture.berlin.resolve(try CivilDateTime(parsing: local)).instant
  }

  @Test(arguments: [
    ("09:30:00", "10:30:00", "In one hour:", "In einer Stunde:", "Một giờ nữa:"),
    ("09:32:20", "10:30:00", "In one hour:", "In einer Stunde:", "Một giờ nữa:"),
    ("09:36:00", "10:30:00", "In 55 minutes:", "In 55 Minuten:", "55 phút nữa:"),
    ("10:18:00", "10:30:00", "In 12 minutes:", "In 12 Minuten:", "12 phút nữa:"),
    ("10:29:00", "10:30:00", "In one minute:", "In einer Minute:", "1 phút nữa:"),
    ("10:29:45", "10:30:00", "Now:", "Jetzt:", "Bây giờ:"),
    ("07:30:00", "10:30:00", "In three hours:", "In drei Stunden:", "Ba giờ nữa:"),
    ("05:15:00", "10:30:00", "Today at 10:30:", "Heute um 10 Uhr 30:", "Hôm nay lúc 10 giờ 30:"),
    ("05:15:00", "14:00:00", "Today at 2 p.m.:", "Heute um 14 Uhr:", "Hôm nay lúc 14 giờ:"),
  ])
  func `says the time until its event, or the time of the event`(
    _ now: String, _ event: String, _ english: String, _ german: String, _ vietnamese: String
  ) throws {
    let words = LeadWords(
      now: try Self.instant("2027-01-15T\(now)"), event: try Self.instant("2027-01-15T\(event)"),
      zone: CoreFixture.berlin)
    #expect(words.text(in: .english) == english)
    #expect(words.text(in: .german) == german)
    #expect(words.text(in: .vietnamese) == vietnamese)
  }

  @Test(arguments: [
    (
      "2027-01-16T10:30:00", "Tomorrow at 10:30:", "Morgen um 10 Uhr 30:", "Ngày mai lúc 10 giờ 30:"
    ),
    (
      "2027-01-18T10:30:00", "On Monday at 10:30:", "Am Montag um 10 Uhr 30:",
      "Thứ Hai lúc 10 giờ 30:"
    ),
    (
      "2027-01-17T08:05:00", "On Sunday at 8:05:", "Am Sonntag um 8 Uhr 5:",
      "Chủ nhật lúc 8 giờ 5:"
    ),
    (
      "2027-02-01T10:30:00", "On 1 February at 10:30:", "Am 1. Februar um 10 Uhr 30:",
      "Ngày 1 tháng 2 lúc 10 giờ 30:"
    ),
  ])
  func `says the day of an event that is not today`(
    _ event: String, _ english: String, _ german: String, _ vietnamese: String
  ) throws {
    let words = LeadWords(
      now: try Self.instant("2027-01-15T19:00:00"), event: try Self.instant(event),
      zone: CoreFixture.berlin)
    #expect(words.text(in: .english) == english)
    #expect(words.text(in: .german) == german)
    #expect(words.text(in: .vietnamese) == vietnamese)
  }

  @Test(arguments: [
    (["de-AT", "vi"], "In einer Stunde:", "de-AT"), (["fr", "vi"], "Một giờ nữa:", "vi"),
    (["fr"], "In one hour:", "en"), ([], "In one hour:", "en"),
    (["EN-GB"], "In one hour:", "EN-GB"),
  ])
  func `speaks the first language for which there are words, else English`(
    _ tags: [String], _ text: String, _ language: String
  ) throws {
    let words = LeadWords(
      now: Instant(seconds: 0), event: Instant(seconds: 3_600), zone: .utc)
    #expect(words.spoken(in: tags) == SpokenWords(text, language: language))
  }

  // MARK: Rings

  private static func fixture(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> CoreFixture {
    var fixture = CoreFixture()
    try fixture.add("Physiotherapy") {
      $0.schedule = "2027-01-15 10:30 and 1 hour before"
      $0.rings = 4
      edit(&$0)
    }
    return fixture
  }

  /// Returns the words for the time that each ring spoke; `-` for a ring of the main prompt.
  private static func leads(_ fixture: CoreFixture) -> [String] {
    fixture.played.map { $0.lead?.text ?? "-" }
  }

  @Test func `speaks the time before its words, and the event does not`() throws {
    var fixture = try Self.fixture()
    #expect(fixture.rehearsed.map(\.text).contains("In one hour:"))
    try fixture.pass(to: "2027-01-15T09:35:00")
    #expect(
      Self.leads(fixture) == ["In one hour:", "In one hour:", "In one hour:", "In 55 minutes:"])
    #expect(fixture.played.allSatisfy { $0.words?.text == "Physiotherapy" })
    #expect(Set(fixture.rehearsed.map(\.text)).isSuperset(of: ["In one hour:", "In 55 minutes:"]))
    #expect(fixture.home.openPrompts.compactMap(\.leadsToAt).count == 1)
    try fixture.answer(.complete)
    try fixture.pass(to: "2027-01-15T10:30:01")
    #expect(Self.leads(fixture).last == "-")
    #expect(fixture.outcomes == [.completed])
  }

  @Test
  func `of one day before says tomorrow, in the language of the person, also with a recording`()
    throws
  {
    var fixture = CoreFixture()
    fixture.environment.language = "vi"
    let tone = Tone(name: "dad", sha256: "aa", durationMilliseconds: 2_000, loudnessLUFS: -16)
    try fixture.handle(.command(.addTone(tone, replacing: false), CoreFixture.anna))
    try fixture.add("Physiotherapy") {
      $0.schedule = "2027-01-17 10:30 and 1 day before"
      $0.tone = "dad"
      $0.rings = 1
    }
    #expect(fixture.rehearsed.map(\.text) == ["Ngày mai lúc 10 giờ 30:"])
    try fixture.person { $0.language = "de" }
    fixture.crash()
    #expect(
      fixture.home.wantedWords(at: fixture.now, in: fixture.environment)
        == [SpokenWords("Morgen um 10 Uhr 30:", language: "de")])
    try fixture.pass(to: "2027-01-16T10:30:01")
    let order = try #require(fixture.played.last)
    #expect(order.lead == SpokenWords("Morgen um 10 Uhr 30:", language: "de"))
    #expect(order.tones == ["aa"])
  }

  @Test func `that a person delays says the time that is then true`() throws {
    var fixture = try Self.fixture()
    try fixture.pass(to: "2027-01-15T09:30:20")
    try fixture.answer(.delay(seconds: 600))
    #expect(fixture.rehearsed.last?.text == "In 50 minutes:")
    fixture.crash()
    try fixture.pass(to: "2027-01-15T09:40:30")
    #expect(Self.leads(fixture) == ["In one hour:", "In 50 minutes:"])
  }

  @Test(arguments: [Answer.delay(seconds: 7_200), .acknowledge])
  func `cannot be put off past its event`(_ answer: Answer) throws {
    var fixture = try Self.fixture { $0.completeBySeconds = 7_200 }
    try fixture.pass(to: "2027-01-15T09:30:20")
    let answered = try fixture.answer(answer)
    #expect(answered.prompt.stateStepAt == (try Self.instant("2027-01-15T10:30:00")))
    try fixture.pass(to: "2027-01-15T10:45:00")
    #expect(Self.leads(fixture) == ["In one hour:", "-", "-", "-", "-"])
    #expect(fixture.outcomes == [.missedNoResponse])
  }

  @Test func `that quiet hours hold back past its event does not ring`() throws {
    var fixture = try Self.fixture { $0.rings = 1 }
    try fixture.person {
      $0.quietHours = "09:00-11:00"
      $0.quietPolicy = .hold
    }
    try fixture.pass(to: "2027-01-15T11:30:00")
    #expect(Self.leads(fixture) == ["-"])
  }

  @Test func `does not ring if the clock is set past its event`() throws {
    var fixture = try Self.fixture { $0.lateWindowSeconds = 7_200 }
    try fixture.pass(to: "2027-01-15T09:30:20")
    fixture.stepClock(seconds: 3_700)
    fixture.pass(seconds: 600)
    #expect(Self.leads(fixture) == ["In one hour:", "-", "-", "-", "-"])
  }

  @Test func `does not ring after its event, although the event was answered in advance`() throws {
    var fixture = try Self.fixture()
    try fixture.pass(to: "2027-01-15T09:30:20")
    try fixture.answer(.delay(seconds: 3_560))
    let event = try #require(fixture.home.openPrompts.first { $0.state == .planned })
    try fixture.answer(.cancel(.caretakerOverride), to: event.id)
    try fixture.pass(to: "2027-01-15T10:29:50")
    #expect(Self.leads(fixture) == ["In one hour:", "Now:"])
    try fixture.pass(to: "2027-01-15T11:30:00")
    #expect(Self.leads(fixture) == ["In one hour:", "Now:"])
    #expect(fixture.outcomes.count == 2)
  }

  @Test func `ends at the time of its event, also while another alarm rings`() throws {
    var fixture = try Self.fixture()
    try fixture.pass(to: "2027-01-15T09:30:20")
    try fixture.answer(.delay(seconds: 3_600))
    let event = try #require(fixture.home.openPrompts.first { $0.state == .planned })
    try fixture.answer(.cancel(.caretakerOverride), to: event.id)
    try fixture.pass(to: "2027-01-15T10:29:40")
    fixture.ringSeconds = 20
    try fixture.add("Pills") {
      $0.schedule = "in 10 seconds"
      $0.rings = 1
    }
    try fixture.pass(to: "2027-01-15T10:29:59")
    #expect(fixture.outcomes.count == 1)
    try fixture.pass(to: "2027-01-15T10:30:01")
    #expect(fixture.sounding != nil)
    #expect(fixture.outcomes.count == 2)
    #expect(Self.leads(fixture) == ["In one hour:", "-"])
  }

  @Test func `is listed with the time of its event`() throws {
    let fixture = try Self.fixture()
    let id = try #require(fixture.home.alarms.first?.id)
    let rings = fixture.home.expectedRings(
      of: id, at: fixture.now, count: 5, fixture.environment)
    let event = try Self.instant("2027-01-15T10:30:00")
    #expect(rings.map(\.leadsToAt) == [event, nil])
  }
}
