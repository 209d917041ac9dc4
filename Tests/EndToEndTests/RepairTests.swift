import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests the repair of a damaged table of prompts (a projection).
  ///
  /// The test damages the table while the daemon does not run. The events are not damaged, so the
  /// daemon can compute the prompts again.
  @Suite struct Repair {
    @Test(arguments: [
      ("UPDATE prompts SET next_step_ms = NULL", "step_not_stored"),
      ("DELETE FROM prompts", "prompt_not_stored"),
    ])
    func `a prompt that was lost from the projections rings, and the record says so`(
      damage: String, defect: String
    ) async throws {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Take the pills", "--schedule", "in 8 seconds", "--rings", "1")
        _ = await home.stop()
        let sqlite = try await Running(
          "/usr/bin/sqlite3", [home.state + "/record.sqlite", damage], in: home.directory
        ).finished()
        try #require(sqlite.code == 0, "\(sqlite)")
        try await home.start()
        let repairs = try await home.events("repaired")
        #expect(repairs.map { $0["payload"]?["defect"]?.string } == [defect])
        try await home.ring(1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
        await home.kill()
        try await home.start()
        #expect(try await home.events("repaired").count == 1)
      }
    }
  }
}
