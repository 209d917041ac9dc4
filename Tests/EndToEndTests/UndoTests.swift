import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests undo with the built programs.
  @Suite struct UndoingAnswers {
    @Test func `an accidental completion is undone, also after a kill, and the prompt rings again`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Take the pills", "--schedule", "in 1 seconds", "--rings", "3", "--spacing", "7s")
        try await home.heard(1)
        let done = try await home.ask("done")
        let id = try #require(done["id"]?.string)
        await home.kill()
        try await home.start()

        let back = try await home.ask("undo")
        #expect(back["id"]?.string == id)
        #expect(back["outcome"] == .null)
        #expect(["waiting", "ringing"].contains(back["state"]?.string))
        try await home.ring(2)
        let again = try await home.run("undo", id)
        #expect(again.code == 1 && again.complaint.contains("was already taken back"), "\(again)")

        _ = try await home.ask("done", id)
        let correction = try #require(try await home.events("correction").first)
        #expect(correction["payload"]?["undone"]?.string == "completed")
        #expect(correction["prompt_id"]?.string == id)
        #expect(try await home.events("completed").count == 2)
        #expect(try await home.prompts().map { $0["outcome"]?.string } == ["completed"])
        #expect(try await home.ask("verify")["ok"]?.bool == true)

        let package = home.path("package")
        _ = try await home.ask("export", package)
        let lines = try String(contentsOfFile: package + "/prompts.csv", encoding: .utf8)
          .split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
          }
        #expect(lines.count == 2)
        let column = try #require(lines[0].firstIndex(of: "corrections"))
        #expect(lines[1][column] == "1")
      }
    }

    @Test func `an undo reports that the prompt rings, not that a player is replaced`() async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Take the pills", "--schedule", "in 1 seconds", "--rings", "3", "--spacing", "2s")
        try await home.heard(1)
        _ = try await home.ask("done")
        try await Task.sleep(for: .seconds(3))

        let back = try await home.run("undo")
        #expect(back.output == "Taken back. \"Take the pills\": ringing.\n", "\(back)")
      }
    }

    @Test func `an undo that is not possible is refused with its own reason`() async throws {
      try await TestHome.with { home in
        let none = try await home.curl("POST", "/v1/prompts/current/undo")
        #expect(none.status == 409 && none.body["kind"]?.string == "nothing_to_undo", "\(none)")
        let unknown = try await home.curl("POST", "/v1/prompts/x@2026-12-01T08:00:00/undo")
        #expect(unknown.status == 404, "\(unknown)")
        let added = try await home.ask("add", "Walk", "--schedule", "every day 08:00")
        let alarm = try #require(added["alarm"]?["id"]?.string)
        let prompt = try #require(try await home.prompts().first?["id"]?.string)
        _ = try await home.ask("done", prompt)
        _ = try await home.ask("edit", alarm, "--label", "Walk far")
        let edited = try await home.curl("POST", "/v1/prompts/\(prompt)/undo")
        #expect(edited.status == 409 && edited.body["kind"]?.string == "superseded", "\(edited)")
        let odd = try await home.curl("POST", "/v1/prompts/\(prompt)/undo", body: #"{"why":"x"}"#)
        #expect(odd.status == 422, "\(odd)")
      }
    }
  }
}
