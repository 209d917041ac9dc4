import CivilTime
import Testing

@testable import Alarms

/// What happens, what sounds, and how it ends. A tick is ten seconds.
private let lines: [(happens: String, sounds: String, ends: [Outcome])] = [
  // Done between two rings and taken back: the remaining rings come when they would have come.
  ("---cu-----------", "-1--2--3--------", [.completed, .missedNoResponse]),
  // Taken back after the second ring's time: it comes at once, the third half a minute after it.
  ("---c---u--------", "-1-----2-3------", [.completed, .missedNoResponse]),
  ("---n-u----------", "-1---2-3--------", [.declined, .missedNoResponse]),
  ("---x-u----------", "-1---2-3--------", [.cancelledWhileRinging, .missedNoResponse]),
  // A delay or "on my way" taken back is none.
  ("---su-----------", "-1--2--3--------", [.missedNoResponse]),
  ("---au-----------", "-1--2--3--------", [.missedNoResponse]),
  // Done while it was put off: put off again, for as long as it would have been.
  ("---s-cu----------------", "-1------2--3--4--------", [.completed, .missedNoResponse]),
  ("---a-cu---", "-1--------", [.completed]),
  // Killed in between.
  ("---ckuk---------", "-1---2-3--------", [.completed, .missedNoResponse]),
  // Rung out, done, and taken back when the window is over: missed at once.
  ("-----------c---u--", "-1--2--3----------", [.completed, .missedNoResponse]),
  // Done twice is done.
  ("---cuc----------", "-1--2-----------", [.completed, .completed]),
]

@Test(arguments: lines.indices)
func `an answer that is taken back leaves the prompt where it would have been`(index: Int) throws {
  let line = lines[index]
  var fixture = try pills()
  #expect(try fixture.timeline(line.happens) == line.sounds, "\(line.happens)")
  #expect(fixture.outcomes == line.ends, "\(line.happens)")
  let corrections = line.happens.filter { $0 == "u" }.count
  #expect(fixture.records.count { $0.event.type == "correction" } == corrections)
  try expectReplayed(fixture)
}

/// However often it was closed, a prompt is closed once at a time, and the record says in which order.
private func expectReplayed(_ fixture: CoreFixture) throws {
  for prompt in fixture.home.openPrompts {
    #expect(fixture.replay.prompts[prompt.id] == prompt)
  }
  var isOpen: [PromptID: Bool] = [:]
  for record in fixture.records {
    switch record.event {
    case .planned(let prompt): isOpen[prompt.id] = true
    case .closed(let id, _, _, _):
      #expect(isOpen[id] == true, "\(id) ended twice")
      isOpen[id] = false
    case .corrected(let id, _): isOpen[id] = true
    default: break
    }
  }
}

@Test func `a sound that an answer cut is not repeated when the answer is taken back`() throws {
  var fixture = try pills()
  fixture.ringSeconds = 25
  #expect(try fixture.timeline("---cu---c-----") == "-1-x2--3x-----")
  #expect(fixture.outcomes == [.completed, .completed])
}

@Test func `what was answered too long ago stays answered`() throws {
  var fixture = try pills()
  _ = try fixture.timeline("---c------")
  fixture.pass(seconds: 30)
  #expect(fixture.refusal { try $0.undo() } == .nothingToUndo)
  let id = try #require(fixture.replay.prompts.keys.first)
  #expect(
    fixture.replay.prompts[id]?.undoRefusal(at: fixture.now.wall, version: 1)?.kind == .tooLate)
}

@Test func `each reason against taking back has a kind of its own`() throws {
  var fixture = try pills()
  #expect(fixture.refusal { try $0.undo() } == .nothingToUndo)
  fixture.pass(seconds: 20)
  let id = try #require(fixture.replay.prompts.keys.first)
  #expect(fixture.refusal { try $0.undo(id) } == .nothingToUndo)
  try fixture.answer(.delay(seconds: 5))
  fixture.pass(seconds: 10)
  // It rings again: the delay is over, and nothing of it is left.
  #expect(fixture.refusal { try $0.undo(id) } == .nothingToUndo)
  try fixture.answer(.complete)
  try fixture.undo(id)
  #expect(fixture.refusal { try $0.undo(id) } == .alreadyCorrected)
  #expect(fixture.refusal { try $0.undo(PromptID("nobody@2027-01-01T00:00:00")) } == .notFound)
}

@Test(arguments: [true, false])
func `an answer before a change of the alarm cannot be taken back`(isRemoved: Bool) throws {
  var fixture = try pills { $0.schedule = "every day 08:00" }
  let alarm = try #require(fixture.home.alarms.first)
  let prompt = try #require(fixture.home.openPrompts.first)
  try fixture.answer(.complete, to: prompt.id)
  var form = AlarmForm()
  form.label = "Others"
  try fixture.take(
    .command(
      isRemoved ? .remove(alarm.id, ifVersion: nil) : .edit(alarm.id, ifVersion: nil, form),
      CoreFixture.anna))
  let before = fixture.records.count
  #expect(fixture.refusal { try $0.undo(prompt.id) } == .superseded)
  #expect(fixture.records.count == before)
}

@Test func `that another alarm was removed since takes nobody's slip away`() throws {
  var fixture = try pills { $0.schedule = "every day 08:00" }
  let other = try fixture.add("Walk") { $0.schedule = "every day 22:00" }
  let prompt = try #require(fixture.home.openPrompts.first { $0.id.alarm != other.id })
  try fixture.answer(.complete, to: prompt.id)
  try fixture.take(.command(.remove(other.id, ifVersion: nil), CoreFixture.anna))
  try fixture.undo()
  #expect(fixture.home.prompt(prompt.id)?.phase.isOpen == true)
}

@Test func `done ahead of its time and taken back, it rings at its time`() throws {
  var fixture = try pills()
  let prompt = try #require(fixture.home.openPrompts.first)
  try fixture.answer(.complete, to: prompt.id)
  try fixture.undo()
  #expect(fixture.home.prompt(prompt.id)?.phase == .planned)
  #expect(try fixture.timeline("--c--") == "-1---")
}

@Test func `what follows an answer is taken back with it, and planned again by the next`() throws {
  var fixture = CoreFixture()
  let first = try fixture.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 3
    $0.spacingSeconds = 30
  }
  try fixture.add("Eat") { $0.schedule = "10 minutes after \(first.id) is completed" }
  fixture.pass(seconds: 20)
  try fixture.answer(.complete)
  let follower = try #require(fixture.home.openPrompts.first { $0.id.alarm != first.id })
  try fixture.undo()
  #expect(fixture.home.prompt(follower.id) == nil)
  // Within the same second, so under the same name.
  try fixture.answer(.complete)
  #expect(fixture.home.prompt(follower.id)?.phase == .planned)
}

@Test func `the last answer is what somebody answered, not what that made needless`() throws {
  var fixture = CoreFixture()
  let first = try fixture.add { $0.schedule = "every day 20:00" }
  let eat = try fixture.add("Eat") {
    $0.schedule = "30 minutes after \(first.id) is completed at the latest 16:00"
  }
  let evening = try #require(fixture.home.openPrompts(of: first.id).first)
  let latest = fixture.home.openPrompts(of: eat.id).map(\.id)
  fixture.pass(seconds: 20)
  try fixture.answer(.complete, to: evening.id)
  try fixture.undo()
  #expect(fixture.home.prompt(evening.id)?.phase == .planned)
  #expect(fixture.home.openPrompts(of: eat.id).map(\.id) == latest)
}

@Test func `its own answer taken back leaves what another alarm's answer had planned`() throws {
  var fixture = CoreFixture()
  let first = try fixture.add { $0.schedule = "every hour" }
  let eat = try fixture.add("Eat") { $0.schedule = "50 minutes after \(first.id) is completed" }
  fixture.pass(seconds: 3_600)
  try fixture.answer(.complete)
  fixture.pass(seconds: 3_000)
  let held = try #require(fixture.home.openPrompts(of: eat.id).first)
  try fixture.answer(.delay(seconds: 900), to: held.id)
  fixture.pass(seconds: 600)
  // The button pressed twice within one second: first for the one, then for the other.
  try fixture.answer(.complete)
  try fixture.answer(.complete, to: held.id)
  let planned = try #require(fixture.home.openPrompts(of: eat.id).first)
  try fixture.undo(held.id)
  #expect(Set(fixture.home.openPrompts(of: eat.id).map(\.id)) == [held.id, planned.id])
}

@Test func `what follows two answers of one second goes with the last of them`() throws {
  var fixture = CoreFixture()
  let first = try fixture.add { $0.schedule = "every hour" }
  let eat = try fixture.add("Eat") { $0.schedule = "50 minutes after \(first.id) is completed" }
  fixture.pass(seconds: 3_600)
  let ringing = try fixture.answer(.complete).prompt.id
  let next = try #require(fixture.home.openPrompts(of: first.id).first?.id)
  try fixture.answer(.complete, to: next)
  try fixture.undo(next)
  #expect(fixture.home.openPrompts(of: eat.id).count == 1)
  try fixture.undo(ringing)
  #expect(fixture.home.openPrompts(of: eat.id).isEmpty)
}

@Test func `what follows an answer and is due at its latest time anyway stays planned`() throws {
  var fixture = CoreFixture()
  let first = try fixture.add { $0.schedule = "in 10 minutes" }
  let eat = try fixture.add("Eat") {
    $0.schedule = "10 minutes after \(first.id) is completed at the latest 09:20"
  }
  fixture.pass(seconds: 600)
  let latest = fixture.home.openPrompts(of: eat.id).map(\.id)
  try fixture.answer(.complete)
  #expect(fixture.home.openPrompts(of: eat.id).map(\.id) == latest)
  try fixture.undo()
  #expect(fixture.home.openPrompts(of: eat.id).map(\.id) == latest)
  #expect(
    fixture.home.openPrompts(of: eat.id).map(\.dueAt) == [fixture.now.wall.adding(seconds: 600)])
}

@Test func `people who were being told are told again once the answer is taken back`() throws {
  var fixture = try pills { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 10)] }
  fixture.isNotifierSilent = true
  #expect(try fixture.timeline("---c") == "-1A-")
  #expect(fixture.notified.count == 1 && fixture.cancelledNotifications.count == 1)
  #expect(try fixture.timeline("u--") == "2--")
  #expect(fixture.notified.map(\.position) == [0, 0])
}

@Test func `a clock that is set back does not make an old answer young`() throws {
  var fixture = try pills()
  _ = try fixture.timeline("---c")
  fixture.pass(seconds: 90)
  fixture.stepClock(seconds: -90)
  #expect(fixture.refusal { try $0.undo() } == .nothingToUndo)
}

extension CoreFixture {
  fileprivate mutating func undo(_ id: PromptID? = nil) throws(Refusal) {
    try take(.command(.undo(id), Self.anna))
  }

  /// The kind of the refusal that a change meets; nil where it is carried out.
  fileprivate mutating func refusal(
    _ change: (inout CoreFixture) throws -> Void
  ) -> Refusal.Kind? {
    do {
      try change(&self)
      return nil
    } catch { return (error as? Refusal)?.kind }
  }
}

@Test func `on my way taken back in the middle of a ring goes on in the burst that was cut`() throws
{
  // The burst after "on my way" has one ring, and the burst that goes on has three.
  var fixture = try pills { $0.completion = [StepForm(rings: 1, spacingSeconds: 60)] }
  fixture.pass(seconds: 46)
  #expect(fixture.sounding?.order.ring == 2)
  try fixture.answer(.acknowledge)
  fixture.pass(seconds: 45)
  try fixture.undo()
  fixture.pass(seconds: 20)
  #expect(fixture.played.map(\.ring) == [1, 2, 3])
  try expectReplayed(fixture)
}

@Test func `whoever was told before an answer is taken back is not told once more`() throws {
  var fixture = try pills { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 50)] }
  fixture.isNotifierSilent = true
  fixture.pass(seconds: 70)
  let order = try #require(fixture.notified.first)
  try fixture.answer(.acknowledge)
  // It was under way, and reached her all the same.
  try fixture.take(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: order.position, contact: order.contact, attempt: 1,
        reason: order.reason, result: .notified)
    ))
  try fixture.undo()
  fixture.pass(seconds: 10)
  #expect(fixture.notified.count == 1)
  try expectReplayed(fixture)
}
