import CivilTime
import Testing

@testable import Alarms

/// Checks decisions about prompts that are due at the same instant as another prompt, and decisions
/// that only change the speaker queue.
@Suite struct DueDecisionTests {
  /// A home with an alarm that is due every ten minutes and rings once.
  private func frequent() throws -> (CoreFixture, first: Prompt) {
    var fixture = CoreFixture()
    try fixture.add {
      ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("every 10 minutes", 1, 600)
    }
    return (fixture, try #require(fixture.home.openPrompts.first))
  }

  private func due(_ fixture: CoreFixture) -> [Instant] {
    fixture.records.compactMap {
      guard case .due(let id, _) = $0.event else { return nil }
      return fixture.replay.prompts[id]?.dueAt
    }
  }

  /// The daemon handles the first prompt late: shortly before the next prompt is due, or when the
  /// next prompt is due.
  @Test func `a prompt that nobody handled before the next prompt is due does not become due`()
    throws
  {
    let home = try frequent()
    let second = home.first.dueAt.adding(seconds: 600)
    var early = home.0
    early.move(to: second.adding(milliseconds: -1))
    try early.handle(.woke)
    #expect(due(early) == [home.first.dueAt] && early.outcomes.isEmpty)
    var late = home.0
    late.move(to: second)
    try late.handle(.woke)
    #expect(due(late) == [second] && late.outcomes == [.missedSuspended])
  }

  @Test func `a delayed prompt that the next prompt replaces leaves the speaker queue`() throws {
    var (fixture, first) = try frequent()
    fixture.move(to: first.dueAt)
    try fixture.handle(.woke)
    fixture.pass(seconds: 30)
    try fixture.answer(.delay(seconds: 570), to: first.id)
    fixture.move(to: first.dueAt.adding(seconds: 600))
    let decision = try step(fixture.home, .woke, at: fixture.now, in: fixture.environment)
    #expect(decision.readied.isEmpty)
    #expect(decision.records.count { $0.event.type == "ring_intent" } == 1)
    try fixture.handle(.woke)
    #expect(fixture.home.speakerQueue.isEmpty)
    #expect(fixture.outcomes == [.missedNoResponse])
    #expect(fixture.home.sounding?.alarm == first.id.alarm && fixture.home.sounding != first.id)
  }

  /// Somebody sets the clock back to a time before the due time of an open prompt.
  @Test func `the next prompt is the open prompt itself if its due time is ahead`() throws {
    var (fixture, first) = try frequent()
    fixture.pass(seconds: first.dueAt.milliseconds(since: fixture.now.wall) / 1_000 + 30)
    let open = try #require(fixture.home.openPrompts.first { $0.id == first.id })
    #expect(open.isDelivered && open.state != .planned)
    let transition = Transition(fixture.home, fixture.now, .daemon("test"), fixture.environment)
    func next(after milliseconds: Int64) -> Prompt? {
      transition.nextPrompt(
        of: first.id.alarm, after: first.dueAt.adding(milliseconds: milliseconds))
    }
    #expect(next(after: -1) == open)
    #expect(next(after: 0)?.dueAt == first.dueAt.adding(seconds: 600))
    #expect(next(after: 0)?.state == .planned)
  }

  /// The announcement and the alarm have the same words and the same due time.
  @Test(arguments: [true, false])
  func `an announcement is not a duplicate of an alarm`(isAlarmFirst: Bool) throws {
    var fixture = CoreFixture()
    var form = AlarmForm()
    (form.label, form.schedule, form.rings) = ("Lunch", "2027-01-15 09:10", 1)
    let alarm = Command.add(AlarmID("a1"), form)
    let announcement = Command.announce(AlarmID("a2"), form)
    for command in isAlarmFirst ? [alarm, announcement] : [announcement, alarm] {
      try fixture.handle(.command(command, CoreFixture.anna))
    }
    #expect(fixture.home.alarms.count == 2)
    let second = refusal {
      try fixture.handle(.command(.add(AlarmID("a3"), form), CoreFixture.anna))
    }
    #expect(second?.kind == .duplicate && second?.detail.contains("(alarm a1)") == true)
  }

  @Test func `a decision with records, effects or prompts for the speaker queue is not idle`()
    throws
  {
    let fixture = CoreFixture()
    let id = PromptID(alarm: AlarmID("a1"), nominalKey: 2)
    var decision = try step(fixture.home, .woke, at: fixture.now, in: fixture.environment)
    #expect(decision.isIdle && !decision.isMoreDue)
    decision.readied = [id]
    #expect(!decision.isIdle)
    decision.readied = []
    decision.effects = [.stop(id, ring: 1)]
    #expect(!decision.isIdle)
    decision.effects = []
    decision.records = Array(fixture.records.prefix(1))
    #expect(!decision.isIdle)
  }
}

/// Checks who counts as inactive when the zones or the alarms change.
@Suite struct InactivityDecisionTests {
  /// The person is quiet from 22:00 to 07:00. In the new home zone, UTC, it is 21:40 when the
  /// daemon wakes, so the two hours were over at 22:30 in Berlin.
  @Test func `inactivity follows a new home zone before the change is reported`() throws {
    var fixture = try called(hours: 2, "2027-01-15 20:30") { $0.quietHours = "22:00-07:00" }
    try fixture.pass(to: "2027-01-15T22:40:00")
    try fixture.handle(.woke)
    #expect(fixture.inactivityTold.isEmpty)
    fixture.environment.homeZone = .utc
    try fixture.handle(.woke)
    #expect(fixture.inactivityTold == ["anna 2027-01-15T22:40:00"])
  }

  /// The program that notifies contacts has not ended when the person answers.
  @Test(arguments: [true, false])
  func `an answer cancels a notification that still runs`(isRunning: Bool) throws {
    var fixture = try called()
    fixture.isNotifierSilent = isRunning
    fixture.pass(seconds: 6 * 3_600 + 60)
    #expect(fixture.notified.map(\.contact) == ["anna"])
    try fixture.handle(.heartbeat)
    #expect(fixture.cancelledNotifications.isEmpty)
    try fixture.answer(.complete)
    #expect(fixture.cancelledNotifications == (isRunning ? [.inactivity(.patient)] : []))
    try fixture.handle(.heartbeat)
    #expect(fixture.cancelledNotifications.count == (isRunning ? 1 : 0))
  }

  @Test func `only an alarm of the person that can ring keeps the inactivity`() throws {
    let cases: [(String, isKept: Bool, (inout CoreFixture) throws -> Void)] = [
      ("nothing else", false, { _ in }),
      (
        "an announcement", false,
        { try $0.say { ($0.schedule, $0.person) = ("in 2 hours", "patient") } }
      ),
      (
        "an alarm of another person", false,
        { try $0.add("Walk") { ($0.schedule, $0.person) = ("every day 18:00", "eva") } }
      ),
      (
        "an alarm of the person", true,
        { try $0.add("Walk") { ($0.schedule, $0.person) = ("every day 18:00", "patient") } }
      ),
    ]
    for (name, isKept, add) in cases {
      var fixture = try called("every day 10:00")
      try fixture.person("eva") { $0.name = "Eva" }
      try fixture.pass(to: "2027-01-15T11:00:00")
      let alarm = try #require(fixture.home.alarms.first)
      try add(&fixture)
      try fixture.edit(alarm.id) { $0.pausedUntil = "2027-01-18 00:00" }
      try fixture.handle(.heartbeat)
      #expect((fixture.inactivity != nil) == isKept, "\(name)")
    }
  }
}
