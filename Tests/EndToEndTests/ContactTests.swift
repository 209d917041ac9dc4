import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests the contacts of a home: the all-clear, the test message, and the list of contacts.
  @Suite struct Contacts {
    /// Returns a configuration with two contacts. The command of anna writes the text of each
    /// message to a file. The command of bob fails.
    private static func config(_ home: TestHome) -> String {
      """
      [contacts.anna]
      command = [
        "/bin/sh", "-c",
        'echo "$PROMPTER_REASON|$PROMPTER_PERSON_NAME|$PROMPTER_TEXT" >> "$1"', "sh",
        "\(home.path("said"))",
      ]
      [contacts.bob]
      command = ["/bin/sh", "-c", "exit 3"]
      """
    }

    private func with(_ body: (TestHome) async throws -> Void) async throws {
      let home = try TestHome()
      do {
        try await home.start(config: Self.config(home))
        try await body(home)
      } catch {
        await home.close()
        throw error
      }
      await home.close()
    }

    /// Returns the reason, the name and the text of each message to anna.
    private func said(_ home: TestHome) -> [[Substring]] {
      let text = (try? String(contentsOfFile: home.path("said"), encoding: .utf8)) ?? ""
      return text.split(separator: "\n").map { $0.split(separator: "|") }
    }

    @Test func `a contact that was notified gets the all-clear once, also after a restart`()
      async throws
    {
      try await with { home in
        _ = try await home.ask("people", "edit", "patient", "--name", "Hilde")
        _ = try await home.ask(
          "add", "Morning pills", "--schedule", "in 1 seconds", "--rings", "1", "--late-window",
          "10m", "--tell", "anna after 3s")
        try await home.until("anna is notified", seconds: 30) { said(home).count == 1 }
        let asked = try #require(said(home).first)
        #expect(asked[0] == "no_answer" && asked[1] == "Hilde")
        #expect(asked[2].hasPrefix("Hilde has not answered \"Morning pills\", due at "))
        try await home.until("the result is recorded", seconds: 10) {
          try await !home.events("notified").isEmpty
        }
        await home.kill()
        try await home.start(config: Self.config(home))
        _ = try await home.ask("done")
        try await home.until("anna gets the all-clear", seconds: 10) {
          try await !home.events("notice_sent").isEmpty
        }
        #expect(said(home).count == 2)
        let clear = try #require(said(home).last)
        #expect(clear[0] == "all_clear" && clear[2].hasPrefix("All clear: "))
        await home.kill()
        try await home.start(config: Self.config(home))
        #expect(said(home).count == 2)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `a test of a contact says whether the message was sent`() async throws {
      try await with { home in
        let empty = try await home.run("contacts")
        #expect(empty.output.contains("never"))
        let sent = try await home.run("contact", "test", "anna")
        #expect(sent.code == 0)
        #expect(sent.output.contains("The test message for anna was sent"))
        #expect(said(home).map { $0[0] } == ["test"])

        let failed = try await home.run("contact", "test", "bob")
        #expect(failed.code == 1)
        #expect(
          failed.output.contains(
            "The test message for bob was not sent: its command ended with status 3."))
        let unknown = try await home.run("contact", "test", "carl")
        #expect(unknown.code == 1)
        #expect(unknown.complaint.contains("its contacts are anna, bob"))
        #expect(try await home.events("notice_due").count == 2)

        let listed = try await home.ask("contacts")["contacts"]?.array ?? []
        #expect(listed.map { $0["name"]?.string } == ["anna", "bob"])
        #expect(listed.first?["last_reached_utc"]?.string != nil)
        #expect(listed.first?["last_failure_utc"] == .null)
        #expect(listed.last?["last_reached_utc"] == .null)
        #expect(listed.last?["last_failure"]?.string == "its command ended with status 3")
      }
    }

    @Test func `a contact for calls is told, and the speaker says so`() async throws {
      let home = try TestHome()
      let config = Self.config(home).replacing(
        "[contacts.bob]", with: "calls = true\n[contacts.bob]")
      do {
        try await home.start(config: config)
        #expect(try await home.run("contacts").output.contains("calls"))
        let called = try await home.run("call")
        #expect(called.code == 0, "\(called)")
        #expect(called.output.contains("A contact is being told."))
        try await home.until("anna is told", seconds: 20) {
          try await home.events("call_told").count == 1
        }
        let told = try #require(said(home).first)
        #expect(told[0] == "asked_for")
        #expect(told[2].hasPrefix("The patient asks you to call back."))
        #expect(told[2].hasSuffix("This is not an emergency call."))
        try await home.until("the patient hears it", seconds: 30) {
          try await home.events("ring_ended").count == 1
        }
        let prompts = try await home.prompts()
        #expect(prompts.contains { $0["label"]?.string == "Anna was told." }, "\(prompts)")
        let call = try #require(try await home.ask("messages")["messages"]?.array?.first)
        #expect(call["kind"]?.string == "call" && call["state"]?.string == "told", "\(call)")
        #expect(call["contact"]?.string == "anna" && call["person"]?.string == "patient")
        // The speaker says the result of the call ("Anna was told."). The list of messages contains
        // the call, but not these words.
        #expect(try await home.ask("messages")["messages"]?.array?.count == 1)
        // If the person asks again at once, the daemon does not notify anna again.
        let again = try await home.run("call")
        #expect(again.output.contains("anna was told already."), "\(again)")
        #expect(said(home).count == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      } catch {
        await home.close()
        throw error
      }
      await home.close()
    }
  }
}
