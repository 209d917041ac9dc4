import Alarms
import Daemon
import Testing
import Wire

@Suite struct `Somebody's own data at the front desk` {
  @Test func `a patient gets it where nobody else lives, a caretaker of each, and it is on record`()
    async throws
  {
    let house = await House()
    func ask(_ person: String, _ role: Role) async throws -> Int {
      try await house.ask(.ownData, ["id": person], role: role).status
    }
    #expect(try await ask("patient", .patient) == 200)
    #expect(house.edges.types.last == "export_made")
    #expect(try await ask("bob", .patient) == 404)
    _ = try await house.ask(.addPerson, body: #"{"id":"bob"}"#, role: .admin)
    let before = house.edges.types
    #expect(try await ask("patient", .patient) == 403)
    #expect(try await ask("bob", .patient) == 403)
    #expect(house.edges.types == before)
    #expect(try await ask("bob", .caretaker) == 200)
    let bob = PersonID("bob")
    #expect(try await house.ask(.ownData, ["id": "bob"], role: .patient, only: bob).status == 200)
    #expect(
      try await house.ask(.ownData, ["id": "patient"], role: .patient, only: bob).status == 403)
  }
}
