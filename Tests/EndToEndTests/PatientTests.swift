import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests two people in one home who each have a user.
  ///
  /// Each of these users sees only the data of one person. Only root can run this suite, because
  /// the suite acts as other users.
  @Suite(.enabled(if: geteuid() == 0)) struct Patients {
    static let anna = "65533"
    static let bob = "65534"
    /// A user with the role `patient` who is tied to no person.
    static let anybody = "65532"
    static let config = """
      [roles]
      patient = ["\(anybody)"]
      [patients]
      anna = ["\(anna)"]
      bob = ["\(bob)"]
      """

    /// Runs `body` in a home of Anna and Bob.
    ///
    /// Each of them has a task that waits for an answer. The second argument of `body` contains the
    /// prompt id for each label.
    private func with(
      _ body: (TestHome, [String: String]) async throws -> Void
    ) async throws {
      try await TestHome.with(config: Self.config) { home in
        for (person, label) in [("anna", "Annas tea"), ("bob", "Bobs pills")] {
          _ = try await home.ask("people", "add", person)
          _ = try await home.ask(
            "add", label, "--schedule", "in 1 seconds", "--person", person, "--spacing", "10m")
        }
        try await home.until("both have rung", seconds: 30) {
          try await home.events("ring_ended").count == 2
        }
        var ids: [String: String] = [:]
        for prompt in try await home.prompts() {
          ids[prompt["label"]?.string ?? ""] = prompt["id"]?.string
        }
        try await body(home, ids)
      }
    }

    @Test func `each sees only their own prompts, agenda, day, events and name`()
      async throws
    {
      try await with { home, ids in
        let mine = try #require(ids["Annas tea"])
        let theirs = try #require(ids["Bobs pills"])
        for path in ["/v1/prompts", "/v1/agenda", "/v1/progress", "/v1/people"] {
          let own = try await home.curl(as: Self.anna, "GET", path)
          #expect(own.status == "200" && own.text.contains("anna"), "\(path): \(own)")
          #expect(!own.text.contains("bob") && !own.text.contains("Bobs"), "\(path): \(own)")
          let others = try await home.curl(as: Self.bob, "GET", path)
          #expect(!others.text.contains("anna") && others.text.contains("bob"), "\(path)")
          let all = try await home.curl(as: Self.anybody, "GET", path)
          #expect(all.text.contains("anna") && all.text.contains("bob"), "\(path)")
        }
        let events = try await home.curl(as: Self.anna, "GET", "/v1/events?after=0", seconds: 2)
          .text
        #expect(events.contains(mine) && !events.contains(theirs), "\(events)")
        let all = try await home.curl(as: Self.anybody, "GET", "/v1/events?after=0", seconds: 2)
          .text
        #expect(all.contains(mine) && all.contains(theirs))

        let status = try await home.curl(as: Self.anna, "GET", "/v1/status").text
        let document = try JSON(parsing: Array(status.utf8))
        #expect(document["you"]?["person"]?.string == "anna")
        #expect(document["alarms"]?.integer == 1 && document["waiting"]?.integer == 1)
        let waiting = try await home.curl(as: Self.anna, "GET", "/v1/prompts").text
        #expect(try JSON(parsing: Array(waiting.utf8))["waiting"]?.integer == 1)

        for end in ["", "/why", "/responses"] {
          #expect(
            try await home.curl(as: Self.anna, "GET", "/v1/prompts/\(mine)\(end)").status == "200")
          let other = try await home.curl(as: Self.anna, "GET", "/v1/prompts/\(theirs)\(end)")
          #expect(other.status == "404" && !other.text.contains("Bobs"), "\(other)")
        }
        #expect(try await home.curl(as: Self.anna, "GET", "/v1/people/bob").status == "404")
        let asked = try await home.curl(as: Self.anna, "GET", "/v1/prompts?person=bob")
        #expect(asked.status == "403" && asked.text.contains("\"field\":\"person\""), "\(asked)")
      }
    }

    @Test
    func `nobody answers for another person, and an answer without an id is for one's own prompt`()
      async throws
    {
      try await with { home, ids in
        let theirs = try #require(ids["Bobs pills"])
        let bodies = [
          "acknowledge": "{}", "complete": "{}", "delay": "{}", "decline": "{}", "undo": "{}",
          "responses": #"{"responses":[]}"#,
        ]
        for (verb, body) in bodies {
          let tried = try await home.curl(
            as: Self.anna, "POST", "/v1/prompts/\(theirs)/\(verb)", body: body)
          #expect(tried.status == "404", "\(verb): \(tried)")
        }
        let current = "/v1/prompts/current/"
        let done = try await home.curl(as: Self.anna, "POST", current + "complete", body: "{}")
        #expect(done.status == "200" && done.text.contains("Annas tea"), "\(done)")
        let again = try await home.curl(as: Self.anna, "POST", current + "complete", body: "{}")
        #expect(
          again.status == "404" && again.text.contains("nothing rings now")
            && !again.text.contains("Bob"), "\(again)")
        // Bob's answer is newer than Anna's answer. Anna's undo still applies to Anna's answer.
        let later = try await home.curl(as: Self.bob, "POST", current + "acknowledge", body: "{}")
        #expect(later.status == "200" && later.text.contains("Bobs pills"), "\(later)")
        let undone = try await home.curl(as: Self.anna, "POST", current + "undo", body: "{}")
        #expect(undone.status == "200" && undone.text.contains("Annas tea"), "\(undone)")
        let states = try await home.prompts().map { $0["state"]?.string ?? "" }
        #expect(states.contains("acknowledged") && !states.contains("closed"), "\(states)")
      }
    }

    @Test func `whoami names the tied person, and a tie to an unknown person is reported`()
      async throws
    {
      let config = "[patients]\nana = [\"\(Self.anna)\"]\n"
      try await TestHome.with(config: config) { home in
        let doctor = try await home.ask("doctor")["findings"]?.array ?? []
        let finding = try #require(doctor.first { $0["kind"]?.string == "patients" })
        #expect(finding["text"]?.string?.contains("\"ana\"") == true, "\(finding)")
        #expect(finding["fix"]?.string?.contains("[patients]") == true, "\(finding)")
        _ = try await home.ask("people", "add", "ana")
        let well = try await home.ask("doctor")["findings"]?.array ?? []
        #expect(!well.contains { $0["kind"]?.string == "patients" })
        #expect(chmod(home.socket, 0o666) == 0)
        let who = try await Running(
          "/usr/bin/setpriv",
          [
            "--reuid", Self.anna, "--regid", Self.anna, "--clear-groups", Programs.path("prompter"),
            "--socket", home.socket, "whoami",
          ], in: home.directory
        ).finished()
        #expect(who.output.contains("uid:\(Self.anna), patient"), "\(who)")
        #expect(who.output.contains("sees only what belongs to \"ana\""), "\(who)")
        #expect(who.output.contains("/v1/prompts/{id}/complete"), "\(who)")
        #expect(!who.output.contains("POST /v1/alarms"), "\(who)")
        #expect(try await home.ask("whoami")["role"]?.string == "admin")
      }
    }
  }
}
