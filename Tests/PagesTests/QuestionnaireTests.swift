import Alarms
import JSONValue
import Sentences
import Testing

@testable import Pages

@Suite struct QuestionnaireTests {
  private static func sample(_ name: String, required: Bool = false) throws -> SampleQuestionnaire {
    try SampleQuestionnaire(
      everyKind.filter { $0["name"]?.string == name }, required: required)
  }

  @Test(arguments: [
    ("pain", ["pick 7"], Response.Value.number(7)), ("pain", ["pick 0"], .number(0)),
    ("steps", ["type -", "type 5", "next"], .number(-5)),
    ("steps", ["type 1", "type 0", "type 0", "next"], .number(100)),
    ("weight", ["type 7", "type 0", "type .", "type 5", "next"], .number(70.5)),
    ("weight", ["type 7", "type 1", "delete", "type 2", "next"], .number(72)),
    ("heat", ["type 3", "type 7", "next"], .number(37)),
    ("feels", ["toggle fever", "toggle cough", "next"], .choices(["cough", "fever"])),
    ("feels", ["toggle fever", "toggle fever", "toggle cough", "next"], .choices(["cough"])),
    ("feels", ["pick none"], .choices([])), ("mood", ["pick fair"], .mood(.fair)),
    ("slept", ["pick yes"], .flag(true)), ("slept", ["pick no"], .flag(false)),
    ("note", ["next", "type o", "type k", "type  ", "next"], .text("ok")),
  ])
  func `each kind of question takes its answer`(
    name: String, inputs: [String], value: Response.Value
  ) throws {
    var sample = try Self.sample(name)
    for input in inputs.dropLast() { #expect(sample.touch(input) == .shown, "\(input)") }
    #expect(sample.touch(inputs.last!) == .finished)
    #expect(sample.value.given == [name: value])
  }

  @Test(arguments: [
    ("pain", ["pick 11"]), ("pain", ["pick -1"]), ("pain", ["pick x"]), ("pain", ["next"]),
    ("pain", ["type 7"]), ("pain", ["pick 7.5"]), ("pain", ["more"]), ("pain", ["pick none"]),
    ("steps", ["type 1", "type 0", "type 1", "next"]), ("steps", ["type ."]),
    ("steps", ["type -", "next"]), ("steps", ["type -", "type -"]), ("steps", ["pick 7"]),
    ("weight", ["type 2", "type 9", "next"]), ("weight", ["type 2", "type 0", "type 1", "next"]),
    ("weight", ["type -"]), ("weight", ["type ."]), ("weight", ["type e"]), ("weight", ["delete"]),
    ("weight", ["type 7", "type .", "type ."]), ("heat", ["type 4", "type 6", "next"]),
    ("feels", ["toggle x"]), ("feels", ["next"]), ("feels", ["more"]), ("feels", ["pick cough"]),
    ("mood", ["pick great"]), ("mood", ["next"]), ("slept", ["pick maybe"]),
    ("note", ["type o"]), ("note", ["next", "next"]), ("note", ["next", "type  ", "next"]),
    ("note", ["next", "type ab"]), ("note", ["next", "type \u{0}"]), ("note", ["next", "tone 1"]),
  ])
  func `an input that the screen does not show is refused`(name: String, inputs: [String]) throws {
    var sample = try Self.sample(name, required: true)
    for input in inputs.dropLast() { #expect(sample.touch(input) == .shown, "\(input)") }
    let before = sample.value
    #expect(sample.touch(inputs.last!) == .refused)
    #expect(sample.value == before)
  }

  @Test(arguments: ["", "next 1", "pick", "toggle", "type", "tone", "tone x", "back 0", "NEXT"])
  func `another text is no input`(text: String) { #expect(QuestionInput(text: text) == nil) }

  @Test func `the text of an input is read again`() {
    let all: [QuestionInput] = [
      .back, .next, .skip, .more, .delete, .pick("7"), .toggle("a"), .type(" "), .type("ß"),
      .tone(3),
    ]
    for input in all { #expect(QuestionInput(text: input.text) == input) }
  }

  @Test(arguments: everyKind.compactMap { $0["name"]?.string })
  func `a question can be skipped if the daemon permits it`(name: String) throws {
    var free = try Self.sample(name)
    if free.screen.layout == .read { #expect(free.touch("next") == .shown) }
    #expect(free.touch("skip") == .finished)
    #expect(free.value.given == [:])
    var held = try Self.sample(name, required: true)
    if held.screen.layout == .read { #expect(held.touch("next") == .shown) }
    #expect(held.touch("skip") == (name == "note" ? .finished : .refused))
  }

  @Test func `the person goes back, sees the answer, and changes it`() throws {
    var sample = try SampleQuestionnaire([everyKind[0], everyKind[2], everyKind[4], everyKind[7]])
    #expect(sample.screen.left == nil)
    #expect(sample.touch("back") == .left)
    #expect(sample.touch("pick 7", "type 7", "type 0", "next", "toggle fever", "next") == .shown)
    #expect(sample.screen.layout == .read)
    #expect(sample.touch("back") == .shown)
    #expect(sample.screen.keys.first { $0.input == .toggle("fever") }?.isChosen == true)
    #expect(sample.touch("back") == .shown)
    #expect(sample.screen.draft?.text == "70")
    #expect(sample.touch("back") == .shown)
    #expect(sample.screen.keys.first { $0.input == .pick("7") }?.isChosen == true)
    #expect(sample.screen.right?.input == .next)
    #expect(sample.touch("pick 6", "next", "next", "next", "skip") == .finished)
    #expect(
      sample.value.given == [
        "pain": .number(6), "weight": .number(70), "feels": .choices(["fever"]),
      ])
  }

  @Test func `a skip after an answer takes the answer away`() throws {
    var sample = try SampleQuestionnaire([everyKind[2], everyKind[0]])
    #expect(sample.touch("type 7", "type 0", "next", "back", "delete", "delete", "skip") == .shown)
    #expect(sample.touch("pick 1") == .finished)
    #expect(sample.value.given == ["pain": .number(1)])
  }

  @Test func `a number outside of the range shows the range`() throws {
    var sample = try Self.sample("weight")
    #expect(sample.screen.draft?.range == nil)
    #expect(sample.touch("type 2") == .shown)
    #expect(sample.screen.draft?.range == 30...200)
    #expect(sample.screen.right == nil)
    #expect(
      sample.type("0000000000").filter { $0 == .shown }.count == QuestionNumber.characters - 1)
  }

  @Test func `many choices are on several pages`() throws {
    func names(_ count: Int, _ text: String) throws -> [[String]] {
      let all = (1...count).map {
        JSON.object([("name", .string("c\($0)")), ("text", .string("\(text) \($0)"))])
      }
      var sample = try SampleQuestionnaire([question("q", "choices", [("choices", .array(all))])])
      var pages: [[String]] = []
      for _ in 0..<6 {
        pages.append(sample.screen.keys.map(\.input.text))
        if sample.touch("more") != .shown { break }
      }
      return pages
    }
    let five = ["toggle c1", "toggle c2", "toggle c3", "toggle c4", "toggle c5", "pick none"]
    #expect(try names(5, "Word") == [five])
    let six = try names(6, "Word")
    #expect(six[0] == Array(five.dropLast()) + ["more"])
    #expect(six[1] == ["toggle c6", "pick none", "more"])
    #expect(six[2] == six[0])
    let long = try names(3, "A choice with a lot of words in it")
    #expect(long[1] == ["toggle c3", "pick none", "more"])
    // A choice on the first page of choices stays selected on the next page.
    var sample = try SampleQuestionnaire([
      question(
        "q", "choices",
        [
          (
            "choices",
            .array(
              (1...30).map { .object([("name", .string("c\($0)")), ("text", .string("w"))]) })
          )
        ])
    ])
    #expect(sample.touch("toggle c2", "more", "toggle c8", "more", "next") == .finished)
    #expect(sample.value.given == ["q": .choices(["c2", "c8"])])
  }

  @Test func `a long question has a page of its own`() throws {
    let long = question("q", "yes_no", text: String(repeating: "word ", count: 40))
    var sample = try SampleQuestionnaire([long, everyKind[0]])
    #expect(sample.screen.layout == .read)
    #expect(!sample.screen.isLong)
    #expect(sample.touch("pick yes") == .refused)
    #expect(sample.touch("next") == .shown)
    #expect(sample.screen.layout == .two)
    #expect(sample.screen.isLong)
    #expect(sample.screen.left == .back)
    #expect(sample.touch("back", "next", "pick yes", "back") == .shown)
    #expect(sample.screen.layout == .two)
    #expect(sample.touch("back") == .shown)
    #expect(sample.screen.layout == .read)
  }

  @Test func `a text has at most 200 characters`() throws {
    var sample = try Self.sample("note")
    #expect(sample.touch("next") == .shown)
    let outcomes = sample.type(String(repeating: "a", count: 201))
    #expect(outcomes.firstIndex(of: .refused) == Questionnaire.draftCharacters)
    #expect(sample.touch("delete", "type b", "next") == .finished)
  }
}

@Suite struct KeyboardTests {
  @Test(arguments: Language.allCases)
  func `each row has ten columns, on both pages`(language: Language) {
    for page in 0...1 {
      let keys = language.keyboard.keys(page: page, draft: "a", isFull: false)
      #expect(keys.map(\.width).reduce(0, +) == 40)
      #expect(keys[..<30].allSatisfy { $0.width == 1 })
      #expect(Set(keys.map(\.input)).count == keys.count)
    }
  }

  @Test(arguments: [
    (Language.english, "abcdefghijklmnopqrstuvwxyz"),
    (.german, "abcdefghijklmnopqrstuvwxyzäöüß"), (.vietnamese, "aăâbcdđeêghiklmnoôơpqrstuưvxy"),
  ])
  func `the letters of the language are there`(language: Language, alphabet: String) {
    let keys = language.keyboard.keys(page: 0, draft: "", isFull: false)
    for letter in alphabet { #expect(keys.contains { $0.input == .type(String(letter)) }) }
  }

  @Test(arguments: [
    ("toan", 1, "toán"), ("tiêng", 1, "tiếng"), ("viêt", 5, "việt"), ("đươc", 5, "được"),
    ("vế", 2, "về"), ("về", 2, "vê"), ("ba b", 1, "ba b"), ("", 1, ""), ("ă", 4, "ẵ"),
  ])
  func `a tone changes the last vowel of the last word`(draft: String, tone: Int, result: String) {
    #expect(Language.vietnamese.keyboard.adding(tone: tone, to: draft) == result)
  }
}
