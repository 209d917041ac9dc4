import CivilTime
import Testing

@testable import Alarms

extension CoreFixture {
  /// Returns the guide to the only prompt that is due. If no prompt is due, returns the guide to
  /// the newest closed prompt.
  fileprivate func guide() throws -> PromptGuide {
    let prompts = replay.prompts.values.filter { $0.dueAt <= now.wall }
    let prompt = try #require(prompts.max { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) })
    return home.guide(to: prompt, at: now, environment)
  }

  /// Sets the quiet hours of the person.
  fileprivate mutating func quiet(_ hours: String, _ policy: QuietPolicy) throws {
    try person {
      $0.quietHours = hours
      $0.quietPolicy = policy
    }
  }

  /// Adds an alarm at 21:58 with three rings. Then lets time pass until the local time `local`.
  fileprivate mutating func evening(
    until local: String, _ edit: (inout AlarmForm) -> Void = { _ in }
  ) throws {
    try add {
      $0.schedule = "every day 21:58"
      $0.rings = 3
      $0.spacingSeconds = 90
      edit(&$0)
    }
    try pass(to: local)
  }
}

@Suite struct `What a screen shows of a prompt` {
  /// Each case has the actions, and the ticks after which a screen shows the prompt (`s`). A tick
  /// is ten seconds. The prompt rings at 15, 45 and 75 seconds, and expires at 135 seconds.
  private static let lines: [(happens: String, shown: String)] = [
    // The screen shows the prompt from the first ring until nobody can answer any more.
    ("----------------", "-ssssssssssss---"),
    // The prompt is completed, declined or cancelled, so the screen does not show it any more.
    ("---c---", "-ss----"), ("---n---", "-ss----"), ("---x---", "-ss----"),
    // After an undo, the screen shows the prompt again.
    ("---cu--", "-ss-sss"),
    // After the answer "later", the prompt is silent for 60 s. The screen shows the prompt again
    // when the next burst begins.
    ("---s---------", "-ss-----sssss"),
    ("---k---", "-ssssss"),
  ]

  @Test(arguments: lines.indices)
  func `a prompt is shown as due while it waits for an answer`(index: Int) throws {
    let line = Self.lines[index]
    var fixture = try pills()
    var shown = ""
    for tick in line.happens {
      _ = try fixture.timeline(String(tick))
      let isDue = fixture.replay.prompts.values.contains {
        fixture.home.guide(to: $0, at: fixture.now, fixture.environment).isShownAsDue
      }
      shown += isDue ? "s" : "-"
    }
    #expect(shown == line.shown, "\(line.happens)")
  }

  @Test func `nothing is shown as due in quiet hours`() throws {
    for policy in [QuietPolicy.hold, .suppress] {
      var fixture = CoreFixture()
      try fixture.quiet("22:00-07:00", policy)
      // The first ring is at 21:58 and the second at 21:59:30. The third ring is due after 22:00.
      try fixture.evening(until: "2027-01-15T21:59:50")
      #expect(try fixture.guide().isShownAsDue)
      // The quiet hours have begun, and the prompt still waits for its third ring.
      try fixture.pass(to: "2027-01-15T22:00:10")
      #expect(fixture.home.waitingPrompts.contains { $0.state.isOpen })
      #expect(try !fixture.guide().isShownAsDue)
      try fixture.pass(to: "2027-01-15T22:05:00")
      #expect(try !fixture.guide().isShownAsDue)
    }
  }

  @Test func `an alarm that may ring in quiet hours is shown in quiet hours`() throws {
    var fixture = CoreFixture()
    try fixture.quiet("21:00-07:00", .hold)
    try fixture.evening(until: "2027-01-15T21:58:30") { $0.quietHours = "ring" }
    #expect(try fixture.guide().isShownAsDue)
  }

  @Test func `a held prompt is shown when the quiet hours end`() throws {
    var fixture = CoreFixture()
    try fixture.quiet("21:00-22:30", .hold)
    try fixture.evening(until: "2027-01-15T22:29:59")
    #expect(fixture.played.isEmpty)
    #expect(try !fixture.guide().isShownAsDue)
    try fixture.pass(to: "2027-01-15T22:30:05")
    #expect(fixture.played.count == 1)
    #expect(try fixture.guide().isShownAsDue)
  }

  @Test func `nothing is shown as due in a control phase or in a pause`() throws {
    var control = CoreFixture()
    try control.phase(.control)
    try control.evening(until: "2027-01-15T22:00:00")
    #expect(control.home.waitingPrompts.count == 1)
    #expect(try !control.guide().isShownAsDue)

    var paused = CoreFixture()
    try paused.evening(until: "2027-01-15T21:58:30")
    #expect(try paused.guide().isShownAsDue)
    _ = try paused.handle(
      .command(.pausePeople(.one(.patient), until: nil), CoreFixture.anna))
    #expect(try !paused.guide().isShownAsDue)
  }

  @Test func `a prompt that the hourly limit silences is shown`() throws {
    var fixture = CoreFixture()
    try fixture.fillHour()
    #expect(fixture.states.contains("held cap"))
    for prompt in fixture.home.waitingPrompts {
      #expect(fixture.home.guide(to: prompt, at: fixture.now, fixture.environment).isShownAsDue)
    }
  }
}

@Suite struct `The answers that a prompt still accepts` {
  @Test func `the number of delays that are left decreases to the refusal`() throws {
    var fixture = try pills { $0.delayLimit = 2 }
    fixture.pass(seconds: 20)
    #expect(try fixture.guide().delaySeconds == 60)
    for left in [2, 1] {
      #expect(try fixture.guide().delaysLeft == left)
      try fixture.answer(.delay(seconds: nil))
      fixture.pass(seconds: 61)
    }
    #expect(try fixture.guide().delaysLeft == 0)
    #expect(refusal { _ = try fixture.answer(.delay(seconds: nil)) }?.kind == .delayLimit)
    try fixture.answer(.complete)
    #expect(try fixture.guide().delaysLeft == nil && fixture.guide().delaySeconds == nil)
  }

  @Test(arguments: [Answer.complete, .acknowledge, .delay(seconds: 600), .decline(.busy)])
  func `an undo is accepted exactly until the instant that the guide names`(answer: Answer) throws {
    var fixture = try pills()
    fixture.pass(seconds: 20)
    #expect(try fixture.guide().undoUntil == nil)
    let answered = fixture.now.wall
    try fixture.answer(answer)
    let until = try #require(try fixture.guide().undoUntil)
    #expect(until == answered.adding(seconds: 60))
    fixture.pass(seconds: 60)
    #expect(try fixture.guide().undoUntil == until)
    var late = fixture
    late.move(to: until.adding(milliseconds: 1))
    #expect(try late.guide().undoUntil == nil)
    #expect(
      refusal { _ = try late.handle(.command(.undo(nil), CoreFixture.anna)) }?.kind
        == .nothingToUndo)
    _ = try fixture.handle(.command(.undo(nil), CoreFixture.anna))
    #expect(try fixture.guide().undoUntil == nil)
  }

  @Test func `no undo is offered after an edit or a clock step ended the possibility`() throws {
    var edited = CoreFixture()
    try edited.evening(until: "2027-01-15T21:58:30")
    try edited.answer(.complete)
    #expect(try edited.guide().undoUntil != nil)
    var form = AlarmForm()
    form.label = "Other"
    let id = try #require(edited.home.alarms.first?.id)
    _ = try edited.handle(.command(.edit(id, ifVersion: nil, form), CoreFixture.anna))
    #expect(try edited.guide().undoUntil == nil)

    var stepped = try pills()
    stepped.pass(seconds: 20)
    try stepped.answer(.complete)
    stepped.stepClock(seconds: 30)
    #expect(try stepped.guide().undoUntil == nil)
    #expect(
      refusal { _ = try stepped.handle(.command(.undo(nil), CoreFixture.anna)) } != nil)
  }
}
