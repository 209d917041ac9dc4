import API
import Alarms
import Fakes
import JSONValue
import RequestHandlers
import Testing

@Suite struct `A call at the request handler` {
  @Test func `is accepted from a patient and a caretaker, and each request is recorded`()
    async throws
  {
    let home = await ServedHome()
    let first = try await home.ask(.call, body: "{}", role: .patient)
    #expect(first.status == 201)
    // This home has no contact for calls, so the call fails.
    #expect(first.document["state"]?.string == "failed")
    #expect(first.document["contact"] == .null)
    #expect(first.document["repeated"]?.bool == false)
    #expect(home.fakes.types.count { $0 == "call_asked" } == 1)
    #expect(home.fakes.types.count { $0 == "call_failed" } == 1)
    #expect(try await home.ask(.call, body: "{}", role: .caretaker).status == 201)
  }

  @Test func `is refused for another person than the one of the user`() async throws {
    let home = await ServedHome()
    _ = try await home.ask(.addPerson, body: #"{"id":"bob"}"#, role: .admin)
    let bob = PersonID("bob")
    let own = try await home.ask(.call, body: "{}", role: .patient, only: bob)
    #expect(own.status == 201 && own.document["person"]?.string == "bob")
    for other in ["patient", "nobody"] {
      let refused = try await home.ask(
        .call, body: #"{"person":"\#(other)"}"#, role: .patient, only: bob)
      #expect(refused.status == 403)
      let detail = refused.document["detail"]?.string ?? ""
      #expect(detail.contains("cannot ask for a call for \"\(other)\":"), "\(detail)")
    }
    #expect(home.fakes.types.count { $0 == "call_asked" } == 1)
  }

  @Test func `repeated requests cannot fill the record`() async throws {
    let home = await ServedHome()
    var answers: [Int] = []
    for _ in 0..<62 {
      answers.append(try await home.ask(.call, body: "{}", role: .patient).status)
    }
    #expect(answers == Array(repeating: 201, count: 60) + Array(repeating: 429, count: 2))
    home.fakes.pass(seconds: 3_599)
    #expect(try await home.ask(.call, body: "{}", role: .patient).status == 429)
    home.fakes.pass(seconds: 1)
    #expect(try await home.ask(.call, body: "{}", role: .patient).status == 201)
  }
}
