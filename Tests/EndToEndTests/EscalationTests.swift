import Foundation
import JSONValue
import Testing

extension EndToEnd {
  @Suite struct Escalating {
    /// Returns a configuration with two contacts.
    ///
    /// The command of anna fails. The command of bob writes some of its variables to a file.
    private static func config(_ home: TestHome) -> String {
      let said = home.path("said")
      return """
        [contacts.anna]
        command = ["/bin/sh", "-c", "exit 3"]
        [contacts.bob]
        command = [
          "/bin/sh", "-c",
          'echo "$PROMPTER_CONTACT: $PROMPTER_LABEL ($PROMPTER_REASON)" >> "$1"', "sh", "\(said)",
        ]
        """
    }

    private func with(_ body: (TestHome) async throws -> Void) async throws {
      let home = try TestHome()
      do {
        try await home.start(config: Self.config(home))
        try await body(home)
      } catch {
        await home.kill()
        throw error
      }
      await home.kill()
      try FileManager.default.removeItem(at: home.directory)
    }

    private func said(_ home: TestHome) -> String {
      (try? String(contentsOfFile: home.path("said"), encoding: .utf8)) ?? ""
    }

    @Test
    func
      `a chain becomes urgent, notifies a contact, and survives a kill without a second notification`()
      async throws
    {
      try await with { home in
        let added = try await home.ask(
          "add", "Take the pills", "--schedule", "in 1 seconds", "--step", "1 ring, at -12 dB",
          "--step", "after 4s, 1 ring, louder, urgent", "--tell", "bob after 15s")
        #expect(added["alarm"]?["steps"]?.array?.count == 2)
        #expect(
          added["alarm"]?["steps"]?.array?.last?["words"]?.string
            == "after 4s, 1 ring every 1m, at -9 dB, urgent")
        let shown = try await home.run("show", added["alarm"]?["id"]?.string ?? "")
        #expect(shown.output.contains("bob, 15s after it begins, if nobody answers"))
        try await home.until("bob is told", seconds: 40) {
          try await !home.events("notified").isEmpty
        }
        #expect(said(home) == "bob: Take the pills (no_answer)\n")
        let intents = try await home.events("ring_intent")
        #expect(intents.map { $0["payload"]?["step"]?.integer } == [0, 1])
        #expect(intents.map { $0["payload"]?["gain_db"]?.double } == [-12, -9])
        #expect(try await home.prompts().first?["contacts_notified"]?.integer == 1)

        await home.kill()
        try await home.start(config: Self.config(home))
        #expect(said(home) == "bob: Take the pills (no_answer)\n")
        let done = try await home.ask("done")
        #expect(done["outcome"]?.string == "completed")
        #expect(try await home.events("escalated").count == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `no contact is notified after an answer in time, and an unknown contact is refused`()
      async throws
    {
      try await with { home in
        _ = try await home.ask(
          "add", "Drink", "--schedule", "in 1 seconds", "--rings", "1", "--tell", "bob after 4s")
        try await home.ring(1)
        _ = try await home.ask("done")
        let refused = try await home.run(
          "add", "Walk", "--schedule", "every day 08:00", "--tell", "carl after 5m")
        #expect(refused.code == 1)
        #expect(refused.complaint.contains("anna, bob"))
        try await Task.sleep(for: .seconds(5))
        #expect(try await home.events("escalated").isEmpty)
        #expect(said(home).isEmpty)
      }
    }

    @Test func `an acknowledged prompt that is not completed rings again with its own burst`()
      async throws
    {
      try await with { home in
        _ = try await home.ask(
          "add", "Eat", "--schedule", "in 1 seconds", "--complete-by", "3s", "--complete-step",
          "1 ring, at -3 dB")
        try await home.ring(1)
        let acknowledged = try await home.ask("ack")
        #expect(acknowledged["state"]?.string == "acknowledged")
        #expect(acknowledged["acknowledged_utc"]?.string != nil)
        try await home.ring(2)
        let intents = try await home.events("ring_intent")
        #expect(intents.last?["payload"]?["gain_db"]?.double == -3)
        #expect(try await home.ask("done")["outcome"]?.string == "completed")
      }
    }
  }
}
