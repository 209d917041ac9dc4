import CivilTime
import Testing

@testable import Alarms

/// Checks decisions about a prompt and the next prompt of its alarm, about duplicates, about the
/// speaker queue, and about clock steps.
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

  /// The daemon handles the first prompt 1 ms before the next due time in one case, and at the next
  /// due time in the other case.
  @Test func `a prompt that is not handled before the next due time does not become due`()
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

  /// After a clock step back, for example, the search begins before the due time of an open prompt.
  @Test func `an open prompt is the next prompt if it is due after the start of the search`() throws
  {
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

  /// The first prompt rings for 45 s. One second after its start, three other prompts become due
  /// and wait for the speaker. The daemon wakes again 61 s later. At this time, the late window of
  /// one of the three waiting prompts is over.
  @Test func `a merged ring does not contain a prompt whose late window is over`() throws {
    var fixture = CoreFixture()
    fixture.isPlayerSilent = true
    let start = fixture.now.wall
    try fixture.add("First") {
      $0.schedule = "in 59 seconds"
      $0.steps = [StepForm(rings: 1, isUrgent: true)]
    }
    var ids: [AlarmID] = []
    for (label, window) in [("Pills", 60), ("Tea", 600), ("Drops", 600)] as [(String, Int64)] {
      ids.append(
        try fixture.add(label) {
          ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("in 60 seconds", 1, window)
        }.id)
    }
    for seconds in [59, 60, 121] as [Int64] {
      fixture.move(to: start.adding(seconds: seconds))
      try fixture.handle(.woke)
    }
    let order = try #require(fixture.played.last)
    let rung = [order.prompt.alarm] + order.others.map(\.prompt.alarm)
    #expect(fixture.played.count == 2 && Set(rung) == Set(ids.dropFirst()))
    let closed = fixture.records.compactMap { record -> AlarmID? in
      if case .closed(let id, .missedAudioFailed, _, _) = record.event { id.alarm } else { nil }
    }
    #expect(closed == [ids[0]])
  }

  @Test func `a clock step moves the start of the daemon, and only a step ahead skips a period`() {
    var fixture = CoreFixture()
    let start = fixture.now.wall
    #expect(fixture.home.clock.startedAt == start && fixture.home.clock.skipped == nil)
    fixture.stepClock(seconds: 3_600)
    #expect(fixture.home.clock.startedAt == start.adding(seconds: 3_600))
    #expect(fixture.home.clock.skipped == start...start.adding(seconds: 3_600))
    fixture.stepClock(seconds: -7_200)
    #expect(fixture.home.clock.startedAt == start.adding(seconds: -3_600))
    #expect(fixture.home.clock.skipped == nil)
    #expect(fixture.home.clock.lastLook == fixture.now)
    #expect(fixture.home.clock.offsetMilliseconds == fixture.now.offsetMilliseconds)
  }
}

/// Checks the inactivity of a person when the zones, the alarms or the answers change.
@Suite struct InactivityDecisionTests {
  /// The person has quiet hours from 22:00 to 07:00. The daemon wakes at 22:40 in Berlin. In the
  /// new home zone UTC, this time is 21:40, before the quiet hours. Therefore the two hours of
  /// inactivity ended at 22:30 in Berlin.
  @Test func `inactivity uses a new home zone before the change is reported`() throws {
    var fixture = try called(hours: 2, "2027-01-15 20:30") { $0.quietHours = "22:00-07:00" }
    try fixture.pass(to: "2027-01-15T22:40:00")
    try fixture.handle(.woke)
    #expect(fixture.inactivityTold.isEmpty)
    fixture.environment.homeZone = .utc
    try fixture.handle(.woke)
    #expect(fixture.inactivityTold == ["anna 2027-01-15T22:40:00"])
  }

  /// In the first case, the program that notifies contacts still runs when the person answers. In
  /// the second case, the program has ended.
  @Test(arguments: [true, false])
  func `an answer cancels a notification only while the notification runs`(isRunning: Bool) throws {
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

  @Test func `inactivity continues only if another alarm of the person can ring`() throws {
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

  /// The person has two alarms. A caretaker pauses one alarm at the instant at which anna would be
  /// notified. In two cases, the caretaker has paused the alarm "Pills" before.
  @Test(arguments: [
    (false, "Pills", true), (true, "Pills", true), (true, "Walk", false), (false, "Walk", true),
  ])
  func `a pause at the time of a notification stops the notification if no other alarm can ring`(
    isPausedBefore: Bool, pausedNow: String, isNotified: Bool
  ) throws {
    var fixture = try called("every day 10:00")
    try fixture.add("Walk") { $0.schedule = "every day 18:00" }
    func id(_ label: String) throws -> AlarmID {
      try #require(fixture.home.alarms.first { $0.label == label }).id
    }
    let (first, now) = (try id("Pills"), try id(pausedNow))
    try fixture.pass(to: "2027-01-15T15:59:00")
    if isPausedBefore { try fixture.edit(first) { $0.pausedUntil = "2027-01-18 00:00" } }
    fixture.move(to: fixture.now.wall.adding(seconds: 60))
    try fixture.edit(now) { $0.pausedUntil = "2027-01-19 00:00" }
    #expect(fixture.inactivityTold == (isNotified ? ["anna 2027-01-15T16:00:00"] : []))
    #expect((fixture.inactivity != nil) == isNotified)
  }

  @Test func `an edit of a label does not stop a notification at the same time`() throws {
    var fixture = try called("every day 10:00")
    let walk = try fixture.add("Walk") { $0.schedule = "every day 18:00" }
    let pills = try #require(fixture.home.alarms.first { $0.label == "Pills" })
    try fixture.pass(to: "2027-01-15T15:59:00")
    try fixture.edit(pills.id) { $0.pausedUntil = "2027-01-18 00:00" }
    fixture.move(to: fixture.now.wall.adding(seconds: 60))
    try fixture.edit(walk.id) { $0.label = "A walk" }
    #expect(fixture.inactivityTold == ["anna 2027-01-15T16:00:00"])
  }
}
