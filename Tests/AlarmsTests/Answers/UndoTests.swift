import CivilTime
import Testing

@testable import Alarms

/// Each case has the actions, the sounds and the outcomes. A tick is ten seconds.
private let lines: [(happens: String, sounds: String, ends: [Outcome])] = [
  // A user completes the prompt between two rings, and undoes this answer. The remaining rings keep
  // their times.
  ("---cu-----------", "-1--2--3--------", [.completed, .missedNoResponse]),
  // The undo comes after the time of the second ring. The second ring then sounds at once, and the
  // third ring sounds 30 s after the second ring.
  ("---c---u--------", "-1-----2-3------", [.completed, .missedNoResponse]),
  ("---n-u----------", "-1---2-3--------", [.declined, .missedNoResponse]),
  ("---x-u----------", "-1---2-3--------", [.cancelledWhileRinging, .missedNoResponse]),
  // If a user undoes "later" or "on my way", the rings keep their times, as without this answer.
  ("---su-----------", "-1--2--3--------", [.missedNoResponse]),
  ("---au-----------", "-1--2--3--------", [.missedNoResponse]),
  // The prompt is completed during a delay, or while it is acknowledged. After the undo, the prompt
  // stays silent until the original end of the delay or of the acknowledgement.
  ("---s-cu----------------", "-1------2--3--4--------", [.completed, .missedNoResponse]),
  ("---a-cu---", "-1--------", [.completed]),
  // The daemon is killed before the undo, and again after the undo.
  ("---ckuk---------", "-1---2-3--------", [.completed, .missedNoResponse]),
  // The prompt is completed after its burst. The undo comes after the end of the late window, so
  // the undo makes the prompt missed at once.
  ("-----------c---u--", "-1--2--3----------", [.completed, .missedNoResponse]),
  // The prompt is completed, undone, and completed again.
  ("---cuc----------", "-1--2-----------", [.completed, .completed]),
]

@Test(arguments: lines.indices)
func `an undone answer leaves the prompt as if it had not been answered`(index: Int) throws {
  let line = lines[index]
  var fixture = try pills()
  #expect(try fixture.timeline(line.happens) == line.sounds, "\(line.happens)")
  #expect(fixture.outcomes == line.ends, "\(line.happens)")
  let corrections = line.happens.filter { $0 == "u" }.count
  #expect(fixture.records.count { $0.event.type == "correction" } == corrections)
  try expectReplayed(fixture)
}

/// Checks that a replay computes the same prompts, and that no closed prompt closes again.
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

@Test func `a sound that an answer cut is not repeated after the undo`() throws {
  var fixture = try pills()
  fixture.ringSeconds = 25
  #expect(try fixture.timeline("---cu---c-----") == "-1-x2--3x-----")
  #expect(fixture.outcomes == [.completed, .completed])
}

@Test func `an answer that is too old cannot be undone`() throws {
  var fixture = try pills()
  _ = try fixture.timeline("---c------")
  fixture.pass(seconds: 30)
  #expect(fixture.refusal { try $0.undo() } == .nothingToUndo)
  let id = try #require(fixture.replay.prompts.keys.first)
  #expect(
    fixture.replay.prompts[id]?.undoRefusal(at: fixture.now.wall, version: 1)?.kind == .tooLate)
}

@Test func `each reason against an undo has a kind of its own`() throws {
  var fixture = try pills()
  #expect(fixture.refusal { try $0.undo() } == .nothingToUndo)
  fixture.pass(seconds: 20)
  let id = try #require(fixture.replay.prompts.keys.first)
  #expect(fixture.refusal { try $0.undo(id) } == .nothingToUndo)
  try fixture.answer(.delay(seconds: 5))
  fixture.pass(seconds: 10)
  // The delay has ended, so the prompt rings again. Nobody can undo a delay that has ended.
  #expect(fixture.refusal { try $0.undo(id) } == .nothingToUndo)
  try fixture.answer(.complete)
  try fixture.undo(id)
  #expect(fixture.refusal { try $0.undo(id) } == .alreadyCorrected)
  #expect(fixture.refusal { try $0.undo(PromptID("nobody@2027-01-01T00:00:00")) } == .notFound)
}

@Test(arguments: [true, false])
func `an answer before a change of the alarm cannot be undone`(isRemoved: Bool) throws {
  var fixture = try pills { $0.schedule = "every day 08:00" }
  let alarm = try #require(fixture.home.alarms.first)
  let prompt = try #require(fixture.home.openPrompts.first)
  try fixture.answer(.complete, to: prompt.id)
  var form = AlarmForm()
  form.label = "Others"
  try fixture.handle(
    .command(
      isRemoved ? .remove(alarm.id, ifVersion: nil) : .edit(alarm.id, ifVersion: nil, form),
      CoreFixture.anna))
  let before = fixture.records.count
  #expect(fixture.refusal { try $0.undo(prompt.id) } == .superseded)
  #expect(fixture.records.count == before)
}

@Test func `the removal of another alarm does not prevent an undo`() throws {
  var fixture = try pills { $0.schedule = "every day 08:00" }
  let other = try fixture.add("Walk") { $0.schedule = "every day 22:00" }
  let prompt = try #require(fixture.home.openPrompts.first { $0.id.alarm != other.id })
  try fixture.answer(.complete, to: prompt.id)
  try fixture.handle(.command(.remove(other.id, ifVersion: nil), CoreFixture.anna))
  try fixture.undo()
  #expect(fixture.home.prompt(prompt.id)?.state.isOpen == true)
}

@Test func `a prompt completed before its time and undone rings at its time`() throws {
  var fixture = try pills()
  let prompt = try #require(fixture.home.openPrompts.first)
  try fixture.answer(.complete, to: prompt.id)
  try fixture.undo()
  #expect(fixture.home.prompt(prompt.id)?.state == .planned)
  #expect(try fixture.timeline("--c--") == "-1---")
}

@Test
func
  `a prompt that follows an answer is removed by the undo, and planned again by the next answer`()
  throws
{
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
  // The second completion comes in the same second as the first completion. Therefore the prompt
  // that follows this completion gets the same id as the removed prompt.
  try fixture.answer(.complete)
  #expect(fixture.home.prompt(follower.id)?.state == .planned)
}

@Test
func `an undo applies to the answer of a person, not to a prompt that the answer made needless`()
  throws
{
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
  #expect(fixture.home.prompt(evening.id)?.state == .planned)
  #expect(fixture.home.openPrompts(of: eat.id).map(\.id) == latest)
}

@Test func `the undo of a prompt's own answer keeps the prompt that another answer planned`() throws
{
  var fixture = CoreFixture()
  let first = try fixture.add { $0.schedule = "every hour" }
  let eat = try fixture.add("Eat") { $0.schedule = "50 minutes after \(first.id) is completed" }
  fixture.pass(seconds: 3_600)
  try fixture.answer(.complete)
  fixture.pass(seconds: 3_000)
  let held = try #require(fixture.home.openPrompts(of: eat.id).first)
  try fixture.answer(.delay(seconds: 900), to: held.id)
  fixture.pass(seconds: 600)
  // A person presses a button twice within one second. Each press answers a different prompt.
  try fixture.answer(.complete)
  try fixture.answer(.complete, to: held.id)
  let planned = try #require(fixture.home.openPrompts(of: eat.id).first)
  try fixture.undo(held.id)
  #expect(Set(fixture.home.openPrompts(of: eat.id).map(\.id)) == [held.id, planned.id])
}

@Test func `a prompt that follows two answers of one second depends on the last of them`() throws {
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

@Test func `a prompt that follows an answer and is due at its latest time anyway stays planned`()
  throws
{
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

@Test func `a notification that an answer stopped is repeated after the undo`() throws {
  var fixture = try pills { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 10)] }
  fixture.isNotifierSilent = true
  #expect(try fixture.timeline("---c") == "-1A-")
  #expect(fixture.notified.count == 1 && fixture.cancelledNotifications.count == 1)
  #expect(try fixture.timeline("u--") == "[A2]--")
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
    try handle(.command(.undo(id), Self.anna))
  }

  /// Returns the kind of the refusal of a change; nil if the change is accepted.
  fileprivate mutating func refusal(
    _ change: (inout CoreFixture) throws -> Void
  ) -> Refusal.Kind? {
    do {
      try change(&self)
      return nil
    } catch { return (error as? Refusal)?.kind }
  }
}

@Test func `an undone acknowledgement in the middle of a ring continues the burst that was cut`()
  throws
{
  // The burst after "on my way" would have one ring. The burst that continues after the undo has
  // three rings.
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

@Test func `a contact who was notified before an undo is not notified again`() throws {
  var fixture = try pills { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 50)] }
  fixture.isNotifierSilent = true
  fixture.pass(seconds: 70)
  let order = try #require(fixture.notified.first)
  try fixture.answer(.acknowledge)
  // The notification of anna was already running when the person answered, and the notification
  // succeeded.
  try fixture.handle(
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

@Test(arguments: [(false, 1), (true, 2)])
func `a ring whose start was reported after the answer has begun`(hasBegun: Bool, ring: Int) throws
{
  var fixture = try pills()
  // The first ring sounds to its end.
  #expect(try fixture.timeline("--") == "-1")
  fixture.isPlayerSilent = true
  fixture.pass(seconds: 25)
  let order = try #require(fixture.played.last)
  #expect(order.ring == 2)
  try fixture.answer(.delay(seconds: nil))
  if hasBegun {
    // The player reports the start of the second ring only after the answer.
    try fixture.handle(.sound(.started(order.prompt, ring: 2, device: "card0")))
  }
  try fixture.handle(.command(.undo(nil), CoreFixture.anna))
  let prompt = try #require(fixture.home.prompt(order.prompt))
  switch prompt.state {
  case .waiting(let next, _): #expect(next == ring)
  case .ringing(let next, _): #expect(next.index == ring)
  default: Issue.record("\(prompt.state)")
  }
}
