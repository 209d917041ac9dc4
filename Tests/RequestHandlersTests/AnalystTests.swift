import API
import Alarms
import Fakes
import JSONValue
import Testing

@Suite struct `An analyst` {
  @Test func `an analyst exports without names, and each refusal records nothing`() async throws {
    let home = await ServedHome()
    let before = home.fakes.types
    let refused = try await home.ask(
      .export, query: ["profile": "identified"], role: .analyst)
    #expect(refused.status == 403 && refused.document["field"]?.string == "profile")
    #expect(home.fakes.types == before)
    // The disk of this home is full, so a permitted export ends with the same error for each role.
    for query in [["profile": "limited"], ["profile": "safe_harbor"], [:]] {
      let asked = try await home.ask(.export, query: query, role: .analyst)
      let permitted = try await home.ask(.export, query: query, role: .researcher)
      #expect(asked.status == permitted.status && asked.status >= 500, "\(query)")
    }
    #expect(home.fakes.types == before)
  }
}
