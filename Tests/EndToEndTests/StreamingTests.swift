import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests `/v1/events` in the way in which any program reads it.
  @Suite struct Streaming {
    /// Returns the numbers of the events in the text of a stream.
    static func ids(_ text: String) -> [Int64] {
      text.split(separator: "\n").compactMap { line in
        line.hasPrefix("id: ") ? Int64(line.dropFirst(4)) : nil
      }
    }

    /// Starts a program that reads events and stores them.
    private func read(
      _ home: TestHome, _ query: String, _ arguments: [String] = []
    ) throws -> Running {
      try Running(
        "/usr/bin/curl",
        ["-sS", "-N", "--unix-socket", home.socket] + arguments
          + ["http://home/v1/events\(query)"], in: home.directory)
    }

    /// Reads events up to the newest event of the record.
    private func whole(
      _ home: TestHome, _ query: String, _ arguments: [String] = []
    ) async throws -> [Int64] {
      let head = try await home.ask("status")["record"]?["events"]?.integer ?? 0
      let reader = try read(home, query, arguments)
      try await home.until("event \(head) comes", seconds: 20) {
        Self.ids(reader.output).last ?? 0 >= head
      }
      reader.send(SIGKILL)
      _ = await reader.finished()
      return Self.ids(reader.output).filter { $0 <= head }
    }

    @Test func `the stream starts after any event, also at the next daemon`()
      async throws
    {
      try await TestHome.with { home in
        for number in 1...3 {
          _ = try await home.ask("add", "Task \(number)", "--schedule", "every day 08:00")
        }
        for _ in 0..<2 {
          let head = try #require(try await home.ask("status")["record"]?["events"]?.integer)
          #expect(try await whole(home, "?after=0") == Array(1...head))
          #expect(try await whole(home, "?after=3") == Array(4...head))
          // The header `Last-Event-ID`, which a browser sends, takes precedence over the query of
          // the address.
          #expect(
            try await whole(home, "?after=0", ["-H", "Last-Event-ID: \(head - 1)"]) == [head])
          await home.kill()
          try await home.start()
        }
      }
    }

    @Test
    func
      `a client that asks for a position after the end, or for none, learns the head of the record`()
      async throws
    {
      try await TestHome.with { home in
        let beyond = try await home.curl("GET", "/v1/events?after=100000")
        #expect(beyond.status == 422 && beyond.body["field"]?.string == "after", "\(beyond)")
        #expect(beyond.text.contains("the newest is"), "\(beyond)")
        for text in ["100000", "-1", "x", "9223372036854775808"] {
          let reply = try await home.curl(
            "GET", "/v1/events", headers: ["Last-Event-ID: \(text)"])
          #expect(reply.status == 422, "\(text): \(reply)")
          #expect(reply.body["field"]?.string == "Last-Event-ID", "\(text): \(reply)")
        }
        #expect(try await home.curl("GET", "/v1/events?after=-1").status == 422)
      }
    }

    @Test
    func
      `a stream without events reports every 15 seconds that it is open, and the head of the record`()
      async throws
    {
      try await TestHome.with { home in
        let reader = try read(home, "", ["--max-time", "40"])
        try await home.until("there are two heartbeats", seconds: 38) {
          reader.output.components(separatedBy: "\n: the record is at ").count >= 3
        }
        #expect(reader.output.hasPrefix("retry: "), "\(reader.output)")
        reader.send(SIGKILL)
        _ = await reader.finished()
      }
    }

    @Test
    func `a reader that stops reading is cut, delays nobody, and can continue where it stopped`()
      async throws
    {
      try await TestHome.with { home in
        // These events have more bytes than the buffers of any socket.
        let days = (0..<3_000).map { day in
          "20\(10 + day / 336)-\(Self.two(1 + day / 28 % 12))-\(Self.two(1 + day % 28)),3\n"
        }
        try Data("day,completion\n\(days.joined())".utf8).write(
          to: URL(filePath: home.path("diary.csv")))
        let imported = try await home.run("study", "diary", "import", home.path("diary.csv"))
        try #require(imported.code == 0, "\(imported)")
        let head = try #require(try await home.ask("status")["record"]?["events"]?.integer)

        let reader = try read(home, "?after=0", ["--limit-rate", "50K"])
        try await home.until("it has begun", seconds: 10) { Self.ids(reader.output).count > 10 }
        reader.send(SIGSTOP)
        // The daemon waits one minute for a reader that reads nothing, and then cuts the
        // connection.
        try await home.until("it is cut", seconds: 90) {
          home.complaint.contains("does not read")
        }
        let asked = ContinuousClock.now
        _ = try await home.ask("add", "Meanwhile", "--schedule", "every day 08:00")
        #expect(ContinuousClock.now - asked < .seconds(2))
        reader.send(SIGCONT)
        let cut = await reader.finished()
        #expect(cut.code == 18, "curl says that it was not the whole: \(cut.complaint)")

        // The text after the last empty line is an incomplete event. A reader of an event stream
        // ignores an incomplete event.
        let seen = Self.ids(
          cut.output.components(separatedBy: "\n\n").dropLast().joined(separator: "\n"))
        let last = try #require(seen.last)
        #expect(seen == Array(1...last) && last < head, "\(last) of \(head)")
        let rest = try await whole(home, "", ["-H", "Last-Event-ID: \(last)"])
        #expect(rest.first == last + 1 && rest.last ?? 0 > head)
        #expect(rest == Array((rest.first ?? 0)...(rest.last ?? 0)))
      }
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  }

  /// Tests the member `presence` of the status.
  ///
  /// This member says who watches the events, and when users last sent requests. Only root can run
  /// this suite, because the suite acts as another user.
  @Suite(.enabled(if: geteuid() == 0)) struct LastRequests {
    static let patient = "65534"
    static let sofia = "65531"
    static let marc = "65530"
    static let config = """
      [roles]
      patient = ["\(patient)"]
      caretaker = ["\(sofia)", "\(marc)"]
      """

    @Test func `the status lists each watching caretaker and the last answer of the patient`()
      async throws
    {
      try await TestHome.with(config: Self.config) { home in
        #expect(try await presence(home)["patient_answered_utc"] == .null)
        #expect(chmod(home.socket, 0o666) == 0)
        let readers = try [Self.sofia, Self.marc].map { uid in
          try Running(
            "/usr/bin/setpriv",
            [
              "--reuid", uid, "--regid", uid, "--clear-groups", "curl", "-sS", "-N",
              "--unix-socket", home.socket, "http://home/v1/events",
            ], in: home.directory)
        }
        try await watching(home, [Self.sofia, Self.marc])
        readers[0].send(SIGKILL)
        try await watching(home, [Self.marc])
        let callers = try await presence(home)["callers"]?.array ?? []
        let gone = try #require(callers.first { $0["id"]?.string == "uid:\(Self.sofia)" })
        #expect(gone["role"]?.string == "caretaker" && gone["watching"]?.bool == false)
        #expect(gone["seen_utc"]?.string?.hasSuffix("Z") == true)
        readers[1].send(SIGKILL)

        _ = try await home.ask("add", "Pills", "--schedule", "in 1 seconds")
        try await home.ring(1)
        let done = try await home.curl(
          as: Self.patient, "POST", "/v1/prompts/current/complete", body: "{}")
        #expect(done.status == "200", "\(done)")
        let answered = try #require(try await presence(home)["patient_answered_utc"]?.string)
        let device = try #require(try await presence(home)["device_seen_utc"]?.string)
        #expect(answered <= device)
        await home.kill()
        try await home.start()
        // The daemon restores this time from the record. The restored time equals the earlier time,
        // except for the fraction of a second.
        let again = try await presence(home)["patient_answered_utc"]?.string
        #expect(again?.prefix(19) == answered.prefix(19), "\(again ?? "") \(answered)")
        // The status for a patient does not contain these times.
        #expect(
          try await !home.curl(as: Self.patient, "GET", "/v1/status").text.contains("presence"))
      }
    }

    private func presence(_ home: TestHome) async throws -> JSON {
      try #require(try await home.ask("status")["presence"])
    }

    private func watching(_ home: TestHome, _ uids: [String]) async throws {
      try await home.until("\(uids) watch, and nobody else", seconds: 20) {
        let callers = try await self.presence(home)["callers"]?.array ?? []
        let seen = callers.filter { $0["watching"]?.bool == true }.compactMap { $0["id"]?.string }
        return Set(seen) == Set(uids.map { "uid:\($0)" })
      }
    }
  }
}
