import API
import Alarms
import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests that a patient gets no data of another person.
  ///
  /// The user of Anna calls every route that a patient may call. All data of Bob contain a planted
  /// word. No response to the user of Anna may contain this word. Only root can run this suite,
  /// because the suite acts as other users.
  @Suite(.enabled(if: geteuid() == 0)) struct PatientIsolation {
    private static let anna = "65533", bob = "65534"
    /// The planted word, which every name and text of Bob contains.
    ///
    /// The configuration also contains an unknown person and a contact with this word in their
    /// names.
    private static let planted = "zqzq"
    private static let config = """
      [patients]
      anna = ["\(anna)"]
      bobzqzq = ["\(bob)"]
      ghostzqzq = ["65531"]
      [contacts.carerzqzq]
      command = ["/bin/false"]
      [contacts.carermine]
      command = ["/bin/false"]
      """

    /// The ids of the objects of one person, for use in requests.
    private struct Things {
      var prompt = "", alarm = "", image = "", photo = "", tone = "", person = ""
    }

    private static func fixture(_ name: String) -> String {
      TestHome.fixtures.appending(path: name).path(percentEncoded: false)
    }

    /// Adds a person and an alarm, and waits for a ring.
    ///
    /// The alarm has a recording, a picture, a question and a contact. Each text contains `word`.
    private func furnish(
      _ home: TestHome, _ person: String, word: String, picture: String, sound: String
    ) async throws -> Things {
      var things = Things()
      (things.person, things.tone) = (person, "tone\(word)")
      _ = try await home.ask("people", "add", person, "--name", "Name\(word)")
      _ = try await home.ask("tone", "add", things.tone, Self.fixture(sound))
      if word == Self.planted {
        // The test removes the file of the recording. The daemon then reports a problem and uses a
        // fallback at each ring.
        let tones = home.path("state/tones")
        for file in try FileManager.default.contentsOfDirectory(atPath: tones) {
          try FileManager.default.removeItem(atPath: "\(tones)/\(file)")
        }
      }
      let questions = home.path("questions.json")
      try Data(
        #"[{"name":"q\#(word)","text":"How \#(word)?","kind":"scale","min":0,"max":10}]"#.utf8
      ).write(to: URL(filePath: questions))
      let added = try await home.ask(
        "add", "Label \(word)", "--schedule", "in 1 seconds", "--person", person, "--tone",
        things.tone, "--image", Self.fixture("image/\(picture)"), "--instructions",
        "Instructions \(word)", "--questions", questions, "--spacing", "10m", "--tell",
        "carer\(word) after 10h")
      things.alarm = try #require(added["alarm"]?["id"]?.string)
      things.image = try #require(added["alarm"]?["image"]?.string)
      try await home.until("it has rung", seconds: 30) {
        try await home.events("ring_ended").contains { $0["alarm_id"]?.string == things.alarm }
      }
      things.prompt = try #require(
        try await home.prompts().first { $0["alarm_id"]?.string == things.alarm }?["id"]?.string)
      return things
    }

    private func upload(
      _ home: TestHome, as uid: String, _ picture: String
    ) async throws -> String {
      let file = home.path("upload-\(uid)")
      try? FileManager.default.removeItem(atPath: file)
      try FileManager.default.copyItem(atPath: Self.fixture("image/\(picture)"), toPath: file)
      #expect(chmod(file, 0o644) == 0)
      let added = try await home.curl(as: uid, "POST", "/v1/images", body: "@\(file)")
      #expect(added.status == "201", "\(added)")
      return try #require(try JSON(parsing: Array(added.text.utf8))["image"]?["id"]?.string)
    }

    /// Returns the path of a route with the ids of the given objects.
    private static func path(_ route: Route, _ things: Things) -> String {
      let id =
        switch route.path.split(separator: "/").dropFirst().first {
        case "prompts": things.prompt
        case "images": things.image
        case "people": things.person
        default: ""
        }
      return route.path.replacing("{id}", with: id).replacing("{name}", with: things.tone)
    }

    private static func body(_ route: Route, _ things: Things, word: String) -> String? {
      switch route.operation {
      case .respond: #"{"responses":[{"question":"q\#(word)","value":3}]}"#
      case .complete: #"{"photo":"\#(things.photo)"}"#
      case .decline: #"{"reason":"busy"}"#
      default: route.method == .post ? "{}" : nil
      }
    }

    private static let routes = Route.all.filter { $0.roles.contains(.patient) }

    @Test func `no route that a patient may call reveals anything about another person`()
      async throws
    {
      try await TestHome.with(config: Self.config) { home in
        var bob = try await furnish(
          home, "bobzqzq", word: Self.planted, picture: "glass.png", sound: "sound/warble.flac")
        bob.photo = try await upload(home, as: Self.bob, "quarters.png")
        var anna = try await furnish(
          home, "anna", word: "mine", picture: "phone.heic", sound: "sound/warble.mp3")
        anna.photo = try await upload(home, as: Self.anna, "quarters.jpg")
        let secrets = [Self.planted, bob.alarm, bob.prompt, bob.image, bob.photo]
        // The responses to the administrator contain the planted word. This shows that the check
        // below can fail.
        let all = try await home.run("status").output + home.run("people").output
        #expect(all.contains(Self.planted), "\(all)")

        try await askForOwn(home, anna, secrets)
        try await askForOthers(home, bob)
        // Bob's task still waits for an answer.
        let waiting = try await home.curl(as: Self.bob, "GET", "/v1/prompts/\(bob.prompt)")
        #expect(waiting.status == "200" && waiting.text.contains("Label zqzq"), "\(waiting)")
        #expect(waiting.text.contains(#""state":"waiting""#), "\(waiting)")
      }
    }

    /// Returns the response to Anna as text.
    ///
    /// The response can be a picture or another file. The function decodes the bytes as far as
    /// possible.
    private func get(
      _ home: TestHome, _ route: Route, _ path: String
    ) async throws -> (status: String, text: String) {
      guard case .bytes = route.answers else {
        return try await home.curl(as: Self.anna, "GET", path)
      }
      let file = home.path("body")
      try Data().write(to: URL(filePath: file))
      #expect(chmod(file, 0o666) == 0)
      let reply = try await home.curl(as: Self.anna, "GET", path, into: file)
      let bytes = try Data(contentsOf: URL(filePath: file))
      #expect(bytes.count > 100)
      return (reply.status, String(decoding: bytes, as: UTF8.self))
    }

    /// Calls all routes with the objects of Anna.
    ///
    /// Each response must not contain a secret of Bob.
    private func askForOwn(_ home: TestHome, _ own: Things, _ secrets: [String]) async throws {
      func check(_ reply: (status: String, text: String), _ route: Route, status: String = "200") {
        #expect(
          reply.status == status, "\(route.method) \(route.path): \(reply.text.prefix(1_000))")
        for secret in secrets {
          #expect(
            !reply.text.contains(secret),
            "\(route.method) \(route.path) says \(secret): \(reply.text.prefix(1_000))")
        }
      }
      for route in Self.routes where route.method == .get {
        var path = Self.path(route, own)
        if route.operation == .events {
          let reply = try await home.curl(as: Self.anna, "GET", path + "?after=0", seconds: 2)
          #expect(reply.text.contains(own.prompt))
          // Each id belongs to an event that Anna may see, and a comment contains no number.
          let lines = reply.text.split(separator: "\n")
          #expect(lines.count { $0.hasPrefix("id:") } == lines.count { $0.hasPrefix("data:") })
          #expect(lines.allSatisfy { !$0.hasPrefix(":") || !$0.contains(where: \.isNumber) })
          check(reply, route)
          continue
        }
        check(try await get(home, route, path), route)
        if route.query.contains(where: { $0.name == "person" }) {
          path += "?person="
          check(try await home.curl(as: Self.anna, "GET", path + "anna"), route)
          let other = try await home.curl(as: Self.anna, "GET", path + "other")
          #expect(other.status == "403", "\(other)")
        }
      }
      let order: [Route.Operation] = [
        .present, .sayAgain, .acknowledge, .undo, .delay, .undo, .decline, .undo, .respond,
      ]
      for operation in order + [.complete, .undo, .complete] {
        let route = try #require(Self.routes.first { $0.operation == operation })
        check(
          try await home.curl(
            as: Self.anna, route.method.rawValue, Self.path(route, own),
            body: Self.body(route, own, word: "mine")), route)
      }
      let asked = Set(order + [.complete, .addImage, .call])
      for route in Self.routes where route.method != .get {
        #expect(asked.contains(route.operation), "\(route.operation) is not tried")
      }
      // Anna has no open prompt now. The path `current` must not lead to a prompt of Bob.
      for operation in [
        Route.Operation.present, .sayAgain, .acknowledge, .complete, .delay, .decline, .respond,
      ] {
        let route = try #require(Self.routes.first { $0.operation == operation })
        var current = own
        current.prompt = "current"
        check(
          try await home.curl(
            as: Self.anna, route.method.rawValue, Self.path(route, current),
            body: Self.body(route, own, word: "mine")), route, status: "404")
      }
      // The call comes last, because the result of the call later becomes a calling prompt.
      let call = try await home.curl(as: Self.anna, "POST", "/v1/calls", body: "{}")
      check(call, try #require(Self.routes.first { $0.operation == .call }), status: "201")
    }

    /// Calls all routes with objects of Bob, and with unknown objects.
    ///
    /// For each route, the response about an object of Bob must equal the response about an object
    /// that never existed.
    private func askForOthers(_ home: TestHome, _ others: Things) async throws {
      var random = others
      random.prompt = "abcdefghjkmn@" + (others.prompt.split(separator: "@").last ?? "")
      random.image = String(repeating: "0a", count: 32)
      random.photo = String(repeating: "0b", count: 32)
      random.tone = "nosuchtone"
      random.person = "nosuchperson"
      func reply(_ route: Route, _ things: Things) async throws -> String {
        let reply = try await home.curl(
          as: Self.anna, route.method.rawValue, Self.path(route, things),
          body: Self.body(route, things, word: "mine"))
        var text = "\(reply.status) \(reply.text)"
        for name in [things.prompt, things.image, things.photo, things.tone, things.person] {
          text = text.replacing(name, with: "NAME")
        }
        return text
      }
      for route in Self.routes where route.path.contains("{") {
        let theirs = try await reply(route, others)
        #expect(theirs.hasPrefix("404"), "\(route.method) \(route.path): \(theirs)")
        #expect(theirs == (try await reply(route, random)), "\(route.method) \(route.path)")
        #expect(!theirs.contains(Self.planted), "\(route.method) \(route.path): \(theirs)")
      }
      for query in ["person", "before", "alarm"] {
        func status(_ things: Things) async throws -> String {
          let name =
            switch query {
            case "person": things.person
            case "before": things.prompt
            default: things.alarm
            }
          let path = "/v1/prompts?\(query)=\(name)"
          return try await home.curl(as: Self.anna, "GET", path).text.replacing(name, with: "NAME")
        }
        random.alarm = "abcdefghjkmn"
        let theirs = try await status(others)
        #expect(theirs == (try await status(random)) && !theirs.contains(Self.planted), "\(theirs)")
      }
    }

    @Test func `a photo of another person, or one that an alarm shows, cannot complete a task`()
      async throws
    {
      try await TestHome.with(config: Self.config) { home in
        let bob = try await furnish(
          home, "bobzqzq", word: Self.planted, picture: "glass.png", sound: "sound/warble.flac")
        let anna = try await furnish(
          home, "anna", word: "mine", picture: "phone.heic", sound: "sound/warble.mp3")
        let bobs = try await upload(home, as: Self.bob, "quarters.png")
        let path = "/v1/prompts/\(anna.prompt)/complete"
        func tried(_ photo: String) async throws -> (status: String, text: String) {
          try await home.curl(
            as: Self.anna, "POST", path, body: #"{"photo":"\#(photo)"}"#)
        }
        let random = String(repeating: "0", count: 64)
        let unknown = try await tried(random)
        #expect(unknown.status == "422")
        for photo in [bobs, bob.image] {
          let refused = try await tried(photo)
          #expect(refused.status == unknown.status)
          #expect(
            refused.text.replacing(photo, with: "X") == unknown.text.replacing(random, with: "X"))
        }
        #expect(try await tried(anna.image).status == "409")
        // After a restart, the daemon reads from the record which user uploaded each picture.
        let own = try await upload(home, as: Self.anna, "quarters.jpg")
        await home.kill()
        try await home.start(config: Self.config)
        #expect(try await tried(bobs).status == "422")
        #expect(try await tried(own).status == "200")
        // The verification fails, because `furnish` removed the file of a recording.
        let verified = try await home.run("verify")
        #expect(
          verified.complaint.contains("the recording \"tonezqzq\" is missing or cannot be read"),
          "\(verified)")
      }
    }
  }
}
