import CivilTime
import Testing

@testable import Alarms

extension CoreFixture {
  static let patient = Actor(role: .patient, id: "uid:1002", source: "socket")

  /// Adds an alarm that asks one question of each type. The alarm is due every four hours.
  mutating func asking(
    _ edit: (inout AlarmForm) -> Void = { _ in }
  ) throws(Refusal) -> Alarm {
    var pain = QuestionForm()
    (pain.name, pain.text, pain.kind) = ("pain", "How bad?", "scale")
    var feels = QuestionForm()
    (feels.name, feels.text, feels.kind) = ("feels", "What?", "choices")
    feels.choices = [Choice(name: "headache", text: "Head"), Choice(name: "nausea", text: "Sick")]
    var weight = QuestionForm()
    (weight.name, weight.text, weight.kind, weight.unit) = ("weight", "How heavy?", "number", "kg")
    (weight.min, weight.max, weight.isRequired) = (30, 200, false)
    var temperature = QuestionForm()
    (temperature.name, temperature.text) = ("temperature", "How warm?")
    (temperature.kind, temperature.isRequired) = ("temperature", false)
    let others = ["mood", "yes_no", "text"].map { kind in
      var form = QuestionForm()
      (form.name, form.text, form.kind, form.isRequired) = (kind, "?", kind, false)
      return form
    }
    return try add {
      $0.schedule = "every 4 hours"
      $0.questions = [pain, feels, weight, temperature] + others
      edit(&$0)
    }
  }

  @discardableResult
  mutating func respond(
    _ id: PromptID?, _ answers: [(String, ResponseForm.Value)], completes: Bool = false,
    past: PastPrompt? = nil
  ) throws(Refusal) -> Prompt {
    let forms = answers.map { ResponseForm(question: $0.0, value: $0.1) }
    let command = Command.respond(id, forms, completes: completes, past: past)
    guard case .answered(let answered)? = try handle(.command(command, Self.patient)) else {
      preconditionFailure("no answer came back")
    }
    return answered.prompt
  }

  var responses: [Response] {
    records.compactMap { if case .response(_, let response) = $0.event { response } else { nil } }
  }

  var due: Prompt? { home.openPrompts.first { $0.state != .planned } }
}

@Suite struct `Check-ins` {
  @Test func `a wrong question is refused, and the refusal names the question`() throws {
    var fixture = CoreFixture()
    typealias Edit = @Sendable (inout QuestionForm) -> Void
    let wrong: [(field: String, edit: Edit)] = [
      ("questions[0].name", { $0.name = "Pain" }), ("questions[0].name", { $0.name = "1st" }),
      ("questions[0].text", { $0.text = "" }), ("questions[0].kind", { $0.kind = "colour" }),
      ("questions[0].max", { $0.max = 0 }), ("questions[0].max", { $0.max = 10.5 }),
      ("questions[0].unit", { $0.unit = "kg" }),
      ("questions[0].unit", { ($0.kind, $0.unit, $0.min, $0.max) = ("number", "stone", 1, 2) }),
      ("questions[0].min", { $0.kind = "number" }),
      ("questions[0].choices", { $0.kind = "choices" }),
      ("questions[0].choices", { $0.choices = [] }),
      (
        "questions[0].choices[1].name",
        {
          $0.kind = "choices"
          $0.choices = [Choice(name: "a", text: "A"), Choice(name: "a", text: "B")]
        }
      ),
      (
        "questions[0].choices[1].name",
        {
          $0.kind = "choices"
          $0.choices = [Choice(name: "a", text: "A"), Choice(name: "Not a name", text: "B")]
        }
      ),
      (
        "questions[0].choices[0].text",
        {
          $0.kind = "choices"
          $0.choices = [Choice(name: "a", text: "")]
        }
      ),
    ]
    for (field, edit) in wrong {
      let refused = refusal { _ = try fixture.asking { edit(&$0.questions![0]) } }
      #expect(refused?.field == field, "\(field): \(String(describing: refused))")
    }
    let twice = refusal { _ = try fixture.asking { $0.questions![1].name = "pain" } }
    #expect(twice?.field == "questions[1].name")
    let many = refusal {
      _ = try fixture.asking { $0.questions = Array(repeating: $0.questions![0], count: 21) }
    }
    #expect(many?.kind == .limit)
    #expect(
      refusal {
        _ = try fixture.add {
          $0.schedule = "every day 08:00"
          $0.answersRequired = true
        }
      }?.field == "answers_required")
    #expect(fixture.home.alarms.isEmpty)
  }

  @Test
  func
    `each kind of answer is accepted as JSON and as typed text, and one wrong answer refuses all`()
    throws
  {
    var fixture = CoreFixture()
    _ = try fixture.asking()
    fixture.pass(seconds: 4 * 3600 + 1)
    let wrong: [(String, ResponseForm.Value)] = [
      ("pain", .number(11)), ("pain", .number(2.5)), ("pain", .flag(true)), ("pain", .text("bad")),
      ("feels", .list(["toothache"])), ("feels", .list(["nausea", "nausea"])),
      ("feels", .number(1)), ("weight", .number(-.infinity)), ("weight", .number(500)),
      ("temperature", .text("98.6")), ("mood", .text("great")), ("yes_no", .text("maybe")),
      ("text", .text("")), ("text", .number(1)), ("shoe", .number(43)),
    ]
    for answer in wrong {
      let refused = refusal { try fixture.respond(nil, [("pain", .number(1)), answer]) }
      #expect(refused?.field?.hasPrefix("responses[1]") == true, "\(answer)")
    }
    #expect(fixture.responses.isEmpty)
    try fixture.respond(
      nil,
      [
        ("pain", .text("7")), ("feels", .text("nausea , headache")), ("weight", .number(61.5)),
        ("temperature", .text("36.6")), ("mood", .text("good")), ("yes_no", .text("no")),
        ("text", .text("slept badly")),
      ])
    #expect(
      fixture.responses.map(\.value) == [
        .number(7), .choices(["headache", "nausea"]), .number(61.5), .number(36.6), .mood(.good),
        .flag(false), .text("slept badly"),
      ])
    #expect(fixture.responses.map(\.unit) == [nil, nil, "kg", "Cel", nil, nil, nil])
    #expect(
      fixture.records.filter { $0.event.type == "response" }.allSatisfy { $0.person == .patient })
  }

  @Test func `a correction adds a row, also after the prompt is closed`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.asking()
    fixture.pass(seconds: 4 * 3600 + 1)
    let prompt = try fixture.respond(nil, [("pain", .number(7))])
    let again = try fixture.respond(prompt.id, [("pain", .number(3))], completes: true)
    #expect(again.state == .closed(.completed, reason: .none, at: fixture.now.wall))
    let over = PastPrompt(prompt: again, alarm: alarm)
    let last = try fixture.respond(prompt.id, [("pain", .number(4))], past: over)
    #expect(fixture.responses.map(\.number) == [1, 2, 3] && last.answers == ["pain": 3])
    #expect(last.state == again.state && fixture.replay.prompts[prompt.id] == last)
    #expect(fixture.home.prompt(prompt.id) == nil)
    let gone = try fixture.handle(.command(.remove(alarm.id, ifVersion: nil), CoreFixture.anna))
    guard case .removed? = gone else { preconditionFailure("the alarm is still there") }
    try fixture.respond(
      prompt.id, [("mood", .text("bad"))], past: PastPrompt(prompt: last, alarm: alarm))
    #expect(fixture.records.last?.person == .patient)
    #expect(fixture.replay.prompts[prompt.id]?.answers == ["mood": 1, "pain": 3])
    let planned = fixture.records.compactMap { record -> Prompt? in
      if case .planned(let prompt) = record.event { prompt } else { nil }
    }.last
    let called = fixture.replay.prompts[planned!.id]!
    #expect(
      refusal {
        try fixture.respond(
          called.id, [("pain", .number(1))], past: PastPrompt(prompt: called, alarm: alarm))
      }?.kind == .promptOver)
  }

  @Test func `a prompt that was just closed is not opened again by an older stored state`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.asking()
    fixture.pass(seconds: 4 * 3600 + 1)
    let recorded = PastPrompt(prompt: fixture.due!, alarm: alarm)
    let id = recorded.prompt.id
    try fixture.answer(.complete)
    let answered = try fixture.respond(id, [("pain", .number(1))], past: recorded)
    #expect(answered.state == .closed(.completed, reason: .none, at: fixture.now.wall))
    #expect(fixture.home.prompt(id) == nil)
    // The time for an undo is over, so only the record shows how the prompt ended. The daemon
    // refuses the response, because the stored state is older than the end of the prompt.
    fixture.pass(seconds: 120)
    try fixture.handle(.heartbeat)
    #expect(
      refusal { try fixture.respond(id, [("pain", .number(2))], past: recorded) }?.kind == .storage)
    #expect(fixture.home.prompt(id) == nil && fixture.responses.map(\.number) == [1])
  }

  @Test func `completing needs the required answers only if the alarm says so`()
    throws
  {
    var fixture = CoreFixture()
    let alarm = try fixture.asking { $0.answersRequired = true }
    fixture.pass(seconds: 4 * 3600 + 1)
    let prompt = fixture.due!
    let refused = refusal {
      _ = try fixture.handle(.command(.answer(prompt.id, .complete), CoreFixture.patient))
    }
    #expect(refused?.kind == .questionsOpen && refused?.detail.contains("pain, feels") == true)
    #expect(refusal { try fixture.respond(nil, [("pain", .number(1))], completes: true) } != nil)
    #expect(fixture.responses.isEmpty && fixture.home.prompt(prompt.id) != nil)
    try fixture.respond(nil, [("pain", .number(1)), ("feels", .text("none"))])
    _ = try fixture.handle(.command(.answer(prompt.id, .complete), CoreFixture.patient))
    #expect(fixture.home.prompt(prompt.id) == nil)

    var form = AlarmForm()
    form.answersRequired = false
    _ = try fixture.handle(.command(.edit(alarm.id, ifVersion: nil, form), CoreFixture.anna))
    fixture.pass(seconds: 4 * 3600)
    _ = try fixture.handle(.command(.answer(nil, .complete), CoreFixture.patient))
    #expect(fixture.due == nil)
  }

  @Test func `the next check-in is planned from the last answer`() throws {
    var fixture = CoreFixture()
    _ = try fixture.asking { $0.schedule = "4 hours after the last completion" }
    let first = fixture.home.openPrompts.first!
    fixture.pass(seconds: first.dueAt.seconds - fixture.now.wall.seconds + 600)
    try fixture.respond(
      nil, [("pain", .number(1)), ("feels", .text("none"))], completes: true)
    let next = fixture.home.openPrompts.first!
    #expect(next.dueAt == fixture.now.wall.adding(seconds: 4 * 3600))
  }

  @Test func `a series keeps its peaks and shows its gaps`() {
    var answers: [(at: Instant, value: Double)] = []
    for index in 0..<1_000 {
      let second = Int64(index < 500 ? index : index + 1_000)
      answers.append((Instant(seconds: second), index == 321 ? 99 : 1))
    }
    let few = Series(answers, limit: 1_000)
    #expect(few.points.count == 1_000 && few.points[321].mean == 99)
    let series = Series(answers, limit: 20)
    #expect(series.count == 1_000 && series.points.count < 20)
    #expect(series.points.map(\.count).reduce(0, +) == 1_000)
    #expect(series.points.map(\.most).max() == 99)
    let times = series.points.map(\.at)
    #expect(times == times.sorted())
    #expect(!times.contains { (Instant(seconds: 600)...Instant(seconds: 1_400)).contains($0) })
    #expect(Series([], limit: 5).points.isEmpty)
    // There are twelve responses, one each second. The series divides them into four intervals of
    // equal length. The last response belongs to the last interval.
    let twelve = (0..<12).map { (at: Instant(seconds: Int64($0)), value: Double($0)) }
    let four = Series(twelve, limit: 4).points
    #expect(four.map(\.count) == [3, 3, 3, 3] && four.map(\.mean) == [1, 4, 7, 10])
    #expect(four.map(\.least) == [0, 3, 6, 9] && four.map(\.most) == [2, 5, 8, 11])
    #expect(four.map(\.at) == [1, 4, 7, 10].map { Instant(seconds: $0) })
    #expect(Series(twelve, limit: 12).points.count == 12)
    #expect(Series(twelve, limit: 11).points.map(\.count) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2])
    #expect(Series(twelve, limit: 1).points.map(\.count) == [12])
    let same = Array(repeating: (at: Instant(seconds: 5), value: 2.0), count: 9)
    #expect(Series(same, limit: 3).points.map(\.count) == [9])
  }
}

@Test func `a scale goes from 0 to 10 unless the form says otherwise`() throws {
  let cases: [(min: Double?, max: Double?, ClosedRange<Int>)] = [
    (nil, nil, 0...10), (1, nil, 1...10), (nil, 5, 0...5), (-5, 5, -5...5),
  ]
  for (low, high, range) in cases {
    var fixture = CoreFixture()
    var pain = QuestionForm()
    (pain.name, pain.text, pain.kind, pain.min, pain.max) = ("pain", "How bad?", "scale", low, high)
    let alarm = try fixture.add {
      $0.schedule = "every day 08:00"
      $0.questions = [pain]
    }
    #expect(alarm.checkIn?.questions.map(\.kind) == [.scale(range)], "\(range)")
  }
}
