import CivilTime
import Testing

@testable import Alarms

/// The maximum number of repetitions that a person hears in an hour.
@Suite struct `The hourly limit` {
  private func rings(_ fixture: CoreFixture) -> Int {
    fixture.records.count { $0.event.type == "ring_started" }
  }

  @Test func `holds repetitions back in a full hour, and releases them when there is room`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.fillHour()
    // The first ring of each prompt sounds. Four of the six repetitions sound, because four is the
    // hourly limit.
    #expect(rings(fixture) == 6)
    #expect(fixture.states.contains("held cap"))
    fixture.crash()
    fixture.pass(seconds: 2_000)
    #expect(rings(fixture) == 6)
    fixture.pass(seconds: 2_000)
    #expect(rings(fixture) == 8)
    fixture.pass(seconds: 7_200)
    #expect(fixture.outcomes == [.missedNoResponse, .missedNoResponse])
  }

  /// Returns the label and the time of each ring. Example: "A 60" is a ring of the alarm A, 60
  /// seconds after `start`.
  private func times(_ fixture: CoreFixture, since start: Instant) -> [String] {
    fixture.records.compactMap {
      guard $0.event.type == "ring_started", let id = $0.event.promptID else { return nil }
      let label = fixture.replay.alarms[id.alarm]?.label ?? "?"
      return "\(label) \($0.reading.wall.milliseconds(since: start) / 1_000)"
    }
  }

  /// Adds an alarm that is due after `minutes` minutes. The alarm has 4 rings, one minute apart.
  private func add(
    _ label: String, minutes: Int, to fixture: inout CoreFixture,
    _ edit: (inout AlarmForm) -> Void = { _ in }
  ) throws {
    try fixture.add(label) {
      $0.schedule = "in \(minutes) minutes"
      $0.rings = 4
      $0.lateWindowSeconds = 7_200
      edit(&$0)
    }
  }

  @Test func `releases each held repetition one hour after the repetition that filled the hour`()
    throws
  {
    var fixture = CoreFixture()
    let start = fixture.now.wall
    try fixture.person { $0.ringsPerHour = 4 }
    try add("A", minutes: 1, to: &fixture)
    fixture.pass(seconds: 300)
    try add("B", minutes: 16, to: &fixture)
    fixture.pass(seconds: 4 * 3_600)
    #expect(
      times(fixture, since: start) == [
        "A 60", "A 120", "A 180", "A 240", "B 1260", "B 1320", "B 3720", "B 3780",
      ])
    #expect(fixture.outcomes == [.missedNoResponse, .missedNoResponse])
  }

  @Test func `gives a free repetition to the newer prompt, and the older prompt asks again later`()
    throws
  {
    var fixture = CoreFixture()
    let start = fixture.now.wall
    try fixture.person { $0.ringsPerHour = 4 }
    try add("A", minutes: 1, to: &fixture)
    try add("B", minutes: 21, to: &fixture)
    fixture.pass(seconds: 4 * 3_600)
    // The limit reserves half of the four repetitions for B. At 3720 s, one hour after the first
    // repetition, the limit allows one more repetition, and both prompts wait for it. B gets this
    // repetition. A asks again 5 minutes later.
    #expect(
      times(fixture, since: start) == [
        "A 60", "A 120", "A 180", "B 1260", "B 1320", "B 1380", "B 3720", "A 4020",
      ])
    #expect(fixture.outcomes == [.missedNoResponse, .missedNoResponse])
  }

  @Test func `does not count the rings of other people, of announcements and of urgent steps`()
    throws
  {
    let free = [
      "A 60", "A 120", "A 180", "A 240", "B 1260", "B 1320", "B 1380", "B 1440",
    ]
    var other = CoreFixture()
    var start = other.now.wall
    for name in ["eva", "bob"] { try other.person(name) { $0.ringsPerHour = 4 } }
    try add("A", minutes: 1, to: &other) { $0.person = "eva" }
    try add("B", minutes: 21, to: &other) { $0.person = "bob" }
    other.pass(seconds: 7_200)
    #expect(times(other, since: start) == free)

    var urgent = CoreFixture()
    start = urgent.now.wall
    try urgent.person { $0.ringsPerHour = 4 }
    try add("A", minutes: 1, to: &urgent) {
      $0.rings = nil
      $0.steps = [StepForm(rings: 4, spacingSeconds: 60, isUrgent: true)]
    }
    try add("B", minutes: 21, to: &urgent)
    urgent.pass(seconds: 7_200)
    #expect(times(urgent, since: start) == free)
  }

  @Test func `reserves half of the hour for a newer prompt if the prompt needs it`() throws {
    // A repeats its ring twice. Then A waits, because B needs the other two repetitions of the
    // hour. A asks again after 5 minutes.
    func rings(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> [String] {
      var fixture = CoreFixture()
      let start = fixture.now.wall
      try fixture.person { $0.ringsPerHour = 4 }
      try add("A", minutes: 1, to: &fixture)
      try add("B", minutes: 30, to: &fixture, edit)
      fixture.pass(seconds: 1_700)
      return times(fixture, since: start)
    }
    #expect(try rings() == ["A 60", "A 120", "A 180"])
    // After two repetitions of A, two repetitions of the hour are left. B needs only one of them,
    // so A gets a third repetition.
    #expect(try rings { $0.rings = 2 } == ["A 60", "A 120", "A 180", "A 240"])
    // B has no repetitions, so the limit reserves none for B.
    #expect(try rings { $0.rings = 1 } == ["A 60", "A 120", "A 180", "A 240"])
    // B becomes due after the end of the hour, so the limit reserves no repetitions for B.
    #expect(try rings { $0.schedule = "in 70 minutes" } == ["A 60", "A 120", "A 180", "A 240"])
  }

  @Test func `never holds back a first ring or an urgent step`() throws {
    var fixture = CoreFixture()
    try fixture.person { $0.ringsPerHour = 3 }
    for label in ["A", "B", "C"] {
      try fixture.add(label) {
        $0.schedule = label == "A" ? "in 60 seconds" : "in 10 minutes"
        $0.rings = label == "A" ? 3 : 2
        $0.lateWindowSeconds = 600
        if label == "C" {
          $0.rings = nil
          $0.steps = [StepForm(rings: 1), StepForm(rings: 2, isUrgent: true, pauseSeconds: 60)]
        }
      }
    }
    fixture.pass(seconds: 3_600)
    // Two repetitions of A and one repetition of B use up the hourly limit of three. The limit does
    // not apply to the first ring of C, nor to the two urgent rings of C. Therefore all three rings
    // of C sound.
    #expect(rings(fixture) == 8)
    #expect(fixture.outcomes == [.missedNoResponse, .missedNoResponse, .missedNoResponse])
  }

  @Test func `leaves other medicine its rings after one pill was delayed three times`() throws {
    var fixture = CoreFixture()
    try fixture.add("Pill") { $0.schedule = "in 60 seconds" }
    let insulin = try fixture.add("Insulin") { $0.schedule = "in 32 minutes" }
    fixture.pass(seconds: 70)
    for _ in 0..<3 {
      fixture.pass(seconds: 250)
      try fixture.answer(.delay(seconds: nil))
      fixture.pass(seconds: 310)
    }
    fixture.pass(seconds: 1_500)
    let heard = fixture.records.count {
      $0.event.type == "ring_started" && $0.event.promptID?.alarm == insulin.id
    }
    #expect(heard == 5)
    #expect(!fixture.outcomes.contains(.suppressedCap))
  }

  @Test func `releases held back rings when it is raised`() throws {
    var fixture = CoreFixture()
    try fixture.person { $0.ringsPerHour = 2 }
    try fixture.add("A") {
      $0.schedule = "in 60 seconds"
      $0.rings = 2
      $0.lateWindowSeconds = 7_200
    }
    try fixture.add("B") {
      $0.schedule = "in 10 minutes"
      $0.rings = 2
      $0.lateWindowSeconds = 7_200
    }
    try fixture.person { $0.ringsPerHour = 1 }
    fixture.pass(seconds: 1_200)
    #expect(rings(fixture) == 3)
    #expect(fixture.states.contains("held cap"))
    try fixture.person { $0.ringsPerHour = 10 }
    fixture.pass(seconds: 10)
    #expect(rings(fixture) == 4)
  }

  @Test func `of one person applies when an alarm is saved`() throws {
    var fixture = CoreFixture()
    try fixture.person { $0.ringsPerHour = 4 }
    #expect(refusal { try fixture.add { $0.schedule = "every day 08:00" } }?.kind == .limit)
  }

  @Test func `also applies to a schedule that becomes denser after months`() throws {
    let daily = "DTSTART:20261201T080000 RRULE:FREQ=DAILY"
    let minutes = (0..<6).map { "20270601T100\($0)00" }
    let dense = [
      "\(daily) RDATE:\(minutes.joined(separator: ","))",
      "\(daily) RDATE:20270601T080100,20270601T080200,20270601T080300,20270601T080400",
      "\(daily) DTSTART:20270601T100000 RRULE:FREQ=MINUTELY;INTERVAL=5",
    ]
    for schedule in dense {
      var fixture = CoreFixture()
      let refusal = refusal { try fixture.add { $0.schedule = schedule } }
      #expect(
        refusal?.kind == .limit && refusal?.field == "schedule", "\(schedule): \(refusal as Any)")
    }
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "\(daily) RDATE:20270601T100000,20270601T113000" }
  }

  @Test func `warns of alarms that fill an hour together, not of each alone`() throws {
    var fixture = CoreFixture()
    func warnings(_ label: String, _ schedule: String) throws -> [ScheduleWarning] {
      var form = AlarmForm()
      (form.label, form.schedule) = (label, schedule)
      let reply = try fixture.handle(.command(.add(AlarmID(label), form), CoreFixture.anna))
      guard case .alarm(_, _, let report)? = reply else { return [] }
      return report.warnings.filter { $0.kind == .hourOverLimit }
    }
    for number in 0..<5 {
      #expect(try warnings("Task \(number)", "every day 08:0\(number)").isEmpty)
    }
    let full = try warnings("Insulin", "every day 08:30")
    #expect(full.count == 1)
    #expect(full.first?.text.contains("24 times") == true, "\(full)")
    #expect(full.first?.text.contains("\"Task 0\"") == true)
    #expect(try warnings("Walk", "every day 15:00").isEmpty)
    let hours = fixture.home.hoursOverLimit(at: fixture.now, fixture.environment)
    #expect(hours.map(\.hour.repetitions) == [24] && hours.first?.hour.limit == 20)
    #expect(
      fixture.home.hoursOverLimit(of: PersonID("nobody"), at: fixture.now, fixture.environment)
        .isEmpty)
  }
}

extension CoreFixture {
  /// Sets two alarms of four rings each for a person who hears at most four repetitions in an hour,
  /// and waits until the limit holds repetitions back.
  mutating func fillHour() throws {
    try person { $0.ringsPerHour = 4 }
    for label in ["A", "B"] {
      try add(label) {
        $0.schedule = "in 60 seconds"
        $0.rings = 4
        $0.lateWindowSeconds = 7_200
      }
    }
    pass(seconds: 600)
  }
}
