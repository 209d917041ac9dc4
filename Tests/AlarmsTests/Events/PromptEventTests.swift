import CivilTime
import Testing

@testable import Alarms

/// Applies single events to one prompt, and compares the whole prompt with the expected prompt.
@Suite struct `An event of a prompt` {
  private static let at = Instant(seconds: 1_800_000_000)
  private static let id = PromptID(alarm: AlarmID("a"), nominalKey: 2)
  private static let hilde = PersonID("hilde")

  /// Returns the instant that is this number of seconds after `at`.
  private static func after(_ seconds: Int64) -> Instant { at.adding(seconds: seconds) }

  /// An alarm with two rings, 60 seconds apart. Three contacts are notified.
  private static func alarm(lateWindowSeconds: Int64 = 300) -> Alarm {
    var alarm = Alarm(
      id: AlarmID("a"), version: 1, person: hilde, label: "Pills", instructions: "",
      schedule: .at(at), phrase: "", zoneName: "UTC", tone: nil,
      burst: Burst(rings: 2, spacingSeconds: 60, gainsDecibels: [0]),
      lateWindowSeconds: lateWindowSeconds, delaySeconds: 60, delayLimit: 1)
    alarm.escalation.notifySteps = [("anna", 10), ("bob", 60), ("carl", 300)].map {
      NotifyStep(contact: $0.0, afterSeconds: $0.1)
    }
    return alarm
  }

  private static func prompt(_ state: PromptState, due: Int64 = 0) -> Prompt {
    Prompt(
      id: id, alarmVersion: 1, dueAt: after(due), zoneName: "UTC", utcOffsetSeconds: 0, state: state
    )
  }

  private static func ring(_ index: Int, at seconds: Int64, startedAt: Instant? = nil) -> Ring {
    Ring(
      number: index + 1, index: index, gainDecibels: 0, toneSHA256: nil, dueAt: after(seconds),
      intendedAt: after(seconds), startedAt: startedAt)
  }

  /// Returns the prompt after the events. All events occur `seconds` after `at`.
  private static func apply(
    _ events: Event..., to prompt: Prompt, _ seconds: Int64 = 0, alarm: Alarm = Self.alarm(),
    phases: [StudyPhase] = []
  ) -> Prompt? {
    var replay = Replay()
    replay.put(alarm)
    replay.put(PersonState(id: hilde, person: Person(id: hilde, version: 1), phases: phases))
    replay.put(prompt)
    for event in events { replay.apply(event, at: after(seconds)) }
    return replay.prompts[id]
  }

  // MARK: Clock steps

  private static func held(_ reason: Suppression.Reason) -> PromptState {
    .held(Suppression(until: after(600), since: at, ring: 1, reason: reason))
  }

  /// The states of a prompt before a clock step. If the second value is true, the instants of the
  /// notifications move with the clock.
  private static let states: [(PromptState, isMoved: Bool)] = [
    (.waiting(ring: 1, at: after(60)), true), (.expiring(at: after(300)), true),
    (.ringing(ring(0, at: 0), deadline: after(45)), true), (.delayed(until: after(60)), true),
    (.acknowledged(until: after(60)), true), (held(.cap), true), (held(.capRest), true),
    (held(.quietRest), true), (held(.quietHours), false), (held(.controlPhase), false),
  ]

  /// Returns a prompt with each instant that a clock step can move.
  private static func answered(
    _ state: PromptState, _ former: PromptState, moved: Int64 = 0, notify: Int64 = 0,
    formerNotify: Int64 = 0
  ) -> Prompt {
    func progress(_ seconds: Int64) -> NotifyProgress {
      NotifyProgress(
        begun: 1, nextAt: after(50 + seconds), lastAt: after(40 + seconds), pending: [0])
    }
    var prompt = prompt(state)
    prompt.lastSoundedAt = after(5 + moved)
    prompt.presentedAt = after(6 + moved)
    prompt.acknowledgedAt = after(7 + moved)
    prompt.notifyProgress = progress(notify)
    prompt.lastAnswer = LastAnswer(
      at: after(9 + moved),
      before: .init(
        state: former, delays: 1, acknowledgedAt: after(8 + moved),
        notifyProgress: progress(formerNotify)))
    return prompt
  }

  @Test func `moves each instant that depends on elapsed time, if the clock is set`() {
    let step = Event.clockStep(milliseconds: 90_000)
    for (state, isMoved) in Self.states {
      for (former, isFormerMoved) in Self.states + [(PromptState.planned, isMoved: false)] {
        let expected = Self.answered(
          state.shifted(by: 90_000), isFormerMoved ? former.shifted(by: 90_000) : former, moved: 90,
          notify: isMoved ? 90 : 0, formerNotify: isFormerMoved ? 90 : 0)
        #expect(
          Self.apply(step, to: Self.answered(state, former)) == expected, "\(state), \(former)")
      }
    }
    for state in [PromptState.planned, .closed(.completed, reason: .none, at: Self.at)] {
      let prompt = Self.answered(state, Self.held(.cap))
      #expect(Self.apply(step, to: prompt) == prompt, "\(state)")
    }
  }

  // MARK: Rings

  @Test func `counts the rings, and drops the data of an undo before a ring`() {
    var prompt = Self.answered(.waiting(ring: 0, at: Self.at), .waiting(ring: 0, at: Self.at))
    var expected = prompt
    expected.lastAnswer = nil
    expected.ringsIntended = 1
    expected.state = .ringing(Self.ring(0, at: 0), deadline: Self.after(45))
    let intent = Event.ringIntent(Self.id, Self.ring(0, at: 0), deadline: Self.after(45))
    #expect(Self.apply(intent, to: prompt) == expected)
    prompt = expected
    expected.ringsSounded = 1
    expected.lastSoundedAt = Self.after(3)
    expected.state = .ringing(
      Self.ring(0, at: 0, startedAt: Self.after(3)), deadline: Self.after(45))
    let started = Event.ringStarted(Self.id, number: 1, device: "card0")
    #expect(Self.apply(started, to: prompt, 3) == expected)
    prompt.ringsFailed = 1
    let failed = Event.ringFailed(Self.id, number: 1, reason: "r")
    let after = Self.apply(failed, to: prompt, 3)
    #expect(after?.ringsFailed == 2 && after?.isDelivered == false)
    #expect(after?.state == .waiting(ring: 1, at: Self.after(60)))
  }

  @Test func `marks the prompt as delivered if a whole ring was audible`() {
    let sounds = PromptState.ringing(
      Self.ring(0, at: 0, startedAt: Self.at), deadline: Self.after(45))
    for (frames, stopped, isDelivered) in [
      (0, false, false), (1, false, true), (1, true, false), (0, true, false),
    ] {
      let ended = Event.ringEnded(
        Self.id, number: 1, device: "card0", frames: frames, xruns: 0, stopped: stopped)
      let after = Self.apply(ended, to: Self.prompt(sounds), 10)
      #expect(after?.isDelivered == isDelivered, "\(frames) \(stopped)")
      #expect(after?.state == .waiting(ring: 1, at: Self.after(60)))
    }
  }

  /// Each case has the ring, the time of the report that the ring has failed, and the state after
  /// the ring. The deadline of each ring is 45 seconds after its intended time.
  @Test func `plans the next ring, or the end of the prompt, after each ring`() {
    func state(
      _ ring: Ring, at seconds: Int64, due: Int64 = 0, window: Int64 = 300,
      _ progress: NotifyProgress = .none
    ) -> PromptState? {
      var prompt = Self.prompt(
        .ringing(ring, deadline: ring.intendedAt.adding(seconds: 45)), due: due)
      prompt.notifyProgress = progress
      let failed = Event.ringFailed(Self.id, number: ring.number, reason: "r")
      let alarm = Self.alarm(lateWindowSeconds: window)
      return Self.apply(failed, to: prompt, seconds, alarm: alarm)?.state
    }
    func next(_ begun: Int, _ seconds: Int64) -> NotifyProgress {
      NotifyProgress(begun: begun, nextAt: Self.after(seconds), lastAt: Self.at, pending: [])
    }
    func last(_ seconds: Int64) -> NotifyProgress {
      NotifyProgress(begun: 3, nextAt: nil, lastAt: Self.after(seconds), pending: [])
    }
    func end(_ seconds: Int64) -> PromptState { .expiring(at: Self.after(seconds)) }
    let (first, second) = (Self.ring(0, at: 0), Self.ring(1, at: 60))
    #expect(state(first, at: 10) == .waiting(ring: 1, at: Self.after(60)))
    #expect(state(first, at: 500) == .waiting(ring: 1, at: Self.after(60)))
    // After the last ring, the prompt waits until the end of its late window. The late window
    // starts at the due time. If quiet hours held the prompt back, the late window starts at the
    // first ring.
    #expect(state(second, at: 70) == end(300))
    #expect(state(second, at: 70, due: 30) == end(330))
    #expect(state(Self.ring(1, at: 1_060), at: 1_070) == end(1_300))
    #expect(state(second, at: 70, window: 119) == end(120))
    #expect(state(second, at: 70, window: 120) == end(120))
    #expect(state(second, at: 70, window: 121) == end(121))
    // A person can answer until 300 seconds after the notification of the last contact.
    #expect(state(second, at: 70, next(0, 10)) == end(10 + 60 + 300 + 300))
    #expect(state(second, at: 70, next(1, 70)) == end(70 + 300 + 300))
    #expect(state(second, at: 70, next(2, 370)) == end(370 + 300))
    #expect(state(second, at: 70, last(0)) == end(300))
    #expect(state(second, at: 70, last(1)) == end(301))
  }

  @Test func `plans the next ring for the time of a late report, but not after the deadline`() {
    let late = Ring(
      number: 1, index: 0, gainDecibels: 0, toneSHA256: nil, dueAt: Self.at, intendedAt: Self.at)
    let prompt = Self.prompt(.ringing(late, deadline: Self.after(100)))
    let failed = Event.ringFailed(Self.id, number: 1, reason: "r")
    for (seconds, expected) in [(59, 60), (60, 60), (61, 61), (100, 100), (101, 100)]
      as [(Int64, Int64)]
    {
      #expect(
        Self.apply(failed, to: prompt, seconds)?.state
          == .waiting(ring: 1, at: Self.after(expected)))
    }
  }

  // MARK: Notifications

  /// Returns the progress of the notifications. The times are seconds after `at`.
  private static func text(_ prompt: Prompt?) -> String {
    guard let progress = prompt?.notifyProgress else { return "no prompt" }
    func seconds(_ instant: Instant?) -> String {
      instant.map { "\(($0.milliseconds - at.milliseconds) / 1_000)" } ?? "-"
    }
    return "\(progress.begun) \(seconds(progress.nextAt)) \(seconds(progress.lastAt)) "
      + "\(progress.pending)"
  }

  @Test func `plans the notification of the next contact from the start of a burst`() {
    func planned(
      _ event: Event, _ state: PromptState, begun: Int = 0, phases: [StudyPhase] = []
    ) -> String {
      var prompt = Self.prompt(state)
      prompt.notifyProgress = NotifyProgress(begun: begun, nextAt: nil, lastAt: nil, pending: [])
      return Self.text(Self.apply(event, to: prompt, 5, phases: phases))
    }
    let due = Event.due(Self.id, lateMilliseconds: 5_000)
    let waiting = PromptState.waiting(ring: 0, at: Self.at)
    #expect(planned(due, .planned) == "0 15 - []")
    let later = Event.delayed(Self.id, until: Self.after(100), .nothing)
    let onTheWay = Event.acknowledged(Self.id, until: Self.after(100), .nothing)
    for event in [later, onTheWay] {
      #expect(planned(event, waiting) == "0 110 - []")
      #expect(planned(event, waiting, begun: 2) == "2 400 - []")
      #expect(planned(event, waiting, begun: 3) == "3 - - []")
    }
    for reason in Suppression.Reason.allCases {
      let held = Event.held(
        Self.id, Suppression(until: Self.after(600), since: Self.at, ring: 0, reason: reason))
      #expect(planned(held, waiting) == (reason == .quietHours ? "0 610 - []" : "0 - - []"))
    }
    for (kind, from, isPlanned) in [
      (StudyPhase.Kind.control, 0, false), (.control, 1, true), (.prompted, 0, true),
    ] as [(StudyPhase.Kind, Int64, Bool)] {
      let phases = [StudyPhase(kind: kind, from: Self.after(from))]
      #expect(planned(later, waiting, phases: phases) == (isPlanned ? "0 110 - []" : "0 - - []"))
    }
  }

  @Test func `ends the plan of a notification if a control phase begins before the due time`() {
    var prompt = Self.prompt(.waiting(ring: 0, at: Self.at))
    prompt.notifyProgress = NotifyProgress(
      begun: 1, nextAt: Self.after(70), lastAt: Self.at, pending: [])
    let control = [StudyPhase(kind: .control, from: Self.at)]
    for (person, isPlanned) in [(Self.hilde, false), (PersonID("otto"), true)] {
      let after = Self.apply(.phaseChanged(person, control), to: prompt)
      #expect(Self.text(after) == (isPlanned ? "1 70 0 []" : "1 - 0 []"), "\(person)")
    }
  }

  @Test func `skips a contact who was notified after an answer stopped the notification`() {
    func late(
      _ position: Int, begun: Int, next: Int64?, delays: Int = 1, acknowledged: Bool = false,
      _ state: PromptState = .delayed(until: Self.after(100))
    ) -> String {
      var prompt = Self.prompt(state)
      prompt.delays = delays
      prompt.acknowledgedAt = acknowledged ? Self.at : nil
      prompt.notifyProgress = NotifyProgress(
        begun: begun, nextAt: next.map { Self.after($0) }, lastAt: Self.at, pending: [])
      let told = Event.notified(Self.id, position: position, contact: "c", attempt: 1)
      return Self.text(Self.apply(told, to: prompt, 20))
    }
    #expect(late(0, begun: 0, next: 110) == "1 160 0 []")
    #expect(late(1, begun: 1, next: 160) == "2 400 0 []")
    #expect(late(2, begun: 2, next: 400) == "3 - 0 []")
    #expect(late(3, begun: 3, next: nil) == "3 - 0 []")
    #expect(late(0, begun: 0, next: nil) == "1 - 0 []")
    #expect(late(0, begun: 1, next: 160) == "1 160 0 []")
    #expect(late(1, begun: 0, next: 110) == "0 110 0 []")
    #expect(late(0, begun: 0, next: 110, delays: 0) == "0 110 0 []")
    #expect(late(0, begun: 0, next: 110, delays: 0, acknowledged: true) == "1 160 0 []")
    let closed = PromptState.closed(.completed, reason: .none, at: Self.at)
    #expect(late(0, begun: 0, next: 110, closed) == "0 110 0 []")
  }

  @Test func `removes a notification from the data of an undo only while an undo is possible`() {
    for (milliseconds, isRecent) in [(60_000, true), (60_001, false)] as [(Int64, Bool)] {
      let progress = NotifyProgress(begun: 2, nextAt: nil, lastAt: nil, pending: [0, 1])
      var prompt = Self.prompt(.expiring(at: Self.after(300)))
      prompt.notifyProgress = progress
      prompt.lastAnswer = LastAnswer(
        at: Self.after(100).adding(milliseconds: -milliseconds),
        before: .init(
          state: .planned, delays: 0, acknowledgedAt: nil, notifyProgress: progress))
      let told = Event.notified(Self.id, position: 1, contact: "bob", attempt: 1)
      let after = Self.apply(told, to: prompt, 100)
      #expect(after?.notifyProgress.pending == [0])
      #expect(after?.lastAnswer?.before?.notifyProgress.pending == (isRecent ? [0] : [0, 1]))
    }
  }

  // MARK: The replay

  @Test func `the replay returns only a closed prompt as ended, and only once`() {
    var replay = Replay()
    let open = Self.prompt(.expiring(at: Self.at))
    let closed = Self.prompt(.closed(.completed, reason: .none, at: Self.at))
    replay.put(open)
    let takenOpen = replay.takeEnded(Self.id)
    #expect(takenOpen == nil && replay.prompts[Self.id] == open)
    #expect(replay.activePrompts() == [open])
    replay.put(closed)
    #expect(replay.activePrompts().isEmpty)
    let taken = [replay.takeEnded(Self.id), replay.takeEnded(Self.id)]
    #expect(taken == [closed, nil] && replay.prompts.isEmpty)
  }

  @Test func `does not change a prompt whose state does not allow the change`() {
    var replay = Replay()
    let planned = Self.prompt(.planned)
    replay.put(planned)
    let ring = Event.ringIntent(Self.id, Self.ring(0, at: 0), deadline: Self.after(45))
    let later = Event.delayed(Self.id, until: Self.after(60), .nothing)
    for event in [ring, later] { replay.apply(event, at: Self.at) }
    #expect(replay.prompts[Self.id] == planned)
    #expect(replay.impossible?.prompt == Self.id)
    #expect(
      replay.impossible?.change.change
        == .ringIntended(Self.ring(0, at: 0), deadline: Self.after(45)))
  }
}
