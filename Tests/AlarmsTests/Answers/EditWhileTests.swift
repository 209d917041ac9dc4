import CivilTime
import Testing

@testable import Alarms

/// A caretaker edits or removes an alarm. The alarm has a prompt of 09:05. Each test case has this
/// prompt in a different state.
@Suite struct `An alarm is edited or removed` {
  enum Change: CaseIterable { case rings, schedule, remove }
  enum State: CaseIterable {
    case planned, ringing, waiting, notifyProgress, delayed, acknowledged, held
  }

  /// Returns the types of the events that the change records, in order. If the prompt is already
  /// due, the next prompt is already planned. In this case, a new schedule or a removal closes both
  /// prompts.
  private static func events(_ state: State, _ change: Change) -> [String] {
    let cut = state == .ringing ? ["ring_ended"] : []
    return switch (change, state) {
    case (.rings, .planned): ["alarm_edited", "planned"]
    case (.rings, _), (.schedule, .planned): ["alarm_edited", "superseded", "planned"] + cut
    case (.schedule, _): ["alarm_edited", "superseded", "superseded", "planned"] + cut
    case (.remove, .planned): ["cancelled", "alarm_deleted"]
    case (.remove, _): ["cancelled", "cancelled", "alarm_deleted"] + cut
    }
  }

  private static func outcomes(_ state: State, _ change: Change) -> [Outcome] {
    switch (change, state) {
    case (.rings, .planned): []
    case (.rings, _), (.schedule, .planned): [.supersededByEdit]
    case (.schedule, _): [.supersededByEdit, .supersededByEdit]
    case (.remove, .planned): [.cancelledBeforeDue]
    case (.remove, _): [.cancelledWhileRinging, .cancelledBeforeDue]
    }
  }

  /// Returns the due time of the next prompt; nil if the alarm never rings again.
  private static func next(_ state: State, _ change: Change) -> String? {
    switch (change, state) {
    case (.rings, .planned): "2027-01-15T09:05:00"
    case (.rings, _): "2027-01-16T09:05:00"
    case (.schedule, _): "2027-01-15T12:00:00"
    case (.remove, _): nil
    }
  }

  /// Returns the time from the due time of the next prompt to its ring, in seconds.
  ///
  /// In the state `held`, the quiet hours of the next day hold the next prompt back, too. This
  /// prompt rings at the end of these quiet hours.
  private static func wait(_ state: State, _ change: Change) -> Int64 {
    state == .held && change == .rings ? 25 * 60 : 0
  }

  @Test(arguments: State.allCases, Change.allCases)
  func `the open prompt closes and stops sounding, and only the next prompt rings`(
    _ state: State, _ change: Change
  ) throws {
    var (fixture, alarm) = try Self.fixture(state)
    let prompt = try #require(fixture.home.openPrompts.min { $0.dueAt < $1.dueAt })
    let notified = fixture.notified.count
    let recorded = fixture.records.count

    try Self.make(change, of: alarm.id, on: &fixture)
    #expect(fixture.records[recorded...].map(\.event.type) == Self.events(state, change))
    #expect(fixture.outcomes == Self.outcomes(state, change))
    #expect(fixture.sounding == nil)
    #expect(
      fixture.cancelledNotifications == (state == .notifyProgress ? [.prompt(prompt.id)] : []))
    let open = fixture.home.openPrompts
    #expect(open.allSatisfy { $0.state == .planned && $0.alarmVersion == 2 })
    #expect(open.count == (change == .remove ? 0 : 1))

    let changed = fixture.records.count
    guard let next = Self.next(state, change) else {
      fixture.pass(seconds: 3 * 86_400)
      #expect(fixture.records.count == changed && fixture.notified.count == notified)
      #expect(fixture.home.nextWake == nil)
      return
    }
    try fixture.pass(to: next)
    fixture.pass(seconds: Self.wait(state, change))
    #expect(fixture.notified.count == notified)
    let rings = fixture.records[changed...].filter { $0.event.type == "ring_started" }
    #expect(rings.count == 1, "nothing of the old burst")
    let new = try #require(fixture.sounding?.order)
    #expect(new.ring == 1)
    #expect(new.prompt.nominal.description == next)
    #expect((new.prompt == prompt.id) == Self.outcomes(state, change).isEmpty)
    try fixture.answer(.complete, to: new.prompt)
    #expect(fixture.outcomes == Self.outcomes(state, change) + [.completed])
  }

  @Test(arguments: State.allCases)
  func `the reply to an edit says that the due prompt has ended`(
    _ state: State
  ) throws {
    var (fixture, alarm) = try Self.fixture(state)
    let (_, _, report) = try fixture.edit(alarm.id) { $0.rings = 2 }
    let notified = report.warnings.filter { $0.kind == .endsPrompt }
    #expect(notified.count == (state == .planned ? 0 : 1))
    #expect(
      notified.allSatisfy { $0.text.contains("09:05") && $0.text.contains("does not ring again") })
  }

  /// The player reports the start of the ring only after the alarm was removed.
  @Test func `a ring that starts during the removal belongs to the person and counts in the hour`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.person { $0.ringsPerHour = 3 }
    let alarm = try fixture.add {
      $0.schedule = "in 60 seconds"
      $0.rings = 3
    }
    try fixture.add("Tea") {
      $0.schedule = "in 10 minutes"
      $0.rings = 3
    }
    fixture.pass(seconds: 130)
    fixture.isPlayerSilent = true
    fixture.pass(seconds: 60)
    let order = try #require(fixture.played.last)
    try fixture.handle(.command(.remove(alarm.id, ifVersion: nil), CoreFixture.anna))
    try fixture.handle(.sound(.started(order.prompt, ring: 3, device: "card0")))
    try fixture.handle(
      .sound(
        .ended(order.prompt, ring: 3, device: "card0", frames: 480, xruns: 0, stopped: true)))
    fixture.isPlayerSilent = false
    let ring = fixture.records.suffix(2)
    #expect(ring.map(\.event.type) == ["ring_started", "ring_ended"])
    #expect(ring.allSatisfy { $0.person == .patient })
    fixture.pass(seconds: 900)
    #expect(fixture.records.count { $0.event.type == "ring_started" } == 5)
    #expect(fixture.states == ["held cap_rest"])
  }

  @Test func `a ring without any report of the player belongs to the person of the removed alarm`()
    throws
  {
    var fixture = CoreFixture()
    let alarm = try fixture.add {
      $0.schedule = "in 60 seconds"
      $0.rings = 1
    }
    fixture.isPlayerSilent = true
    fixture.pass(seconds: 60)
    try fixture.handle(.command(.remove(alarm.id, ifVersion: nil), CoreFixture.anna))
    fixture.pass(seconds: 60)
    let ring = try #require(fixture.records.last { $0.event.type == "ring_failed" })
    #expect(ring.person == .patient)
  }

  @Test(arguments: State.allCases, Change.allCases)
  func `a kill right after the change restores nothing`(
    _ state: State, _ change: Change
  ) throws {
    var (fixture, alarm) = try Self.fixture(state)
    try Self.make(change, of: alarm.id, on: &fixture)
    let played = fixture.played.count
    let notified = fixture.notified.count
    let outcomes = fixture.outcomes
    fixture.crash(offForSeconds: 5, newBoot: true)
    guard let next = Self.next(state, change) else {
      fixture.pass(seconds: 3 * 86_400)
      #expect(fixture.played.count == played && fixture.notified.count == notified)
      #expect(fixture.outcomes == outcomes && fixture.home.nextWake == nil)
      return
    }
    try fixture.pass(to: next)
    fixture.pass(seconds: Self.wait(state, change))
    #expect(fixture.played.count == played + 1 && fixture.notified.count == notified)
    #expect(fixture.outcomes == outcomes)
  }

  // MARK: Fixture

  /// Makes a home at 09:00 on Friday 15 January 2027 with an alarm at 09:05. The prompt of the
  /// alarm is in `state`.
  private static func fixture(_ state: State) throws -> (CoreFixture, Alarm) {
    var fixture = CoreFixture()
    fixture.ringSeconds = 10
    fixture.isNotifierSilent = true
    if state == .held {
      try fixture.person {
        $0.quietHours = "09:04-09:30"
        $0.quietPolicy = .hold
      }
    }
    let alarm = try fixture.add {
      $0.schedule = "every day 09:05"
      $0.rings = 3
      $0.spacingSeconds = 20
      $0.delaySeconds = 60
      $0.notifySteps = [
        NotifyStep(contact: "anna", afterSeconds: 70), NotifyStep(contact: "bob", afterSeconds: 60),
      ]
    }
    guard state != .planned else { return (fixture, alarm) }
    try fixture.pass(to: "2027-01-15T09:05:05")
    if state == .waiting { fixture.pass(seconds: 10) }
    if state == .notifyProgress { fixture.pass(seconds: 80) }
    if state == .delayed { try fixture.answer(.delay(seconds: nil)) }
    if state == .acknowledged { try fixture.answer(.acknowledge) }
    try #require(fixture.home.openPrompts.contains { matches($0, state) })
    return (fixture, alarm)
  }

  private static func matches(_ prompt: Prompt, _ state: State) -> Bool {
    switch (state, prompt.state) {
    case (.planned, .planned), (.ringing, .ringing), (.waiting, .waiting), (.delayed, .delayed),
      (.acknowledged, .acknowledged), (.held, .held):
      true
    case (.notifyProgress, _): prompt.notifyProgress.pending == [0]
    default: false
    }
  }

  private static func make(
    _ change: Change, of id: AlarmID, on fixture: inout CoreFixture
  ) throws {
    switch change {
    case .rings: try fixture.edit(id) { $0.rings = 2 }
    case .schedule: try fixture.edit(id) { $0.schedule = "every day 12:00" }
    case .remove: try fixture.handle(.command(.remove(id, ifVersion: nil), CoreFixture.anna))
    }
  }
}
