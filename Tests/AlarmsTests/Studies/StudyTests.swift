import CivilTime
import Testing

@testable import Alarms

extension CoreFixture {
  @discardableResult
  mutating func enrol(
    _ pseudonym: String = "P-017", person: PersonID = .patient,
    _ edit: (inout EnrolmentForm) -> Void = { _ in }
  ) throws(Refusal) -> PersonState {
    var form = EnrolmentForm(study: "trial", pseudonym: pseudonym)
    edit(&form)
    guard
      case .person(let state, _)? = try handle(.command(.enrol(person, form), Self.researcher))
    else { preconditionFailure("nobody was enrolled") }
    return state
  }

  @discardableResult
  mutating func withdraw() throws(Refusal) -> PersonState {
    let command = Command.withdraw(
      .patient, Withdrawal(reason: "moved"), erasing: nil)
    guard case .person(let state, _)? = try handle(.command(command, Self.researcher)) else {
      preconditionFailure("nobody was withdrawn")
    }
    return state
  }
}

@Suite struct `Studies` {
  @Test
  func `rows name the study from the first day to the withdrawal, and are care rows after that`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "every day 08:00"
      $0.rings = 1
    }
    fixture.pass(seconds: 86_400)
    #expect(fixture.records.allSatisfy { $0.study == nil })
    try fixture.enrol()
    #expect(fixture.records.last?.study == "trial")
    try fixture.phase(.control)
    let before = fixture.records.count
    fixture.pass(seconds: 86_400)
    let during = fixture.records[before...].filter { $0.person != nil }
    #expect(!during.isEmpty && during.allSatisfy { $0.study == "trial" })
    #expect(fixture.played.count == 1)

    let state = try fixture.withdraw()
    #expect(state.enrolments.last?.isWithdrawn == true && state.phase(at: fixture.now.wall) == nil)
    #expect(
      fixture.records.last?.event.type == "withdrawn" && fixture.records.last?.study == "trial")
    let after = fixture.records.count
    fixture.pass(seconds: 86_400)
    let rang = fixture.records[after...].filter { $0.event.type == "ring_started" }
    #expect(rang.count == 1 && rang.allSatisfy { $0.study == nil && $0.phase == nil })
    #expect(fixture.replay.people[.patient] == fixture.home.people[.patient])
  }

  @Test func `a code belongs to one participant, and nobody is in two studies at once`() throws {
    var fixture = CoreFixture()
    try fixture.person("anna") { _ in }
    try fixture.enrol { $0.arm = "AB" }
    #expect(refusal { try fixture.enrol("P-018") }?.kind == .conflict)
    #expect(refusal { try fixture.enrol(person: PersonID("anna")) }?.field == "pseudonym")
    try fixture.withdraw()
    #expect(refusal { try fixture.withdraw() }?.kind == .conflict)
    #expect(refusal { try fixture.enrol(person: PersonID("anna")) }?.field == "pseudonym")
    try fixture.enrol("P-018", person: PersonID("anna"))
    try fixture.enrol("P-017")
    #expect(fixture.home.people[.patient]?.enrolments.count == 2)
    #expect(
      refusal {
        _ = try fixture.handle(.command(.removePerson(PersonID("anna")), CoreFixture.anna))
      }?
      .kind
        == .inUse)
  }

  @Test func `each field of an enrolment is checked`() throws {
    var fixture = CoreFixture()
    typealias Edit = @Sendable (inout EnrolmentForm) -> Void
    let wrong: [(field: String, edit: Edit)] = [
      ("pseudonym", { $0.pseudonym = "Anna Schmidt" }), ("pseudonym", { $0.pseudonym = "" }),
      ("study", { $0.study = "my study" }), ("arm", { $0.arm = "A/B" }),
      ("start", { $0.from = "2001-01-01" }), ("start", { $0.from = "soon" }),
      ("end", { $0.to = "2001-01-01" }),
    ]
    for (field, edit) in wrong {
      #expect(refusal { try fixture.enrol("P-1", edit) }?.field == field, "\(field)")
    }
    #expect(fixture.home.people[.patient]?.enrolments == [])
    let today = CoreFixture.berlin.civil(at: fixture.now.wall).dateTime.date
    let state = try fixture.enrol { $0.from = today.description }
    #expect(state.enrolments.first?.from == fixture.now.wall)
  }

  @Test func `a crossover plans its phases at midnights without a gap`() throws {
    var fixture = CoreFixture()
    let command = { (order: String, days: Int) in
      Input.command(
        .crossover(.patient, CrossoverForm(start: "2027-03-20", days: days, order: order)),
        CoreFixture.researcher)
    }
    for (order, days, field) in [("AC", 14, "order"), ("", 14, "order"), ("AB", 0, "days")] {
      #expect(refusal { _ = try fixture.handle(command(order, days)) }?.field == field)
    }
    guard case .phases(_, let phases)? = try fixture.handle(command("ABBA", 14)) else {
      preconditionFailure("no phases came back")
    }
    #expect(phases.map(\.kind) == [.prompted, .control, .control, .prompted])
    #expect(zip(phases, phases.dropFirst()).allSatisfy { $0.to == $1.from })
    let starts = phases.map { CoreFixture.berlin.civil(at: $0.from).dateTime.description }
    #expect(
      starts == [
        "2027-03-20T00:00:00", "2027-04-03T00:00:00", "2027-04-17T00:00:00", "2027-05-01T00:00:00",
      ])
    #expect(refusal { _ = try fixture.handle(command("AB", 14)) }?.kind == .conflict)
  }

  @Test func `a crossover starts at the midnight of a day, and today needs a time`() throws {
    let today = CoreFixture.berlin.civil(at: CoreFixture().now.wall).dateTime.date
    func first(_ start: String?) throws(Refusal) -> StudyPhase? {
      var fixture = CoreFixture()
      let form = CrossoverForm(start: start, days: 14, order: "AB")
      let command = Input.command(.crossover(.patient, form), CoreFixture.researcher)
      guard case .phases(_, let phases)? = try fixture.handle(command) else { return nil }
      return phases.first
    }
    let now = CoreFixture().now.wall
    let early = refusal { _ = try first(today.description) }
    #expect(early?.field == "start" && early?.detail.contains("\"now\"") == true)
    #expect(early?.detail.contains(today.adding(days: 1).description) == true)
    for start in [nil, "now"] { #expect(try first(start)?.from == now) }
    for (start, time) in [
      (today.adding(days: 1).description, "00:00:00"), ("today 23:30", "23:30:00"),
    ] {
      let local = CoreFixture.berlin.civil(at: try #require(try first(start)).from).dateTime
      #expect(local.description.hasSuffix(time), "\(start)")
    }
    // Two crossovers begin on the same day, one late and one early. The first phases of both end at
    // the same midnight.
    let ends = try [first("today 23:30"), first("now")].map { $0?.to }
    #expect(ends[0] == ends[1])
  }

  @Test func `an arm and an order of phases cannot contradict each other`() throws {
    func order(_ order: String, _ fixture: inout CoreFixture) throws(Refusal) {
      let form = CrossoverForm(days: 14, order: order)
      _ = try fixture.handle(.command(.crossover(.patient, form), CoreFixture.researcher))
    }
    for (arm, typed, isRefused) in [
      ("AB", "BA", true), ("AB", "ABBA", true), ("AB", "AB", false), ("A", "BA", false),
      ("group-1", "BA", false), (nil, "BA", false),
    ] {
      var fixture = CoreFixture()
      try fixture.enrol { $0.arm = arm }
      let early = refusal { try order(typed, &fixture) }
      #expect((early?.kind == .conflict) == isRefused, "\(arm ?? "") \(typed)")
      if isRefused { #expect(early?.field == "order" && early?.detail.contains("AB") == true) }
      #expect((fixture.home.people[.patient]?.phases.isEmpty ?? true) == isRefused)

      // Now the researcher sets the order of the phases first, and the arm second.
      var planned = CoreFixture()
      try order(typed, &planned)
      let late = refusal { try planned.enrol { $0.arm = arm } }
      #expect((late?.field == "arm") == isRefused, "\(arm ?? "") \(typed)")
    }
    // The person is enrolled during the second phase. The arm must still be "AB", the order of both
    // phases.
    var fixture = CoreFixture()
    try order("AB", &fixture)
    fixture.pass(seconds: 15 * 86_400)
    try fixture.enrol { $0.arm = "AB" }
    // After the withdrawal, the arm "AB" no longer prevents the order "BA".
    try fixture.withdraw()
    try order("BA", &fixture)
  }
}
