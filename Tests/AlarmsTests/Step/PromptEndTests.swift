import CivilTime
import Testing

@testable import Alarms

/// Checks which rings the end of a prompt stops, and which outcome the prompt gets.
@Suite struct `The end of a prompt` {
  /// A home with one alarm and its planned prompt. The alarm has five rings in two bursts.
  private struct Home {
    var fixture = CoreFixture()
    var prompt: Prompt

    init() throws {
      try fixture.add {
        ($0.schedule, $0.lateWindowSeconds) = ("in 1 minute", 1_800)
        $0.steps = [
          StepForm(rings: 3, spacingSeconds: 60),
          StepForm(rings: 2, spacingSeconds: 60, pauseSeconds: 60),
        ]
      }
      prompt = try #require(fixture.home.openPrompts.first)
    }

    var now: Instant { fixture.now.wall }

    var transition: Transition {
      Transition(fixture.home, fixture.now, .daemon("test"), fixture.environment)
    }

    func ring(_ index: Int, startedAt: Instant? = nil) -> PromptState {
      .ringing(
        Ring(
          number: index + 1, index: index, gainDecibels: 0, toneSHA256: nil, dueAt: now,
          intendedAt: now, startedAt: startedAt), deadline: now)
    }

    func held(_ ring: Int, _ reason: Suppression.Reason) -> PromptState {
      .held(Suppression(until: now, since: now, ring: ring, reason: reason))
    }
  }

  // MARK: The rings that the end stops

  @Test func `each state of a prompt has its number of remaining rings`() throws {
    var home = try Home()
    let now = home.now
    let cases: [(PromptState, pending: Int, sounding: Bool)] = [
      (.planned, 5, false), (.delayed(until: now), 5, false), (.acknowledged(until: now), 5, false),
      (.waiting(ring: 0, at: now), 5, false), (.waiting(ring: 2, at: now), 3, false),
      (.waiting(ring: 4, at: now), 1, false), (home.ring(0), 4, false),
      (home.ring(3), 1, false), (home.ring(0, startedAt: now), 4, true),
      (home.ring(4, startedAt: now), 0, true), (home.held(2, .cap), 3, false),
      (home.held(0, .quietHours), 5, false), (home.held(2, .capRest), 0, false),
      (home.held(2, .quietRest), 0, false), (home.held(0, .controlPhase), 0, false),
      (.expiring(at: now), 0, false), (.closed(.completed, reason: .none, at: now), 0, false),
    ]
    home.prompt.ringsSounded = 7
    for (state, pending, sounding) in cases {
      home.prompt.state = state
      let expected = Stopped(pending: pending, sounding: sounding, sounded: 7)
      #expect(home.transition.stopping(home.prompt) == expected, "\(state)")
    }
    // If a caretaker has removed the alarm, the number of its rings is not known.
    home.prompt.id = PromptID(alarm: AlarmID("removed"), nominalKey: home.prompt.id.nominalKey)
    home.prompt.state = .planned
    #expect(
      home.transition.stopping(home.prompt) == Stopped(pending: 0, sounding: false, sounded: 7))
  }

  // MARK: The outcome without an answer

  @Test func `the outcome of an unanswered prompt depends on its rings and on its state`() throws {
    let home = try Home()
    var delivered = home.prompt
    (delivered.isDelivered, delivered.ringsFailed, delivered.ringsIntended) = (true, 1, 2)
    var failed = home.prompt
    (failed.ringsFailed, failed.ringsIntended) = (1, 1)
    var cut = home.prompt
    cut.ringsIntended = 1
    var delayed = home.prompt
    delayed.delays = 1
    let silent = home.prompt
    let expiring = PromptState.expiring(at: home.now)
    let cases: [(Prompt, PromptState, Outcome)] = [
      (delivered, expiring, .missedNoResponse), (delivered, home.held(2, .cap), .missedNoResponse),
      (failed, expiring, .missedAudioFailed), (failed, home.held(2, .cap), .missedAudioFailed),
      (cut, expiring, .unknownCrash), (cut, home.held(0, .quietHours), .suppressedQuietHours),
      (silent, home.held(0, .quietHours), .suppressedQuietHours),
      (silent, home.held(0, .quietRest), .suppressedQuietHours),
      (silent, home.held(0, .controlPhase), .suppressedControlPhase),
      (silent, home.held(0, .cap), .suppressedCap), (silent, expiring, .missedAudioFailed),
      (silent, home.held(0, .capRest), .suppressedCap), (delayed, expiring, .missedNoResponse),
    ]
    for (prompt, state, outcome) in cases {
      var prompt = prompt
      prompt.state = state
      #expect(home.transition.unansweredOutcome(prompt) == outcome, "\(prompt)")
    }
  }

  /// Quiet hours and a control phase decide the outcome of an expiring prompt only if somebody put
  /// the prompt off and the prompt never rang.
  @Test func `quiet hours or a control phase decide the outcome if a prompt was put off`() throws {
    var quiet = try Home()
    try quiet.fixture.person { ($0.quietHours, $0.quietPolicy) = ("08:00-10:00", .hold) }
    var control = try Home()
    try control.fixture.phase(.control)
    let homes: [(Home, Outcome)] = [
      (quiet, .suppressedQuietHours), (control, .suppressedControlPhase),
    ]
    for (home, outcome) in homes {
      var prompt = home.prompt
      prompt.state = .expiring(at: home.now)
      #expect(home.transition.unansweredOutcome(prompt) == .missedAudioFailed)
      prompt.acknowledgedAt = home.now
      #expect(home.transition.unansweredOutcome(prompt) == outcome)
      prompt.ringsIntended = 1
      #expect(home.transition.unansweredOutcome(prompt) == .unknownCrash)
    }
  }

  @Test func `the outcome of a missed prompt names the reason`() throws {
    let home = try Home()
    let (id, now) = (home.prompt.id, home.now)
    var transition = home.transition
    transition.clock.startedAt = now
    #expect(transition.missedOutcome(id, now.adding(milliseconds: -1)) == .missedDeviceOff)
    #expect(transition.missedOutcome(id, now) == .missedSuspended)
    // The clock skipped the period from 2 s to 1 s before the start of the daemon.
    let skipped = now.adding(seconds: -2)...now.adding(seconds: -1)
    transition.clock.skipped = skipped
    let cases: [(Int64, Outcome)] = [
      (-2_001, .missedDeviceOff), (-2_000, .missedClockInvalid), (-1_000, .missedClockInvalid),
      (-999, .missedDeviceOff), (0, .missedSuspended),
    ]
    for (milliseconds, outcome) in cases {
      #expect(
        transition.missedOutcome(id, now.adding(milliseconds: milliseconds)) == outcome,
        "\(milliseconds)")
    }
    transition.lost.insert(id)
    #expect(transition.missedOutcome(id, skipped.lowerBound) == .unknownCrash)
  }

  // MARK: Completions

  /// The late window of the prompt is 600 s. A contact is notified after 500 s, so a person can
  /// answer the prompt until 800 s after its due time.
  ///
  /// Each case has the completion deadline, in seconds after "on my way". It also has the times of
  /// "on my way" and of the completion, in seconds after the due time.
  @Test(
    arguments: [
      (120, nil, 600, true), (120, nil, 601, false), (1_200, 600, 700, true),
      (1_200, 601, 700, false), (120, 10, 600, true), (120, 10, 601, false),
      (1_200, 10, 1_210, true), (1_200, 10, 1_211, false),
    ] as [(Int64, Int64?, Int64, Bool)])
  func `a completion is in time until the end of the late window or until the deadline`(
    _ deadline: Int64, onMyWay: Int64?, completion: Int64, isInTime: Bool
  ) throws {
    var fixture = CoreFixture()
    try fixture.add {
      ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("in 1 minute", 1, 600)
      $0.completeBySeconds = deadline
      $0.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 500)]
    }
    let id = try #require(fixture.home.openPrompts.first?.id)
    fixture.pass(seconds: 60 + (onMyWay ?? 0))
    if onMyWay != nil { try fixture.answer(.acknowledge, to: id) }
    fixture.pass(seconds: completion - (onMyWay ?? 0))
    try fixture.answer(.complete, to: id)
    #expect(fixture.outcomes == [isInTime ? .completed : .completedOutOfWindow])
  }

  /// The completion deadline is 120 s and the limit for "later" is 2. Therefore a person can answer
  /// "on my way" again if less than 360 s have passed since the first "on my way".
  @Test func `"on my way" and "later" are refused exactly at their limits`() throws {
    var fixture = CoreFixture()
    try fixture.add {
      ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("in 1 minute", 1, 3_600)
      ($0.completeBySeconds, $0.delayLimit, $0.delaySeconds) = (120, 2, 60)
    }
    let id = try #require(fixture.home.openPrompts.first?.id)
    fixture.pass(seconds: 60)
    try fixture.answer(.acknowledge, to: id)
    fixture.pass(seconds: 359)
    try fixture.answer(.acknowledge, to: id)
    fixture.pass(seconds: 1)
    var refused = refusal { try fixture.answer(.acknowledge, to: id) }
    #expect(refused?.kind == .acknowledgeLimit)
    for _ in 0..<2 { try fixture.answer(.delay(seconds: nil), to: id) }
    refused = refusal { try fixture.answer(.delay(seconds: nil), to: id) }
    #expect(refused?.kind == .delayLimit)
    #expect(
      refused?.detail
        == "cannot delay \"Pills\" again: it was delayed 2 times, which is the limit of its alarm")
    // After this edit, the limit is smaller than the number of delays.
    try fixture.edit(id.alarm) { $0.delayLimit = 1 }
    let prompt = try #require(fixture.home.openPrompts.first)
    #expect(fixture.home.guide(to: prompt, at: fixture.now, fixture.environment).delaysLeft == 0)
  }
}
