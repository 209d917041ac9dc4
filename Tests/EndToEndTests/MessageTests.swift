import JSONValue
import Testing

extension EndToEnd {
  @Suite struct Messages {
    /// Returns the text, state and answer of each message, the newest first.
    private func messages(_ home: TestHome) async throws -> [[String]] {
      let listed = try await home.ask("messages")["messages"]?.array ?? []
      return listed.map { message in
        ["text", "state", "answer"].map { message[$0]?.string ?? "-" }
      }
    }

    @Test func `the sender sees that a message was heard, answered or has expired`() async throws {
      try await TestHome.with { home in
        #expect(try await home.run("messages").output.contains("There are no messages."))
        let said = try await home.run(
          "say", "Lunch", "--answer", "heard", "--expires", "2h", "--repeat", "3")
        #expect(said.code == 0 && said.output.contains("It was played."), "\(said)")
        #expect(said.output.contains("prompter messages"))
        #expect(try await messages(home) == [["Lunch", "sounded", "-"]])
        // A message is not a task, so these two lists do not contain the message.
        #expect(try await home.ask("list")["alarms"]?.array == [])
        #expect(try await home.ask("prompts", "--current")["prompts"]?.array == [])
        _ = try await home.ask("done")
        #expect(try await messages(home) == [["Lunch", "heard", "-"]])

        _ = try await home.run("say", "Shall I come?", "--answer", "yes_no")
        _ = try await home.ask("answer", "answer=yes", "--done")
        let found = try await home.run("messages")
        #expect(found.output.contains("answered: yes"), "\(found)")
        #expect(try await messages(home).first == ["Shall I come?", "answered", "yes"])

        _ = try await home.run("say", "Tea", "--no-wait")
        try await home.until("it sounded", seconds: 30) {
          try await messages(home).first == ["Tea", "sounded", "-"]
        }
        #expect(try await home.ask("messages", "--limit", "2")["messages"]?.array?.count == 2)
        #expect(try await home.run("messages", "--person", "nobody").code == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
        // An erasure deletes the words of a message, but the message stays in the list.
        let id = try #require(
          try await home.ask("messages")["messages"]?.array?.last?["id"]?.string)
        let alarm = String(id.prefix { $0 != "@" })
        // An erasure is possible only after the alarm of the message is deleted. The daemon deletes
        // this alarm 60 s after the answer. The test does not wait, and deletes the alarm now.
        _ = try await home.ask("remove", alarm)
        _ = try await home.ask(
          "study", "erase", "--yes", "--alarm", alarm)
        #expect(try await messages(home).last == ["", "heard", "-"])
      }
    }

    @Test func `options that do not fit are refused before anything is sent`() async throws {
      try await TestHome.with { home in
        for arguments in [
          ["say", "Lunch", "--expires", "2h"], ["say", "Lunch", "--repeat", "2"],
          ["list", "--expires", "2h"],
        ] {
          let refused = try await home.run(arguments)
          #expect(refused.code == 2, "\(arguments): \(refused)")
          #expect(refused.complaint.contains("needs"), "\(arguments): \(refused)")
        }
        let wrong = try await home.run("say", "Lunch", "--answer", "maybe")
        #expect(wrong.code == 1 && wrong.complaint.contains("answer"), "\(wrong)")
        #expect(try await messages(home) == [])
      }
    }
  }
}
