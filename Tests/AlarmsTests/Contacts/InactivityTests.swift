import CivilTime
import Testing

@testable import Alarms

/// Adds an alarm that rings once, at 09:00 in Berlin. A person can answer for twelve hours.
///
/// Anna is notified after six hours without an answer. Bob is notified one hour after anna.
func called(
  hours: Int = 6, _ schedule: String = "in 15 seconds",
  _ person: (inout PersonForm) -> Void = { _ in }, _ alarm: (inout AlarmForm) -> Void = { _ in }
) throws -> CoreFixture {
  var fixture = CoreFixture()
  try fixture.person {
    $0.inactivityHours = hours
    $0.inactivityNotifySteps = [
      NotifyStep(contact: "anna", afterSeconds: 0), NotifyStep(contact: "bob", afterSeconds: 3_600),
    ]
    person(&$0)
  }
  try fixture.add {
    $0.schedule = schedule
    $0.rings = 1
    $0.lateWindowSeconds = 43_200
    alarm(&$0)
  }
  return fixture
}

extension CoreFixture {
  var inactivity: Inactivity? { home.people[.patient]?.inactivity }

  /// The local time in Berlin at which each contact was notified about inactivity.
  var inactivityTold: [String] {
    records.compactMap { record in
      guard case .inactivity(_, .notifying(_, let contact, _, _)) = record.event else {
        return nil
      }
      let local = Self.berlin.civil(at: record.reading.wall).dateTime
      return "\(contact) \(local)"
    }
  }

  func expectReplayed() {
    #expect(Set(home.people.values) == Set(replay.people.values))
  }
}

/// Each case has the actions, and the rings and notifications that follow from them. A tick is an
/// hour.
private let lines: [(happens: String, sounds: String)] = [
  ("------------", "1-----AB----"),
  ("---c--------", "1-----------"), ("---n--------", "1-----------"),
  // The prompt rings again ten minutes after "on my way", and five minutes after "later". At this
  // ring, the daemon begins to count the six hours again.
  ("---a--------", "1--2-----AB-"), ("---s--------", "1--2-----AB-"),
  // A caretaker cancels the prompt. The cancellation does not show that the person is active.
  ("---x--------", "1-----AB----"),
  // The answer comes after the notification of anna. Anna gets an all-clear, and bob is not
  // notified.
  ("-------c----", "1-----Aa----"),
  // The daemon is killed twice, and still sends each notification exactly once.
  ("--k-k-------", "1-----AB----"), ("-------k-k--", "1-----AB----"),
]

@Test(arguments: lines.indices)
func `contacts are notified once of a person who answers nothing`(index: Int) throws {
  let line = lines[index]
  var fixture = try called()
  #expect(try fixture.timeline(line.happens, tick: 3_600) == line.sounds, "\(line.happens)")
  fixture.expectReplayed()
  fixture.pass(seconds: 200 * 3_600)
  #expect(
    fixture.notified.count == line.sounds.filter { "AB".contains($0) }.count, "\(line.happens)")
  #expect(fixture.notified.allSatisfy { $0.reason == .inactivity && $0.inactiveHours == 6 })
  #expect(fixture.home.nextWake == nil)
}

@Test func `a notification of inactivity has the right subject, label and words`() throws {
  var fixture = try called()
  fixture.pass(seconds: 7 * 3_600)
  let order = try #require(fixture.notified.first)
  #expect(order.subject == .inactivity(.patient) && order.person == .patient)
  #expect(order.label == "no answer for 6 hours")
  #expect(
    fixture.records.map(\.event.type).filter { $0.hasPrefix("inactivity") }
      == ["inactivity_begun", "inactivity_escalated", "inactivity_notified"])
  let event = try #require(fixture.records.first { $0.event.type == "inactivity_escalated" })
  #expect(event.person == .patient && event.event.promptID == nil)
  guard case .inactivity(_, .notifying(_, _, let since, 6)) = event.event else {
    Issue.record("\(event.event)")
    return
  }
  #expect(since == Instant(seconds: 1_800_000_015))
}

@Test func `inactivity after an answer is notified again`() throws {
  var fixture = try called("every 10 hours")
  try fixture.pass(to: "2027-01-16T03:00:00")
  #expect(fixture.notified.map(\.contact) == ["anna", "bob"])
  try fixture.answer(.complete)
  #expect(fixture.inactivity == nil)
  try fixture.pass(to: "2027-01-17T00:00:00")
  #expect(fixture.notified.map(\.contact) == ["anna", "bob", "anna", "bob"])
}

@Test func `quiet hours are not counted, in any home zone`() throws {
  var fixture = try called {
    $0.inactivityHours = 2
    $0.quietHours = "22:00-07:00"
  } _: {
    $0.schedule = "2027-01-15 20:30"
  }
  try fixture.pass(to: "2027-01-15T21:00:00")
  var abroad = fixture
  try fixture.pass(to: "2027-01-17T00:00:00")
  #expect(fixture.inactivityTold.first == "anna 2027-01-16T07:30:00")
  abroad.environment.homeZone = .utc
  try abroad.handle(.zonesChanged)
  try abroad.pass(to: "2027-01-17T00:00:00")
  // At 22:30 in Berlin, it is 21:30 in UTC, the new zone of the home. The quiet hours have not
  // begun in this zone.
  #expect(abroad.inactivityTold.first == "anna 2027-01-15T22:30:00")
}

@Test func `a control phase is not counted`() throws {
  var fixture = try called(hours: 2)
  try fixture.pass(to: "2027-01-15T10:00:00")
  try fixture.phase(.control, to: "2027-01-16 12:00")
  try fixture.pass(to: "2027-01-17T00:00:00")
  #expect(fixture.inactivityTold.first == "anna 2027-01-16T13:00:15")
  var open = try called()
  try open.pass(to: "2027-01-15T10:00:00")
  try open.phase(.control)
  try open.pass(to: "2027-02-15T10:00:00")
  #expect(open.inactivityTold.isEmpty && open.inactivity != nil)
}

@Test func `a person whose alarms are all paused is not counted, and counting starts anew later`()
  throws
{
  var fixture = try called("every day 10:00")
  try fixture.pass(to: "2027-01-15T11:00:00")
  let alarm = try #require(fixture.home.alarms.first)
  var form = AlarmForm()
  form.pausedUntil = "2027-01-18 00:00"
  try fixture.handle(.command(.edit(alarm.id, ifVersion: nil, form), CoreFixture.anna))
  #expect(fixture.inactivity != nil)
  var unseen = fixture
  // The home `unseen` gets no heartbeat before the notification of anna would be due. In this home,
  // the daemon notices only at this due time that all alarms are paused.
  try unseen.pass(to: "2027-01-17T00:00:00")
  try fixture.handle(.heartbeat)
  for one in [fixture, unseen] {
    #expect(one.inactivity == nil && one.notified.isEmpty)
    #expect(one.records.count { $0.event.type == "inactivity_suspended" } == 1)
    one.expectReplayed()
  }
  try fixture.pass(to: "2027-01-18T20:00:00")
  #expect(fixture.inactivityTold == ["anna 2027-01-18T16:00:00", "bob 2027-01-18T17:00:00"])
}

@Test func `inactivity goes on while one alarm of the person is not paused`() throws {
  var fixture = try called("every day 10:00")
  try fixture.add("Walk") { $0.schedule = "every day 18:00" }
  try fixture.pass(to: "2027-01-15T11:00:00")
  var form = AlarmForm()
  form.pausedUntil = "2027-01-18 00:00"
  let alarm = try #require(fixture.home.alarms.first { $0.label == "Pills" })
  try fixture.handle(.command(.edit(alarm.id, ifVersion: nil, form), CoreFixture.anna))
  try fixture.handle(.heartbeat)
  try fixture.pass(to: "2027-01-15T16:30:00")
  #expect(fixture.notified.map(\.contact) == ["anna"])
}

@Test func `a ring that a pause suppresses at the same moment notifies no contact`() throws {
  var fixture = try called(hours: 24, "24 hours after the last completion")
  try fixture.pass(to: "2027-01-16T11:00:00")
  let alarm = try #require(fixture.home.alarms.first)
  try fixture.edit(alarm.id) { $0.pausedUntil = "2027-01-28 00:00" }
  fixture.crash(offForSeconds: 3 * 86_400)
  #expect(fixture.outcomes.last == .suppressedPaused)
  #expect(fixture.inactivity == nil && fixture.notified.isEmpty)
}

@Test func `inactivity that began on a clock that was ahead is notified on time after a boot`()
  throws
{
  var fixture = try called()
  fixture.pass(seconds: 3_600)
  // The record contains the time of the heartbeat. Therefore the daemon knows after the restart
  // that the inactivity lasted at least until this time.
  try fixture.handle(.heartbeat)
  fixture.crash(clockBackSeconds: 864_000)
  fixture.pass(seconds: 5 * 3_600 - 60)
  #expect(fixture.notified.isEmpty)
  fixture.pass(seconds: 120)
  #expect(fixture.notified.map(\.contact) == ["anna"])
  fixture.expectReplayed()
}

@Test func `a single skipped ring does not stop the counting`() throws {
  var fixture = try called(hours: 30, "every day 10:00")
  try fixture.pass(to: "2027-01-15T11:00:00")
  let alarm = try #require(fixture.home.alarms.first)
  try fixture.edit(alarm.id) { $0.skipNext = 1 }
  try fixture.pass(to: "2027-01-16T10:00:00")
  #expect(fixture.outcomes.last == .suppressedPaused)
  try fixture.handle(.heartbeat)
  #expect(fixture.inactivity != nil)
  try fixture.pass(to: "2027-01-16T16:30:00")
  #expect(fixture.inactivityTold == ["anna 2027-01-16T16:00:00"])
}

@Test func `no contact is notified after the last alarm of a person is removed`() throws {
  var fixture = try called("every day 10:00")
  try fixture.pass(to: "2027-01-15T11:00:00")
  let alarm = try #require(fixture.home.alarms.first)
  try fixture.handle(.command(.remove(alarm.id, ifVersion: nil), CoreFixture.anna))
  try fixture.pass(to: "2027-01-17T11:00:00")
  #expect(fixture.notified.isEmpty && fixture.inactivity == nil && fixture.home.nextWake == nil)
}

@Test func `inactivity goes on after the last prompt of an alarm that is over was missed`() throws {
  var fixture = try called { _ in
  } _: {
    $0.lateWindowSeconds = 1_800
  }
  #expect(try fixture.timeline("------------", tick: 3_600) == "1-----AB----")
  #expect(fixture.outcomes == [.missedNoResponse])
  fixture.expectReplayed()
}

// MARK: Clocks, power and restarts

@Test(arguments: [-315_360_000, -3_600, 3_600, 315_360_000])
func `a clock step makes inactivity neither longer nor shorter`(step: Int64) throws {
  var fixture = try called()
  fixture.pass(seconds: 2 * 3_600)
  fixture.stepClock(seconds: step)
  fixture.expectReplayed()
  fixture.pass(seconds: 4 * 3_600 - 60)
  #expect(fixture.notified.isEmpty)
  fixture.crash()
  fixture.pass(seconds: 120)
  #expect(fixture.notified.map(\.contact) == ["anna"])
  fixture.stepClock(seconds: -step)
  fixture.pass(seconds: 3_600)
  #expect(fixture.notified.map(\.contact) == ["anna", "bob"])
}

@Test(arguments: [true, false])
func `the time while the device is off counts, and the contact is notified at the next start`(
  newBoot: Bool
) throws {
  var fixture = try called(hours: 100)
  fixture.pass(seconds: 3_600)
  fixture.crash(offForSeconds: 50 * 3_600, newBoot: newBoot)
  #expect(fixture.notified.isEmpty)
  fixture.crash(offForSeconds: 50 * 3_600, newBoot: newBoot)
  // The notification of anna was late. Bob is notified one hour after this late notification, not
  // one hour after the time at which anna should have been notified.
  #expect(fixture.notified.map(\.contact) == ["anna"])
  fixture.pass(seconds: 3_700)
  #expect(fixture.notified.map(\.contact) == ["anna", "bob"])
}

@Test func `after a kill a contact is notified of inactivity again if the result is unknown`()
  throws
{
  var fixture = try called()
  fixture.isNotifierSilent = true
  fixture.pass(seconds: 6 * 3_600 + 60)
  #expect(fixture.notified.map(\.contact) == ["anna"])
  fixture.crash()
  #expect(fixture.notified.map(\.contact) == ["anna", "anna"])
  // The second notification of anna does not change when bob is notified.
  fixture.pass(seconds: 3_600)
  #expect(fixture.notified.map(\.contact) == ["anna", "anna", "bob"])
  fixture.expectReplayed()
}

@Test func `the next contact does not wait for one who cannot be notified of inactivity`() throws {
  var fixture = try called()
  fixture.unreachable = ["anna"]
  fixture.pass(seconds: 6 * 3_600 + 60)
  #expect(fixture.notified.map(\.contact) == ["anna", "bob"])
  #expect(
    fixture.records.map(\.event.type).filter { $0.hasPrefix("inactivity") }
      == [
        "inactivity_begun", "inactivity_escalated", "inactivity_notification_failed",
        "inactivity_escalated", "inactivity_notified",
      ])
}

// MARK: Answers

@Test func `inactivity whose only answer is undone goes on as if there had been no answer`() throws
{
  var fixture = try called()
  fixture.pass(seconds: 3 * 3_600)
  try fixture.answer(.complete)
  fixture.crash()
  #expect(fixture.inactivity == nil)
  try fixture.handle(.command(.undo(nil), CoreFixture.anna))
  #expect(fixture.inactivity?.since == Instant(seconds: 1_800_000_015))
  fixture.expectReplayed()
  fixture.pass(seconds: 3 * 3_600 + 60)
  #expect(fixture.notified.map(\.contact) == ["anna"])
}

@Test func `undoing one answer changes nothing while another answer stands`() throws {
  var fixture = try called()
  try fixture.add("Walk") {
    $0.schedule = "in 15 seconds"
    $0.rings = 1
    $0.lateWindowSeconds = 43_200
  }
  fixture.pass(seconds: 3_600)
  let ids = fixture.home.openPrompts.map(\.id).sorted()
  try fixture.answer(.complete, to: ids[0])
  try fixture.answer(.complete, to: ids[1])
  try fixture.handle(.command(.undo(ids[1]), CoreFixture.anna))
  #expect(fixture.inactivity == nil)
  fixture.pass(seconds: 20 * 3_600)
  #expect(fixture.notified.isEmpty)
}

@Test func `an answer stops notifications of inactivity, and its undo starts them again`() throws {
  var fixture = try called()
  fixture.isNotifierSilent = true
  fixture.pass(seconds: 6 * 3_600 + 60)
  try fixture.answer(.complete)
  #expect(fixture.cancelledNotifications == [.inactivity(.patient)])
  try fixture.handle(.command(.undo(nil), CoreFixture.anna))
  #expect(fixture.notified.map(\.position) == [0, 0])
  // The second notification of anna is still running when the person answers again. Now this
  // notification succeeds. After the undo, the daemon does not notify anna a third time.
  try fixture.answer(.complete)
  let order = try #require(fixture.notified.last)
  try fixture.handle(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: 0, contact: order.contact, attempt: 1,
        reason: order.reason,
        result: .notified)))
  try fixture.handle(.command(.undo(nil), CoreFixture.anna))
  #expect(fixture.notified.count == 2)
  fixture.expectReplayed()
}

@Test func `an answer to a question counts, and cannot be undone`() throws {
  var fixture = try called { _ in
  } _: {
    var question = QuestionForm()
    question.name = "mood"
    question.text = "How are you?"
    question.kind = "mood"
    $0.questions = [question]
  }
  fixture.pass(seconds: 3 * 3_600)
  let response = ResponseForm(question: "mood", value: .text("good"))
  try fixture.handle(
    .command(.respond(nil, [response], completes: true, past: nil), CoreFixture.anna))
  #expect(fixture.inactivity == nil)
  try fixture.handle(.command(.undo(nil), CoreFixture.anna))
  #expect(fixture.inactivity == nil)
  fixture.expectReplayed()
}

@Test func `a ring that is reported after its answer begins no inactivity`() throws {
  var fixture = try called()
  fixture.isPlayerSilent = true
  fixture.pass(seconds: 20)
  let order = try #require(fixture.played.last)
  try fixture.answer(.complete)
  try fixture.handle(.sound(.started(order.prompt, ring: order.ring, device: "card0")))
  #expect(fixture.records.last?.event.type == "ring_started")
  #expect(fixture.inactivity == nil)
}

@Test func `neither an announcement nor a ring that nobody could hear begins inactivity`() throws {
  var fixture = CoreFixture()
  try fixture.person {
    $0.inactivityHours = 1
    $0.inactivityNotifySteps = [NotifyStep(contact: "anna", afterSeconds: 0)]
  }
  try fixture.say()
  fixture.pass(seconds: 60)
  #expect(fixture.played.count == 1 && fixture.inactivity == nil)
  fixture.isSpeakerBroken = true
  try fixture.add { $0.schedule = "in 15 seconds" }
  fixture.pass(seconds: 40_000)
  #expect(fixture.outcomes.contains(.missedAudioFailed))
  #expect(fixture.notified.isEmpty)
}
