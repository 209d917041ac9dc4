import CivilTime
import Testing

@testable import Alarms

extension CoreFixture {
  static let researcher = Actor(role: .researcher, id: "uid:1001", source: "socket")

  @discardableResult
  mutating func person(
    _ name: String = "patient", _ edit: (inout PersonForm) -> Void
  ) throws(Refusal) -> PersonState {
    var form = PersonForm()
    edit(&form)
    let id = PersonID(name)
    let isKnown = home.people[id]?.person != nil
    let command: Command =
      isKnown ? .changePerson(id, ifVersion: nil, form) : .addPerson(id, form)
    guard case .person(let state, _)? = try handle(.command(command, Self.anna)) else {
      preconditionFailure("no person came back")
    }
    return state
  }

  /// Changes the person "patient", and returns the warnings of the reply.
  mutating func warnings(
    changing edit: (inout PersonForm) -> Void
  ) throws(Refusal) -> [ScheduleWarning] {
    var form = PersonForm()
    edit(&form)
    let command = Command.changePerson(.patient, ifVersion: nil, form)
    guard case .person(_, let warnings)? = try handle(.command(command, Self.anna)) else {
      preconditionFailure("no person came back")
    }
    return warnings
  }

  @discardableResult
  mutating func phase(
    _ kind: StudyPhase.Kind, from: String? = nil, to: String? = nil
  ) throws(Refusal) -> [StudyPhase] {
    let form = PhaseForm(kind: kind, from: from, to: to)
    guard
      case .phases(_, let phases)? = try handle(
        .command(.setPhase(.patient, form), Self.researcher))
    else { preconditionFailure("no phases came back") }
    return phases
  }

  /// Lets time pass until this local time in Berlin.
  mutating func pass(to local: String) throws {
    let at = Self.berlin.resolve(try CivilDateTime(parsing: local)).instant
    pass(seconds: at.seconds - now.wall.seconds)
  }

  /// The states of all open prompts that are due, as text, in the order of the prompt ids.
  var states: [String] {
    home.openPrompts.filter { $0.state != .planned }.sorted { $0.id < $1.id }.map {
      switch $0.state {
      case .held(let held): "held \(held.reason.rawValue)"
      case .waiting: "waiting"
      case .delayed: "delayed"
      default: "other"
      }
    }
  }
}

func refusal(_ body: () throws -> Void) -> Refusal? {
  do { try body() } catch { return error as? Refusal }
  return nil
}

@Suite struct `People` {
  @Test func `a new home has one person, and a refusal of an unknown person lists the known ones`()
    throws
  {
    var fixture = CoreFixture()
    #expect(try fixture.add { $0.schedule = "every day 08:00" }.person == .patient)
    let refused = refusal {
      try fixture.add {
        $0.schedule = "every day 08:00"
        $0.person = "anna"
      }
    }
    #expect(refused?.field == "person" && refused?.detail.contains("patient") == true)
    try fixture.person("anna") { $0.name = "Anna Schmidt" }
    for name in ["anna", "ANNA", "anna schmidt"] {
      let alarm = try fixture.add {
        $0.schedule = "every day 08:00"
        $0.person = name
      }
      #expect(alarm.person == PersonID("anna"))
    }
  }

  @Test func `a change that names an old version of a person is refused`() throws {
    var fixture = CoreFixture()
    try fixture.person { $0.name = "Hilde" }
    let version = try #require(fixture.home.people[.patient]?.person?.version)
    let count = fixture.records.count
    var form = PersonForm()
    form.name = "Otto"
    let stale = Command.changePerson(.patient, ifVersion: VersionCondition(version + 1), form)
    let refused = refusal { try fixture.handle(.command(stale, CoreFixture.anna)) }
    #expect(refused?.kind == .versionConflict)
    #expect(fixture.records.count == count)
    #expect(fixture.home.people[.patient]?.person?.name == "Hilde")
    let current = Command.changePerson(.patient, ifVersion: VersionCondition(version), form)
    try fixture.handle(.command(current, CoreFixture.anna))
    #expect(fixture.home.people[.patient]?.person?.name == "Otto")
  }

  @Test func `each field of a person is checked`() throws {
    var fixture = CoreFixture()
    typealias Edit = @Sendable (inout PersonForm) -> Void
    let wrong: [(field: String, edit: Edit)] = [
      ("language", { $0.language = "german!" }), ("language", { $0.language = "d" }),
      ("zone", { $0.zone = "Berlin" }), ("tone", { $0.tone = "dad" }),
      ("quiet_hours", { $0.quietHours = "22-7" }),
      ("quiet_hours", { $0.quietHours = "07:00-07:00" }),
      ("quiet_policy", { $0.quietPolicy = .hold }), ("rings_per_hour", { $0.ringsPerHour = 241 }),
      ("name", { $0.name = String(repeating: "a", count: 101) }),
    ]
    for (field, edit) in wrong {
      #expect(refusal { try fixture.person("patient", edit) }?.field == field, "\(field)")
    }
    #expect(fixture.home.people == [.patient: .ofNewHome])
    let state = try fixture.person {
      $0.name = "Anna"
      $0.language = "de-CH-1996"
      $0.zone = "UTC"
      $0.quietHours = "22:00-07:00"
      $0.ringsPerHour = 12
    }
    #expect(state.person?.version == 1 && state.person?.quiet?.policy == .hold)
    #expect(fixture.replay.people[.patient] == state)
    let cleared = try fixture.person {
      $0.language = ""
      $0.zone = ""
      $0.quietHours = "none"
      $0.ringsPerHour = 0
    }
    #expect(cleared.person == Person(id: .patient, version: 2, name: "Anna"))
  }

  @Test func `a person with alarms cannot be removed, nor can the last person`() throws {
    var fixture = CoreFixture()
    try fixture.person("anna") { _ in }
    let alarm = try fixture.add {
      $0.schedule = "every day 08:00"
      $0.person = "anna"
    }
    func remove(_ name: String) -> Refusal? {
      refusal { _ = try fixture.handle(.command(.removePerson(PersonID(name)), CoreFixture.anna)) }
    }
    #expect(remove("anna")?.kind == .inUse)
    #expect(remove("bert")?.kind == .notFound)
    #expect(remove("patient") == nil)
    #expect(
      try fixture.add { $0.schedule = "every day 09:00" }.person == PersonID("anna"),
      "the only one there is")
    for id in fixture.home.alarms.map(\.id) {
      try fixture.handle(.command(.remove(id, ifVersion: nil), CoreFixture.anna))
    }
    #expect(remove("anna")?.kind == .inUse, "nobody would be left")
    #expect(fixture.replay.alarms[alarm.id] == nil)
  }

  // MARK: Phases

  @Test func `phases follow each other without overlap and without a gap`() throws {
    var fixture = CoreFixture()
    // The clock shows 2027-01-15 09:00 in Berlin.
    let first = try fixture.phase(.control, to: "2027-01-20")
    #expect(first.count == 1 && first[0].from == fixture.now.wall)
    #expect(refusal { try fixture.phase(.prompted, from: "2027-01-20") }?.kind == .conflict)
    #expect(refusal { try fixture.phase(.prompted, from: "2027-01-22") }?.kind == .conflict)
    #expect(refusal { try fixture.phase(.prompted, from: "2027-01-14") }?.field == "from")
    #expect(refusal { try fixture.phase(.prompted, to: "2027-01-20") }?.field == "to")
    let second = try fixture.phase(.prompted)
    #expect(second[1].from == first[0].to && second[1].to == nil)
    let third = try fixture.phase(.control, from: "2027-02-01 08:00")
    #expect(third[1].to == third[2].from)
    #expect(fixture.replay.people[.patient]?.phases == third)
    try fixture.handle(.command(.endPhase(.patient, at: "2027-01-25"), CoreFixture.researcher))
    #expect(fixture.home.people[.patient]?.phases.count == 2)
    fixture.pass(seconds: 30 * 86_400)
    let again = try fixture.phase(.prompted)
    #expect(again.count == 3 && again[2].from == fixture.now.wall)
  }

  @Test func `in a control phase prompts are listed and can be answered, and never sound`() throws {
    var fixture = CoreFixture()
    try fixture.phase(.control)
    try fixture.add {
      $0.schedule = "every 40 minutes"
      $0.lateWindowSeconds = 600
    }
    fixture.pass(seconds: 41 * 60)
    #expect(fixture.states == ["held control_phase"])
    try fixture.answer(.delay(seconds: 60))
    fixture.pass(seconds: 90)
    #expect(fixture.states == ["held control_phase"])
    try fixture.answer(.complete)
    fixture.pass(seconds: 51 * 60)
    #expect(fixture.outcomes == [.completed, .suppressedControlPhase])
    #expect(!fixture.records.contains { $0.event.type == "ring_intent" })
    #expect(fixture.records.last { $0.event.type == "suppressed" }?.phase == .control)
    fixture.crash()
    try fixture.phase(.prompted)
    fixture.pass(seconds: 3_600)
    #expect(fixture.records.contains { $0.event.type == "ring_started" && $0.phase == .prompted })
  }

  // MARK: Quiet hours

  /// Adds an alarm with this schedule for a person with quiet hours from 22:00 to 07:00.
  private func night(
    _ policy: QuietPolicy, _ schedule: String, _ edit: (inout AlarmForm) -> Void = { _ in }
  ) throws -> CoreFixture {
    var fixture = CoreFixture()
    try fixture.person {
      $0.quietHours = "22:00-07:00"
      $0.quietPolicy = policy
    }
    try fixture.add {
      $0.schedule = schedule
      $0.rings = 3
      edit(&$0)
    }
    return fixture
  }

  private func rings(_ fixture: CoreFixture) -> [String] {
    fixture.records.filter { $0.event.type == "ring_started" }.map {
      CoreFixture.berlin.civil(at: $0.reading.wall).dateTime.description
    }
  }

  @Test func `an alarm in quiet hours is refused when saved, unless it has a policy of its own`()
    throws
  {
    #expect(refusal { _ = try self.night(.refuse, "every day 23:00") }?.field == "schedule")
    #expect(refusal { _ = try self.night(.refuse, "every day 22:00") }?.field == "schedule")
    #expect(refusal { _ = try self.night(.refuse, "every day 07:00") } == nil)
    #expect(refusal { _ = try self.night(.refuse, "every day 21:59") } == nil)
    #expect(refusal { _ = try self.night(.refuse, "every 5 hours") }?.field == "schedule")
    #expect(
      refusal { _ = try self.night(.refuse, "every day 23:00") { $0.quietHours = "ring" } } == nil)
    #expect(
      refusal { _ = try self.night(.hold, "every day 23:00") { $0.quietHours = "loud" } }?.field
        == "quiet_hours")
    var fixture = try night(.hold, "every day 23:00")
    let refused = refusal { try fixture.person { $0.quietPolicy = .refuse } }
    #expect(refused?.kind == .conflict && refused?.field == "quiet_hours")
    #expect(fixture.home.people[.patient]?.person?.quiet?.policy == .hold)
  }

  @Test func `a prompt held back in quiet hours rings its whole burst at their end`() throws {
    var fixture = try night(.hold, "every day 23:00")
    try fixture.pass(to: "2027-01-16T06:59:59")
    #expect(fixture.states == ["held quiet_hours"] && rings(fixture).isEmpty)
    fixture.crash()
    try fixture.pass(to: "2027-01-16T08:00:00")
    #expect(
      rings(fixture) == ["2027-01-16T07:00:00", "2027-01-16T07:01:00", "2027-01-16T07:02:00"])
    #expect(fixture.outcomes == [.missedNoResponse])
  }

  @Test func `a prompt that is held back and answered at night stays silent in the morning`() throws
  {
    var fixture = try night(.hold, "every day 23:00")
    try fixture.pass(to: "2027-01-15T23:30:00")
    try fixture.answer(.complete)
    try fixture.pass(to: "2027-01-16T08:00:00")
    #expect(rings(fixture).isEmpty && fixture.outcomes == [.completed])
  }

  @Test func `a burst that reaches the quiet hours continues at their end`() throws {
    var fixture = try night(.hold, "every day 21:59")
    try fixture.pass(to: "2027-01-16T08:00:00")
    #expect(
      rings(fixture) == [
        "2027-01-15T21:59:00", "2027-01-16T07:00:00", "2027-01-16T07:01:00", "2027-01-16T07:02:00",
      ])
  }

  @Test func `a suppressed prompt closes at once, and a running burst is stopped`() throws {
    var fixture = try night(.suppress, "every day 23:00")
    try fixture.pass(to: "2027-01-15T23:00:01")
    #expect(fixture.outcomes == [.suppressedQuietHours] && rings(fixture).isEmpty)
    var late = try night(.suppress, "every day 21:59")
    try late.pass(to: "2027-01-15T22:10:00")
    #expect(rings(late) == ["2027-01-15T21:59:00"] && late.states == ["held quiet_rest"])
    try late.pass(to: "2027-01-16T08:00:00")
    #expect(late.outcomes == [.missedNoResponse])
  }

  @Test func `an alarm may break through, or be held back while others are suppressed`() throws {
    var urgent = try night(.suppress, "every day 23:00") { $0.quietHours = "ring" }
    try urgent.pass(to: "2027-01-16T08:00:00")
    #expect(rings(urgent).first == "2027-01-15T23:00:00" && rings(urgent).count == 3)
    var held = try night(.suppress, "every day 23:00") { $0.quietHours = "hold" }
    try held.pass(to: "2027-01-16T08:00:00")
    #expect(rings(held).first == "2027-01-16T07:00:00")
  }

  @Test func `a change of the quiet hours releases the prompts that they held back`() throws {
    var fixture = try night(.hold, "every day 23:00")
    try fixture.pass(to: "2027-01-15T23:30:00")
    try fixture.person { $0.quietHours = "00:00-06:00" }
    #expect(rings(fixture) == ["2027-01-15T23:30:00"])
  }

  @Test(arguments: [
    // Each case has the quiet hours, an instant in UTC, and the end of the quiet hours; `-` if the
    // instant is outside the quiet hours.
    ("22:00-07:00", "2027-03-28T00:30:00Z", "2027-03-28T05:00:00.000Z"),
    ("22:00-07:00", "2027-03-28T04:59:59Z", "2027-03-28T05:00:00.000Z"),
    ("22:00-07:00", "2027-03-28T05:00:00Z", "-"),
    // On 28 March 2027, the local time 02:30 does not exist. The quiet hours end at 03:30 summer
    // time.
    ("22:00-02:30", "2027-03-28T01:29:59Z", "2027-03-28T01:30:00.000Z"),
    ("22:00-02:30", "2027-03-28T01:30:00Z", "-"),
    // On 31 October 2027, the local time 02:30 exists twice. The quiet hours end at the first
    // 02:30, and do not begin again before the second 02:30.
    ("22:00-02:30", "2027-10-31T00:29:59Z", "2027-10-31T00:30:00.000Z"),
    ("22:00-02:30", "2027-10-31T00:30:00Z", "-"), ("22:00-02:30", "2027-10-31T01:15:00Z", "-"),
    ("13:00-15:00", "2027-06-01T11:00:00Z", "2027-06-01T13:00:00.000Z"),
    ("13:00-15:00", "2027-06-01T10:59:59Z", "-"), ("13:00-15:00", "2027-06-01T13:00:00Z", "-"),
  ])
  func `quiet hours are one interval a day, also when the clocks change`(
    _ hours: String, _ at: String, _ end: String
  ) throws {
    let quiet = try QuietHours(parsing: hours)
    let found = quiet.stretch(around: try Instant(parsing: at), zone: CoreFixture.berlin)
    #expect(found?.upperBound.description ?? "-" == end)
  }

  @Test func `the time outside quiet hours is counted`() throws {
    let quiet = try QuietHours(parsing: "22:00-07:00")
    let noon = try Instant(parsing: "2027-06-01T10:00:00Z")
    let loud = quiet.loudMilliseconds(
      from: noon, to: noon.adding(seconds: 86_400), zone: CoreFixture.berlin)
    #expect(loud == 15 * 3_600_000)
  }
}
