import CivilTime
import Testing

@testable import Alarms

/// Checks the names that a refusal lists if nothing has the typed name.
@Suite struct `A refusal of an unknown name` {
  private func detail(_ body: () throws -> Void) -> String? { refusal(body)?.detail }

  @Test func `lists at most ten people, and says that there are others`() throws {
    var fixture = CoreFixture()
    func unknown() throws -> String? {
      detail { try fixture.add { ($0.schedule, $0.person) = ("every day 08:00", "zzzzz") } }
    }
    let start = "this home has no person \"zzzzz\"; the "
    let end = "; add a person with: prompter people add"
    #expect(try unknown() == start + "only person is patient" + end)
    for number in 1...9 { try fixture.person("p\(number)") { $0.name = number == 1 ? "One" : "" } }
    let ten = "people are p1 (One), p2, p3, p4, p5, p6, p7, p8, p9, patient"
    #expect(try unknown() == start + ten + end)
    try fixture.person("zoe") { _ in }
    #expect(try unknown()?.hasSuffix(" and others" + end) == true)
    #expect(try unknown()?.contains("zoe") == false)
    for name in ["One", "ONE", "p1"] {
      #expect(fixture.home.person(named: name) == PersonID("p1"))
    }
    #expect(fixture.home.person(named: "two") == nil)
    try fixture.person("p2") { $0.name = "one" }
    #expect(fixture.home.person(named: "One") == nil)
    let several = detail {
      try fixture.add { ($0.schedule, $0.person) = ("every day 08:00", "One") }
    }
    #expect(
      several?.hasPrefix("2 people have the name \"One\"; use an id; the people are ") == true)
    #expect(fixture.home.unknownPerson("zzzzz") == "there is no person \"zzzzz\"")
    #expect(
      fixture.home.unknownPerson("zoee")
        == "there is no person \"zoee\"; did you mean \"zoe\"?")
  }

  @Test func `lists at most ten tones, supplies and holidays`() throws {
    var fixture = CoreFixture()
    func tone() -> String? {
      detail { try fixture.add { ($0.schedule, $0.tone) = ("every day 08:00", "zzzzz") } }
    }
    func supply() -> String? {
      detail { try fixture.handle(.command(.supply(.remove("zzzzz")), CoreFixture.anna)) }
    }
    func holidays(_ name: String) -> String? {
      detail { try fixture.add { $0.schedule = "weekdays 08:00 not on holidays\(name)" } }
    }
    #expect(tone() == "there is no tone \"zzzzz\"; no tone has been added yet")
    #expect(
      supply()
        == "there is no supply \"zzzzz\"; no supply has been added yet (prompter supply add)")
    #expect(
      holidays("")?.hasSuffix(
        "the home has no list of holidays; import one with: prompter holidays import FILE.ics")
        == true)
    #expect(
      holidays(" zzzzz")?.hasSuffix(
        "there is no list of holidays \"zzzzz\"; import a list with: prompter holidays import "
          + "FILE.ics --name zzzzz") == true)
    for number in 0...10 {
      let name = number == 10 ? "z" : "n\(number)"
      let tone = Tone(name: name, sha256: name, durationMilliseconds: 1, loudnessLUFS: -16)
      try fixture.handle(.command(.addTone(tone, replacing: false), CoreFixture.anna))
      try fixture.handle(
        .command(
          .supply(.add(SupplyID(name), SupplyForm(name: name), left: 1)), CoreFixture.anna))
      try fixture.importHolidays(name, "2027-12-25")
    }
    let ten = (0...9).map { "n\($0)" }.joined(separator: ", ")
    #expect(tone() == "there is no tone \"zzzzz\"; the tones are: \(ten)")
    #expect(supply() == "there is no supply \"zzzzz\"; the supplies are: \(ten)")
    #expect(
      holidays("")?.hasSuffix(
        "the home has 11 lists of holidays; write the name of the list: \(ten)") == true)
    #expect(
      holidays(" zzzzz")?.hasSuffix(
        "there is no list of holidays \"zzzzz\"; the lists are: \(ten); import another list with: "
          + "prompter holidays import FILE.ics") == true)
  }

  @Test func `lists at most five alarms with the same label`() throws {
    var fixture = CoreFixture()
    for _ in 0..<6 { try fixture.add("Walk") { $0.schedule = "every day 15:00" } }
    let ids = fixture.home.alarms.map(\.id.text).sorted().prefix(5).joined(separator: ", ")
    let found = refusal { try fixture.add { $0.schedule = "1 hour after walk is completed" } }
    #expect(found?.field == "schedule")
    #expect(
      found?.detail.hasSuffix(
        "6 alarms have the label \"walk\"; use one of their ids: \(ids)") == true)
    let none = refusal { try fixture.add { $0.schedule = "1 hour after lunch is completed" } }
    #expect(
      none?.detail.hasSuffix("there is no alarm \"lunch\"; use its id or its label") == true)
  }

  @Test func `a person is in use after a phase, an enrolment, an alarm or a change`() throws {
    typealias Change = (inout CoreFixture) throws -> Void
    let changes: [(isUsed: Bool, Change)] = [
      (false, { _ in }), (true, { try $0.phase(.prompted) }), (true, { try $0.enrol() }),
      (true, { try $0.add { ($0.schedule, $0.person) = ("every day 08:00", "patient") } }),
      (true, { try $0.person { $0.name = "Hilde" } }),
      (false, { try $0.say { $0.person = "patient" } }),
      (false, { try $0.add { ($0.schedule, $0.person) = ("every day 08:00", "eva") } }),
    ]
    for (index, (isUsed, change)) in changes.enumerated() {
      var fixture = CoreFixture()
      #expect(fixture.home.onlyPerson == .patient)
      try fixture.person("eva") { _ in }
      try change(&fixture)
      #expect(fixture.home.peopleInUse.count == (isUsed ? 2 : 1), "\(index)")
      #expect(fixture.home.onlyPerson == (isUsed ? nil : PersonID("eva")), "\(index)")
    }
  }

  @Test func `the name and the hourly limit of a person have a fallback`() throws {
    var fixture = CoreFixture()
    #expect(fixture.home.shownName(of: .patient) == "patient")
    #expect(fixture.home.shownName(of: PersonID("x")) == "x")
    #expect(fixture.home.ringsPerHour(of: .patient) == 20)
    try fixture.person { ($0.name, $0.ringsPerHour) = ("Hilde", 7) }
    #expect(fixture.home.shownName(of: .patient) == "Hilde")
    #expect(fixture.home.ringsPerHour(of: .patient) == 7)
    #expect(fixture.home.ringsPerHour(of: PersonID("x")) == 20)
  }
}
