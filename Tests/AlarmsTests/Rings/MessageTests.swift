import CivilTime
import Testing

@testable import Alarms

extension CoreFixture {
  /// Sends a message with the same values as the command `prompter say`.
  fileprivate mutating func say(
    _ id: String, _ text: String = "Lunch is ready", _ kind: MessageKind? = nil
  ) throws {
    var form = AlarmForm()
    form.label = text
    form.schedule = "in 1 seconds"
    form.rings = kind == nil ? 1 : 3
    form.spacingSeconds = 200
    form.gainsDecibels = [0]
    form.lateWindowSeconds = kind == nil ? 120 : 600
    form.message = kind
    if kind == .yesNo {
      var question = QuestionForm()
      (question.name, question.text, question.kind) = ("answer", text, "yes_no")
      form.questions = [question]
    }
    try handle(.command(.announce(AlarmID(id), form), CoreFixture.anna))
  }

  /// Returns the state of a message. The state is computed from the events of the record.
  fileprivate func state(_ id: String) -> MessageState? {
    let prompt = replay.prompts.values.first { $0.id.alarm == AlarmID(id) }
    let kind = records.lazy.compactMap { record -> Alarm? in
      if case .alarmCreated(let alarm) = record.event, alarm.id == AlarmID(id) {
        alarm
      } else {
        nil
      }
    }.first?.message
    let isAnswered = records.contains {
      if case .response(let id, _) = $0.event { id == prompt?.id } else { false }
    }
    return prompt.map { MessageState(of: $0, kind: kind, isAnswered: isAnswered) }
  }
}

@Test func `a message rings until it is heard`() throws {
  var fixture = CoreFixture()
  try fixture.say("message", "Lunch is ready", .heard)
  #expect(fixture.state("message") == .accepted)
  fixture.pass(seconds: 60)
  #expect(fixture.played.count == 1)
  try fixture.answer(.complete)
  fixture.pass(seconds: 3_600)
  #expect(fixture.played.count == 1 && fixture.home.alarms.isEmpty)
  #expect(fixture.state("message") == .heard)
}

@Test func `a message whose time is changed while it waits sounds at the new time`() throws {
  // The times are minutes and seconds after the start of the test.
  //  0:01      1:00                       11:00
  //   | ring    ^ edit: in 10 minutes       | ring
  var fixture = CoreFixture()
  try fixture.say("message", "Lunch is ready", .heard)
  fixture.pass(seconds: 60)
  #expect(fixture.played.count == 1)
  var form = AlarmForm()
  form.schedule = "in 10 minutes"
  try fixture.handle(.command(.edit(AlarmID("message"), ifVersion: nil, form), CoreFixture.anna))
  fixture.pass(seconds: 601)
  #expect(fixture.played.count == 2)
  fixture.pass(seconds: 3_600)
  #expect(fixture.home.alarms.isEmpty)
  #expect(fixture.replay.prompts.values.allSatisfy { !$0.state.isOpen })
}

@Test func `a message without an answer sounds three times and expires`() throws {
  var fixture = CoreFixture()
  try fixture.say("message", "Lunch is ready", .heard)
  fixture.pass(seconds: 60)
  #expect(fixture.state("message") == .sounded)
  fixture.pass(seconds: 500)
  #expect(fixture.played.count == 3 && fixture.state("message") == .sounded)
  fixture.pass(seconds: 60)
  #expect(fixture.state("message") == .expired)
  fixture.pass(seconds: 7_200)
  #expect(fixture.played.count == 3)
  #expect(fixture.home.openPrompts.isEmpty && fixture.home.alarms.isEmpty)
}

@Test func `an announcement that waits for no answer sounds once, and does not expire`() throws {
  var fixture = CoreFixture()
  try fixture.say("message")
  fixture.pass(seconds: 7_200)
  #expect(fixture.played.count == 1 && fixture.state("message") == .sounded)
  #expect(fixture.home.alarms.isEmpty)
}

@Test func `a message that no speaker could play expires`() throws {
  var fixture = CoreFixture()
  fixture.isSpeakerBroken = true
  try fixture.say("message")
  fixture.pass(seconds: 7_200)
  #expect(fixture.state("message") == .expired)
}

@Test(arguments: ["yes", "no"])
func `a message with the question yes or no is answered`(answer: String) throws {
  var fixture = CoreFixture()
  try fixture.say("message", "Shall I come?", .yesNo)
  fixture.pass(seconds: 5)
  let form = ResponseForm(question: "answer", value: .text(answer))
  try fixture.handle(
    .command(.respond(nil, [form], completes: true, past: nil), CoreFixture.anna))
  #expect(fixture.state("message") == .answered)
  fixture.pass(seconds: 7_200)
  #expect(fixture.played.count == 1)
}

@Test(arguments: ["yes", "no"])
func `an answer to a message can be undone for 60 seconds, and then the message ends`(
  answer: String
) throws {
  // The times are minutes and seconds after the start of the test.
  //  0:01   0:05       0:35       3:21     3:26            4:26
  //   | ring  ^ answer   ^ undo     | ring   ^ answer        ^ the message is removed
  var fixture = CoreFixture()
  try fixture.say("message", "Shall I come?", .yesNo)
  fixture.pass(seconds: 5)
  let form = ResponseForm(question: "answer", value: .text(answer))
  let give = Input.command(.respond(nil, [form], completes: true, past: nil), CoreFixture.anna)
  try fixture.handle(give)
  fixture.pass(seconds: 30)
  #expect(fixture.home.alarms.count == 1)
  try fixture.handle(.command(.undo(nil), CoreFixture.anna))
  #expect(fixture.home.openPrompts.count == 1)
  fixture.pass(seconds: 171)
  #expect(fixture.played.count == 2)
  try fixture.handle(give)
  fixture.pass(seconds: 60)
  #expect(fixture.home.alarms.count == 1)
  fixture.pass(seconds: 1)
  #expect(fixture.home.alarms.isEmpty && fixture.home.nextWake == nil)
  #expect(throws: Refusal.self) { try fixture.handle(.command(.undo(nil), CoreFixture.anna)) }
  fixture.pass(seconds: 3_600)
  #expect(fixture.played.count == 2 && fixture.state("message") == .answered)
}

@Test(arguments: [10, 50, 600])
func `a message that was answered before a restart ends after it`(seconds: Int64) throws {
  var fixture = CoreFixture()
  try fixture.say("message", "Lunch is ready", .heard)
  fixture.pass(seconds: 5)
  try fixture.answer(.complete)
  fixture.crash(offForSeconds: seconds)
  #expect(fixture.home.alarms.count == (seconds < 60 ? 1 : 0))
  fixture.pass(seconds: 61)
  #expect(fixture.home.alarms.isEmpty)
}

@Test func `an answered message ends when the clock is set`() throws {
  var fixture = CoreFixture()
  try fixture.say("message", "Lunch is ready", .heard)
  fixture.pass(seconds: 5)
  try fixture.answer(.complete)
  fixture.now.wall = fixture.now.wall.adding(seconds: -86_400)
  try fixture.handle(.woke)
  #expect(fixture.home.alarms.isEmpty)
}

@Test func `an answered message does not come back after an edit of its words`() throws {
  var fixture = CoreFixture()
  try fixture.say("message", "Lunch is ready", .heard)
  fixture.pass(seconds: 5)
  try fixture.answer(.complete)
  var form = AlarmForm()
  form.label = "Supper is ready"
  try fixture.handle(.command(.edit(AlarmID("message"), ifVersion: nil, form), CoreFixture.anna))
  fixture.pass(seconds: 61)
  #expect(fixture.home.alarms.isEmpty && fixture.played.count == 1)
}

@Test func `a question that the button answers counts as heard`() throws {
  var fixture = CoreFixture()
  try fixture.say("message", "Shall I come?", .yesNo)
  fixture.pass(seconds: 5)
  try fixture.answer(.complete)
  #expect(fixture.state("message") == .heard)
}

@Test func `a message in quiet hours waits until they end, and a restart changes nothing`() throws {
  var fixture = CoreFixture()
  try fixture.person { $0.quietHours = "08:00-10:00" }
  try fixture.say("message", "Lunch is ready", .heard)
  fixture.pass(seconds: 600)
  fixture.crash(offForSeconds: 60)
  #expect(fixture.played.isEmpty && fixture.state("message") == .accepted)
  fixture.pass(seconds: 3_600)
  #expect(fixture.played.count >= 1)
  fixture.crash()
  fixture.pass(seconds: 3_600)
  #expect(fixture.state("message") == .expired && fixture.home.openPrompts.isEmpty)
}

@Test func `two messages at once are both heard, and never sound together`() throws {
  var fixture = CoreFixture()
  fixture.ringSeconds = 10
  try fixture.say("first", "One", .heard)
  try fixture.say("second", "Two", .heard)
  fixture.pass(seconds: 60)
  #expect(fixture.played.count == 2)
  for _ in 0..<2 { try fixture.answer(.complete) }
  #expect(fixture.state("first") == .heard && fixture.state("second") == .heard)
}

@Test func `while a task is due, an answer without an id is for the task and not for a message`()
  throws
{
  var fixture = CoreFixture()
  try fixture.add("Pills") {
    $0.schedule = "in 1 seconds"
    $0.rings = 1
  }
  try fixture.say("message", "Lunch is ready", .heard)
  fixture.pass(seconds: 60)
  try fixture.answer(.complete)
  #expect(fixture.state("message") == .sounded)
  try fixture.answer(.complete)
  #expect(fixture.state("message") == .heard)
}
