import CivilTime
import Testing

@testable import Alarms

/// Decisions that few inputs reach.
@Suite struct `Rare decisions` {
  private func refused(_ fixture: CoreFixture, _ command: Command) -> Refusal? {
    var copy = fixture
    do throws(Refusal) {
      try copy.handle(.command(command, CoreFixture.anna))
      return nil
    } catch { return error }
  }

  private func edit(
    _ id: AlarmID, _ change: (inout AlarmForm) -> Void
  ) -> Command {
    var form = AlarmForm()
    change(&form)
    return .edit(id, ifVersion: nil, form)
  }

  // MARK: The order of rings

  /// Two prompts are due at the same time. The id of the prompt that is not urgent comes first in
  /// the alphabet.
  @Test func `an urgent prompt rings before a prompt that is not urgent`() throws {
    var fixture = CoreFixture()
    fixture.environment.mergesRings = false
    let usual = try fixture.add("Usual") { ($0.schedule, $0.rings) = ("in 1 minute", 1) }
    let urgent = try fixture.add("Urgent") {
      $0.schedule = "in 1 minute"
      $0.steps = [StepForm(rings: 1, isUrgent: true)]
    }
    #expect(usual.id.text < urgent.id.text)
    fixture.pass(seconds: 70)
    #expect(fixture.played.map(\.prompt.alarm) == [urgent.id, usual.id])
  }

  @Test func `of two prompts that are not urgent, the prompt that is due first rings first`() throws
  {
    var fixture = CoreFixture()
    fixture.environment.mergesRings = false
    fixture.ringSeconds = 20
    try fixture.add("First") { ($0.schedule, $0.rings) = ("in 50 seconds", 1) }
    let late = try fixture.add("Late") { ($0.schedule, $0.rings) = ("in 62 seconds", 1) }
    let early = try fixture.add("Early") { ($0.schedule, $0.rings) = ("in 61 seconds", 1) }
    fixture.pass(seconds: 120)
    #expect(fixture.played.map(\.prompt.alarm).suffix(2) == [early.id, late.id])
  }

  // MARK: Edits

  /// Each edit makes an alarm equal to another alarm in all fields that a duplicate has.
  @Test func `an edit of each field can make a duplicate, which is refused`() throws {
    let edits: [(String, (inout AlarmForm) -> Void, (inout AlarmForm) -> Void)] = [
      ("label", { $0.label = "Tea" }, { $0.label = "Pills" }),
      ("person", { $0.person = "hilde" }, { $0.person = "patient" }),
      ("zone", { $0.zone = "UTC" }, { $0.zone = "Europe/Berlin" }),
      ("schedule", { $0.schedule = "every day 09:30" }, { $0.schedule = "every day 10:00" }),
      ("early reminder", { $0.earlyReminders = ["5 minutes before"] }, { $0.earlyReminders = [] }),
    ]
    for (name, differ, agree) in edits {
      var fixture = CoreFixture()
      try fixture.person("hilde") { $0.name = "Hilde" }
      var form = AlarmForm()
      (form.label, form.schedule, form.person) = ("Pills", "every day 10:00", "patient")
      try fixture.handle(.command(.add(AlarmID("a1"), form), CoreFixture.anna))
      differ(&form)
      try fixture.handle(.command(.add(AlarmID("a2"), form), CoreFixture.anna))
      #expect(refused(fixture, edit(AlarmID("a2")) { $0.rings = 2 }) == nil, "\(name)")
      let refusal = refused(fixture, edit(AlarmID("a2"), agree))
      #expect(refusal?.kind == .duplicate, "\(name): \(refusal?.detail ?? "accepted")")
    }
  }

  /// The prompt of an alarm rings, and an edit ends this prompt. The alarm has no due time of its
  /// own after the edit.
  @Test func `an edit may end the prompt of an alarm that can be due again after an answer`() throws
  {
    var fixture = CoreFixture()
    let pills = try fixture.add { ($0.schedule, $0.rings) = ("every day 09:05", 1) }
    let eat = try fixture.add("Eat") {
      ($0.schedule, $0.rings) = ("5 minutes after \(pills.id) is completed", 1)
    }
    let walk = try fixture.add("Walk") {
      ($0.schedule, $0.rings) = ("10 minutes after the last completion", 1)
    }
    let once = try fixture.add("Once") { ($0.schedule, $0.rings) = ("2027-01-15 09:10", 1) }
    fixture.pass(seconds: 301)
    try fixture.answer(.complete)
    fixture.pass(seconds: 310)
    let open = Set(fixture.home.waitingPrompts.map(\.id.alarm))
    #expect(open == [eat.id, walk.id, once.id])
    #expect(refused(fixture, edit(eat.id) { $0.rings = 2 }) == nil)
    #expect(refused(fixture, edit(walk.id) { $0.rings = 2 }) == nil)
    let refusal = refused(fixture, edit(once.id) { $0.rings = 2 })
    #expect(refusal?.kind == .endsPrompt)
    #expect(
      refusal?.detail.contains("the change would end its prompt of 2027-01-15 at 09:10") == true)
  }

  // MARK: Undo

  /// The first ring is at 60 s, the second ring is due at 120 s, and the late window has 30 s. A
  /// person completes the task 59 s after the first ring, and takes the answer back later.
  @Test(arguments: [(30, false), (32, true)] as [(Int64, Bool)])
  func `an undo after the late window of the next ring ends the prompt as missed`(
    _ secondsAfterRing: Int64, isMissed: Bool
  ) throws {
    var fixture = CoreFixture()
    try fixture.add {
      ($0.schedule, $0.rings, $0.spacingSeconds) = ("in 1 minute", 2, 60)
      $0.lateWindowSeconds = 30
    }
    fixture.pass(seconds: 119)
    let id = try fixture.answer(.complete).prompt.id
    fixture.pass(seconds: 1 + secondsAfterRing)
    try fixture.handle(.command(.undo(id), CoreFixture.anna))
    let last = try #require(fixture.records.last { $0.event.promptID == id })
    #expect((last.event.type == "missed") == isMissed, "\(last.event)")
    #expect(fixture.played.count == (isMissed ? 1 : 2))
  }

  // MARK: Responses

  /// Two minutes after the end of a prompt, only the record contains the prompt.
  @Test func `a response to an old prompt comes back with the prompt`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.asking()
    fixture.pass(seconds: 4 * 3_600 + 1)
    let id = try #require(fixture.due?.id)
    try fixture.respond(id, [("pain", .number(7))], completes: true)
    fixture.pass(seconds: 120)
    try fixture.handle(.heartbeat)
    let stored = try #require(fixture.replay.prompts[id])
    let past = PastPrompt(prompt: stored, alarm: alarm)
    let answered = try fixture.respond(
      id, [("pain", .number(2)), ("mood", .text("bad"))], past: past)
    #expect(answered.answers == ["pain": 2, "mood": 1])
    #expect(fixture.replay.prompts[id] == answered)
  }

  @Test(arguments: [("yes", true), ("true", true), ("no", false), ("false", false)])
  func `a typed yes or no is the response to a question`(_ text: String, isYes: Bool) throws {
    var fixture = CoreFixture()
    try fixture.asking()
    fixture.pass(seconds: 4 * 3_600 + 1)
    try fixture.respond(fixture.due?.id, [("yes_no", .text(text))])
    #expect(fixture.responses.map(\.value) == [.flag(isYes)])
  }

  // MARK: The speaker queue

  /// The first prompt sounds for 25 s. During this time, the second prompt waits for the speaker,
  /// and a contact is notified about it.
  @Test func `a prompt keeps its place in the speaker queue while a contact is notified`() throws {
    var fixture = CoreFixture()
    fixture.environment.mergesRings = false
    fixture.isNotifierSilent = true
    fixture.ringSeconds = 25
    let first = try fixture.add("First") { ($0.schedule, $0.rings) = ("in 50 seconds", 1) }
    let second = try fixture.add("Second") {
      ($0.schedule, $0.rings) = ("in 51 seconds", 1)
      $0.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 5)]
    }
    let start = fixture.now.wall
    fixture.pass(seconds: 90)
    let times = fixture.records.compactMap { record -> [String]? in
      guard ["ring_intent", "escalated"].contains(record.event.type) else { return nil }
      let seconds = (record.reading.wall.milliseconds - start.milliseconds) / 1_000
      return [record.event.promptID?.alarm.text ?? "", record.event.type, "\(seconds)"]
    }
    #expect(
      times == [
        [first.id.text, "ring_intent", "50"], [second.id.text, "escalated", "56"],
        [second.id.text, "ring_intent", "75"],
      ])
  }

  // MARK: The self-audit

  /// A prompt is due, then somebody sets the clock back. The next occurrence of the alarm is now the
  /// occurrence of the open prompt.
  @Test func `an open prompt after a clock step is not a defect`() throws {
    var fixture = CoreFixture()
    try fixture.add { ($0.schedule, $0.rings) = ("2027-01-15 09:05", 3) }
    fixture.pass(seconds: 301)
    fixture.stepClock(seconds: -120)
    for _ in 0..<3 {
      try fixture.handle(.heartbeat)
      fixture.pass(seconds: 30)
    }
    #expect(!fixture.records.contains { $0.event.type == "repaired" })
    #expect(fixture.home.openPrompts.count == 1)
  }

  // MARK: People

  @Test(arguments: ["", "a b", ".a", "-a", "ä", "a/b", String(repeating: "a", count: 65)])
  func `an id that is not safe in a path or a command is refused`(_ id: String) throws {
    let refusal = refused(CoreFixture(), .addPerson(PersonID(id), PersonForm()))
    #expect(refusal?.kind == .invalidField && refusal?.field == "id")
    #expect(refusal?.detail.hasPrefix("\"\(id)\" (\(id.count) characters) cannot be an id") == true)
  }

  @Test func `an id with 64 letters, digits, dots, dashes and underscores is accepted`() {
    for id in [String(repeating: "a", count: 64), "a.b-c_1", "1a"] {
      #expect(refused(CoreFixture(), .addPerson(PersonID(id), PersonForm())) == nil)
    }
  }

  @Test func `a home has at most 50 people`() throws {
    var fixture = CoreFixture()
    for number in 1...49 { try fixture.person("p\(number)") { $0.name = "Person \(number)" } }
    #expect(
      refusal { try fixture.person("p50") { $0.name = "Person 50" } }
        == Refusal(
          .limit, "cannot add the person: there are already 50 people, which is the limit"))
    try fixture.handle(.command(.removePerson(PersonID("p49")), CoreFixture.anna))
    try fixture.person("p50") { $0.name = "Person 50" }
  }
}
