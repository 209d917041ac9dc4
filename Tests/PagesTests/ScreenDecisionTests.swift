import CivilTime
import JSONValue
import Testing

@testable import Pages

@Suite struct ScreenDecisionTests {
  private func key(_ sample: SampleReading) throws -> String { try sample.decision().state.key }

  @Test func `nothing due is the idle screen, with the last and the next task`() throws {
    let sample = SampleReading(prompts: [
      prompt("d", "planned", [("scheduled_utc", .string("2026-11-26T20:00:00.000Z"))]),
      prompt("c", "planned", [("scheduled_utc", .string("2026-11-26T12:30:00.000Z"))]),
      try done("b", secondsAgo: 600), try done("a", secondsAgo: 1_200),
    ])
    let decision = try sample.decision()
    #expect(
      decision.state
        == .idle(
          IdleScreen(
            last: .init(label: "Task b", time: try ClockTime(hour: 7, minute: 51)),
            next: .init(label: "Task c", time: try ClockTime(hour: 12, minute: 30)),
            progress: DayProgress(done: 1, planned: 3))))
    #expect(decision.validUntil == nil)
  }

  @Test func `a task of tomorrow is marked, and a task of the day after is not shown`() throws {
    func next(_ day: Int) throws -> IdleScreen.TimedTask? {
      let at = "2026-11-\(day)T08:00:00.000Z"
      let sample = SampleReading(prompts: [
        prompt("a", "planned", [("scheduled_utc", .string(at))])
      ])
      guard case .idle(let idle) = try sample.decision().state else { return nil }
      return idle.next
    }
    #expect(try next(27)?.isTomorrow == true)
    #expect(try next(28) == nil)
  }

  @Test func `a delayed task is the next task at the end of its delay`() throws {
    let sample = SampleReading(prompts: [
      prompt("a", "delayed", [("delayed_until_utc", .string("2026-11-26T08:05:00.000Z"))])
    ])
    guard case .idle(let idle) = try sample.decision().state else {
      Issue.record("not idle")
      return
    }
    #expect(idle.next?.time == (try ClockTime(hour: 8, minute: 5)))
  }

  /// The daemon says in `silenced` whether reminders are silent. A daemon of an earlier version
  /// reports the pause and the phase instead.
  @Test(arguments: [
    ("silenced", JSON.bool(true)), ("pause", .object([("until_utc", .null)])),
    ("phase", .string("control")),
  ]) func `a person whose reminders are silent now sees no next task`(
    silence: (String, JSON)
  ) throws {
    let sample = SampleReading(
      prompts: [
        prompt("a", "planned", [("scheduled_utc", .string("2026-11-26T12:00:00.000Z"))]),
        prompt("b", "acknowledged"),
      ], person: [silence])
    guard case .idle(let idle) = try sample.decision().state else {
      Issue.record("not idle")
      return
    }
    #expect(idle.next == nil)
  }

  @Test func `a prompt calls only if the daemon permits it to be shown as due`() throws {
    for state in ["ringing", "waiting", "held", "expiring"] {
      let hidden = SampleReading(prompts: [prompt("a", state)])
      #expect(try key(hidden) == "idle")
      let shown = SampleReading(prompts: [prompt("a", state, [("shown_as_due", .bool(true))])])
      #expect(try key(shown) == "calling a done")
    }
  }

  @Test func `of several due prompts the one that calls is shown`() throws {
    let prompts = [due("c"), due("b", at: "07:30:00"), due("a")]
    #expect(try key(SampleReading(prompts: prompts, calling: ("c", false))) == "calling c done")
    #expect(try key(SampleReading(prompts: prompts)) == "calling c done")
    let waiting = prompts.map { $0.mapping("state") { _ in .string("waiting") } }
    #expect(try key(SampleReading(prompts: waiting)) == "calling b done")
  }

  @Test(arguments: [
    (false, false, TrackEnds(hasLater: true, right: .done)),
    (true, false, TrackEnds(hasLater: true, right: .onMyWay)),
    (false, true, TrackEnds(hasLater: false, right: .heard)),
    (true, true, TrackEnds(hasLater: false, right: .heard)),
  ])
  func `the ends of the track follow from the prompt`(
    acknowledgesFirst: Bool, isMessage: Bool, ends: TrackEnds
  ) throws {
    let sample = SampleReading(
      prompts: [due("a", [("announcement", .bool(isMessage))])],
      calling: ("a", acknowledgesFirst))
    guard case .calling(let task) = try sample.decision().state else {
      Issue.record("nothing calls")
      return
    }
    #expect(task.ends == ends)
  }

  @Test func `without a delay left there is no LATER`() throws {
    for left: JSON in [.integer(0), .null] {
      let sample = SampleReading(prompts: [due("a", [("delays_left", left)])])
      let state = try sample.decision().state
      #expect(!state.offers(.delay, to: "a"))
      #expect(state.offers(.complete, to: "a"))
    }
  }

  @Test func `on my way stays until the task is done`() throws {
    let sample = SampleReading(prompts: [
      prompt(
        "a", "acknowledged", [("acknowledged_until_utc", .string("2026-11-26T08:10:00.000Z"))])
    ])
    guard case .onMyWay(let task) = try sample.decision().state else {
      Issue.record("not on my way")
      return
    }
    #expect(task.again == (try ClockTime(hour: 8, minute: 10)))
    #expect(task.ends == TrackEnds(hasLater: true, right: .done))
  }

  @Test(arguments: [(0, true), (59, true), (60, false), (600, false)])
  func `an answer can be undone for 60 seconds`(secondsAgo: Int64, isShown: Bool) throws {
    let sample = SampleReading(prompts: [try done("a", secondsAgo: secondsAgo)])
    let decision = try sample.decision()
    #expect(decision.state.key == (isShown ? "answered a" : "idle"))
    let end = try Instant(parsing: SampleReading.now).adding(seconds: 60 - secondsAgo)
    #expect(decision.validUntil == (isShown ? end : nil))
  }

  @Test func `an undo of LATER is offered, too`() throws {
    let sample = SampleReading(prompts: [
      prompt(
        "a", "delayed",
        [
          ("delayed_until_utc", .string("2026-11-26T08:05:30.000Z")),
          ("undo_until_utc", .string("2026-11-26T08:01:30.000Z")),
        ])
    ])
    let state = try sample.decision().state
    #expect(
      state
        == .answered(
          AnsweredScreen(
            promptID: "a", label: "Task a",
            kind: .later(again: try ClockTime(hour: 8, minute: 5, second: 30)))))
    #expect(state.offers(.undo, to: "a"))
    #expect(!state.offers(.complete, to: "a"))
  }

  @Test(arguments: [(3, "answered a"), (8, "answered a"), (9, "calling b done")])
  func `a task that was due before the answer waits for eight seconds`(
    secondsAgo: Int64, key: String
  ) throws {
    let sample = SampleReading(prompts: [due("b"), try done("a", secondsAgo: secondsAgo)])
    #expect(try self.key(sample) == key)
  }

  @Test(arguments: [(3, "answered a"), (8, "answered a"), (9, "onMyWay b")])
  func `a task that somebody does now waits for eight seconds, too`(
    secondsAgo: Int64, key: String
  ) throws {
    let sample = SampleReading(prompts: [
      prompt("b", "acknowledged"), try done("a", secondsAgo: secondsAgo),
    ])
    #expect(try self.key(sample) == key)
  }

  @Test func `a task that became due after the answer is shown at once`() throws {
    let sample = SampleReading(prompts: [
      due("b", at: "08:01:00"), try done("a", secondsAgo: 2),
    ])
    #expect(try key(sample) == "calling b done")
  }

  @Test(arguments: [(nil, nil), ("yes", true), ("no", false)])
  func `the answer to a message is shown and can be undone for 60 seconds`(
    answer: String?, isYes: Bool?
  ) throws {
    var sample = SampleReading(prompts: [try done("m", secondsAgo: 59)])
    sample.prompts[0].set("announcement", .bool(true))
    var reading = try sample.reading()
    #expect(reading.promptsWithPossibleQuestions.map(\.id) == ["m"])
    if let isYes {
      reading.checkIns["m"] = try CheckInReading(
        .object([
          ("questions", .array([question("answer", "yes_no")])), ("answers_required", .bool(true)),
          (
            "responses",
            .array(
              // The person has changed the answer from the opposite value. Therefore, the daemon
              // returns two responses.
              [!isYes, isYes].map {
                .object([("question", .string("answer")), ("value", .bool($0))])
              })
          ),
        ]))
    }
    let state = ScreenDecision(reading).state
    #expect(
      state
        == .answered(AnsweredScreen(promptID: "m", label: "Task m", kind: .message(isYes: isYes))))
    #expect(state.offers(.undo, to: "m") && !state.takesPhoto(of: "m"))
  }

  @Test func `an answered message is no task of the day`() throws {
    var message = try done("m", secondsAgo: 61)
    message.set("announcement", .bool(true))
    guard case .idle(let idle) = try SampleReading(prompts: [message]).decision().state else {
      Issue.record("not idle")
      return
    }
    #expect(idle.last == nil)
  }

  @Test(arguments: [
    ("22:00-07:00", "2026-11-26T23:00:00.000Z", true),
    ("22:00-07:00", "2026-11-26T06:59:59.000Z", true),
    ("22:00-07:00", "2026-11-26T07:00:00.000Z", false), ("", "2026-11-26T03:00:00.000Z", false),
  ])
  func `the screen is dark in quiet hours`(hours: String, now: String, isNight: Bool) throws {
    var sample = SampleReading(now: now, person: [("quiet_hours", .string(hours))])
    #expect(try sample.decision().isNight == isNight)
    sample.prompts = [due("a")]
    #expect(try !sample.decision().isNight, "a task that calls lights the screen up")
  }

  @Test func `quiet hours are in the zone of the person`() throws {
    var sample = SampleReading(
      now: "2026-11-26T13:30:00.000Z", person: [("quiet_hours", .string("22:00-07:00"))])
    #expect(try !sample.decision().isNight)
    // The local time in Tokyo is 22:30.
    sample.personZone = try zone("Asia/Tokyo")
    #expect(try sample.decision().isNight)
  }

  @Test(arguments: ["id", "label", "state", "instructions", "shown_as_due", "scheduled_utc"])
  func `a reply without a field is an error with its name`(field: String) throws {
    let document = due("a").mapping(field) { _ in .null }
    #expect(throws: ReadingError(field: field)) {
      try SampleReading(prompts: [document]).reading()
    }
  }
}
