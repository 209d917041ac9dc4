import CivilTime
import Testing

@testable import Alarms

/// A caretaker edits an alarm that has an open prompt. The rings of the alarm are 30 s apart.
@Suite struct `An edit keeps an open prompt` {
  private static func warnings(
    _ fixture: inout CoreFixture, _ edit: (inout AlarmForm) -> Void
  ) throws -> [ScheduleWarning.Kind] {
    let id = try #require(fixture.home.alarms.first?.id)
    return try fixture.edit(id, edit).2.warnings.map(\.kind)
  }

  private static let question: QuestionForm = {
    var question = QuestionForm()
    (question.name, question.text, question.kind) = ("pain", "Does it hurt?", "yes_no")
    return question
  }()

  private static let kept: [(String, @Sendable (inout AlarmForm) -> Void)] = [
    ("label", { $0.label = "Green pills" }), ("instructions", { $0.instructions = "With water" }),
    ("delay", { $0.delaySeconds = 90 }), ("delay limit", { $0.delayLimit = 1 }),
    ("quiet hours", { $0.quietHours = "ring" }), ("skipped", { $0.exclude = ["2027-02-01"] }),
  ]

  private static let ended: [(String, @Sendable (inout AlarmForm) -> Void)] = [
    ("rings", { $0.rings = 2 }), ("spacing", { $0.spacingSeconds = 20 }),
    ("gains", { $0.gainsDecibels = [-9] }), ("contacts", { $0.notifySteps = [] }),
    ("deadline", { $0.completeBySeconds = 900 }), ("late window", { $0.lateWindowSeconds = 300 }),
    ("zone", { $0.zone = "UTC" }), ("person", { $0.person = "guest" }),
    ("paused", { $0.pausedUntil = "2027-02-01" }),
    ("questions", { $0.questions = [question] }),
  ]

  private static func ringing(_ schedule: String) throws -> CoreFixture {
    try pills {
      $0.schedule = schedule
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 70)]
    }
  }

  @Test(arguments: kept.indices)
  func `a change of words, voice or delays keeps the burst of a one-off alarm`(_ index: Int) throws
  {
    var fixture = try Self.ringing("in 15 seconds")
    #expect(try fixture.timeline("...") == "-1-", "\(Self.kept[index].0)")
    #expect(try Self.warnings(&fixture, Self.kept[index].1) == [.keepsPrompt])
    #expect(try fixture.timeline("..........") == "-2--3A----", "\(Self.kept[index].0)")
    #expect(fixture.outcomes == [])
    #expect(fixture.home.openPrompts.map(\.alarmVersion) == [2])
    #expect(try fixture.timeline("c") == "a")
    #expect(fixture.outcomes == [.completed])
    #expect(fixture.records.count { $0.event.type == "revised" } == 1)
    #expect(fixture.records.first { $0.event.type == "revised" }?.alarmVersion == 2)
  }

  @Test func `the next ring speaks the new words, and the ring that sounds is not cut`() throws {
    var fixture = try Self.ringing("in 15 seconds")
    fixture.ringSeconds = 15
    #expect(try fixture.timeline("..") == "-1")
    #expect(fixture.sounding != nil)
    #expect(try Self.warnings(&fixture) { $0.instructions = "Two of them" } == [.keepsPrompt])
    #expect(fixture.sounding?.order.words?.text == "Pills")
    #expect(try fixture.timeline("...") == "--2")
    #expect(fixture.sounding?.order.words?.text == "Pills. Two of them")
  }

  @Test(arguments: ended.indices)
  func `a change that ends the last prompt of an alarm is asked back and changes nothing`(
    _ index: Int
  ) throws {
    var fixture = try Self.ringing("in 15 seconds")
    try fixture.person("guest") { _ in }
    #expect(try fixture.timeline("...") == "-1-")
    let (name, edit) = Self.ended[index]
    let before = fixture.records.count
    let found = refusal { _ = try Self.warnings(&fixture, edit) }
    #expect(found?.kind == .endsPrompt, "\(name): \(String(describing: found))")
    #expect(found?.detail.contains("--ends-prompt") == true)
    #expect(fixture.records.count == before)
    #expect(fixture.home.alarms.first?.version == 1)
    #expect(try fixture.timeline("......") == "-2--3A")

    let kinds = try Self.warnings(&fixture) {
      edit(&$0)
      $0.endsPrompt = true
    }
    #expect(kinds.contains(.endsPrompt) && !kinds.contains(.keepsPrompt), "\(name): \(kinds)")
    #expect(fixture.outcomes == [.supersededByEdit], "\(name)")
    #expect(try fixture.timeline("..........") == "----------", "\(name)")
  }

  @Test func `a new time for a one-off alarm ends its prompt, because it rings again`() throws {
    var fixture = try Self.ringing("in 15 seconds")
    #expect(try fixture.timeline("...") == "-1-")
    #expect(try Self.warnings(&fixture) { $0.schedule = "in 40 seconds" } == [.endsPrompt])
    #expect(try fixture.timeline("......") == "---1--")
  }

  @Test func `an alarm that repeats loses its prompt without a question`() throws {
    var fixture = try Self.ringing("every day 09:05")
    try fixture.pass(to: "2027-01-15T09:05:05")
    #expect(try Self.warnings(&fixture) { $0.rings = 2 } == [.endsPrompt])
    #expect(fixture.outcomes == [.supersededByEdit])
  }

  @Test func `a pause ends the prompt of its own day only`() throws {
    var fixture = try Self.ringing("every day 09:05")
    try fixture.pass(to: "2027-01-15T09:05:05")
    #expect(try Self.warnings(&fixture) { $0.skipNext = 2 } == [.keepsPrompt])
    #expect(try Self.warnings(&fixture) { $0.exclude = ["2027-01-15"] } == [.endsPrompt])
    #expect(fixture.outcomes == [.supersededByEdit])
  }

  @Test(arguments: ["s", "a"])
  func `a delayed prompt rings at its time with the new words, and its answer can be undone`(
    _ answer: String
  ) throws {
    var fixture = try Self.ringing("in 15 seconds")
    #expect(try fixture.timeline("..\(answer)") == "-1-")
    #expect(try Self.warnings(&fixture) { $0.label = "Green pills" } == [.keepsPrompt])
    #expect(try fixture.timeline("u...") == "-2--")
    #expect(
      fixture.sounding?.order.words?.text ?? fixture.played.last?.words?.text == "Green pills")
    #expect(fixture.home.openPrompts.map(\.alarmVersion) == [2])
  }

  @Test func `a restart after the edit continues the burst of the new version`() throws {
    var fixture = try Self.ringing("in 15 seconds")
    #expect(try fixture.timeline("...") == "-1-")
    _ = try Self.warnings(&fixture) { $0.label = "Green pills" }
    #expect(try fixture.timeline("k....") == "-2--3")
    #expect(fixture.played.last?.words?.text == "Green pills")
    let open = try #require(fixture.home.openPrompts.first { _ in true })
    #expect(fixture.replay.prompts[open.id] == open)
  }

  @Test func `a prompt whose rings are over can still be answered after an edit of words`() throws {
    var fixture = try Self.ringing("in 15 seconds")
    #expect(try fixture.timeline(".........") == "-1--2--3A")
    #expect(try Self.warnings(&fixture) { $0.label = "Green pills" } == [.keepsPrompt])
    #expect(try fixture.timeline("c.....") == "a-----")
    #expect(fixture.outcomes == [.completed])
  }

  @Test func `an alarm that is let through rings at once, although quiet hours held it back`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.person {
      $0.quietHours = "09:04-09:30"
      $0.quietPolicy = .hold
    }
    let alarm = try fixture.add { $0.schedule = "every day 09:05" }
    try fixture.pass(to: "2027-01-15T09:10:00")
    #expect(fixture.states == ["held quiet_hours"])
    let (_, _, report) = try fixture.edit(alarm.id) { $0.quietHours = "ring" }
    #expect(report.warnings.map(\.kind) == [.keepsPrompt])
    #expect(fixture.sounding?.order.ring == 1)
  }

  @Test func `a recording with another name keeps the prompt on the newest version`() throws {
    var fixture = CoreFixture()
    try fixture.handle(
      .command(
        .addTone(
          Tone(name: "dad", sha256: "aa", durationMilliseconds: 2_000, loudnessLUFS: -16),
          replacing: true),
        CoreFixture.anna))
    try fixture.add {
      $0.schedule = "in 15 seconds"
      $0.tone = "dad"
    }
    fixture.pass(seconds: 20)
    try fixture.handle(.command(.renameTone("dad", to: "papa"), CoreFixture.anna))
    #expect(fixture.home.openPrompts.map(\.alarmVersion) == [2])
    #expect(fixture.outcomes == [])
  }
}
