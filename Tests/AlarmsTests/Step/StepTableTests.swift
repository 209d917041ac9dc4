import CivilTime
import Testing

@testable import Alarms

/// Compares the decision about each input in each situation of a prompt with a golden file.
///
/// If you change a decision on purpose, write the golden file again with `make golden`, and check
/// the changes in the file.
@Suite struct `The decision about each input in each situation` {
  @Test func `is as in the golden file`() throws {
    var text = ""
    for situation in Situation.all {
      for input in StepTable.inputs {
        text += try StepTable.cell(situation, input)
      }
    }
    try GoldenFile("step-table.txt").expect(text) { $0.hasPrefix("== ") }
  }
}

/// A situation of a home that has one alarm with one prompt.
private struct Situation {
  let name: String
  /// Brings the home into this situation. The home already has its alarm.
  let arrange: (inout CoreFixture) throws -> Void

  init(_ name: String, _ arrange: @escaping (inout CoreFixture) throws -> Void) {
    (self.name, self.arrange) = (name, arrange)
  }

  static var all: [Situation] {
    [
      Situation("planned") { $0.pass(seconds: 5) },
      Situation("first ring sounds") { $0.pass(seconds: 16) },
      Situation("between two rings") { $0.pass(seconds: 20) },
      Situation("second burst sounds") { $0.pass(seconds: 106) },
      Situation("all rings were played") { $0.pass(seconds: 125) },
      Situation("a contact is notified") { $0.pass(seconds: 150) },
      Situation("acknowledged") {
        $0.pass(seconds: 20)
        try $0.answer(.acknowledge)
        $0.pass(seconds: 5)
      },
      Situation("acknowledged, and the completion rings") {
        $0.pass(seconds: 20)
        try $0.answer(.acknowledge)
        $0.pass(seconds: 91)
      },
      Situation("delayed") {
        $0.pass(seconds: 20)
        try $0.answer(.delay(seconds: nil))
        $0.pass(seconds: 5)
      },
      Situation("delayed, and rings again") {
        $0.pass(seconds: 20)
        try $0.answer(.delay(seconds: nil))
        $0.pass(seconds: 61)
      },
      Situation("completed") {
        $0.pass(seconds: 20)
        try $0.answer(.complete)
        $0.pass(seconds: 5)
      },
      Situation("declined") {
        $0.pass(seconds: 20)
        try $0.answer(.decline(.refused))
        $0.pass(seconds: 5)
      },
      Situation("cancelled before it is due") {
        let id = try #require($0.home.openPrompts.first?.id)
        try $0.answer(.cancel(.caretakerOverride), to: id)
      },
      Situation("missed") { $0.pass(seconds: 600) },
      Situation("held in quiet hours") {
        try $0.person { $0.quietHours = "08:00-12:00" }
        $0.pass(seconds: 20)
      },
      Situation("paused") {
        try $0.handle(.command(.pausePeople(.everybody, until: nil), CoreFixture.anna))
        $0.pass(seconds: 5)
      },
      Situation("the speaker fails") {
        $0.isSpeakerBroken = true
        $0.pass(seconds: 20)
      },
      Situation("the player is silent") {
        $0.isPlayerSilent = true
        $0.pass(seconds: 16)
      },
    ]
  }
}

private enum StepTable {
  /// An input for the only alarm and its newest prompt.
  struct Case {
    let name: String
    /// Changes the clock before the input.
    var move: (inout CoreFixture) -> Void = { _ in }
    let input: (AlarmID, PromptID) -> Input
  }

  private static func command(_ name: String, _ make: @escaping (AlarmID, PromptID) -> Command)
    -> Case
  {
    Case(name: name) { .command(make($0, $1), CoreFixture.anna) }
  }

  private static func edit(_ name: String, _ change: @escaping (inout AlarmForm) -> Void) -> Case {
    command("edit: \(name)") { alarm, _ in
      var form = AlarmForm()
      change(&form)
      return .edit(alarm, ifVersion: nil, form)
    }
  }

  private static func woke(_ name: String, _ move: @escaping (inout CoreFixture) -> Void) -> Case {
    Case(name: name, move: move) { _, _ in .woke }
  }

  private static func started(_ name: String, _ move: @escaping (inout CoreFixture) -> Void) -> Case
  {
    Case(
      name: name,
      move: {
        move(&$0)
        $0.home = HomeState(
          snapshot: $0.snapshot(), limits: $0.home.limits, environment: $0.environment)
      }, input: { _, _ in .started(Start(version: "test")) })
  }

  private static func result(_ result: NotifyResult.Result) -> (AlarmID, PromptID) -> Input {
    { _, prompt in
      .notifyResult(
        NotifyResult(
          subject: .prompt(prompt), position: 0, contact: "anna", attempt: 1, reason: .noAnswer,
          result: result))
    }
  }

  static var inputs: [Case] {
    [
      woke("time: nothing passed") { _ in },
      woke("time: 1 minute later") { $0.move(to: $0.now.wall.adding(seconds: 60)) },
      woke("time: 1 day later") { $0.move(to: $0.now.wall.adding(seconds: 86_400)) },
      woke("the clock goes 2 hours forward") { $0.now.wall = $0.now.wall.adding(seconds: 7_200) },
      woke("the clock goes 2 hours back") { $0.now.wall = $0.now.wall.adding(seconds: -7_200) },
      woke("the clock goes 1 second forward") { $0.now.wall = $0.now.wall.adding(seconds: 1) },
      started("the daemon starts again") { _ in },
      started("the machine starts again") {
        $0.now.bootID = "boot-2"
        $0.now.bootNanoseconds = 5_000_000_000
        $0.move(to: $0.now.wall.adding(seconds: 40))
      },
      Case(name: "the record can be written again") { _, _ in
        .recordReturned(since: Instant(seconds: 1_799_999_999))
      },
      Case(name: "the zones change") { _, _ in .zonesChanged },
      Case(name: "the daemon stops") { _, _ in .stopping(reason: "test") },
      Case(name: "ring 1 starts") { .sound(.started($1, ring: 1, device: "card0")) },
      Case(name: "ring 1 ends") {
        .sound(.ended($1, ring: 1, device: "card0", frames: 96_000, xruns: 0, stopped: false))
      },
      Case(name: "ring 1 fails") { .sound(.failed($1, ring: 1, reason: "no speaker")) },
      Case(name: "ring 2 fails") { .sound(.failed($1, ring: 2, reason: "no speaker")) },
      Case(name: "the contact is reached", input: result(.notified)),
      Case(name: "the contact is not reached", input: result(.failed(reason: "no", isLast: true))),
      command("complete") { .answer($1, .complete) },
      command("acknowledge") { .answer($1, .acknowledge) },
      command("delay") { .answer($1, .delay(seconds: nil)) },
      command("delay by 10 minutes") { .answer($1, .delay(seconds: 600)) },
      command("decline") { .answer($1, .decline(.refused)) },
      command("cancel") { .answer($1, .cancel(.caretakerOverride)) },
      command("complete without an id") { _, _ in .answer(nil, .complete) },
      command("undo") { .undo($1) },
      command("undo without an id") { _, _ in .undo(nil) },
      command("present") { .present($1) },
      command("say again") { .sayAgain($1) },
      command("remove the alarm") { alarm, _ in .remove(alarm, ifVersion: nil) },
      edit("label") { $0.label = "Blue pills" },
      edit("rings") { $0.rings = 1 },
      edit("late window") { $0.lateWindowSeconds = 600 },
      edit("schedule") { $0.schedule = "in 1 hour" },
      edit("pause") { $0.pausedUntil = "2027-12-24" },
      command("pause all people") { _, _ in .pausePeople(.everybody, until: nil) },
      command("resume all people") { _, _ in .resumePeople(.everybody) },
    ]
  }

  static func cell(_ situation: Situation, _ input: Case) throws -> String {
    var fixture = CoreFixture()
    let alarm = try fixture.add {
      $0.schedule = "in 15 seconds"
      $0.steps = [
        StepForm(rings: 2, spacingSeconds: 30),
        StepForm(rings: 1, spacingSeconds: 30, isUrgent: true, pauseSeconds: 60),
      ]
      $0.delaySeconds = 60
      $0.delayLimit = 2
      $0.lateWindowSeconds = 240
      $0.completeBySeconds = 90
      $0.notifySteps = [
        NotifyStep(contact: "anna", afterSeconds: 130),
        NotifyStep(contact: "bob", afterSeconds: 200),
      ]
    }
    let prompt = try #require(fixture.home.openPrompts.first?.id)
    try situation.arrange(&fixture)
    input.move(&fixture)
    var lines = ["== \(situation.name): \(input.name)"]
    do throws(Refusal) {
      let decision = try step(
        fixture.home, input.input(alarm.id, prompt), at: fixture.now, in: fixture.environment)
      lines += decision.records.map { "  \(line(about: $0.event))" }
      lines += decision.effects.map { "  → \(plain("\($0)"))" }
      fixture.home.merge(decision, environment: fixture.environment)
      if let wake = fixture.home.nextWake {
        lines.append("  next wake \(wake)")
      }
    } catch {
      lines.append("  refused: \(plain("\(error)"))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(about event: Event) -> String {
    switch event {
    case .alarmCreated(let alarm), .alarmEdited(let alarm):
      "\(event.type): version \(alarm.version), \(alarm.label)"
    case .planned(let prompt):
      "planned: due \(prompt.dueAt), \(plain("\(prompt.state)"))"
    default: plain("\(event)")
    }
  }

  /// Removes the names of modules from a text.
  private static func plain(_ text: String) -> String {
    text.replacing("Alarms.", with: "").replacing("CivilTime.", with: "")
  }
}
