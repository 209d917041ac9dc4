import CivilTime
import Testing

@testable import Alarms

@Suite struct `Texts that people type` {
  private static let line = TextRule(1...200, bytes: 1_024)
  private static let lines = TextRule(0...2_000, bytes: 8_192, hasLines: true)

  @Test(arguments: [
    "Pills", "Tabletten um 8 – „rot“", "Uống thuốc", "Uo\u{302}\u{301}ng thuo\u{302}\u{301}c",
    "می\u{200C}خواهم", "नमस्ते", "क्\u{200D}ष", "ශ්\u{200D}රී", "日本語の薬", "葛\u{E0100}城", "약",
    "👩\u{200D}⚕\u{FE0F} kommt", "👨\u{200D}👩\u{200D}👧", "❤\u{FE0F}\u{200D}🔥", "1\u{FE0F}\u{20E3}",
    "🇩🇪",
    "👍🏽", "☎\u{FE0F}", "a\u{A0}b", "50 % – 2×", "שָׁלוֹם", "سلام", "ยา", "ᠮᠣᠩᠭᠣᠯ",
  ])
  func `of every language and with emoji are accepted`(text: String) {
    #expect(Self.line.fault(in: text) == nil)
    #expect(Self.lines.fault(in: text + "\n" + text) == nil)
    #expect(Self.line.cleaned(text).unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test(arguments: [
    0x00, 0x07, 0x08, 0x09, 0x0B, 0x0C, 0x0D, 0x1B, 0x7F, 0x85, 0x9B, 0xAD, 0x34F, 0x600, 0x61C,
    0x6DD,
    0x115F, 0x17B4, 0x180B, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A,
    0x202E, 0x2060, 0x2066, 0x2069, 0x206A, 0x3164, 0xE000, 0xFDD0, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0,
    0xFFF9, 0xFFFE, 0x110BD, 0x1D173, 0xE0001, 0xE0041, 0xE0100, 0xF0000, 0x10FFFF, 0x378,
  ])
  func `contain no invisible characters and none that change how others look`(code: UInt32) throws {
    let scalar = Character(try #require(Unicode.Scalar(code)))
    for text in ["a\(scalar)b", "ab\(scalar)", "\(scalar)ab", "a \(scalar) b"] {
      for rule in [Self.line, Self.lines] {
        let fault = try #require(rule.fault(in: text), "U+\(String(code, radix: 16))")
        #expect(fault.contains("U+"))
        #expect(rule.fault(in: rule.cleaned(text)) == nil)
      }
    }
  }

  @Test func `have one line, or line feeds as the only breaks`() {
    #expect(Self.line.fault(in: "a\nb")?.contains("U+000A") == true)
    #expect(Self.line.fault(in: "a\r\nb")?.contains("U+000D") == true)
    #expect(Self.lines.fault(in: "a\nb\n") == nil)
    #expect(Self.lines.fault(in: "a\r\nb")?.contains("U+000D") == true)
    #expect(Self.line.cleaned("a\r\nb\u{2028}c\u{B}d") == "a b c d")
    #expect(Self.lines.cleaned("a\r\nb\u{2028}c\u{85}d") == "a\nb\nc\nd")
  }

  @Test(arguments: [
    " ", "\u{A0}", "\u{2003}\u{3000}", "\u{2800}", "\u{2800} \u{2800}", " \u{301}", "\u{205F}",
  ])
  func `are not blank`(text: String) {
    #expect(Self.line.fault(in: text) != nil)
    #expect(TextRule(0...100, bytes: 512).fault(in: text) != nil)
    #expect(TextRule(0...100, bytes: 512).fault(in: "") == nil)
  }

  @Test func `are measured in scalars and bytes, and the refusal names both`() throws {
    let one = "a" + String(repeating: "\u{301}", count: 5_000)
    #expect(one.count == 1)
    let huge = try #require(Self.line.fault(in: one))
    #expect(huge.contains("5001 characters and 10001 bytes") && huge.contains("1 to 200"))
    let many = "a" + String(repeating: "\u{301}", count: 31)
    #expect(Self.line.fault(in: many)?.contains("30 combining marks") == true)
    #expect(Self.line.fault(in: "\u{301}a") != nil)
    #expect(Self.line.fault(in: String(repeating: "é", count: 200)) == nil)
    #expect(Self.line.fault(in: String(repeating: "e\u{301}", count: 101)) != nil)
    #expect(Self.line.fault(in: String(repeating: "👍", count: 200)) == nil)
    #expect(Self.line.fault(in: String(repeating: "👍", count: 201)) != nil)
    for text in [one, many, String(repeating: "👍", count: 900)] {
      #expect(Self.line.fault(in: Self.line.cleaned(text)) == nil)
    }
  }

  @Test func `are checked in each command, and the refusal names the field`() throws {
    var fixture = CoreFixture()
    let bad = "a\u{202E}b"
    func field(_ body: () throws -> Void) -> String? { refusal(body)?.field }
    #expect(field { try fixture.add(bad) { _ in } } == "label")
    #expect(field { try fixture.add { $0.instructions = bad } } == "instructions")
    #expect(field { try fixture.person { $0.name = bad } } == "name")
    for hidden in ["\u{2028}", "\u{202E}", "\u{B}", "\u{1B}"] {
      #expect(field { try fixture.add { $0.schedule = "every day\(hidden) 08:00" } } == "schedule")
    }
    let rule = try fixture.add { $0.schedule = "DTSTART:20301201T080000\r\nRRULE:FREQ=DAILY\t" }
    #expect(!rule.phrase.utf8.contains { $0 == 0x0D || $0 == 0x09 })
    #expect(field { try fixture.person(bad) { _ in } } == "id")
    var question = QuestionForm()
    (question.name, question.text, question.kind) = ("q", bad, "yes_no")
    #expect(
      field { try fixture.add { ($0.schedule, $0.questions) = ("every day 08:00", [question]) } }
        == "questions[0].text")
    (question.text, question.kind) = ("Which?", "choices")
    question.choices = [Choice(name: "a", text: bad)]
    #expect(
      field { try fixture.add { ($0.schedule, $0.questions) = ("every day 08:00", [question]) } }
        == "questions[0].choices[0].text")
    #expect(
      field {
        _ = try fixture.handle(.command(.announce(AlarmID("s"), saying(bad)), CoreFixture.anna))
      }
        == "label")
    try fixture.handle(
      .command(.enrol(.patient, EnrolmentForm(pseudonym: "P1")), CoreFixture.researcher))
    #expect(
      field {
        try fixture.handle(
          .command(
            .withdraw(.patient, Withdrawal(reason: bad), erasing: nil), CoreFixture.researcher))
      } == "reason")
    _ = try fixture.asking()
    fixture.pass(seconds: 4 * 3_600 + 60)
    #expect(field { try fixture.respond(nil, [("text", .text(bad))]) } == "responses[0].value")
    try fixture.respond(nil, [("text", .text("one\ntwo"))])
  }

  private func saying(_ text: String) -> AlarmForm {
    var form = AlarmForm()
    (form.label, form.schedule) = (text, "in 1 seconds")
    return form
  }

  @Test func `that were recorded by an earlier version do not prevent other changes`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.add { $0.schedule = "every day 08:00" }
    var old = alarm
    (old.label, old.instructions) = ("old\u{202E}\nlabel", "\u{200B}")
    var edited = AlarmForm()
    edited.rings = 3
    let transition = Transition(fixture.home, fixture.now, CoreFixture.anna, fixture.environment)
    let new = try transition.checked(edited, basedOn: old, id: alarm.id)
    #expect(new.label == old.label && new.burst.rings == 3)
    edited.label = old.label
    #expect(try transition.checked(edited, basedOn: old, id: alarm.id).label == old.label)
    edited.label = "new\u{202E}"
    #expect(
      refusal { _ = try transition.checked(edited, basedOn: old, id: alarm.id) }?.field == "label")
  }
}

@Suite struct `Ids of people` {
  @Test(arguments: [
    "m\u{430}ry", "Mẹ", "jose\u{301}", "a b", "a/b", "-a", ".a", "_a", "", "a\u{301}", "a\n", "a:b",
    "ａ",
    String(repeating: "a", count: 65), "a\u{200D}b", "٣",
  ])
  func `consist of ASCII letters, digits and signs`(id: String) {
    var fixture = CoreFixture()
    let found = refusal { try fixture.person(id) { _ in } }
    #expect(found?.field == "id" && found?.kind == .invalidField, "\(String(describing: found))")
  }

  @Test(arguments: [
    ("mary", "Mary"), ("mary", "MARY"), ("oma1", "omal"), ("bob", "b0b"), ("Ina", "lna"),
    ("barney", "bamey"), ("ina", "Ina"), ("II", "ll"),
  ])
  func `do not look like one another`(old: String, new: String) throws {
    var fixture = CoreFixture()
    try fixture.person(old) { _ in }
    let found = refusal { try fixture.person(new) { _ in } }
    #expect(found?.kind == .conflict && found?.detail.contains(old) == true)
    try fixture.handle(.command(.removePerson(PersonID(old)), CoreFixture.anna))
    #expect(refusal { try fixture.person(new) { _ in } }?.kind == .conflict)
    try fixture.person(old) { _ in }
  }

  @Test
  func `that were recorded by an earlier version keep working, and no new id looks like them`()
    throws
  {
    var fixture = CoreFixture()
    let mary = PersonID("m\u{430}ry")
    fixture.home.people[mary] = PersonState(id: mary, person: Person(id: mary, version: 1))
    try fixture.person(mary.text) { $0.name = "Mary" }
    #expect(refusal { try fixture.person("mary") { _ in } }?.kind == .conflict)
    for id in ["anna", "ana", "oma", "Opa-2", "p.1", "ali", "all_1"] {
      try fixture.person(id) { _ in }
    }
  }
}
