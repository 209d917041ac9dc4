import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests refusals of bad input.
  ///
  /// Each error message names the object and the reason. Each refusal has the expected code and
  /// changes nothing.
  @Suite struct Refusals {
    /// Commands with their exit codes and the words of their error messages.
    static let commands: [(arguments: [String], code: Int32, names: [String])] = [
      (["add", "A", "--schedule", "every day 25:00"], 1, ["25:00", "character 11"]),
      (["add", "A", "--schedule", "2026-02-30 08:00"], 1, ["2026-02-30", "28 days"]),
      (["add", "A", "--schedule", "02-30 08:00"], 1, ["02-30"]),
      (["add", "A", "--schedule", "every blue moon"], 1, ["blue", "character 7"]),
      (["add", "A", "--schedule", "every day 08:00", "--zone", "Mars/Base"], 1, ["Mars/Base"]),
      (["add", "A", "--schedule", "every day 08:00", "--tone", "mum"], 1, ["tone", "mum"]),
      (["add", "A", "--schedule", "every day 08:00", "--rings", "0"], 1, ["rings", "1 to 20"]),
      (["add", "", "--schedule", "every day 08:00"], 1, ["label"]),
      (["add", "A", "--schedule", "every 1 minutes"], 1, ["20", "hour"]),
      (["preview", "--schedule", "every day 25:00"], 1, ["25:00"]),
      (["edit", "nosuch", "--label", "B"], 1, ["nosuch"]),
      (["show", "nosuch"], 1, ["nosuch"]), (["remove", "nosuch"], 1, ["nosuch"]),
      (["done"], 1, ["answer"]), (["done", "nosuch@2026-01-01T00:00:00"], 1, ["nosuch"]),
      (["done", "nosuch"], 1, ["nosuch"]), (["decline", "--reason", "lazy"], 1, ["lazy", "busy"]),
      (["prompts", "--state", "odd"], 1, ["odd"]), (["tone", "remove", "mum"], 1, ["mum"]),
      (["export", "OUT", "--profile", "public"], 1, ["public", "safe_harbor"]),
      (["tone", "add", "mum", "NOAUDIO"], 1, ["recording"]),
      (["tone", "add", "mum", "MISSING"], 2, ["missing.wav", "No such file"]),
      (
        ["add", "A", "--schedule", "every day 08:00", "--spacing", "soon"], 2, ["soon", "spacing"]
      ),
      (["delay", "later"], 1, ["later"]), (["delay", "10"], 2, ["10m"]),
      (["delay", "5m", "6m"], 2, ["one duration"]),
      (["add", "A"], 2, ["--schedule"]), (["edit", "x"], 2, ["a field to change"]),
      (["sing"], 2, ["sing"]), (["say", ""], 1, ["text", "1 to 200"]),
      (["next", "--person", "nobody"], 1, ["person", "nobody"]),
      (["list", "--person", "nobody"], 1, ["person", "nobody"]),
      (["prompts", "--person", "nobody"], 1, ["person", "nobody"]),
      (["progress", "--person", "nobody"], 1, ["person", "nobody"]),
      (["report", "MISSING"], 2, ["MANIFEST.json", "No such file"]),
      (["export", "FULL"], 2, ["full", "not empty"]),
    ]

    @Test func `a command that cannot be carried out gives the reason and changes nothing`()
      async throws
    {
      try await TestHome.with { home in
        try Data("no sound at all".utf8).write(to: home.directory.appending(path: "noaudio.wav"))
        try FileManager.default.createDirectory(
          at: home.directory.appending(path: "full/inside"), withIntermediateDirectories: true)
        _ = try await home.ask("add", "Here", "--schedule", "every day 08:00")
        let standing = try await home.standing()
        let names = [
          "NOAUDIO": home.path("noaudio.wav"), "MISSING": home.path("missing.wav"),
          "OUT": home.path("out"), "FULL": home.path("full"),
        ]
        for (arguments, code, words) in Self.commands {
          let finished = try await home.run(arguments.map { names[$0] ?? $0 })
          #expect(finished.code == code, "\(finished)")
          #expect(finished.output == "", "\(finished)")
          if code == 1 {
            let lines = finished.complaint.split(separator: "\n")
            #expect(lines.count == 1 && finished.complaint.hasPrefix("prompter: "), "\(finished)")
          }
          for word in words { #expect(finished.complaint.contains(word), "\(finished)") }
        }
        #expect(try await home.standing() == standing)
        #expect(!FileManager.default.fileExists(atPath: home.path("out")))
      }
    }

    @Test func `a program that asks for JSON reads the kind of a refusal`() async throws {
      try await TestHome.with { home in
        let finished = try await home.run(["show", "nosuch", "--json"])
        #expect(finished.code == 1 && finished.complaint.hasPrefix("prompter: "), "\(finished)")
        let document = try JSON(parsing: Array(finished.output.utf8))
        #expect(document["kind"]?.string == "not_found", "\(finished)")
      }
    }

    /// Requests with their status, their kind, and words of their detail.
    static let requests:
      [(method: String, path: String, body: String?, answer: (Int, String, String))] = [
        (
          "POST", "/v1/alarms", #"{"label":"A","schedule":"every day 08:00","volume":3}"#,
          (422, "unknown_field", "volume")
        ),
        ("POST", "/v1/alarms", #"{"label":"A","schedule":7}"#, (422, "invalid_field", "schedule")),
        ("POST", "/v1/alarms", #"{"label":"A""#, (400, "malformed", "JSON")),
        ("POST", "/v1/alarms", "[]", (400, "malformed", "object")),
        ("POST", "/v1/alarms", #"{"schedule":"every day 08:00"}"#, (422, "invalid_field", "label")),
        (
          "POST", "/v1/alarms", #"{"label":"A","schedule":"every day 08:00","zone":"Mars/Base"}"#,
          (422, "invalid_field", "Mars/Base")
        ),
        (
          "POST", "/v1/alarms", #"{"label":"A","schedule":"every day 08:00","spacing":"soon"}"#,
          (422, "invalid_field", "soon")
        ),
        ("POST", "/v1/prompts/current/delay", #"{"for":"soon"}"#, (422, "invalid_field", "soon")),
        ("GET", "/v1/prompts?limit=0", nil, (422, "invalid_field", "limit")),
        ("GET", "/v1/prompts?colour=red", nil, (422, "unknown_field", "colour")),
        ("GET", "/v1/nosuch", nil, (404, "not_found", "/v1/nosuch")),
        ("DELETE", "/v1/status", nil, (405, "method_not_allowed", "DELETE")),
        ("PUT", "/v1/tones/mum", "no sound", (422, "bad_tone", "recording")),
      ]

    @Test func `a request that cannot be carried out gives a problem document`() async throws {
      try await TestHome.with { home in
        let standing = try await home.standing()
        for (method, path, body, answer) in Self.requests {
          let reply = try await home.curl(method, path, body: body)
          #expect(reply.status == answer.0, "\(method) \(path): \(reply.text)")
          #expect(reply.body["status"]?.integer == Int64(answer.0), "\(reply.text)")
          #expect(reply.body["kind"]?.string == answer.1, "\(reply.text)")
          #expect(reply.body["detail"]?.string?.contains(answer.2) == true, "\(reply.text)")
        }
        #expect(try await home.standing() == standing)
      }
    }

    @Test func `an edit of an old version is refused`() async throws {
      try await TestHome.with { home in
        let added = try await home.ask("add", "A", "--schedule", "every day 08:00")
        let id = try #require(added["alarm"]?["id"]?.string)
        _ = try await home.ask("edit", id, "--label", "B", "--if-version", "1")
        let standing = try await home.standing()
        let late = try await home.run("edit", id, "--label", "C", "--if-version", "1")
        #expect(late.code == 1)
        #expect(late.complaint.contains("2"), "\(late)")
        #expect(try await home.standing() == standing)
      }
    }

    @Test func `a second daemon on the same state is refused, and the first continues`()
      async throws
    {
      try await TestHome.with { home in
        let standing = try await home.standing()
        try await expectRefused(
          try home.launch(socket: home.path("other.sock")), naming: [home.state])
        #expect(try await home.standing() == standing)
        #expect(!FileManager.default.fileExists(atPath: home.path("other.sock")))
      }
    }

    @Test func `a second daemon on the same socket is refused, and the first continues`()
      async throws
    {
      try await TestHome.with { home in
        let standing = try await home.standing()
        try await expectRefused(try home.launch(state: home.path("other")), naming: [home.socket])
        #expect(try await home.standing() == standing)
      }
    }

    @Test func `a path that is not a socket is not overwritten`() async throws {
      let home = try TestHome()
      try Data("mine".utf8).write(to: URL(filePath: home.socket))
      try await expectRefused(try home.launch(), naming: [home.socket])
      #expect(try String(contentsOfFile: home.socket, encoding: .utf8) == "mine")
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test(arguments: ["/proc/prompter", "/dev/null/prompter"])
    func `a state directory that cannot be written is refused`(state: String) async throws {
      let home = try TestHome()
      try await expectRefused(try home.launch(state: state), naming: [state])
      #expect(!FileManager.default.fileExists(atPath: home.socket))
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test(arguments: [
      ("zone = \"Mars/Base\"", "Mars/Base"), ("colour = \"red\"", "colour"), ("zone = ", "line 1"),
      ("[roles]\nking = [\"0\"]", "king"),
    ])
    func `a daemon with a wrong configuration does not start`(text: String, word: String)
      async throws
    {
      let home = try TestHome()
      try await expectRefused(try home.launch(config: text), naming: [word])
      try FileManager.default.removeItem(at: home.directory)
    }

    private func expectRefused(_ running: Running, naming words: [String]) async throws {
      let finished = await running.finished()
      #expect(finished.code != 0, "\(finished)")
      for word in words { #expect(finished.complaint.contains(word), "\(finished)") }
      let lines = finished.complaint.split(separator: "\n").filter { $0.hasPrefix("prompterd: ") }
      #expect(lines.count == 1, "\(finished)")
    }
  }
}
