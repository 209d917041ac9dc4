import API
import Alarms
import Fakes
import JSONValue
import RequestHandlers
import Testing

@Suite struct `A person's own data at the request handler` {
  @Test
  func `a lone patient gets it, a caretaker gets it for each person, and each request is recorded`()
    async throws
  {
    let home = await ServedHome()
    func ask(_ person: String, _ role: Role) async throws -> Int {
      try await home.ask(.ownData, ["id": person], role: role).status
    }
    #expect(try await ask("patient", .patient) == 200)
    #expect(home.fakes.types.last == "export_made")
    #expect(try await ask("bob", .patient) == 404)
    _ = try await home.ask(.addPerson, body: #"{"id":"bob"}"#, role: .admin)
    let before = home.fakes.types
    #expect(try await ask("patient", .patient) == 403)
    #expect(try await ask("bob", .patient) == 403)
    #expect(home.fakes.types == before)
    #expect(try await ask("bob", .caretaker) == 200)
    let bob = PersonID("bob")
    #expect(try await home.ask(.ownData, ["id": "bob"], role: .patient, only: bob).status == 200)
    // The refusal for another person equals the refusal for a person who does not exist.
    for other in ["patient", "nobody"] {
      let refused = try await home.ask(.ownData, ["id": other], role: .patient, only: bob)
      #expect(refused.status == 404)
      #expect(refused.document["detail"]?.string == "there is no person \"\(other)\"")
    }
  }

  @Test func `repeated requests cannot fill the record`() async throws {
    let home = await ServedHome()
    func ask(_ user: String) async throws -> Int {
      try await home.ask(.ownData, ["id": "patient"], role: .caretaker, user: user).status
    }
    var answers: [Int] = []
    for _ in 0..<25 { answers.append(try await ask("uid:1")) }
    #expect(answers == Array(repeating: 200, count: 20) + Array(repeating: 429, count: 5))
    #expect(home.fakes.types.count { $0 == "export_made" } == 20)
    #expect(try await ask("uid:2") == 200)
    home.fakes.pass(seconds: 3_599)
    #expect(try await ask("uid:1") == 429)
    home.fakes.pass(seconds: 1)
    #expect(try await ask("uid:1") == 200)
  }
}
