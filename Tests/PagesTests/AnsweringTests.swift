import Alarms
import CivilTime
import JSONValue
import Sentences
import Testing

@testable import Pages

/// Tests the screens from the answer "done" to the last question. The present time is 08:01.
@Suite struct AnsweringTests {
  private static let pain = everyKind[0]
  private static let slept = everyKind[6]

  private func reading(
    _ prompt: JSON, _ checkIn: CheckInReading, id: String = "a", more: [JSON] = []
  ) throws -> HomeReading {
    var reading = try SampleReading(prompts: [prompt] + more).reading()
    reading.checkIns[id] = checkIn
    return reading
  }

  private func touch(
    _ input: String, question: String = "pain", prompt: String = "a",
    key: String = "0123456789abcdef"
  ) throws -> QuestionTouch {
    try #require(
      QuestionTouch(
        body: Array(
          #"{"prompt":"\#(prompt)","question":"\#(question)","answer":"\#(input)","key":"\#(key)"}"#
            .utf8
        )))
  }

  @Test func `after DONE the questions come one after the other, then the answers are sent`() throws
  {
    var answering = Answering()
    let reading = try reading(try done("a", secondsAgo: 1), checkIn([Self.pain, Self.slept]))
    answering.follow(reading)
    var state = ScreenDecision(reading, answering).state
    #expect(state.key == "question a pain scale 0")
    #expect(state.offers(.undo, to: "a"))
    #expect(answering.take(try touch("pick 7"), on: state, .english) == .show)
    state = ScreenDecision(reading, answering).state
    #expect(state.key == "question a slept two 0")
    #expect(!state.offers(.undo, to: "a"), "the left key goes back")
    let step = answering.take(
      try touch("pick yes", question: "slept", key: "0123456789abcdee"), on: state, .english)
    guard case .send(let answers) = step else {
      Issue.record("\(step)")
      return
    }
    #expect(answers.values == ["pain": .number(7), "slept": .flag(true)])
    #expect(!answers.completes)
    #expect(
      JSON.object(answers.members.map { ($0.0, $0.1 ?? .null) }).description
        == #"{"responses":[{"question":"pain","value":7.0},{"question":"slept","value":true}],"complete":false}"#
    )
    // The screen shows the last question until the daemon has the responses.
    #expect(ScreenDecision(reading, answering).state.key == "question a slept two 0")
    answering.finish("a", at: reading.now)
    #expect(ScreenDecision(reading, answering).state.key == "answered a")
  }

  @Test func `the same touch twice counts once`() throws {
    var answering = Answering()
    let reading = try reading(try done("a", secondsAgo: 1), checkIn([everyKind[2]]))
    answering.follow(reading)
    let state = ScreenDecision(reading, answering).state
    for _ in 1...2 {
      #expect(
        answering.take(try touch("type 7", question: "weight"), on: state, .english) == .show)
    }
    guard case .question(let screen) = ScreenDecision(reading, answering).state else {
      Issue.record("no question")
      return
    }
    #expect(screen.draft?.text == "7")
  }

  @Test(arguments: [
    ("pick 7", "pain", "b"), ("pick 7", "slept", "a"), ("pick 11", "pain", "a"),
    ("back", "pain", "a"), ("type 7", "pain", "a"),
  ])
  func `a touch that the screen does not ask for is refused`(
    input: String, question: String, prompt: String
  ) throws {
    var answering = Answering()
    let reading = try reading(try done("a", secondsAgo: 1), checkIn([Self.pain, Self.slept]))
    answering.follow(reading)
    let state = ScreenDecision(reading, answering).state
    let touch = try touch(input, question: question, prompt: prompt)
    #expect(answering.take(touch, on: state, .english) == .refuse)
    for other in [ScreenState.notConnected, .idle(.init(progress: .init(done: 0, planned: 0)))] {
      #expect(answering.take(try self.touch("pick 7"), on: other, .english) == .refuse)
    }
  }

  @Test(arguments: [
    #"{"prompt":"a","question":"q","answer":"pick 7"}"#,
    #"{"prompt":"a","question":"q","answer":"pick 7","key":"short"}"#,
    #"{"prompt":"a","question":"q","answer":"jump","key":"0123456789abcdef"}"#,
    #"{"prompt":"a","answer":"pick 7","key":"0123456789abcdef"}"#, "", "[]",
  ])
  func `another body is no touch`(body: String) {
    #expect(QuestionTouch(body: Array(body.utf8)) == nil)
  }

  @Test func `required questions come before the task is completed`() throws {
    var answering = Answering()
    let check = try checkIn([Self.pain], required: true)
    let calling = try reading(due("a"), check)
    answering.follow(calling)
    #expect(answering.asksFirst("a", calling))
    #expect(ScreenDecision(calling, answering).state.key == "calling a done")
    answering.start("a")
    #expect(ScreenDecision(calling, answering).state.key == "question a pain scale 0")
    let silent = try reading(prompt("a", "acknowledged"), check)
    answering.follow(silent)
    let state = ScreenDecision(silent, answering).state
    #expect(state.key == "question a pain scale 0")
    #expect(!state.offers(.complete, to: "a"))
    var other = answering
    guard case .send(let answers) = answering.take(try touch("pick 0"), on: state, .english) else {
      Issue.record("nothing is sent")
      return
    }
    #expect(answers.completes)
    // If the person touches BACK, the screen shows the task, and its button DONE, again.
    #expect(other.take(try touch("back"), on: state, .english) == .show)
    #expect(ScreenDecision(silent, other).state.key == "onMyWay a")
  }

  @Test func `if the task rings again, the screen shows the task and not the question`() throws {
    var answering = Answering()
    let check = try checkIn([Self.pain], required: true)
    answering.follow(try reading(due("a"), check))
    answering.start("a")
    answering.follow(try reading(prompt("a", "acknowledged"), check))
    let again = try reading(due("a"), check)
    answering.follow(again)
    #expect(ScreenDecision(again, answering).state.key == "calling a done")
  }

  @Test func `optional questions never hold the task back`() throws {
    let optional = question("note", "text", [("required", .bool(false))])
    let answering = Answering()
    for (check, expected) in [
      (try checkIn([optional], required: true), false), (try checkIn([Self.pain]), false),
      (try checkIn([Self.pain], required: true, answered: ["pain"]), false),
      (try checkIn([Self.pain, optional], required: true, answered: ["note"]), true),
    ] {
      #expect(answering.asksFirst("a", try reading(due("a"), check)) == expected)
    }
  }

  @Test(arguments: [
    ([String](), "question a pain scale 0"), (["slept"], "question a pain scale 0"),
    (["pain"], "question a slept two 0"), (["pain", "slept"], "answered a"),
  ])
  func `only the questions without a response are asked`(answered: [String], key: String) throws {
    var answering = Answering()
    let reading = try reading(
      try done("a", secondsAgo: 1), checkIn([Self.pain, Self.slept], answered: answered))
    answering.follow(reading)
    #expect(ScreenDecision(reading, answering).state.key == key)
  }

  @Test func `the questions end 30 minutes after the answer`() throws {
    for (seconds, key) in [(Int64(1_799), "question a pain scale 0"), (1_800, "idle")] {
      var answering = Answering()
      let reading = try reading(try done("a", secondsAgo: seconds), checkIn([Self.pain]))
      answering.follow(reading)
      let decision = ScreenDecision(reading, answering)
      #expect(decision.state.key == key)
      #expect(decision.state.offers(.undo, to: "a") == false, "60 seconds are over")
      if seconds == 1_799 { #expect(decision.validUntil == reading.now.adding(seconds: 1)) }
    }
  }

  @Test func `after 30 minutes the daemon gets the answers to the first questions`() throws {
    var answering = Answering()
    let check = try checkIn([Self.pain, Self.slept])
    let early = try reading(try done("a", secondsAgo: 1_700), check)
    answering.follow(early)
    let state = ScreenDecision(early, answering).state
    #expect(answering.take(try touch("pick 7"), on: state, .english) == .show)
    #expect(answering.overdue(early) == [])
    // The screen requests the questions of a prompt only once. Therefore, the later readings
    // contain no questions.
    let late = try SampleReading(prompts: [try done("a", secondsAgo: 1_800)]).reading()
    for _ in 1...2 {
      answering.follow(late)
      #expect(
        answering.overdue(late) == [
          QuestionAnswers(
            promptID: "a", values: ["pain": .number(7)], completes: false, key: "0123456789abcdef")
        ])
    }
    #expect(ScreenDecision(late, answering).state.key == "idle")
    answering.finish("a", at: late.now)
    #expect(answering.overdue(late) == [])
    answering.follow(late)
    #expect(answering.overdue(late) == [], "the answers are forgotten, not sent again")
  }

  @Test func `after 30 minutes nothing is sent if no question was answered`() throws {
    var answering = Answering()
    answering.follow(try reading(try done("a", secondsAgo: 1_700), checkIn([Self.pain])))
    let late = try SampleReading(prompts: [try done("a", secondsAgo: 1_800)]).reading()
    answering.follow(late)
    #expect(answering.overdue(late) == [])
  }

  @Test func `another task that calls comes first`() throws {
    var answering = Answering()
    let check = try checkIn([Self.pain])
    let reading = try reading(
      try done("a", secondsAgo: 20), check, more: [due("b", at: "08:01:00")])
    answering.follow(reading)
    #expect(ScreenDecision(reading, answering).state.key == "calling b done")
    let praised = try self.reading(
      try done("a", secondsAgo: 20), check, more: [try done("b", secondsAgo: 3)])
    #expect(ScreenDecision(praised, answering).state.key == "answered b")
    let later = try self.reading(
      try done("a", secondsAgo: 20), check, more: [try done("b", secondsAgo: 9)])
    #expect(ScreenDecision(later, answering).state.key == "question a pain scale 0")
  }

  @Test func `the praise after the last question stays for eight seconds without UNDO`() throws {
    var answering = Answering()
    var reading = try reading(try done("a", secondsAgo: 100), checkIn([Self.pain]))
    answering.follow(reading)
    answering.finish("a", at: reading.now)
    let decision = ScreenDecision(reading, answering)
    #expect(decision.state.key == "answered a")
    #expect(!decision.state.offers(.undo, to: "a"))
    #expect(decision.validUntil == reading.now.adding(seconds: 8))
    reading.now = reading.now.adding(seconds: 8)
    #expect(ScreenDecision(reading, answering).state.key == "idle")
  }

  @Test func `after an undo the questions are asked again`() throws {
    var answering = Answering()
    let completed = try reading(try done("a", secondsAgo: 1), checkIn([Self.pain]))
    answering.follow(completed)
    answering.finish("a", at: completed.now)
    answering.follow(try reading(due("a"), checkIn([Self.pain])))
    answering.follow(completed)
    #expect(ScreenDecision(completed, answering).state.key == "question a pain scale 0")
  }

  @Test func `a person in a control phase or a pause is not asked`() throws {
    var answering = Answering()
    var reading = try reading(try done("a", secondsAgo: 1), checkIn([Self.pain]))
    reading.isSilenced = true
    answering.follow(reading)
    #expect(ScreenDecision(reading, answering).state.key == "answered a")
  }

  @Test func `a message that asks for yes or no gets the answer at once`() throws {
    var answering = Answering()
    let message = due("m", [("announcement", .bool(true))])
    let yesNo = try checkIn([question("answer", "yes_no")])
    let reading = try reading(message, yesNo, id: "m")
    answering.follow(reading)
    let state = ScreenDecision(reading, answering).state
    #expect(state.key == "calling m yes")
    #expect(ScreenAnswer.allCases.filter { state.offers($0, to: "m") } == [.again])
    for (input, flag) in [("pick yes", true), ("pick no", false)] {
      let touch = try touch(input, question: "answer", prompt: "m")
      guard case .send(let answers) = answering.take(touch, on: state, .english) else {
        Issue.record("nothing is sent")
        return
      }
      #expect(answers.values == ["answer": .flag(flag)])
      #expect(answers.completes)
    }
    for (input, question, prompt) in [
      ("pick maybe", "answer", "m"), ("next", "answer", "m"), ("pick yes", "pain", "m"),
      ("pick yes", "answer", "a"),
    ] {
      let touch = try touch(input, question: question, prompt: prompt)
      #expect(answering.take(touch, on: state, .english) == .refuse)
    }
  }

  @Test(arguments: ["questions", "answers_required", "responses"])
  func `a reply without a field is an error with its name`(field: String) throws {
    let document = JSON.object(
      [
        ("questions", .array([])), ("answers_required", .bool(false)), ("responses", .array([])),
      ].filter { $0.0 != field })
    #expect(throws: ReadingError(field: field)) { try CheckInReading(document) }
  }

  @Test(arguments: [
    (question("q", "scale"), "min"), (question("q", "number"), "unit"),
    (question("q", "choices"), "choices"), (question("q", "riddle"), "kind"),
    (question("q", "temperature", [("unit", .string("K"))]), "unit"),
  ])
  func `a question in another form is an error`(document: JSON, field: String) throws {
    #expect(throws: ReadingError(field: field)) { try checkIn([document]) }
  }
}

@Suite struct QuestionHTMLTests {
  private static let markup = "<img src=x onerror=alert(1)>\"'&"

  @Test func `markup in a question and in a choice stays text`() throws {
    let choice = JSON.object([("name", .string("a")), ("text", .string(Self.markup))])
    let sample = try SampleQuestionnaire([
      question("q", "choices", [("choices", .array([choice]))], text: Self.markup)
    ])
    let html = ScreenHTML(language: .english, labelLanguage: "de")
      .fragment(.question(sample.screen))
    #expect(!html.contains("<img"))
    #expect(html.ranges(of: "&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;").count == 2)
    #expect(html.contains("<span lang=\"de\""))
    #expect(!html.contains("style="))
  }

  @Test func `a typed text with markup stays text`() throws {
    var sample = try SampleQuestionnaire([question("q", "text")])
    #expect(sample.touch("next", "more") == .shown)
    #expect(sample.type("\"&").allSatisfy { $0 == .shown })
    let html = ScreenHTML(language: .english, labelLanguage: nil)
      .fragment(.question(sample.screen))
    #expect(html.contains("&quot;&amp;<span class=\"mark\""))
  }

  @Test(arguments: [(Language.english, "70.5"), (.german, "70,5"), (.vietnamese, "70,5")])
  func `a number has the decimal sign of the language`(language: Language, text: String) throws {
    var sample = try SampleQuestionnaire([everyKind[2]], language: language)
    #expect(sample.touch("type 7", "type 0", "type .", "type 5") == .shown)
    let html = ScreenHTML(language: language, labelLanguage: nil)
      .fragment(.question(sample.screen))
    #expect(html.contains("\(text)<span class=\"mark\" aria-hidden=\"true\"></span> kg"))
    #expect(html.contains(">\(language.decimalSign)</button>"))
  }
}
