import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests HTTP features that other programs use: `If-Match`, `HEAD` and forms.
  @Suite struct ConditionalRequests {
    @Test func `If-Match takes a version, a list and any version`() async throws {
      try await TestHome.with { home in
        let added = try await home.ask(
          "add", "Tea", "--schedule", "every day 08:00", "--rings", "1")
        let id = try #require(added["alarm"]?["id"]?.string)
        // Each accepted change increases the version by 1.
        var (version, rings) = (1, 1)
        for (condition, status) in [
          ("\"7\", \"1\"", 200), ("\"1\"", 412), ("*", 200), (" * ", 200), ("\"4\",\"5\"", 200),
          ("W/\"5\"", 412), ("W/\"5\", \"5\"", 200), ("\"1\", \"2\"", 412), ("\"abc\"", 412),
          ("\"a,b\", \"6\"", 200), (",\"7\",,", 200), ("", 400), ("8", 400), ("\"8", 400),
          ("*, \"8\"", 400), ("\"8\" \"8\"", 400), ("w/\"8\"", 400), (",", 400),
          ("\"99999999999999999999\"", 412),
        ] {
          rings = rings % 5 + 1
          let reply = try await home.curl(
            "PUT", "/v1/alarms/\(id)", body: #"{"rings":\#(rings)}"#,
            headers: [condition.isEmpty ? "If-Match;" : "If-Match: \(condition)"])
          #expect(reply.status == status, "\(condition): \(reply.text)")
          if status == 200 { version += 1 }
          if status == 412 { #expect(reply.body["version"]?.integer == Int64(version)) }
          let alarm = try await home.ask("show", id)["alarm"]
          #expect(alarm?["version"]?.integer == Int64(version), "\(condition)")
        }
        let removed = try await home.curl(
          "DELETE", "/v1/alarms/\(id)", headers: ["If-Match: \"1\"", "If-Match: \"\(version)\""])
        #expect(removed.status == 200, "\(removed.text)")
      }
    }

    /// Sends a request with curl and reads the status and the header fields.
    private func head(
      _ home: TestHome, _ path: String, _ options: [String]
    ) async throws -> (fields: [String], body: String) {
      let file = home.path("fields-\(UUID().uuidString)")
      let finished = try await Running(
        "/usr/bin/curl",
        ["-sS", "--unix-socket", home.socket, "-D", file] + options + ["http://home\(path)"],
        in: home.directory
      ).finished()
      try #require(finished.code == 0, "\(finished)")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      return (text.components(separatedBy: "\r\n").filter { !$0.isEmpty }, finished.output)
    }

    @Test func `HEAD gives the head of GET and changes nothing`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Tea", "--schedule", "every day 08:00")
        for path in ["/v1/openapi.json", "/v1/alarms", "/v1/people", "/v1/tones", "/v1/nothing"] {
          let (head, get) = (
            try await head(home, path, ["-I"]), try await head(home, path, ["-o", "/dev/null"])
          )
          #expect(head.fields == get.fields, "\(path)")
          #expect(head.fields.contains { $0.lowercased().hasPrefix("content-length: ") })
        }
        // A GET request to these routes returns an export, a stream of events, or a backup. A HEAD
        // request returns only the head of the same response.
        let events = try await home.events().count
        for path in ["/v1/export", "/v1/events", "/v1/backup"] {
          let head = try await head(home, path, ["-I", "-m", "10"])
          #expect(head.fields.first == "HTTP/1.1 200 OK", "\(path): \(head)")
        }
        #expect(try await home.events().count == events, "HEAD recorded an event")
        let post = try await head(home, "/v1/say", ["-I"])
        #expect(post.fields.first == "HTTP/1.1 405 Method Not Allowed", "\(post)")
      }
    }

    @Test func `a recording in a form is refused with the right command`() async throws {
      try await TestHome.with { home in
        try Data("RIFF".utf8).write(to: URL(filePath: home.path("dad.wav")))
        let form = try await head(
          home, "/v1/tones/dad", ["-X", "PUT", "-F", "file=@\(home.path("dad.wav"))"])
        #expect(form.fields.contains("HTTP/1.1 400 Bad Request"), "\(form)")
        #expect(form.body.contains("--data-binary @FILE, not -F"), "\(form)")
        let file = try await head(
          home, "/v1/tones/dad", ["-X", "PUT", "--data-binary", "@\(home.path("dad.wav"))"])
        #expect(file.body.contains("bad_tone"), "\(file)")
      }
    }

    @Test func `a reader that pauses during a long download gets it whole`() async throws {
      try await TestHome.with { home in
        let reader = try Running(
          "/usr/bin/curl",
          [
            "-sS", "--unix-socket", home.socket, "--limit-rate", "40K",
            "http://home/v1/openapi.json",
          ],
          in: home.directory)
        try await home.until("it has begun", seconds: 10) { reader.output.utf8.count > 20_000 }
        reader.send(SIGSTOP)
        // The stopped reader acts like the laptop of a caretaker if the laptop sleeps for some
        // seconds.
        try await Task.sleep(for: .seconds(7))
        reader.send(SIGCONT)
        let finished = await reader.finished()
        #expect(finished.code == 0, "\(finished.complaint)")
        #expect((try? JSON(parsing: Array(finished.output.utf8))) != nil)
      }
    }
  }
}
