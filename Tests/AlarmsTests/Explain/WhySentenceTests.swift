import CivilTime
import Testing

@testable import Alarms

/// 15 January 2027, 08:00 in Berlin.
private let eight = Instant(seconds: 1_799_996_400)
private let nine = eight.adding(seconds: 3_600)
private let at8 = "2027-01-15 08:00"
private let at9 = "2027-01-15 09:00"
private let id = PromptID(alarm: AlarmID("a"), nominalKey: 0)

private let words = WhyWords(zone: CoreFixture.berlin, person: "Hilde", ringsPerHour: 20) {
  $0 == "uid:0" ? "root" : nil
}

private func suppression(_ reason: Suppression.Reason) -> Suppression {
  Suppression(until: nine, since: eight, ring: 0, reason: reason)
}

private let full = "Hilde has already heard 20 rings this hour"
private let silent = "the study keeps reminders silent in this phase"

/// Events, each with its sentence; nil if the explanation does not show the event.
private let sentences: [(Event, String?)] = [
  (.due(id, lateMilliseconds: 999), "it became due"),
  (.due(id, lateMilliseconds: 1_000), "it became due, 1 second late"),
  (.due(id, lateMilliseconds: 120_000), "it became due, 2 minutes late"),
  (.presented(id), "a screen showed it"), (.saidAgain(id), "its voice was said again"),
  (.acknowledged(id, until: nine, .nothing), "on my way; it rings again at \(at9)"),
  (.delayed(id, until: nine, .nothing), "put off until \(at9)"),
  (.held(id, suppression(.quietHours)), "held back until \(at9): quiet hours"),
  (.held(id, suppression(.cap)), "held back until \(at9): \(full)"),
  (
    .held(id, suppression(.quietRest)),
    "stays silent, and can be answered until \(at9): quiet hours"
  ),
  (
    .held(id, suppression(.controlPhase)),
    "stays silent, and can be answered until \(at9): \(silent)"
  ),
  (.held(id, suppression(.capRest)), "stays silent, and can be answered until \(at9): \(full)"),
  (.closed(id, .completed, reason: .none, .nothing), "completed"),
  (.closed(id, .declined, reason: .notUnderstood, .nothing), "declined (not understood)"),
  (
    .closed(id, .suppressedControlPhase, reason: .none, .nothing),
    "stayed silent, because of the study"
  ),
  (.closed(id, .suppressedQuietHours, reason: .none, .nothing), "suppressed quiet hours"),
  (
    .corrected(id, Correction(undone: .completed, answeredAt: eight, state: .planned)),
    "the answer \"completed\" was taken back"
  ),
  (
    .revised(id, version: 3), "the alarm was changed, and the prompt went on with version 3"
  ),
  (.repaired(id, .stepNotStored), "repaired: its next step was not stored"),
  (.repaired(id, .promptNotStored), "repaired: the prompt was not stored"),
  (.repaired(id, .stepNotAwaited), "repaired: nothing waited for its next step"),
  (.repaired(id, .notPlanned), "repaired: the prompt was not planned"),
  (
    .escalated(id, position: 0, contact: "anna", reason: .notHeard),
    "the daemon began to notify anna: not heard"
  ),
  (.notified(id, position: 0, contact: "anna", attempt: 1), "anna was notified"),
  (
    .notificationFailed(
      id, position: 0, contact: "anna", attempt: 2, isLast: false, reason: "no network"),
    "anna could not be notified, attempt 2: no network"
  ),
  (.ringStarted(id, number: 3, device: "card0"), "ring 3 began to sound on card0"),
  (
    .ringEnded(id, number: 3, device: "card0", frames: 96_000, xruns: 1, stopped: false),
    "ring 3 ended after 2.0 s"
  ),
  (
    .ringEnded(id, number: 2, device: "card0", frames: 9_599, xruns: 0, stopped: true),
    "ring 2 was stopped after 0.1 s"
  ),
  (.ringFailed(id, number: 1, reason: "no card"), "ring 1 could not sound: no card"),
  (
    .ringUncertain(id, number: 1, reason: "a crash"),
    "it is not known whether ring 1 sounded: a crash"
  ),
  (
    .audioFallback(nil, from: "card0", to: "card1", reason: "unplugged"),
    "card1 was used instead of card0: unplugged"
  ),
  (
    .gap(from: eight, to: nine, cause: .serviceStopped),
    "the service was stopped from \(at8) to \(at9)"
  ),
  (.gap(from: eight, to: nine, cause: .crash), "the service failed from \(at8) to \(at9)"),
  (.gap(from: eight, to: nine, cause: .deviceOff), "the device was off from \(at8) to \(at9)"),
  (
    .gap(from: eight, to: nine, cause: .suspended), "the device was asleep from \(at8) to \(at9)"
  ),
  (
    .gap(from: eight, to: nine, cause: .recordUnwritable),
    "the record could not be written from \(at8) to \(at9)"
  ),
  (.clockStep(milliseconds: -60_000), "the clock was set back by 1 minute"),
  (.clockStep(milliseconds: 0), "the clock was set forward by 0 seconds"),
  (.clockStep(milliseconds: 7_200_000), "the clock was set forward by 2 hours"),
  (.boot(previousBootID: "b"), "the device was switched on"),
  (.serviceStarted(version: "1"), "the service started"),
  (.serviceStopped(reason: "update"), "the service stopped: update"),
  (.clockSync(gained: true), "the clock is synchronised"),
  (.clockSync(gained: false), "the clock is no longer synchronised"),
  (.audioLost(reason: "no card"), "no speaker could be used: no card"),
  (.audioRestored(device: "card0"), "a speaker can be used again: card0"),
  (.tzChanged(from: "A", to: "B"), "the home's zone changed from A to B"),
  (.tzdataChanged(from: "A", to: "B"), "the zone data A were replaced by B"),
  (.heartbeat, "heartbeat"), (.disk(isLow: true, freeBytes: 1), "disk low"),
]

@Suite struct `The sentences of an explanation` {
  @Test func `describe each event`() {
    for (event, sentence) in sentences { #expect(words.sentence(event) == sentence, "\(event)") }
  }

  @Test func `name the version of a planned prompt only after a change`() throws {
    let fixture = try pills { $0.schedule = "in 60 minutes" }
    var prompt = try #require(fixture.home.openPrompts.first)
    #expect(words.sentence(.planned(prompt)) == "planned for 2027-01-15 10:00")
    prompt.alarmVersion = 2
    #expect(
      words.sentence(.planned(prompt))
        == "planned for 2027-01-15 10:00, from version 2 of the alarm")
  }

  @Test func `leave out the intent of a ring`() throws {
    var fixture = try pills()
    fixture.pass(seconds: 20)
    let intent = try #require(fixture.records.first { $0.event.type == "ring_intent" })
    #expect(words.sentence(intent.event) == nil)
  }

  @Test func `name the user, the role or the device`() {
    func who(_ role: Role, _ id: String) -> String {
      words.who(Actor(role: role, id: id, source: "socket"))
    }
    #expect(who(.system, "daemon") == "the device")
    #expect(who(.admin, "uid:0") == "root")
    #expect(who(.patient, "uid:5") == "the patient uid:5")
  }

  @Test func `say how full the hour is only if it is known`() {
    func cap(_ person: String?, _ rings: Int?) -> String {
      WhyWords(zone: .utc, person: person, ringsPerHour: rings) { _ in nil }.words(.capRest)
    }
    let most = "this person has already heard the most rings allowed in one hour"
    #expect(cap(nil, nil) == most && cap("Hilde", nil) == most)
    #expect(cap(nil, 5) == "this person has already heard 5 rings this hour")
    #expect(cap("Hilde", 5) == "Hilde has already heard 5 rings this hour")
  }
}

/// The summary of a prompt: whether it rang, and how it ended.
@Suite struct `The summary of a prompt` {
  private static let anna = Actor(role: .caretaker, id: "uid:1000", source: "socket")
  private static let started = Event.ringStarted(id, number: 1, device: "card0")

  private func history(_ events: Event...) -> [HistoryEvent] {
    events.enumerated().map {
      HistoryEvent(
        sequence: Int64($0.offset), event: $0.element, actor: Self.anna,
        at: eight.adding(seconds: Int64($0.offset) * 60))
    }
  }

  private func prompt(_ state: PromptState, heard: Int = 0) throws -> Prompt {
    var fixture = try pills()
    fixture.pass(seconds: heard > 0 ? 20 : 5)
    var prompt = try #require(fixture.home.openPrompts.first)
    prompt.state = state
    prompt.dueAt = eight
    #expect(prompt.isDelivered == (heard > 0))
    return prompt
  }

  @Test func `describes each state of an open prompt`() throws {
    let states: [(PromptState, String)] = [
      (.planned, "it is not due yet"),
      (.waiting(ring: 1, at: nine), "ring 2 of its burst sounds at \(at9)"),
      (.expiring(at: nine), "it rang out, and can still be answered until \(at9)"),
      (.delayed(until: nine), "it was put off and rings again at \(at9)"),
      (.acknowledged(until: nine), "somebody is on the way, and it rings again at \(at9)"),
      (.held(suppression(.quietHours)), "it is held back until \(at9): quiet hours"),
      (.held(suppression(.cap)), "it is held back until \(at9): \(full)"),
      (
        .held(suppression(.controlPhase)),
        "it stays silent, and can be answered until \(at9): \(silent)"
      ),
      (
        .held(suppression(.quietRest)),
        "it stays silent, and can be answered until \(at9): quiet hours"
      ),
      (
        .held(suppression(.capRest)), "it stays silent, and can be answered until \(at9): \(full)"
      ),
    ]
    for (state, text) in states {
      #expect(
        words.summary(try prompt(state), [], []) == "It is due and has not sounded yet: \(text).")
      #expect(
        words.summary(try prompt(state, heard: 1), history(Self.started), [])
          == "It rang once, at \(at8): \(text).")
    }
    // The summary does not count a ring as heard if the ring began but was not played to its end.
    #expect(
      words.summary(try prompt(.expiring(at: nine)), history(Self.started, Self.started), [])
        == "It began to ring 2 times, the first time at \(at8), and no ring was played to its end: "
        + "it rang out, and can still be answered until \(at9).")
    var fixture = try pills()
    fixture.isPlayerSilent = true
    fixture.pass(seconds: 16)
    let ringing = try #require(fixture.home.openPrompts.first)
    #expect(
      words.summary(ringing, [], []) == "It is due and has not sounded yet: a ring is sounding.")
  }

  /// Each case has an outcome, the sentence for a prompt that rang, and the reason that the summary
  /// gives if the prompt did not ring.
  private static let outcomes: [(Outcome, String, String)] = {
    let by = "The caretaker uid:1000"
    let late = ", and later it was too late to ring"
    return [
      (.completed, "\(by) completed it at \(at9)", "the caretaker uid:1000 completed it at \(at9)"),
      (
        .completedOutOfWindow, "\(by) completed it at \(at9), too late",
        "the caretaker uid:1000 completed it at \(at9), too late"
      ),
      (
        .declined, "\(by) declined it at \(at9) (not heard)",
        "the caretaker uid:1000 declined it at \(at9) (not heard)"
      ),
      (
        .cancelledBeforeDue, "\(by) cancelled it at \(at9) (not heard)",
        "the caretaker uid:1000 cancelled it at \(at9) (not heard)"
      ),
      (
        .cancelledWhileRinging, "\(by) cancelled it at \(at9) (not heard)",
        "the caretaker uid:1000 cancelled it at \(at9) (not heard)"
      ),
      (
        .supersededByEdit, "\(by) changed the alarm at \(at9)",
        "the caretaker uid:1000 changed the alarm"
      ),
      (.missedNoResponse, "Nobody answered until \(at9)", "missed no response"),
      (
        .missedAudioFailed, "It ended at \(at9): missed audio failed",
        "the speaker was not free in time"
      ),
      (
        .missedDeviceOff, "It ended at \(at9): missed device off",
        "the device was off when it was due" + late
      ),
      (
        .missedSuspended, "It ended at \(at9): missed suspended", "the device was asleep" + late
      ),
      (
        .missedClockInvalid, "It ended at \(at9): missed clock invalid",
        "the clock was set forward past its due time"
      ),
      (
        .suppressedQuietHours, "It ended at \(at9): suppressed quiet hours",
        "it was due in quiet hours"
      ),
      (.suppressedControlPhase, "It ended at \(at9): suppressed control phase", silent),
      (.suppressedCap, "It ended at \(at9): suppressed cap", full),
      (
        .suppressedPaused, "It ended at \(at9): suppressed paused",
        "the alarm or its person was paused, or this time was excluded"
      ),
      (
        .unknownCrash, "It ended at \(at9): unknown crash",
        "the device or the service failed, and it is not known whether the ring sounded"
      ),
    ]
  }()

  @Test func `describes each outcome with and without a ring`() throws {
    let outcomes = Self.outcomes
    #expect(Set(outcomes.map(\.0)) == Set(Outcome.allCases))
    for (outcome, rang, cause) in outcomes {
      let reason: ReasonCode = .notHeard
      let end = Event.closed(id, outcome, reason: reason, .nothing)
      let closed = PromptState.closed(outcome, reason: reason, at: nine)
      #expect(
        words.summary(try prompt(closed, heard: 1), history(Self.started, end), [])
          == "It rang once, at \(at8). \(rang).")
      #expect(
        words.summary(try prompt(closed), history(end), []) == "It did not ring: \(cause).")
    }
    let done = PromptState.closed(.declined, reason: .none, at: nine)
    #expect(
      words.summary(try prompt(done), [], []) == "It did not ring: somebody declined it at \(at9).")
    let edited = PromptState.closed(.supersededByEdit, reason: .none, at: nine)
    #expect(
      words.summary(try prompt(edited), [], []) == "It did not ring: somebody changed the alarm.")
  }

  @Test func `names the gap, the clock step or the failure that kept it silent`() throws {
    func summary(_ outcome: Outcome, _ past: [HistoryEvent], _ around: [HistoryEvent]) throws
      -> String
    {
      words.summary(try prompt(.closed(outcome, reason: .none, at: nine)), past, around)
    }
    let late = ", and later it was too late to ring."
    let off = Event.gap(from: eight, to: nine, cause: .crash)
    // A gap that began after the due time is not the reason why the prompt was missed.
    let later = Event.gap(from: eight.adding(milliseconds: 1), to: nine, cause: .suspended)
    #expect(
      try summary(.missedDeviceOff, [], history(later, off))
        == "It did not ring: the service failed, from \(at8) to \(at9)" + late)
    #expect(
      try summary(.missedDeviceOff, [], history(later))
        == "It did not ring: the device was off when it was due" + late)
    #expect(
      try summary(.missedSuspended, [], history(off))
        == "It did not ring: the device was asleep, from \(at8) to \(at9)" + late)
    #expect(
      try summary(
        .missedClockInvalid, [],
        history(
          .clockStep(milliseconds: -60_000), .clockStep(milliseconds: 0),
          .clockStep(milliseconds: 3_600_000)))
        == "It did not ring: the clock was set forward past its due time, by 1 hour.")
    #expect(
      try summary(
        .missedAudioFailed,
        history(
          .ringFailed(id, number: 1, reason: "no card"),
          .ringFailed(id, number: 2, reason: "no power")), [])
        == "It did not ring: ring 2 could not sound: no power.")
  }

  @Test func `has the interruptions that concern the prompt as reasons`() throws {
    let prompt = try prompt(.closed(.missedDeviceOff, reason: .none, at: nine))
    func event(_ sequence: Int64, _ event: Event, _ seconds: Int64) -> HistoryEvent {
      HistoryEvent(
        sequence: sequence, event: event, actor: Self.anna, at: eight.adding(seconds: seconds))
    }
    let before = eight.adding(seconds: -60)
    let why = Why(
      prompt, history: [event(9, .closed(id, .missedDeviceOff, reason: .none, .nothing), 3_600)],
      interruptions: [
        event(8, .gap(from: before, to: eight, cause: .deviceOff), 10),
        event(7, .gap(from: before, to: eight.adding(milliseconds: -1), cause: .crash), 10),
        event(6, .gap(from: eight, to: nine, cause: .crash), 10),
        // A gap without a length did not affect the prompt.
        event(10, .gap(from: nine, to: nine, cause: .crash), 10),
        event(5, .boot(previousBootID: "b"), -60), event(4, .boot(previousBootID: "b"), -61),
        event(3, .clockSync(gained: true), 0), event(2, .heartbeat, 0),
        event(1, .presented(id), 0),
      ], forecast: nil, in: words)
    #expect(
      why.reasons.map(\.text) == [
        "the clock is synchronised", "the device was switched on",
        "the service failed from \(at8) to \(at9)",
        "the device was off from 2027-01-15 07:59 to \(at8)", "missed device off",
      ])
    #expect(why.reasons.map(\.type) == ["clock_sync_gained", "boot", "gap", "gap", "missed"])
    #expect(why.reasons[1].at == before && why.reasons[1].actor == Self.anna)
    #expect(why.prompt == prompt.id && why.dueAt == eight && why.verdict == .stayedSilent)
    #expect(
      why.summary
        == "It did not ring: the device was off, from 2027-01-15 07:59 to \(at8), and later it was "
        + "too late to ring.")
  }
}
