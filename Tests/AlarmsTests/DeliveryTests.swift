import CivilTime
import Testing

@testable import Alarms

/// Whether a prompt was heard, and what contacts are told of one that was not.
@Suite struct `A prompt is delivered` {
  private func one(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> Bench {
    var bench = Bench()
    try bench.add {
      $0.schedule = "in 60 seconds"
      $0.rings = 3
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 90)]
      edit(&$0)
    }
    return bench
  }

  private func isDelivered(_ bench: Bench) -> Bool? {
    bench.replay.prompts.values.first { $0.phase != .planned }?.isDelivered
  }

  @Test func `by a ring that was played to its end`() throws {
    var bench = try one()
    bench.pass(seconds: 4_000)
    #expect(isDelivered(bench) == true)
    #expect(bench.outcomes == [.missedNoResponse])
    #expect(bench.notified.map(\.reason) == [.noAnswer])
  }

  @Test func `by a ring that somebody answered while it sounded`() throws {
    for answer: Answer in [.complete, .acknowledge, .delay(seconds: nil), .decline(.busy)] {
      var bench = try one()
      bench.ringSeconds = 20
      bench.pass(seconds: 65)
      try bench.answer(answer)
      #expect(isDelivered(bench) == true)
    }
  }

  @Test func `not by one that a caretaker called off`() throws {
    var bench = try one()
    bench.ringSeconds = 20
    bench.pass(seconds: 65)
    try bench.answer(.cancel(.caretakerOverride))
    #expect(isDelivered(bench) == false)
  }

  @Test func `not by rings that all began and failed`() throws {
    var bench = try one()
    bench.failsMidRing = true
    bench.pass(seconds: 4_000)
    #expect(bench.records.count { $0.event.type == "ring_started" } == 3)
    #expect(isDelivered(bench) == false)
    #expect(bench.outcomes == [.missedAudioFailed])
    #expect(bench.notified.map(\.reason) == [.notHeard])
  }

  @Test func `not by rings that no device took`() throws {
    var bench = try one()
    bench.isSpeakerBroken = true
    bench.pass(seconds: 4_000)
    #expect(isDelivered(bench) == false)
    #expect(bench.outcomes == [.missedAudioFailed])
    #expect(bench.notified.map(\.reason) == [.notHeard])
  }

  @Test func `not by a ring that a crash cut short, and nobody is blamed for it`() throws {
    var bench = try one { $0.rings = 1 }
    bench.ringSeconds = 20
    bench.pass(seconds: 65)
    bench.crash()
    bench.pass(seconds: 4_000)
    #expect(isDelivered(bench) == false)
    #expect(bench.outcomes == [.unknownCrash])
    #expect(bench.notified.map(\.reason) == [.notHeard])
  }

  @Test func `one good ring among bad ones is enough`() throws {
    var bench = try one()
    bench.failsMidRing = true
    bench.pass(seconds: 100)
    bench.failsMidRing = false
    bench.pass(seconds: 4_000)
    #expect(isDelivered(bench) == true)
    #expect(bench.outcomes == [.missedNoResponse])
  }

  @Test func `a contact who is told at once is told that it is due`() throws {
    var bench = try one { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 0)] }
    // The player takes a moment to begin.
    bench.isPlayerSilent = true
    bench.pass(seconds: 70)
    #expect(bench.notified.map(\.reason) == [.due])
  }

  @Test func `while its first ring sounds, nobody has answered it`() throws {
    var bench = try one { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 5)] }
    bench.ringSeconds = 20
    bench.pass(seconds: 4_000)
    #expect(bench.notified.map(\.reason) == [.noAnswer])
  }

  @Test func `a contact is told of what waits for the speaker that it was not heard`() throws {
    var bench = Bench()
    bench.ringSeconds = 30
    for number in 0..<8 {
      try bench.add("Task \(number)") {
        $0.schedule = "in 60 seconds"
        $0.rings = 1
        $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 100)]
      }
    }
    bench.pass(seconds: 170)
    #expect(Set(bench.notified.map(\.reason)) == [.noAnswer, .notHeard])
  }
}

/// A prompt that somebody put off before its first ring, until the next one took its place.
@Suite struct `A prompt put off before it rang` {
  private let researcher = Actor(role: .researcher, id: "uid:1003", source: "socket")

  /// Due every half hour; the first one is put off by 40 minutes while it is silent.
  private func putOff(_ answer: Answer, silencedBy prepare: (inout Bench) throws -> Void) throws
    -> Bench
  {
    var bench = Bench()
    try prepare(&bench)
    let alarm = try bench.add {
      $0.schedule = "every 30 minutes"
      $0.delayLimit = 3
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 1_500)]
    }
    bench.pass(seconds: 1_801)
    let id = try #require(
      bench.replay.prompts.first {
        $0.key.alarm == alarm.id && $0.value.phase != .planned && $0.value.phase.isOpen
      }?.key)
    try bench.answer(answer, to: id)
    bench.pass(seconds: 1_800)
    return bench
  }

  @Test(arguments: [Answer.delay(seconds: 2_400), .acknowledge])
  func `in quiet hours ends as suppressed by them`(_ answer: Answer) throws {
    let bench = try putOff(answer) { bench in
      var form = PersonForm()
      form.quietHours = "08:00-20:00"
      try bench.take(.command(.changePerson(.patient, ifVersion: nil, form), researcher))
    }
    #expect(bench.outcomes == [.suppressedQuietHours])
    #expect(bench.notified.isEmpty && bench.played.isEmpty)
  }

  @Test func `in a control phase ends as suppressed by it`() throws {
    let bench = try putOff(.delay(seconds: 2_400)) { bench in
      let form = PhaseForm(kind: .control)
      try bench.take(.command(.setPhase(.patient, form), researcher))
    }
    #expect(bench.outcomes == [.suppressedControlPhase])
    #expect(bench.notified.isEmpty && bench.played.isEmpty)
  }

  @Test func `while another sounded was missed by its person, and not by the speaker`() throws {
    let bench = try putOff(.delay(seconds: 2_400)) { bench in
      bench.ringSeconds = 30
      try bench.add("Before it") {
        $0.schedule = "in 1800 seconds"
        $0.rings = 1
      }
    }
    #expect(bench.outcomes.contains(.missedNoResponse))
    #expect(!bench.outcomes.contains(.missedAudioFailed))
    #expect(bench.notified.map(\.reason) == [.missedNoResponse])
  }
}

@Suite struct `A burst ends at full loudness` {
  @Test(arguments: [1, 2, 3, 5, 8, 20])
  func `whatever its number of rings`(rings: Int) throws {
    var bench = Bench()
    try bench.add {
      $0.schedule = "in 60 seconds"
      $0.rings = rings
    }
    bench.pass(seconds: 4_000)
    let gains = bench.played.map(\.gainDecibels)
    #expect(gains.count == rings && gains.last == 0)
    #expect(zip(gains, gains.dropFirst()).allSatisfy { $1 - $0 == 3 || $0 == -12 && $1 == -12 })
  }

  @Test func `also after its number of rings was changed, and as a step`() throws {
    var bench = Bench()
    let alarm = try bench.add { $0.schedule = "every day 08:00" }
    var form = AlarmForm()
    for rings in [1, 4, 7, 5] {
      form.rings = rings
      guard
        case .alarm(let changed, _, _)? = try bench.take(
          .command(.edit(alarm.id, ifVersion: nil, form), Bench.anna))
      else { preconditionFailure("no alarm came back") }
      #expect(changed.burst.gainsDecibels.count == rings)
      #expect(changed.burst.gainDecibels(ring: rings - 1) == 0)
    }
    let steps = try bench.add {
      $0.schedule = "every day 20:00"
      $0.steps = [StepForm(rings: 2), StepForm(rings: 2)]
    }
    #expect(steps.escalation.steps.map { $0.burst.gainDecibels(ring: 1) } == [0, 0])
  }

  @Test func `also with gains that an earlier version stored for more rings`() {
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
  func `lasts so many days of 24 hours from its first time on`(
    phrase: String, count: Int, lastHours: Int64
  ) throws {
    // The clocks of Berlin go forward within this week.
    let now = try Instant(parsing: "2027-03-26T10:20:00Z")
    let parsed = try SchedulePhrase(phrase, now: now, zone: Bench.berlin).parsed()
    let plan = try SchedulePlan(parsed.schedule, zone: Bench.berlin, seed: 0)
    var found: [Instant] = []
    while let next = plan.next(after: found.last ?? now) { found.append(next.instant) }
    #expect(found.count == count)
    let first = try #require(found.first)
    #expect((found.last?.seconds ?? 0) - first.seconds >= lastHours * 3_600)
    #expect((found.last?.seconds ?? 0) - first.seconds < lastHours * 3_600 + 3_600)
  }
}
