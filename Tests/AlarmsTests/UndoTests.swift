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
  var bench = try pills()
  #expect(try bench.timeline(line.happens) == line.sounds, "\(line.happens)")
  #expect(bench.outcomes == line.ends, "\(line.happens)")
  let corrections = line.happens.filter { $0 == "u" }.count
  #expect(bench.records.count { $0.event.type == "correction" } == corrections)
  try expectReplayed(bench)
}

/// However often it was closed, a prompt is closed once at a time, and the record says in which order.
private func expectReplayed(_ bench: Bench) throws {
  for prompt in bench.home.openPrompts {
    #expect(bench.replay.prompts[prompt.id] == prompt)
  }
  var isOpen: [PromptID: Bool] = [:]
  for record in bench.records {
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
  var bench = try pills()
  bench.ringSeconds = 25
  #expect(try bench.timeline("---cu---c-----") == "-1-x2--3x-----")
  #expect(bench.outcomes == [.completed, .completed])
}

@Test func `what was answered too long ago stays answered`() throws {
  var bench = try pills()
  _ = try bench.timeline("---c------")
  bench.pass(seconds: 30)
  #expect(bench.refusal { try $0.undo() } == .nothingToUndo)
  let id = try #require(bench.replay.prompts.keys.first)
  #expect(bench.replay.prompts[id]?.undoRefusal(at: bench.now.wall, version: 1)?.kind == .tooLate)
}

@Test func `each reason against taking back has a kind of its own`() throws {
  var bench = try pills()
  #expect(bench.refusal { try $0.undo() } == .nothingToUndo)
  bench.pass(seconds: 20)
  let id = try #require(bench.replay.prompts.keys.first)
  #expect(bench.refusal { try $0.undo(id) } == .nothingToUndo)
  try bench.answer(.delay(seconds: 5))
  bench.pass(seconds: 10)
  // It rings again: the delay is over, and nothing of it is left.
  #expect(bench.refusal { try $0.undo(id) } == .nothingToUndo)
  try bench.answer(.complete)
  try bench.undo(id)
  #expect(bench.refusal { try $0.undo(id) } == .alreadyCorrected)
  #expect(bench.refusal { try $0.undo(PromptID("nobody@2027-01-01T00:00:00")) } == .notFound)
}

@Test(arguments: [true, false])
func `an answer before a change of the alarm cannot be taken back`(isRemoved: Bool) throws {
  var bench = try pills { $0.schedule = "every day 08:00" }
  let alarm = try #require(bench.home.alarms.first)
  let prompt = try #require(bench.home.openPrompts.first)
  try bench.answer(.complete, to: prompt.id)
  var form = AlarmForm()
  form.label = "Others"
  try bench.take(
    .command(
      isRemoved ? .remove(alarm.id, ifVersion: nil) : .edit(alarm.id, ifVersion: nil, form),
      Bench.anna))
  let before = bench.records.count
  #expect(bench.refusal { try $0.undo(prompt.id) } == .superseded)
  #expect(bench.records.count == before)
}

@Test func `that another alarm was removed since takes nobody's slip away`() throws {
  var bench = try pills { $0.schedule = "every day 08:00" }
  let other = try bench.add("Walk") { $0.schedule = "every day 22:00" }
  let prompt = try #require(bench.home.openPrompts.first { $0.id.alarm != other.id })
  try bench.answer(.complete, to: prompt.id)
  try bench.take(.command(.remove(other.id, ifVersion: nil), Bench.anna))
  try bench.undo()
  #expect(bench.home.prompt(prompt.id)?.phase.isOpen == true)
}

@Test func `done ahead of its time and taken back, it rings at its time`() throws {
  var bench = try pills()
  let prompt = try #require(bench.home.openPrompts.first)
  try bench.answer(.complete, to: prompt.id)
  try bench.undo()
  #expect(bench.home.prompt(prompt.id)?.phase == .planned)
  #expect(try bench.timeline("--c--") == "-1---")
}

@Test func `what follows an answer is taken back with it, and planned again by the next`() throws {
  var bench = Bench()
  let first = try bench.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 3
    $0.spacingSeconds = 30
  }
  try bench.add("Eat") { $0.schedule = "10 minutes after \(first.id) is completed" }
  bench.pass(seconds: 20)
  try bench.answer(.complete)
  let follower = try #require(bench.home.openPrompts.first { $0.id.alarm != first.id })
  try bench.undo()
  #expect(bench.home.prompt(follower.id) == nil)
  // Within the same second, so under the same name.
  try bench.answer(.complete)
  #expect(bench.home.prompt(follower.id)?.phase == .planned)
}

@Test func `the last answer is what somebody answered, not what that made needless`() throws {
  var bench = Bench()
  let first = try bench.add { $0.schedule = "every day 20:00" }
  let eat = try bench.add("Eat") {
    $0.schedule = "30 minutes after \(first.id) is completed at the latest 16:00"
  }
  let evening = try #require(bench.home.openPrompts(of: first.id).first)
  let latest = bench.home.openPrompts(of: eat.id).map(\.id)
  bench.pass(seconds: 20)
  try bench.answer(.complete, to: evening.id)
  try bench.undo()
  #expect(bench.home.prompt(evening.id)?.phase == .planned)
  #expect(bench.home.openPrompts(of: eat.id).map(\.id) == latest)
}

@Test func `its own answer taken back leaves what another alarm's answer had planned`() throws {
  var bench = Bench()
  let first = try bench.add { $0.schedule = "every hour" }
  let eat = try bench.add("Eat") { $0.schedule = "50 minutes after \(first.id) is completed" }
  bench.pass(seconds: 3_600)
  try bench.answer(.complete)
  bench.pass(seconds: 3_000)
  let held = try #require(bench.home.openPrompts(of: eat.id).first)
  try bench.answer(.delay(seconds: 900), to: held.id)
  bench.pass(seconds: 600)
  // The button pressed twice within one second: first for the one, then for the other.
  try bench.answer(.complete)
  try bench.answer(.complete, to: held.id)
  let planned = try #require(bench.home.openPrompts(of: eat.id).first)
  try bench.undo(held.id)
  #expect(Set(bench.home.openPrompts(of: eat.id).map(\.id)) == [held.id, planned.id])
}

@Test func `what follows two answers of one second goes with the last of them`() throws {
  var bench = Bench()
  let first = try bench.add { $0.schedule = "every hour" }
  let eat = try bench.add("Eat") { $0.schedule = "50 minutes after \(first.id) is completed" }
  bench.pass(seconds: 3_600)
  let ringing = try bench.answer(.complete).prompt.id
  let next = try #require(bench.home.openPrompts(of: first.id).first?.id)
  try bench.answer(.complete, to: next)
  try bench.undo(next)
  #expect(bench.home.openPrompts(of: eat.id).count == 1)
  try bench.undo(ringing)
  #expect(bench.home.openPrompts(of: eat.id).isEmpty)
}

@Test func `what follows an answer and is due at its latest time anyway stays planned`() throws {
  var bench = Bench()
  let first = try bench.add { $0.schedule = "in 10 minutes" }
  let eat = try bench.add("Eat") {
    $0.schedule = "10 minutes after \(first.id) is completed at the latest 09:20"
  }
  bench.pass(seconds: 600)
  let latest = bench.home.openPrompts(of: eat.id).map(\.id)
  try bench.answer(.complete)
  #expect(bench.home.openPrompts(of: eat.id).map(\.id) == latest)
  try bench.undo()
  #expect(bench.home.openPrompts(of: eat.id).map(\.id) == latest)
  #expect(bench.home.openPrompts(of: eat.id).map(\.dueAt) == [bench.now.wall.adding(seconds: 600)])
}

@Test func `people who were being told are told again once the answer is taken back`() throws {
  var bench = try pills { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 10)] }
  bench.isNotifierSilent = true
  #expect(try bench.timeline("---c") == "-1A-")
  #expect(bench.notified.count == 1 && bench.cancelledNotifications.count == 1)
  #expect(try bench.timeline("u--") == "2--")
  #expect(bench.notified.map(\.position) == [0, 0])
}

@Test func `a clock that is set back does not make an old answer young`() throws {
  var bench = try pills()
  _ = try bench.timeline("---c")
  bench.pass(seconds: 90)
  bench.stepClock(seconds: -90)
  #expect(bench.refusal { try $0.undo() } == .nothingToUndo)
}

extension Bench {
  fileprivate mutating func undo(_ id: PromptID? = nil) throws(Refusal) {
    try take(.command(.undo(id), Self.anna))
  }

  /// The kind of the refusal that a change meets; nil where it is carried out.
  fileprivate mutating func refusal(
    _ change: (inout Bench) throws -> Void
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
  var bench = try pills { $0.completion = [StepForm(rings: 1, spacingSeconds: 60)] }
  bench.pass(seconds: 46)
  #expect(bench.sounding?.order.ring == 2)
  try bench.answer(.acknowledge)
  bench.pass(seconds: 45)
  try bench.undo()
  bench.pass(seconds: 20)
  #expect(bench.played.map(\.ring) == [1, 2, 3])
  try expectReplayed(bench)
}

@Test func `whoever was told before an answer is taken back is not told once more`() throws {
  var bench = try pills { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 50)] }
  bench.isNotifierSilent = true
  bench.pass(seconds: 70)
  let order = try #require(bench.notified.first)
  try bench.answer(.acknowledge)
  // It was under way, and reached her all the same.
  try bench.take(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: order.position, contact: order.contact, attempt: 1,
        reason: order.reason, result: .notified)
    ))
  try bench.undo()
  bench.pass(seconds: 10)
  #expect(bench.notified.count == 1)
  try expectReplayed(bench)
}
