import API
import Foundation
import JSONValue
import Sentences
import Testing

@testable import CaretakerPages

/// Tests three parts of the form of an alarm: the questions, the supplies, and the button that
/// plays the first ring.
@Suite struct QuestionFormTests {
  private static let edit = ["alarms", "k3v9", "edit"]
  /// The question and the supply of the sample alarm, as the form sends them.
  private static let pain = [
    "text": "How bad is the <pain>?", "kind": "scale", "name": "pain", "min": "0", "max": "10",
    "required": "yes", "unit": "1", "temperature": "Cel",
  ]
  private static let uses = [
    ("supply", "s1"), ("supply-amount", "2"), ("supply", ""), ("supply-amount", ""),
  ]

  private func home(_ alarm: String = alarmDocument()) -> SampleCaretakerHome {
    let home = SampleCaretakerHome()
    home.giveAlarm(alarm)
    home.give(.editAlarm, "{}")
    return home
  }

  private func fields(
    _ questions: [[String: String]], uses: [(String, String)] = uses, isRequired: Bool = true,
    button: String = "save", more: [(String, String)] = []
  ) -> [(String, String)] {
    alarmFields(more + [("button", button)]) + questionFields(questions) + uses
      + (isRequired ? [("answers_required", "yes")] : [])
  }

  private func sent(_ home: SampleCaretakerHome, _ operation: Route.Operation = .editAlarm)
    -> String
  {
    guard case .json(let document)? = home.requests.last(where: { $0.operation == operation })?.body
    else { return "nothing" }
    return document.description
  }

  // MARK: Saving

  @Test func `the questions of an alarm become fields, and without a change nothing is sent`() {
    let home = home()
    let page = home.page(Self.edit).html
    #expect(page.contains("value=\"How bad is the &lt;pain&gt;?\""))
    #expect(page.contains("<option value=\"scale\" selected>a scale</option>"))
    #expect(
      page.contains("name=\"answers_required\" id=\"answers_required\" value=\"yes\" checked"))
    #expect(page.contains("<option value=\"s1\" selected>Donepezil</option>"))
    #expect(home.page(Self.edit, form: fields([Self.pain])).location == "/alarms/k3v9")
    #expect(sent(home) == "nothing")
  }

  @Test func `a question of each kind has the fields of its kind`() {
    let home = home()
    let kinds: [[String: String]] = [
      ["kind": "scale"], ["kind": "yes_no", "required": "no"], ["kind": "mood"],
      ["kind": "choices", "choices": "headache\r\nnausea = Feeling sick\r\n", "min": "4"],
      ["kind": "number", "unit": "kg", "min": "30", "max": "200,5"],
      ["kind": "temperature", "temperature": "[degF]", "unit": "kg"], ["kind": "text"],
    ]
    let given = kinds.enumerated().map { index, kind in
      kind.merging(["name": "q\(index)", "text": "Q\(index)?"]) { $1 }
    }
    _ = home.page(Self.edit, form: fields(given))
    func question(_ index: Int, _ more: String, required: Bool = true) -> String {
      "{\"name\":\"q\(index)\",\"text\":\"Q\(index)?\",\"kind\":\"\(kinds[index]["kind"] ?? "")\","
        + "\"required\":\(required)\(more)}"
    }
    let wanted = [
      question(0, ""), question(1, "", required: false), question(2, ""),
      question(
        3,
        #","choices":[{"name":"headache","text":"headache"},{"name":"nausea","text":"Feeling sick"}]"#
      ),
      question(4, #","min":30,"max":200.5,"unit":"kg""#),
      question(5, #","unit":"[degF]""#), question(6, ""),
    ]
    #expect(sent(home) == "{\"questions\":[\(wanted.joined(separator: ","))]}")
  }

  @Test func `removed questions and supplies are sent as empty lists`() {
    let home = home()
    _ = home.page(
      Self.edit,
      form: fields([], uses: [("supply", ""), ("supply-amount", "")], isRequired: false))
    #expect(sent(home) == #"{"questions":[],"uses":[]}"#)
  }

  @Test func `only the need for answers is sent if only this changed`() {
    let home = home()
    _ = home.page(Self.edit, form: fields([Self.pain], isRequired: false))
    #expect(sent(home) == #"{"answers_required":false}"#)
  }

  @Test func `a new alarm has its questions and supplies`() {
    let home = home()
    home.give(.addAlarm, #"{"alarm": {"id": "new1"}}"#, status: 201)
    let question = ["text": "Well?", "kind": "yes_no", "name": "well"]
    _ = home.page(
      ["alarms", "new"],
      form: fields([question], uses: [("supply", "s2"), ("supply-amount", "")], isRequired: false))
    #expect(
      sent(home, .addAlarm).hasSuffix(
        #""questions":[{"name":"well","text":"Well?","kind":"yes_no","required":true}],"#
          + #""answers_required":false,"uses":[{"supply_id":"s2","amount":1}]}"#))
    _ = home.page(["alarms", "new"], form: fields([], uses: [], isRequired: false))
    #expect(!sent(home, .addAlarm).contains("questions"))
  }

  @Test func `questions of an unknown kind stay as they are`() {
    let home = home(alarmDocument().replacing("\"scale\"", with: "\"drawing\""))
    let page = home.page(Self.edit).html
    #expect(page.contains("This page cannot show the questions of this alarm."))
    #expect(!page.contains("name=\"questions\""))
    _ = home.page(Self.edit, form: alarmFields([("label", "New"), ("button", "save")]))
    #expect(sent(home) == #"{"label":"New"}"#)
  }

  // MARK: Buttons of the form

  @Test func `a question is added and removed in the form, and nothing is saved`() {
    let home = home()
    let added = home.page(Self.edit, form: fields([Self.pain], button: "question-add"))
    #expect(added.status == 200 && added.html.contains("<legend>Question 2</legend>"))
    #expect(added.html.contains("id=\"question-text-1\"") && added.html.contains(" autofocus"))
    let removed = home.page(Self.edit, form: fields([Self.pain], button: "question-remove-0"))
    #expect(removed.status == 200 && !removed.html.contains("<legend>Question 1</legend>"))
    #expect(
      home.page(Self.edit, form: fields([Self.pain], button: "question-remove-9")).status == 200)
    let new = home.page(["alarms", "new"], form: fields([], uses: [], button: "question-add"))
    #expect(new.html.contains("<legend>Question 1</legend>"))
    #expect(sent(home) == "nothing" && sent(home, .addAlarm) == "nothing")
  }

  @Test func `the first button of the form saves`() throws {
    // In a browser, the key Enter presses the first button of the form. Therefore, the first button
    // must save the form. If the first button removed a question, the key Enter would remove the
    // question.
    let page = home().page(Self.edit).html
    let form = try #require(page.split(separator: "<form").dropFirst().first)
    let button = try #require(form.split(separator: "<button").dropFirst().first)
    #expect(button.hasPrefix(" class=\"unseen\" tabindex=\"-1\" aria-hidden=\"true\">Save"))
  }

  // MARK: Refusals

  @Test(arguments: [
    ("questions[1].name", "name-1", "Write a name that no other question has"),
    ("questions[0].text", "text-0", "Write the question in 1 to 200 characters."),
    ("alarm.questions[1].max", "max-1", "Write the smallest and the largest number."),
    ("questions[0].choices[2].name", "choices-0", "Write 1 to 30 choices."),
  ])
  func `a refusal is beside the field of its question`(field: String, id: String, words: String) {
    let home = home()
    home.give(
      .editAlarm, "{\"kind\": \"invalid_field\", \"field\": \"\(field)\", \"detail\": \"no <x>\"}",
      status: 422)
    let second = ["text": "Second?", "kind": "number", "name": "Second!", "max": "x"]
    let page = home.page(Self.edit, form: fields([Self.pain, second]))
    #expect(
      page.status == 422 && page.html.contains("<span class=\"error\" id=\"error-\(id)\">\(words)"))
    #expect(page.html.contains("no &lt;x&gt;") && page.html.contains("value=\"Second!\""))
    #expect(page.html.contains("id=\"question-\(id)\""))
  }

  @Test func `a refusal of a question has the language of the person`() {
    let home = home()
    home.give(
      .editAlarm,
      #"{"kind": "invalid_field", "field": "questions[0].name", "detail": "not valid"}"#,
      status: 422)
    let page = home.page(Self.edit, form: fields([Self.pain, Self.pain]), language: .german).html
    #expect(page.contains("Schreiben Sie einen Namen, den keine andere Frage hat"))
    #expect(page.contains("<span lang=\"en\">not valid</span>"))
  }

  @Test(arguments: [
    ("questions", "An alarm has at most 20 questions."),
    ("questions[0]", "The home refused this question."),
    ("uses", "Choose each supply once"), ("uses.amount", "Choose each supply once"),
  ])
  func `a refusal of several fields is above them`(field: String, words: String) {
    let home = home()
    home.give(
      .editAlarm, "{\"kind\": \"invalid_field\", \"field\": \"\(field)\", \"detail\": \"no\"}",
      status: 422)
    let page = home.page(Self.edit, form: fields([Self.pain, Self.pain]))
    #expect(page.status == 422 && page.html.contains("\(words)"))
  }

  // MARK: Two caretakers

  @Test func `the questions and supplies of the other caretaker are shown`() {
    let home = home(alarmDocument(version: 4))
    let mine = ["text": "Well?", "kind": "yes_no", "name": "well"]
    let page = home.page(Self.edit, form: fields([mine], uses: []))
    #expect(page.status == 412)
    #expect(page.html.contains("Now saved: How bad is the &lt;pain&gt;? (a scale, 0–10)"))
    #expect(page.html.contains("value=\"Well?\""))
    let uses = home.page(
      Self.edit, form: fields([mine], uses: [("supply", "s2"), ("supply-amount", "1")]))
    #expect(uses.html.contains("Now saved: Donepezil: 2"))
    let none = self.home(
      alarmDocument(version: 4).replacing("\"amount\": 2", with: "\"amount\": 2, \"x\": 0"))
    #expect(none.page(Self.edit, form: fields([Self.pain])).html.contains("Now saved") == false)
  }

  // MARK: The page of the alarm

  @Test func `the page of an alarm shows kinds of answers and supplies`() {
    let page = home().page(["alarms", "k3v9"]).html
    #expect(page.contains("How bad is the &lt;pain&gt;? <span class=\"told\">a scale, 0–10</span>"))
    #expect(page.contains("“Done” is possible only after all required answers"))
    #expect(page.contains("<dt>Supplies</dt><dd>Donepezil: 2</dd>"))
  }

  @Test(arguments: [
    (#"{"stopped": false}"#, "rehearse", "The speaker at home played the first ring."),
    (#"{"stopped": true}"#, "stopped", "An alarm interrupted the test ring."),
    (#"{"stopped": false, "voice": "no"}"#, "unspoken", "cannot speak the words of this alarm"),
  ])
  func `the first ring is played as a test`(reply: String, saved: String, words: String) {
    let home = home()
    home.give(.testRing, reply)
    let page = home.page(["alarms", "k3v9"], form: [("button", "rehearse")])
    #expect(page.location == "/alarms/k3v9?saved=\(saved)")
    #expect(sent(home, .testRing) == #"{"alarm":"k3v9"}"#)
    #expect(home.page(["alarms", "k3v9"], query: [("saved", saved)]).html.contains(words))
  }

  @Test func `a refused first ring is explained`() {
    let home = home()
    home.give(.testRing, #"{"kind": "conflict", "detail": "the speaker is in use"}"#, status: 409)
    let page = home.page(["alarms", "k3v9"], form: [("button", "rehearse")])
    #expect(page.status == 409 && page.html.contains("the speaker is in use"))
  }
}
