import API
import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Sends each change several times with the same idempotency key.
  ///
  /// The daemon must carry out each change once and give the same reply, also after a restart.
  @Suite struct Replays {
    /// A change. In its texts, `{name}` stands for a value that the test found earlier.
    struct Change: Sendable {
      var operation: Route.Operation
      /// The value of the parameter in the path of the change.
      var subject: String?
      var body: String?
      /// A value of the response that later changes use: its name, and the members that lead to the
      /// value.
      var keeps: (name: String, members: [String])?
      /// Whether the change adds an event that names the actor of the change.
      var isRecorded = true
    }

    /// All changes of the API.
    ///
    /// In this order, the daemon can carry out each change. The erasure comes first, because an
    /// erasure deletes all idempotency keys.
    static let changes: [Change] = [
      Change(operation: .erase, body: #"{"alarm":"{old}"}"#),
      Change(
        operation: .addAlarm, body: #"{"label":"Tea","schedule":"every day 08:00"}"#,
        keeps: ("alarm", ["alarm", "id"])),
      Change(operation: .editAlarm, subject: "{alarm}", body: #"{"label":"Green tea"}"#),
      Change(
        operation: .preview, body: #"{"label":"Tea","schedule":"in 1 hour"}"#, isRecorded: false),
      Change(operation: .removeAlarm, subject: "{alarm}"),
      Change(operation: .present, subject: "{First}", body: "{}"),
      Change(operation: .acknowledge, subject: "{First}", body: "{}"),
      Change(operation: .undo, subject: "{First}", body: "{}"),
      Change(
        operation: .respond, subject: "{First}",
        body: #"{"responses":[{"question":"note","value":"well"}]}"#),
      Change(operation: .complete, subject: "{First}", body: "{}"),
      Change(operation: .delay, subject: "{Second}", body: #"{"for":"10m"}"#),
      Change(operation: .decline, subject: "{Third}", body: #"{"reason":"busy"}"#),
      Change(operation: .cancel, subject: "{Fourth}", body: #"{"reason":"other"}"#),
      Change(operation: .setLevel, body: #"{"device":"rings","percent":60}"#),
      Change(operation: .checkSpeaker, body: "{}", isRecorded: false),
      Change(operation: .testRing, body: #"{"percent":40}"#),
      Change(operation: .addTone, subject: "voice", body: "@{sound}"),
      Change(operation: .renameTone, subject: "voice", body: #"{"name":"mum"}"#),
      Change(operation: .playTone, subject: "mum", body: "{}"),
      Change(operation: .removeTone, subject: "mum"),
      Change(operation: .addImage, body: "@{picture}", keeps: ("image", ["image", "id"])),
      Change(operation: .removeImage, subject: "{image}"),
      Change(
        operation: .importHolidays, subject: "DE-BE", body: #"{"days":[{"date":"2099-12-25"}]}"#),
      Change(operation: .removeHolidays, subject: "DE-BE"),
      Change(operation: .rekey),
      Change(operation: .addPerson, body: #"{"id":"anna","name":"Anna"}"#),
      Change(operation: .changePerson, subject: "anna", body: #"{"name":"Anne"}"#),
      Change(operation: .pausePerson, subject: "anna", body: #"{"until":"2099-12-27"}"#),
      Change(operation: .resumePerson, subject: "anna"),
      Change(operation: .pauseEverybody, body: "{}"), Change(operation: .resumeEverybody),
      Change(
        operation: .enrol,
        body: #"{"person":"anna","pseudonym":"P-1","arm":"reminders","arm_code":"X"}"#),
      Change(
        operation: .noteStudy, body: #"{"person":"anna","kind":"deviation","text":"late"}"#),
      Change(operation: .unblind, body: #"{"study":"study"}"#),
      Change(operation: .setPhase, body: #"{"person":"anna","kind":"prompted"}"#),
      Change(operation: .endPhase, body: #"{"person":"anna"}"#),
      Change(operation: .withdraw, body: #"{"person":"anna","reason":"moved"}"#),
      Change(operation: .removePerson, subject: "anna"),
      Change(operation: .crossover, body: #"{"person":"patient","days":7,"order":"AB"}"#),
      Change(operation: .importDiary, body: "day,completion\n2026-02-01,3\n"),
      Change(operation: .testContact, subject: "tester", body: "{}"),
      Change(operation: .addSupply, body: #"{"name":"Box","left":9}"#),
      Change(operation: .changeSupply, subject: "Box", body: #"{"low_at":3}"#),
      Change(operation: .refillSupply, subject: "Box", body: #"{"amount":30}"#),
      Change(operation: .countSupply, subject: "Box", body: #"{"left":12}"#),
      Change(operation: .removeSupply, subject: "Box"),
      Change(operation: .say, body: #"{"text":"Good evening"}"#),
      Change(operation: .call, body: "{}"),
    ]

    private static let config = """
      [contacts.tester]
      command = ["/bin/true"]
      """

    /// Changes that this test leaves out, because other tests cover these changes.
    ///
    /// - `retire`: a retired home cannot answer a second request.
    /// - `purge`: a purge deletes a prompt only if the answer is more than a minute old, because a
    ///   person can undo a newer answer.
    /// - `sayAgain`: the daemon says the words of a prompt again only if the speaker is free.
    static let elsewhere: Set<Route.Operation> = [.retire, .purge, .sayAgain]

    @Test func `the table below contains every change`() {
      let all = Set(Route.all.filter(\.isChange).map(\.operation))
      #expect(Set(Self.changes.map(\.operation)).union(Self.elsewhere) == all)
    }

    @Test func `each change repeated with its key gives the same reply and happens once`()
      async throws
    {
      try await TestHome.with(config: Self.config) { home in
        var names = try await furnish(home)
        var answers: [(Request, String)] = []
        for change in Self.changes {
          let request = Request(change, names)
          let before = try await deeds(home)
          let first = try await request.send(home)
          try #require((200..<300).contains(first.status), "\(change.operation): \(first.text)")
          let after = try await deeds(home)
          #expect((after > before) == change.isRecorded, "\(change.operation)")
          for _ in 0..<2 { #expect(try await request.send(home) == first, "\(change.operation)") }
          let other = try await request.other.send(home)
          #expect(
            other.status == 409 && other.text.contains("key_reused"),
            "\(change.operation): \(other)")
          #expect(try await deeds(home) == after, "\(change.operation)")
          if let (name, members) = change.keeps {
            let document = try JSON(parsing: Array(first.text.utf8))
            names[name] = members.reduce(document) { $0[$1] ?? .null }.string
          }
          answers.append((request, first.text))
        }

        let before = try await deeds(home)
        await home.kill()
        try await home.start(config: Self.config)
        for (request, text) in answers {
          #expect(try await request.send(home).text == text, "\(request.operation)")
          #expect(try await request.other.send(home).status == 409, "\(request.operation)")
        }
        #expect(try await deeds(home) == before)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    /// Adds the objects that the changes need.
    ///
    /// - Returns: the values that replace `{name}` in the changes.
    private func furnish(_ home: TestHome) async throws -> [String: String] {
      var names = [
        "sound": TestHome.fixtures.appending(path: "sound/warble.flac"),
        "picture": TestHome.fixtures.appending(path: "image/quarters.png"),
      ].mapValues { $0.path(percentEncoded: false) }
      let old = try await home.ask("add", "Old", "--schedule", "every day 08:00")
      names["old"] = old["alarm"]?["id"]?.string
      _ = try await home.ask("remove", names["old"] ?? "")
      let labels = ["First", "Second", "Third", "Fourth"]
      for label in labels {
        _ = try await home.ask(
          "add", label, "--schedule", "in 1 seconds", "--rings", "3", "--spacing", "10m", "--ask",
          "note=text(optional) How was it?")
      }
      try await home.until("all are due", seconds: 20) {
        try await home.events("due").count == labels.count
      }
      for prompt in try await home.prompts() {
        names[prompt["label"]?.string ?? ""] = prompt["id"]?.string
      }
      return names
    }

    /// Returns the number of events of the user who runs the test.
    private func deeds(_ home: TestHome) async throws -> Int {
      try await home.events().count { $0["actor_id"]?.string == "uid:\(geteuid())" }
    }

    /// A request that sends a change. Each change has a different idempotency key.
    private struct Request {
      var operation: Route.Operation
      var subject: String?
      var body: String?

      init(_ change: Change, _ names: [String: String]) {
        let fill = { (text: String) in
          names.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
        }
        operation = change.operation
        subject = change.subject.map(fill)
        body = change.body.map(fill)
      }

      /// A request with the same key but different content. The daemon must refuse this request.
      var other: Request {
        var other = self
        if body == nil, subject != nil {
          other.subject = "other"
        } else {
          other.body = #"{"other":1}"#
        }
        return other
      }

      func send(_ home: TestHome) async throws -> Answer {
        guard let route = Route.all.first(where: { $0.operation == operation }) else {
          throw TestHome.NeverHappened(description: "\(operation) is in the table")
        }
        let path = route.path.split(separator: "/").map {
          $0.hasPrefix("{") ? subject ?? "" : String($0)
        }
        let reply = try await home.curl(
          route.method.rawValue, "/" + path.joined(separator: "/"), body: body,
          headers: ["Idempotency-Key: replay-\(operation)"])
        return Answer(status: reply.status, text: reply.text)
      }
    }

    private struct Answer: Equatable {
      var status: Int
      var text: String
    }
  }
}
