import API
import Alarms
import CivilTime
import Engine
import Fakes
import JSONValue
import Testing

@testable import RequestHandlers

/// Tests that each list in a reply has the documented order. The tests add the rows in a different
/// order.
@Suite struct ListOrderTests {
  /// Seven names. An unsorted list of seven names is very rarely in the right order by chance.
  private static let names = ["eva", "bob", "gina", "anna", "fritz", "carl", "dora"]
  private static let sorted = names.sorted()

  private func texts(
    _ home: ServedHome, _ operation: Route.Operation, _ list: String, _ member: String,
    query: [String: String] = [:]
  ) async throws -> [String] {
    let reply = try await home.ask(operation, query: query, role: .admin)
    #expect(reply.status == 200, "\(reply)")
    return reply.document[list]?.array?.compactMap { $0[member]?.string } ?? []
  }

  private func homeOfPeople(_ environment: Environment = FakePorts.environment) async throws
    -> ServedHome
  {
    let home = await ServedHome(environment: environment)
    for name in Self.names {
      let added = try await home.ask(.addPerson, body: #"{"id":"\#(name)"}"#, role: .admin)
      #expect(added.status == 201, "\(added)")
    }
    return home
  }

  @Test func `people, phases and participants are in the order of the ids`() async throws {
    let home = try await homeOfPeople()
    for name in Self.names {
      let enrolled = try await home.ask(
        .enrol, body: #"{"person":"\#(name)","pseudonym":"P-\#(name)","study":"remind"}"#,
        role: .admin)
      #expect(enrolled.status == 201, "\(enrolled)")
      let phase = try await home.ask(
        .setPhase, body: #"{"person":"\#(name)","kind":"control"}"#, role: .admin)
      #expect(phase.status == 201, "\(phase)")
    }
    #expect(try await texts(home, .listPeople, "people", "id") == Self.sorted + ["patient"])
    #expect(try await texts(home, .listPhases, "phases", "person") == Self.sorted)
    #expect(try await texts(home, .listParticipants, "participants", "person") == Self.sorted)
  }

  @Test func `paused people come before paused alarms, each in their order`() async throws {
    let home = try await homeOfPeople()
    for name in Self.names {
      let added = try await home.ask(
        .addAlarm,
        body: #"{"label":"Task of \#(name)","schedule":"every day 08:00","person":"\#(name)"}"#)
      let id = try #require(added.document["alarm"]?["id"]?.string)
      let edited = try await home.ask(
        .editAlarm, ["id": id], body: #"{"paused_until":"2027-12-31"}"#)
      #expect(edited.status == 200, "\(edited)")
      #expect(try await home.ask(.pausePerson, ["id": name], body: "{}").status == 200)
    }
    let paused = try await home.ask(.status, role: .admin).document["paused"]?.array ?? []
    #expect(paused.prefix(Self.names.count).map { $0["person"]?.string } == Self.sorted)
    #expect(
      paused.dropFirst(Self.names.count).map { $0["label"]?.string }
        == Self.sorted.map { "Task of \($0)" })
    let languages = try await home.ask(.status, role: .admin).document["languages"]?.array ?? []
    #expect(languages.map { $0["person"]?.string } == Self.sorted + ["patient"])
  }

  @Test func `lists of holidays and supplies are in the order of their names`() async throws {
    let home = await ServedHome()
    for name in Self.names {
      let imported = try await home.ask(
        .importHolidays, ["name": name], body: #"{"days":[{"date":"2027-05-06"}]}"#)
      #expect(imported.status == 201, "\(imported)")
      let added = try await home.ask(.addSupply, body: #"{"name":"\#(name)","left":8}"#)
      #expect(added.status == 201, "\(added)")
    }
    #expect(try await texts(home, .listHolidays, "holidays", "name") == Self.sorted)
    #expect(try await texts(home, .listSupplies, "supplies", "name") == Self.sorted)
  }

  @Test func `contacts, and what notifies each contact, are in the order of their names`()
    async throws
  {
    var environment = FakePorts.environment
    environment.contacts = Set(Self.names)
    let home = try await homeOfPeople(environment)
    for name in Self.names {
      let changed = try await home.ask(
        .changePerson, ["id": name],
        body: #"{"inactivity_hours":6,"inactivity_tell":[{"contact":"anna","after":"0s"}]}"#,
        role: .admin)
      #expect(changed.status == 200, "\(changed)")
      let added = try await home.ask(
        .addSupply, body: #"{"name":"\#(name)","left":8,"low_at":2,"tell":["anna"]}"#)
      #expect(added.status == 201, "\(added)")
    }
    #expect(try await texts(home, .listContacts, "contacts", "name") == Self.sorted)
    let contacts = try await home.ask(.listContacts).document["contacts"]?.array ?? []
    let anna = try #require(contacts.first { $0["name"]?.string == "anna" })
    #expect(anna["people"]?.array?.compactMap(\.string) == Self.sorted)
    #expect(anna["supplies"]?.array?.compactMap(\.string) == Self.sorted)
  }

  @Test func `problems are in the order of the people, the alarms and the contacts`() async throws {
    var environment = FakePorts.environment
    environment.contacts = Set(Self.names)
    let home = try await homeOfPeople(environment)
    for name in Self.names {
      let added = try await home.ask(
        .addAlarm,
        body: """
          {"label":"Task","schedule":"every day 08:00","person":"\(name)",
          "tell":[{"contact":"\(name)","after":"1m"}]}
          """)
      #expect(added.status == 201, "\(added)")
      let supply = try await home.ask(
        .addSupply, body: #"{"name":"\#(name)","left":1,"low_at":2,"tell":["\#(name)"]}"#)
      #expect(supply.status == 201, "\(supply)")
    }
    let found = await home.engine.read { home, _ in
      (
        home.unreachable(among: ["dora"]), home.lowSupplies,
        home.unknownNames(among: ["zoe", "anna", "yves", "xaver"])
      )
    }
    let others = Self.sorted.filter { $0 != "dora" }
    #expect(
      found.0.map(\.detail)
        == others.map { "there is no contact \"\($0)\", but 1 alarm would notify it" }
        + others.map { "there is no contact \"\($0)\", but it is set for the supply \"\($0)\"" })
    #expect(found.1.count == Self.names.count)
    for (problem, name) in zip(found.1, Self.sorted) { #expect(problem.detail.contains(name)) }
    #expect(found.2.count == 3)
    for (problem, name) in zip(found.2, ["xaver", "yves", "zoe"]) {
      #expect(problem.detail.contains("\"\(name)\""))
    }
  }

  @Test func `statistics of users are sorted, and a new user replaces the oldest`() {
    let stats = CallerStats()
    func saw(_ id: String, _ seconds: Int64) {
      stats.saw(
        Actor(role: .caretaker, id: id, source: "socket"), at: .init(seconds: seconds))
    }
    for (second, name) in Self.names.enumerated() { saw(name, Int64(second)) }
    #expect(stats.callers.map(\.id) == Self.sorted)
    // "eva" sent the first request, but now sends a second request. Therefore, the last request of
    // "bob" is now the oldest. But "bob" has an open stream and stays in the list. Therefore, the
    // new user replaces "gina", whose last request is the second oldest.
    saw("eva", 100)
    stats.attached(Actor(role: .caretaker, id: "bob", source: "socket"), by: 1)
    for number in 0..<CallerStats.callersLimit - Self.names.count { saw("more\(number)", 200) }
    #expect(stats.callers.count == CallerStats.callersLimit)
    saw("new", 300)
    #expect(stats.callers.count == CallerStats.callersLimit)
    let left = Set(stats.callers.map(\.id))
    #expect(left.isSuperset(of: ["eva", "bob", "new", "anna"]) && !left.contains("gina"))
  }
}
