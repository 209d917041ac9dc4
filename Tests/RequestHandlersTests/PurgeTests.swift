import API
import Alarms
import Fakes
import JSONValue
import RequestHandlers
import Testing

@Suite struct `A purge at the request handler` {
  private static func form(_ through: Int, archive: Int? = nil) -> String {
    let digest = String(repeating: "0", count: 61) + String(archive ?? through)
    return #"{"through_seq":\#(through),"archive_sha256":"\#(digest)"}"#
  }

  @Test func `is done in parts, each with an event of its own`() async throws {
    let home = await ServedHome()
    let answer = try await home.ask(.purge, body: Self.form(100), role: .admin)
    #expect(answer.status == 200)
    #expect(home.fakes.purged.map(\.throughSequence) == [40, 80, 100])
    #expect(home.fakes.types.suffix(3) == ["purged", "purged", "purged"])
    // The second request finds no rows to purge, and the daemon records nothing.
    #expect(try await home.ask(.purge, body: Self.form(100), role: .admin).status == 200)
    #expect(home.fakes.purged.count == 3)
  }

  @Test func `is refused if the archive is not the right one`() async throws {
    let home = await ServedHome()
    let other = try await home.ask(.purge, body: Self.form(100, archive: 101), role: .admin)
    #expect(other.status == 409)
    let none = try await home.ask(.purge, body: #"{"through_seq":100}"#, role: .admin)
    #expect(none.status == 400 || none.status == 422)
    #expect(home.fakes.purged.isEmpty)
  }

  @Test func `is refused while a person takes part in a study or a phase runs`() async throws {
    let home = await ServedHome()
    func purge() async throws -> Int {
      try await home.ask(.purge, body: Self.form(100), role: .admin).status
    }
    _ = try await home.ask(
      .enrol, body: #"{"person":"patient","pseudonym":"P-1","study":"remind"}"#, role: .admin)
    #expect(try await purge() == 409)
    let plan = try await home.ask(.planPurge, query: ["keep": "7"], role: .researcher)
    let refusal = plan.document["refusal"]?.string ?? ""
    #expect(refusal.contains("\"remind\""))
    _ = try await home.ask(.withdraw, body: #"{"person":"patient"}"#, role: .admin)
    _ = try await home.ask(
      .setPhase, body: #"{"person":"patient","kind":"control"}"#, role: .admin)
    #expect(try await purge() == 409)
    #expect(home.fakes.purged.isEmpty)
    _ = try await home.ask(.endPhase, body: #"{"person":"patient"}"#, role: .admin)
    #expect(try await purge() == 200)
    #expect(home.fakes.purged.last?.throughSequence == 100)
  }

  @Test(arguments: [
    [:], ["before": "2026-12-01", "keep": "7"], ["keep": "-1"], ["before": "soon"],
  ])
  func `is planned by a day or by the amount that is kept`(query: [String: String]) async throws {
    let home = await ServedHome()
    let status = try await home.ask(.planPurge, query: query, role: .researcher).status
    #expect(status == 400 || status == 422)
  }
}
