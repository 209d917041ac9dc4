import API
import Foundation
import JSONValue
import StudyExport
import Testing

extension EndToEnd {
  /// Tests that only exports with the profile `identified` contain typed words.
  ///
  /// The test plants a word in every field of the API into which a person can type words. Each
  /// planted word is different, and is in only one request.
  @Suite struct PlantedWords {
    /// The number of rounds. Each round adds one person, and a home has at most 50 people.
    private static let rounds = 48

    /// The text fields without typed words, each with the reason.
    private static let otherFields: [String: String] = [
      "schedule": "a phrase that the daemon reads", "zone": "a name of tzdata",
      "language": "a language tag", "spacing": "a duration", "late_window": "a duration",
      "delay": "a duration", "complete_by": "a duration", "for": "a duration",
      "expires": "a duration", "paused_until": "a time", "until": "a time", "at": "a time",
      "from": "a time", "to": "a time", "start": "a time", "end": "a time", "exclude": "dates",
      "leads": "a phrase that the daemon reads", "quiet_hours": "two times of day",
      "steps": "a phrase that the daemon reads", "complete_step": "a phrase that the daemon reads",
      "order": "letters A and B", "low_at": "a number or `none`", "left": "a number",
      "date": "a date",
      "taken": "a number", "amount": "a number",
      "person": "the id or the name of a person, which addPerson contains",
      "alarm": "an id that the daemon made", "image": "the SHA-256 of a picture",
      "reward_image": "the SHA-256 of a picture", "photo": "the SHA-256 of a picture",
      "device": "an ALSA device of the configuration", "question": "the name of a question",
      "head": "a head code", "archive_sha256": "a SHA-256",
      "study": "code of the study; exported on purpose", "arm": "code; exported on purpose",
      "allocation_sha256": "a digest; exported on purpose",
      "consent_scope": "words of a fixed list",
      "arm_code": "code; exported on purpose", "consent": "a version; exported on purpose",
      "tell": "contacts of the configuration, whose names are planted",
      "inactivity_tell": "contacts of the configuration, whose names are planted",
      "tone": "the name of a recording, which addTone contains",
      "uses": "the name of a supply, which addSupply contains",
      "pseudonym": "code of the participant; exported on purpose",
    ]

    /// The planted words, each with the field that contains the word.
    private struct Planting {
      let home: TestHome
      /// The operation and the field that contain each word, for example `addAlarm label`.
      private(set) var fields: [String] = []

      init(_ home: TestHome) { self.home = home }

      /// Returns a new word. The word contains its own number, and it contains no other planted
      /// word.
      mutating func word(_ field: String) -> String {
        fields.append(field)
        return String(format: "zq%05dx", fields.count - 1)
      }

      /// Returns the numbers of the planted words that a text contains.
      static func found(in text: String) -> Set<Int> {
        Set(text.lowercased().matches(of: /zq([0-9]{5})x/).compactMap { Int($0.1) })
      }

      /// Replaces each field name in angle brackets with a new word.
      ///
      /// - Returns: the changed text, and the last new word of each field.
      mutating func planted(
        _ operation: Route.Operation, _ text: String
      ) -> (text: String, words: [String: String]) {
        var words: [String: String] = [:]
        var result = ""
        var rest = text[...]
        while let match = rest.firstMatch(of: /<([a-z_.{}]+)>/) {
          let word = word("\(operation.rawValue) \(match.1)")
          words[String(match.1)] = word
          result += rest[..<match.range.lowerBound] + word
          rest = rest[match.range.upperBound...]
        }
        return (result + rest, words)
      }

      /// Sends a request that contains new words, and checks that the request succeeds.
      @discardableResult mutating func send(
        _ operation: Route.Operation, _ path: String, _ body: String
      ) async throws -> (body: JSON, words: [String: String]) {
        let route = try #require(Route.all.first { $0.operation == operation })
        let (place, inPath) = planted(operation, path)
        let (text, words) = planted(operation, body)
        let reply = try await home.curl(
          route.method.rawValue, place, body: text,
          headers: route.method == .post ? ["Idempotency-Key: \(word("Idempotency-Key"))"] : [])
        try #require(reply.status < 300, "\(operation): \(text): \(reply.text)")
        return (reply.body, words.merging(inPath) { $1 })
      }
    }

    private static let questions = #"""
      ["note=text(optional) What <questions>?",
      "feels=choices(optional, bad=So <questions>|good=Very <questions>) <questions>?"]
      """#

    /// Plants words in all fields of an alarm, a supply, a person and a study.
    private func plant(_ round: Int, _ planting: inout Planting, contact: String) async throws {
      let person = try await planting.send(
        .addPerson, "/v1/people",
        #"{"id":"<id>","name":"Mrs <name>","inactivity_hours":9,"#
          + #""inactivity_tell":"\#(contact) after 1h"}"#
      ).words["id"]!
      try await planting.send(
        .changePerson, "/v1/people/\(person)", #"{"name":"Mr <name>"}"#)
      let supply = try await planting.send(
        .addSupply, "/v1/supplies",
        #"{"name":"<name>","unit":"<unit>","left":90,"tell":["\#(contact)"]}"#
      ).words["name"]!
      let name = try await planting.send(
        .changeSupply, "/v1/supplies/\(supply)", #"{"name":"<name>","unit":"<unit>"}"#
      ).words["name"]!
      // The limit is 32 lists of holidays in a home.
      if round < 32 {
        try await planting.send(
          .importHolidays, "/v1/holidays/<{name}>",
          #"{"days":[{"date":"2027-01-05","label":"<days.label>"}]}"#)
      }
      let time = "\(round % 24):\(round % 60)".split(separator: ":").map {
        $0.count == 1 ? "0\($0)" : "\($0)"
      }.joined(separator: ":")
      let form =
        #""label":"Take <label>","instructions":"With <instructions>\nand water","uid":"<uid>""#
        + #","uid_revision":"<uid_revision>","questions":\#(Self.questions),"uses":["\#(name)=1"]"#
        + #","tell":"\#(contact) after 10m""#
      let alarm = try await planting.send(
        .addAlarm, "/v1/alarms",
        #"{\#(form),"person":"\#(person)","schedule":"every day \#(time)"}"#)
      let id = try #require(alarm.body["alarm"]?["id"]?.string)
      try await planting.send(.editAlarm, "/v1/alarms/\(id)", "{\(form)}")
      try await planting.send(
        .say, "/v1/say", #"{"person":"\#(person)","text":"Hello <text>","answer":"heard"}"#)
      _ = try await planting.send(
        .enrol, "/v1/study/participants", #"{"person":"\#(person)","pseudonym":"P-\#(round)"}"#)
      for kind in ["deviation", "adverse_event"] {
        try await planting.send(
          .noteStudy, "/v1/study/notes",
          #"{"person":"\#(person)","kind":"\#(kind)","text":"She was <text>"}"#)
      }
      let today = Date.now.formatted(.iso8601.year().month().day())
      try await planting.send(
        .importDiary, "/v1/study/diary",
        "day,completion,person,note\n\(today),3,\(person),Slept <note>\n")
      try await planting.send(
        .withdraw, "/v1/study/participants/withdraw",
        #"{"person":"\#(person)","reason":"Moved to <reason>"}"#)
    }

    @Test func `two thousand planted words are only in the export with the profile identified`()
      async throws
    {
      let home = try TestHome()
      var planting = Planting(home)
      let contacts = (0..<Self.rounds).map { _ in planting.word("contacts of the configuration") }
      let config = contacts.map {
        "[contacts.\($0)]\ncommand = [\"/bin/sh\", \"-c\", \"exit 3\"]\n"
      }.joined()
      do {
        try await home.start(config: config)
        for round in 0..<Self.rounds {
          try await plant(round, &planting, contact: contacts[round])
        }
        try await answer(&planting)
        try await upload(&planting)
        checkFields(planting)
        try await check(planting)
      } catch {
        await home.close()
        throw error
      }
      await home.close()
    }

    /// Answers a question 20 times, each time with a new text. The limit is 20 answers.
    private func answer(_ planting: inout Planting) async throws {
      let home = planting.home
      _ = try await home.ask(
        "add", "Say how", "--schedule", "in 1 seconds", "--person", "patient", "--ask",
        "note=text How?")
      let id = try #require(
        try await home.prompts().first { $0["label"]?.string == "Say how" }?["id"]?.string)
      try await home.until("the prompt is due", seconds: 30) {
        try await home.events("due").contains { $0["prompt_id"]?.string == id }
      }
      for _ in 0..<20 {
        try await planting.send(
          .respond, "/v1/prompts/\(id)/responses",
          #"{"responses":[{"question":"note","value":"I feel <responses.value>"}]}"#)
      }
    }

    /// Uploads a recording, and renames it several times.
    private func upload(_ planting: inout Planting) async throws {
      let sound = TestHome.fixtures.appending(path: "sound/warble.mp3").path(percentEncoded: false)
      var tone = try await planting.send(.addTone, "/v1/tones/<{name}>", "@\(sound)").words[
        "{name}"]!
      for _ in 0..<Self.rounds {
        tone = try await planting.send(
          .renameTone, "/v1/tones/\(tone)/rename", #"{"name":"<name>"}"#
        ).words["name"]!
      }
    }

    private func check(_ planting: Planting) async throws {
      let home = planting.home
      #expect(planting.fields.count >= 2_000)
      for profile in ExportProfile.allCases {
        for layout in ExportLayout.allCases {
          let directory = home.path("\(profile.rawValue)-\(layout.rawValue)")
          let made = try await home.run(
            "export", directory, "--profile", profile.rawValue, "--layout", layout.rawValue)
          try #require(made.code == 0, "\(made)")
          var found: Set<Int> = []
          for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let bytes = try Data(contentsOf: URL(filePath: "\(directory)/\(name)"))
            found.formUnion(Planting.found(in: name + String(decoding: bytes, as: UTF8.self)))
          }
          if profile != .identified {
            let leaks = Set(found.map { planting.fields[$0] })
            #expect(leaks.isEmpty, "\(profile) \(layout): \(leaks.sorted())")
          } else if layout == .frictionless {
            // This export contains all planted words except the idempotency keys. This shows that
            // the check can fail.
            let missing = Set(
              planting.fields.indices.filter { !found.contains($0) }.map { planting.fields[$0] })
            #expect(missing == ["Idempotency-Key"], "\(missing.sorted())")
          }
        }
      }
      let metrics = try await home.curl("GET", "/v1/metrics")
      #expect(Planting.found(in: metrics.text).isEmpty && metrics.text.contains("prompter_"))
    }

    // MARK: The fields of the API

    /// Returns the paths of the members of a request that accept text.
    ///
    /// The result also contains the members that accept values of several types.
    private static func texts(_ schema: JSONSchema, _ path: String) -> [String] {
      switch schema {
      case .text, .any, .format: [path]
      case .list(let shape), .optional(let shape), .named(_, let shape), .map(let shape):
        texts(shape, path)
      case .object(let fields):
        fields.flatMap { texts($0.shape, path.isEmpty ? $0.name : "\(path).\($0.name)") }
      case .word, .integer, .number, .flag: []
      }
    }

    /// Checks that the test plants words in every text field of the API.
    ///
    /// The fields in `otherFields` are the exceptions.
    private func checkFields(_ planting: Planting) {
      let planted = Set(planting.fields)
      for route in Route.all where route.isChange && route.operation != .preview {
        guard case .json(let schema) = route.takes else { continue }
        for field in Self.texts(schema, "") {
          let last = String(field.split(separator: ".").last ?? "")
          if Self.otherFields[last] != nil { continue }
          #expect(planted.contains("\(route.operation.rawValue) \(field)"))
        }
      }
    }
  }
}
