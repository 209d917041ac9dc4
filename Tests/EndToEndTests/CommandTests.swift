import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests the commands with text output, with JSON output, and with curl.
  @Suite struct Commands {
    static let berlin = "zone = \"Europe/Berlin\"\n"

    @Test func `an alarm is added, listed, shown, edited and removed`() async throws {
      try await TestHome.with(config: Self.berlin) { home in
        _ = try await home.ask("people", "add", "anna")
        let added = try await home.ask(
          "add", "Take the pills", "--schedule", "every day 08:00", "--instructions", "With water.",
          "--rings", "3", "--spacing", "90s", "--late-window", "1h30m", "--delay", "10m",
          "--person", "anna", "--delay-limit", "2", "--gains=-20,-6")
        let alarm = try #require(added["alarm"])
        let id = try #require(alarm["id"]?.string)
        let expected: [(String, JSON)] = [
          ("version", .integer(1)), ("label", .string("Take the pills")),
          ("instructions", .string("With water.")), ("schedule", .string("every day 08:00")),
          ("zone", .string("Europe/Berlin")), ("rings", .integer(3)), ("spacing", .string("1m30s")),
          ("late_window", .string("1h30m")), ("delay", .string("10m")), ("person", .string("anna")),
          ("delay_limit", .integer(2)), ("tone", .null),
        ]
        for (name, value) in expected { #expect(alarm[name] == value, "\(name)") }
        let next = try #require(added["next"]?.array?.first)
        #expect(next["local"]?.string?.hasSuffix("T08:00:00") == true)
        #expect(next["zone"]?.string == "Europe/Berlin")

        #expect(try await home.ask("show", id)["alarm"] == alarm)
        #expect(try await home.curl("GET", "/v1/alarms/\(id)").body["alarm"] == alarm)
        let listed = try #require(try await home.ask("list")["alarms"]?.array)
        #expect(listed.map { $0["id"]?.string } == [id])

        let edited = try await home.ask("edit", id, "--label", "Take both pills")
        #expect(edited["alarm"]?["version"]?.integer == 2)
        #expect(edited["alarm"]?["label"]?.string == "Take both pills")
        #expect(edited["alarm"]?["spacing"]?.string == "1m30s")

        let shown = try await home.run("show", id)
        for word in [id, "Take both pills", "With water.", "every day 08:00", "1h30m", "anna"] {
          #expect(shown.output.contains(word), "\(shown)")
        }
        #expect(try await home.run("list").output.contains("Take both pills"))
        #expect(try await home.run("next").output.contains("Take both pills"))

        _ = try await home.ask("remove", id)
        #expect(try await home.ask("list")["alarms"]?.array == [])
        #expect(try await home.run("list").output == "No alarm is set.\n")
        let types = try await home.events().compactMap { $0["type"]?.string }
        for type in ["alarm_created", "alarm_edited", "alarm_deleted"] {
          #expect(types.count { $0 == type } == 1, "\(type)")
        }
      }
    }

    @Test(arguments: [
      "every day 08:00", "weekdays 09:30", "mon,wed 18:00", "every 2 weeks on tue 10:00",
      "last fri of month 10:00", "every 8 hours", "2099-12-01 14:00", "in 20 minutes",
      "FREQ=DAILY;BYHOUR=7;BYMINUTE=0;BYSECOND=0",
    ])
    func `a previewed phrase rings when the preview said`(phrase: String) async throws {
      try await TestHome.with(config: Self.berlin) { home in
        let preview = try await home.ask("preview", "--schedule", phrase)
        let first = try #require(preview["occurrences"]?.array?.first)
        #expect(first["offset_seconds"]?.integer.map { [3_600, 7_200].contains($0) } == true)
        #expect(first["zone"]?.string == "Europe/Berlin")
        let added = try await home.ask("add", "A", "--schedule", phrase)
        let next = try #require(added["next"]?.array?.first)
        let gap = try milliseconds(next) - milliseconds(first)
        // A schedule that counts from the present instant is due later than the preview said,
        // because the test adds the alarm after the preview. A schedule with a time of day is due
        // exactly when the preview said.
        let isElapsed = phrase.hasPrefix("in ") || phrase.hasSuffix("hours")
        #expect(isElapsed ? (0...3_000).contains(gap) : gap == 0, "\(first) \(next)")
        if !isElapsed { #expect(first["local"]?.string?.hasSuffix(":00") == true, "\(first)") }
        let due = try #require(try await home.ask("next")["agenda"]?.array?.first)
        #expect(due["utc"] == next["utc"])
      }
    }

    @Test func `an alarm is paused and resumed`() async throws {
      try await TestHome.with(config: Self.berlin) { home in
        let added = try await home.ask("add", "A", "--schedule", "every day 08:00")
        let id = try #require(added["alarm"]?["id"]?.string)
        let first = try #require(added["next"]?.array?.first)
        let paused = try await home.ask("pause", id, "--until", "2099-01-01")
        #expect(paused["next"]?.array?.first?["local"]?.string == "2099-01-02T08:00:00")
        let listed = try await home.run("list").output
        #expect(listed.contains("paused until the end of Thu 1 Jan 2099"), "\(listed)")
        #expect(try await home.run("show", id).output.contains("prompter resume \(id)"))
        #expect(try await home.run("status").output.contains("\"A\" of patient until the end of"))
        let resumed = try await home.ask("resume", id)
        #expect(resumed["next"]?.array?.first == first)
        let skipped = try await home.ask("pause", id, "--next", "1")
        #expect(skipped["next"]?.array?.first == added["next"]?.array?[1])
        for day in ["2098-12-24/2098-12-26", "2098-12-31", "2098-12-31"] {
          #expect(try await home.run("pause", id, "--on", day).code == 0)
        }
        let shown = try await home.ask("show", id)["alarm"]
        #expect(
          shown?["exclude"]?.array?.compactMap(\.string) == ["2098-12-24/2098-12-26", "2098-12-31"])
        let all = try await home.ask("resume", id, "--days")
        #expect(all["alarm"]?["exclude"]?.array == [])
        #expect(all["next"]?.array?.first == first)
        #expect(try await home.run("pause", id).code == 2)
      }
    }

    @Test func `a time that the clocks skip is moved, and the preview says so`() async throws {
      try await TestHome.with(config: Self.berlin) { home in
        let preview = try await home.ask("preview", "--schedule", "2027-03-28 02:30")
        let only = try #require(preview["occurrences"]?.array?.first)
        #expect(only["local"]?.string == "2027-03-28T03:30:00")
        #expect(only["utc"]?.string == "2027-03-28T01:30:00.000Z")
        #expect(only["moved"]?.string == "gap")
        #expect(try await home.ask("list")["alarms"]?.array == [])
      }
    }

    @Test func `a recording is stored, used, kept while it is used, and removed`() async throws {
      try await TestHome.with { home in
        let voice = home.path("voice.wav")
        let spoken = try await Running(
          "/usr/bin/espeak-ng", ["-w", voice, "Anna, take your pills please."], in: home.directory
        ).finished()
        #expect(spoken.code == 0, "\(spoken)")
        let tone = try #require(try await home.ask("tone", "add", "dad", voice)["tone"])
        #expect(tone["name"]?.string == "dad")
        #expect(tone["sha256"]?.string?.count == 64)
        #expect((500...60_000).contains(tone["duration_ms"]?.integer ?? 0))
        // The daemon normalises a recording to −16 LUFS. The limit of the true peak can make the
        // recording softer than −16 LUFS.
        #expect((-18.0 ... -15.0).contains(tone["loudness_lufs"]?.double ?? 0))
        #expect(try await home.ask("tone", "list")["tones"]?.array == [tone])
        #expect(try await home.run("tone", "list").output.contains("dad"))

        let added = try await home.ask(
          "add", "A", "--schedule", "in 1 seconds", "--tone", "dad", "--rings", "1")
        #expect(added["alarm"]?["tone"]?.string == "dad")
        let kept = try await home.run("tone", "remove", "dad")
        #expect(kept.code == 1 && kept.complaint.contains("dad"), "\(kept)")
        try await home.ring(1)
        let digest = try await home.events("ring_intent").first?["tone_sha256"]
        #expect(digest == tone["sha256"])
        _ = try await home.ask("done")
        _ = try await home.ask("remove", added["alarm"]?["id"]?.string ?? "")
        #expect(try await home.run("tone", "remove", "dad").code == 0)
        #expect(try await home.ask("tone", "list")["tones"]?.array == [])
      }
    }

    @Test func `the record is read, continued, exported and verified`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Take the pills", "--schedule", "in 1 seconds")
        try await home.ring(1)
        _ = try await home.ask("done")
        let events = try await home.events()
        #expect(events.map { $0["seq"]?.integer } == (1...Int64(events.count)).map { $0 })
        let rest = try await home.run("log", "--after", "2", "--limit", "3")
        let numbers = try rest.output.split(separator: "\n")
          .map { try JSON(parsing: Array($0.utf8))["seq"]?.integer }
        #expect(numbers == [3, 4, 5])

        let directory = home.path("export")
        let exported = try await home.run("export", directory, "--profile", "identified")
        #expect(exported.code == 0, "\(exported)")
        let prompts = try String(contentsOfFile: "\(directory)/prompts.csv", encoding: .utf8)
        #expect(prompts.contains("completed"))
        let again = try await home.run("export", directory)
        #expect(again.code == 2 && again.complaint.contains("not empty"), "\(again)")
        let left = try FileManager.default.contentsOfDirectory(atPath: home.directory.path())
        #expect(!left.contains { $0.contains("partial") })

        let verdict = try await home.ask("verify")
        #expect(verdict["ok"]?.bool == true)
        #expect(verdict["events"]?.integer == Int64(try await home.events().count))
        #expect(verdict["head"] == (try await home.events().last)?["hash"])
        #expect(try await home.events("export_made").count == 1)
      }
    }

    @Test func `the default export contains no names`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("people", "add", "canaryperson", "--name", "Canaryname")
        _ = try await home.ask(
          "add", "Canarylabel", "--schedule", "in 1 seconds", "--instructions", "Canarywords",
          "--person", "canaryperson")
        try await home.ring(1)
        _ = try await home.ask("done")
        let directory = home.path("export")
        let exported = try await home.run("export", directory)
        #expect(exported.code == 0, "\(exported)")
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
          let text = try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
            .lowercased()
          #expect(!text.contains("canary"), "\(name)")
        }
      }
    }

    @Test func `curl gets the document that the command line prints`() async throws {
      try await TestHome.with { home in
        let body = #"{"label":"A","schedule":"every day 08:00","spacing":"2m"}"#
        let added = try await home.curl("POST", "/v1/alarms", body: body)
        #expect(added.status == 201)
        let id = try #require(added.body["alarm"]?["id"]?.string)
        #expect(added.body["alarm"]?["spacing"]?.string == "2m")
        for (path, command) in [
          ("/v1/alarms", ["list"]), ("/v1/alarms/\(id)", ["show", id]), ("/v1/agenda", ["next"]),
          ("/v1/prompts", ["prompts"]), ("/v1/tones", ["tone", "list"]), ("/v1/verify", ["verify"]),
        ] {
          let reply = try await home.curl("GET", path)
          let printed = try await home.run(["--json"] + command)
          #expect(reply.status == 200, "\(path)")
          #expect(reply.text == printed.output, "\(path)")
        }
        let preview = try await home.curl("POST", "/v1/alarms/preview", body: body)
        #expect(preview.body["occurrences"]?.array?.isEmpty == false)
        let edited = try await home.curl(
          "PUT", "/v1/alarms/\(id)", body: #"{"rings":2}"#, headers: ["If-Match: \"1\""])
        #expect(edited.body["alarm"]?["version"]?.integer == 2)
        let removed = try await home.curl("DELETE", "/v1/alarms/\(id)")
        #expect(removed.status == 200 && removed.body["prompts"]?.array != nil, "\(removed.text)")
      }
    }

    @Test func `prompter link gives its arguments to prompter-link`() async throws {
      try await TestHome.with { home in
        let state = home.directory.appending(path: "link").path
        let shown = try await home.run("link", "status", "--state", state)
        #expect(shown.code == 1)
        #expect(shown.output == "This home is not enrolled at an archive.\n")
        let far = try await home.run("--host", "ssh://anna@home", "link", "status")
        #expect(far.code == 2)
        #expect(far.complaint.contains("works only in the home itself"))
      }
    }

    @Test func `status lists the state and the problems`() async throws {
      try await TestHome.with { home in
        let status = try await home.ask("status")
        for name in [
          "version", "state", "problems", "alarms", "open_prompts", "clock", "zone", "tzdata",
          "speaker", "record",
        ] { #expect(status[name] != nil, "\(name)") }
        #expect(status["record"]?["writable"]?.bool == true)
        #expect(try await home.run("status").output.contains("tzdata"))
      }
    }

    private func milliseconds(_ occurrence: JSON) throws -> Int64 {
      let text = try #require(occurrence["utc"]?.string)
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
      return Int64(try #require(formatter.date(from: text)).timeIntervalSince1970 * 1_000)
    }
  }
}
