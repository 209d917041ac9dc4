import CivilTime
import Testing

@testable import Alarms

/// Checks whether a prompt is delivered, and which reason the notifications to contacts give.
@Suite struct `A prompt is delivered` {
  private func one(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> CoreFixture {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "in 60 seconds"
      $0.rings = 3
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 90)]
      edit(&$0)
    }
    return fixture
  }

  private func isDelivered(_ fixture: CoreFixture) -> Bool? {
    fixture.replay.prompts.values.first { $0.state != .planned }?.isDelivered
  }

  @Test func `by a ring that was played to its end`() throws {
    var fixture = try one()
    fixture.pass(seconds: 4_000)
    #expect(isDelivered(fixture) == true)
    #expect(fixture.outcomes == [.missedNoResponse])
    #expect(fixture.notified.map(\.reason) == [.noAnswer])
  }

  @Test func `by a ring that was answered while it sounded`() throws {
    for answer: Answer in [.complete, .acknowledge, .delay(seconds: nil), .decline(.busy)] {
      var fixture = try one()
      fixture.ringSeconds = 20
      fixture.pass(seconds: 65)
      try fixture.answer(answer)
      #expect(isDelivered(fixture) == true)
    }
  }

  @Test func `not by a ring that a caretaker cancelled`() throws {
    var fixture = try one()
    fixture.ringSeconds = 20
    fixture.pass(seconds: 65)
    try fixture.answer(.cancel(.caretakerOverride))
    #expect(isDelivered(fixture) == false)
  }

  @Test func `not by rings that all began and failed`() throws {
    var fixture = try one()
    fixture.failsMidRing = true
    fixture.pass(seconds: 4_000)
    #expect(fixture.records.count { $0.event.type == "ring_started" } == 3)
    #expect(isDelivered(fixture) == false)
    #expect(fixture.outcomes == [.missedAudioFailed])
    #expect(fixture.notified.map(\.reason) == [.notHeard])
  }

  @Test func `not by rings that no device played`() throws {
    var fixture = try one()
    fixture.isSpeakerBroken = true
    fixture.pass(seconds: 4_000)
    #expect(isDelivered(fixture) == false)
    #expect(fixture.outcomes == [.missedAudioFailed])
    #expect(fixture.notified.map(\.reason) == [.notHeard])
  }

  @Test func `not by a ring that a crash cut, and the patient did not miss it`() throws {
    var fixture = try one { $0.rings = 1 }
    fixture.ringSeconds = 20
    fixture.pass(seconds: 65)
    fixture.crash()
    fixture.pass(seconds: 4_000)
    #expect(isDelivered(fixture) == false)
    #expect(fixture.outcomes == [.unknownCrash])
    #expect(fixture.notified.map(\.reason) == [.notHeard])
  }

  @Test func `by one good ring among failed ones`() throws {
    var fixture = try one()
    fixture.failsMidRing = true
    fixture.pass(seconds: 100)
    fixture.failsMidRing = false
    fixture.pass(seconds: 4_000)
    #expect(isDelivered(fixture) == true)
    #expect(fixture.outcomes == [.missedNoResponse])
  }

  @Test
  func `not yet when a contact is notified at once, and the notification says that it is due`()
    throws
  {
    var fixture = try one { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 0)] }
    // The player has not started the ring yet.
    fixture.isPlayerSilent = true
    fixture.pass(seconds: 70)
    #expect(fixture.notified.map(\.reason) == [.due])
  }

  @Test func `by a first ring that still sounds, so the contact reads that there is no answer`()
    throws
  {
    var fixture = try one { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 5)] }
    fixture.ringSeconds = 20
    fixture.pass(seconds: 4_000)
    #expect(fixture.notified.map(\.reason) == [.noAnswer])
  }

  @Test func `not while it waits for the speaker, so the contact reads that it was not heard`()
    throws
  {
    var fixture = CoreFixture()
    fixture.ringSeconds = 30
    fixture.environment.mergesRings = false
    for number in 0..<8 {
      try fixture.add("Task \(number)") {
        $0.schedule = "in 60 seconds"
        $0.rings = 1
        $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 100)]
      }
    }
    fixture.pass(seconds: 170)
    #expect(Set(fixture.notified.map(\.reason)) == [.noAnswer, .notHeard])
  }
}

/// A person delays or acknowledges a prompt before its first ring. The prompt stays silent until
/// the next prompt of the alarm replaces it.
@Suite struct `A prompt delayed before its first ring` {
  private let researcher = Actor(role: .researcher, id: "uid:1003", source: "socket")

  /// Adds an alarm that is due every half hour. A person gives `answer` before the first prompt
  /// sounds. Then half an hour passes, and the next prompt replaces the first prompt.
  private func putOff(_ answer: Answer, silencedBy prepare: (inout CoreFixture) throws -> Void)
    throws
    -> CoreFixture
  {
    var fixture = CoreFixture()
    try prepare(&fixture)
    let alarm = try fixture.add {
      $0.schedule = "every 30 minutes"
      $0.delayLimit = 3
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 1_500)]
    }
    fixture.pass(seconds: 1_801)
    let id = try #require(
      fixture.replay.prompts.first {
        $0.key.alarm == alarm.id && $0.value.state != .planned && $0.value.state.isOpen
      }?.key)
    try fixture.answer(answer, to: id)
    fixture.pass(seconds: 1_800)
    return fixture
  }

  @Test(arguments: [Answer.delay(seconds: 2_400), .acknowledge])
  func `in quiet hours ends as suppressed by quiet hours`(_ answer: Answer) throws {
    let fixture = try putOff(answer) { fixture in
      var form = PersonForm()
      form.quietHours = "08:00-20:00"
      try fixture.handle(.command(.changePerson(.patient, ifVersion: nil, form), researcher))
    }
    #expect(fixture.outcomes == [.suppressedQuietHours])
    #expect(fixture.notified.isEmpty && fixture.played.isEmpty)
  }

  @Test func `in a control phase ends as suppressed by the control phase`() throws {
    let fixture = try putOff(.delay(seconds: 2_400)) { fixture in
      let form = PhaseForm(kind: .control)
      try fixture.handle(.command(.setPhase(.patient, form), researcher))
    }
    #expect(fixture.outcomes == [.suppressedControlPhase])
    #expect(fixture.notified.isEmpty && fixture.played.isEmpty)
  }

  @Test
  func `while another prompt sounded ends as missed without an answer, not as a speaker failure`()
    throws
  {
    let fixture = try putOff(.delay(seconds: 2_400)) { fixture in
      fixture.ringSeconds = 30
      try fixture.add("Before it") {
        $0.schedule = "in 1800 seconds"
        $0.rings = 1
      }
    }
    #expect(fixture.outcomes.contains(.missedNoResponse))
    #expect(!fixture.outcomes.contains(.missedAudioFailed))
    #expect(fixture.notified.map(\.reason) == [.missedNoResponse])
  }
}

@Suite struct `A burst ends at full loudness` {
  @Test(arguments: [1, 2, 3, 5, 8, 20])
  func `with any number of rings`(rings: Int) throws {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "in 60 seconds"
      $0.rings = rings
    }
    fixture.pass(seconds: 4_000)
    let gains = fixture.played.map(\.gainDecibels)
    #expect(gains.count == rings && gains.last == 0)
    #expect(zip(gains, gains.dropFirst()).allSatisfy { $1 - $0 == 3 || $0 == -12 && $1 == -12 })
  }

  @Test func `after the number of rings changed, and as an escalation step`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.add { $0.schedule = "every day 08:00" }
    var form = AlarmForm()
    for rings in [1, 4, 7, 5] {
      form.rings = rings
      guard
        case .alarm(let changed, _, _)? = try fixture.handle(
          .command(.edit(alarm.id, ifVersion: nil, form), CoreFixture.anna))
      else { preconditionFailure("no alarm came back") }
      #expect(changed.burst.gainsDecibels.count == rings)
      #expect(changed.burst.gainDecibels(ring: rings - 1) == 0)
    }
    let steps = try fixture.add {
      $0.schedule = "every day 20:00"
      $0.steps = [StepForm(rings: 2), StepForm(rings: 2)]
    }
    #expect(steps.escalation.steps.map { $0.burst.gainDecibels(ring: 1) } == [0, 0])
  }

  @Test func `with gains that an earlier version stored for more rings`() {
    let burst = Burst(rings: 1, spacingSeconds: 60, gainsDecibels: [-12, -9, -6, -3, 0])
    #expect(burst.gainDecibels(ring: 0) == 0)
    let given = Burst(rings: 3, spacingSeconds: 60, gainsDecibels: [-9, -6])
    #expect((0..<3).map { given.gainDecibels(ring: $0) } == [-9, -6, -6])
  }
}

@Suite struct `A schedule of elapsed time` {
  @Test(arguments: [
    ("every 8 hours for 7 days", 21, 160), ("every 8 hours for 1 week", 21, 160),
    ("every 36 hours for 7 days", 5, 144), ("every 90 minutes for 1 day", 16, 22),
    ("every 5 hours for 1 day", 5, 20),
  ])
  func `lasts the given number of days of 24 hours from its first time`(
    phrase: String, count: Int, lastHours: Int64
  ) throws {
    // In this week, the clocks in Berlin go forward.
    let now = try Instant(parsing: "2027-03-26T10:20:00Z")
    let parsed = try SchedulePhrase(phrase, now: now, zone: CoreFixture.berlin).parsed()
    let plan = try SchedulePlan(parsed.schedule, zone: CoreFixture.berlin, seed: 0)
    var found: [Instant] = []
    while let next = plan.next(after: found.last ?? now) { found.append(next.instant) }
    #expect(found.count == count)
    let first = try #require(found.first)
    #expect((found.last?.seconds ?? 0) - first.seconds >= lastHours * 3_600)
    #expect((found.last?.seconds ?? 0) - first.seconds < lastHours * 3_600 + 3_600)
  }
}
