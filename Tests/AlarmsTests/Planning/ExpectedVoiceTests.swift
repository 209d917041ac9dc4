import CivilTime
import Testing

@testable import Alarms

/// Checks the sound of the first ring, and which alarms can still ring.
@Suite struct `The outlook of an alarm` {
  /// Makes a home with three recordings. The person has the recording "person".
  private func home() throws -> CoreFixture {
    var fixture = CoreFixture()
    for name in ["step", "alarm", "person"] {
      let tone = Tone(name: name, sha256: "\(name)1", durationMilliseconds: 1, loudnessLUFS: -16)
      try fixture.handle(.command(.addTone(tone, replacing: false), CoreFixture.anna))
    }
    try fixture.person { ($0.tone, $0.language) = ("person", "de") }
    return fixture
  }

  @Test func `has the recording of the step, of the alarm or of the person, or a voice`() throws {
    let cases: [(tones: [String], lost: Set<String>, ExpectedVoice, kind: String, String?)] = [
      (["step", "alarm"], [], .recording("step"), "recording", "step"),
      (["step", "alarm"], ["step"], .recording("alarm"), "recording", "alarm"),
      (["step", "alarm"], ["alarm"], .recording("step"), "recording", "step"),
      (["alarm"], [], .recording("alarm"), "recording", "alarm"),
      (["step"], ["step"], .personRecording("person"), "person_recording", "person"),
      ([], [], .personRecording("person"), "person_recording", "person"),
      (["alarm"], ["alarm", "person"], .speech, "speech", nil),
      ([], ["person"], .speech, "speech", nil),
    ]
    for (tones, lost, voice, kind, tone) in cases {
      var fixture = try home()
      let alarm = try fixture.add {
        $0.schedule = "every day 08:00"
        $0.tone = tones.contains("alarm") ? "alarm" : nil
        $0.steps = [
          StepForm(
            rings: 2, loudness: .decibels([-9, -3]), tone: tones.contains("step") ? "step" : nil,
            isUrgent: true)
        ]
      }
      for name in lost { fixture.home.tones[name] = nil }
      let found = fixture.home.voice(of: alarm, isSpeaking: true)
      #expect(found == voice && found.kind.rawValue == kind && found.tone == tone, "\(tones)")
      let silent = fixture.home.voice(of: alarm, isSpeaking: false)
      #expect(silent == (voice == .speech ? .builtIn : voice))
      #expect(silent.kind.rawValue == (voice == .speech ? "built_in" : kind))
      let nominal = try CivilDateTime(parsing: "2027-01-16T08:00:00")
      let order = fixture.home.firstRing(of: alarm, at: nominal)
      #expect(order.prompt == PromptID(alarm: alarm.id, nominal: nominal, fold: 0))
      #expect(order.ring == 0 && order.isFirstOfBurst && order.isUrgent)
      #expect(order.gainDecibels == -9 && order.words == SpokenWords("Pills", language: "de"))
      #expect(
        order.tones == (tones + ["person"]).filter { !lost.contains($0) }.map { "\($0)1" })
    }
  }

  @Test func `has words of at most 150 characters`() throws {
    var fixture = try home()
    func words(_ count: Int) throws -> SpokenWords {
      let alarm = try fixture.add("Tea") {
        ($0.schedule, $0.instructions) = (
          "every day 08:00", String(repeating: "x", count: count)
        )
      }
      return alarm.spokenWords(for: fixture.home.people[.patient]?.person)
    }
    #expect(try words(0) == SpokenWords("Tea", language: "de"))
    let long = String(repeating: "x", count: 145)
    #expect(try words(145) == SpokenWords("Tea. " + long, language: "de"))
    #expect(try words(146) == SpokenWords("Tea", language: "de"))
    try fixture.add("Bell") { ($0.schedule, $0.tone) = ("every day 08:00", "alarm") }
    #expect(
      fixture.home.unrecordedWords == [
        SpokenWords("Tea", language: "de"), SpokenWords("Tea. " + long, language: "de"),
      ])
    #expect(fixture.home.words("Hi", for: .patient) == SpokenWords("Hi", language: "de"))
    #expect(fixture.home.words("Hi", for: PersonID("x")) == SpokenWords("Hi", language: nil))
  }

  @Test func `is over after the last prompt, unless it follows another alarm`() throws {
    var fixture = CoreFixture()
    try fixture.person("eva") { _ in }
    let once = try fixture.add("Once") { ($0.schedule, $0.person) = ("in 10 seconds", "patient") }
    let daily = try fixture.add("Daily") { ($0.schedule, $0.person) = ("every day 08:00", "eva") }
    let after = try fixture.add("After") {
      ($0.schedule, $0.person) = ("1 hour after Daily is completed", "eva")
    }
    func over() -> [Bool] { [once, daily, after].map { fixture.home.isOver($0.id) } }
    func counts() -> [Int] {
      [nil, .patient, PersonID("eva")].map { fixture.home.currentAlarmCount(of: $0) }
    }
    #expect(over() == [false, false, false] && counts() == [3, 1, 2])
    fixture.pass(seconds: 20)
    #expect(over() == [false, false, false] && fixture.home.waitingCount(of: once.id) == 1)
    try fixture.answer(.complete)
    #expect(over() == [true, false, false] && counts() == [2, 0, 2])
    #expect(!fixture.home.isOver(AlarmID("x")) && fixture.home.waitingCount(of: once.id) == 0)
  }

  @Test func `has an expected suppression only while its prompt is planned`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.add {
      ($0.schedule, $0.rings) = ("every day 10:00 and 1 hour before", 1)
      $0.exclude = ["2027-01-16"]
    }
    try fixture.person { $0.quietHours = "10:00-11:00" }
    func expected() -> [ExpectedSuppression?] {
      fixture.home.openPrompts.sorted { $0.dueAt < $1.dueAt }.map {
        fixture.home.expectedSuppression(of: $0, at: fixture.now, fixture.environment)
      }
    }
    let end = fixture.now.wall.adding(seconds: 7_200)
    #expect(expected() == [ExpectedSuppression(why: .quietHours, ringsAt: end)])
    fixture.pass(seconds: 3_601)
    #expect(fixture.states == ["held quiet_hours"])
    #expect(expected().first == .some(nil))
    #expect(expected().last == .some(ExpectedSuppression(why: .paused, ringsAt: nil)))
    let rings = fixture.home.expectedRings(
      of: alarm.id, at: fixture.now, count: 2, fixture.environment)
    #expect(rings.map { $0.leadsToAt != nil } == [true, false])
    #expect(
      rings.first?.leadsToAt == rings.last?.occurrence.instant
        && rings.map { $0.suppression?.why } == [nil, .quietHours])
  }
}

/// Checks which schedules keep their instants if the zone changes.
@Suite struct `A schedule after a change of the zone` {
  private func alarm(
    _ schedule: Schedule, zone: String = "UTC", _ early: [EarlyReminder] = []
  ) -> Alarm {
    Alarm(
      id: AlarmID("a"), version: 1, person: .patient, label: "", instructions: "",
      schedule: schedule, phrase: "", zoneName: zone, tone: nil, burst: .standard,
      lateWindowSeconds: 1, delaySeconds: 1, delayLimit: 1, earlyReminders: early)
  }

  @Test func `keeps its instants, or its local times`() throws {
    let start = try CivilDateTime(parsing: "2027-01-15T08:00:00")
    func rule(_ text: String) throws -> Schedule {
      .recurring(try RecurrenceRule(parsing: text), start: start)
    }
    func several(_ texts: String...) throws -> Schedule {
      .several(
        RecurringDates(
          rules: try texts.map { .init(rule: try RecurrenceRule(parsing: $0), start: start) }))
    }
    let (zero, window) = (
      Instant(seconds: 0), DayWindow(from: start.time, to: start.time, firstDay: start.date)
    )
    let cases: [(String, Alarm, keeps: Bool, elapsed: Bool)] = [
      ("at", alarm(.at(zero)), true, true), ("once", alarm(.once(start)), false, false),
      ("every", alarm(.every(seconds: 60, from: zero)), true, true),
      ("within", alarm(.within(seconds: 60, window)), false, false),
      (
        "random",
        alarm(.random(RandomTimes(perDay: 1, window: window, minimumDistanceSeconds: 1))), false,
        false
      ),
      (
        "after", alarm(.after(AfterAnswer(anchor: .itself, seconds: 1, latest: nil, first: nil))),
        true, false
      ),
      ("daily", alarm(try rule("FREQ=DAILY")), false, false),
      ("hourly", alarm(try rule("FREQ=HOURLY")), true, true),
      ("minutely", alarm(try rule("FREQ=MINUTELY;INTERVAL=90")), true, true),
      ("floating", alarm(try rule("FREQ=HOURLY"), zone: Alarm.floating), true, false),
      ("hours", alarm(try rule("FREQ=HOURLY;BYHOUR=8")), true, false),
      ("minutes", alarm(try rule("FREQ=HOURLY;BYMINUTE=8")), true, false),
      ("seconds", alarm(try rule("FREQ=HOURLY;BYSECOND=8")), true, false),
      ("several", alarm(try several("FREQ=DAILY", "FREQ=WEEKLY")), false, false),
      ("several", alarm(try several("FREQ=DAILY", "FREQ=HOURLY")), true, false),
      ("seconds before", alarm(.at(zero), [.elapsed(seconds: 60)]), true, true),
      ("days before", alarm(.at(zero), [.elapsed(seconds: 60), .days(1, at: nil)]), true, false),
    ]
    for (name, alarm, keeps, elapsed) in cases {
      #expect(alarm.keepsInstants == keeps && alarm.countsElapsedTime == elapsed, "\(name)")
    }
  }
}
