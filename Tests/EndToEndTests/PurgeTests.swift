import Foundation
import JSONValue
import Testing

extension EndToEnd {
  @Suite struct `A purge` {
    /// Makes events that a purge can delete.
    ///
    /// The function adds an alarm, completes its prompt, and removes the alarm. Then it adds a
    /// second alarm, starts the daemon again, and makes an export.
    ///
    /// - Returns: the id of the completed prompt, and the head code after the removal.
    private func past(_ home: TestHome) async throws -> (prompt: String, code: String) {
      _ = try await home.ask("add", "Gone", "--schedule", "in 1 seconds")
      try await home.ring(1)
      let done = try await home.ask("done")
      let prompt = try #require(done["id"]?.string)
      let alarm = try #require(done["alarm_id"]?.string)
      _ = try await home.ask("remove", alarm)
      let code = try #require(try await home.ask("verify")["code"]?.string)
      _ = try await home.ask("add", "Stays", "--schedule", "every day 08:00")
      _ = await home.stop()
      try await home.start()
      #expect(try await home.run("export", home.path("study"), "--profile", "limited").code == 0)
      // A person can undo an answer for a minute. During this minute, a purge keeps the prompt.
      let final = Date().addingTimeInterval(61)
      try await home.until("the answer is final", seconds: 90) { Date() > final }
      return (prompt, code)
    }

    @Test func `puts the past into a file, and the record continues after it`() async throws {
      try await TestHome.with { home in
        let file = home.path("past.jsonl")
        let none = try await home.run("log", "purge", "--keep", "0", "--archive", file, "--yes")
        #expect(none.code == 1 && none.complaint.contains("was not exported"), "\(none)")
        let (prompt, code) = try await past(home)
        _ = try await home.ask("study", "enrol", "patient", "--pseudonym", "P-1")
        let open = try await home.run("log", "purge", "--keep", "0", "--archive", file, "--yes")
        #expect(open.code == 1 && open.complaint.contains("study"), "\(open)")
        #expect(!FileManager.default.fileExists(atPath: file))
        _ = try await home.ask("study", "withdraw", "patient")
        let head = try await home.ask("verify")["code"]?.string ?? ""
        let before = try await home.events()
        let plan = try await home.ask("log", "purge", "--keep", "0", "--dry-run")
        #expect(try await home.events().count == before.count)
        let done = try await home.ask("log", "purge", "--keep", "0", "--archive", file, "--yes")
        #expect(done["through_seq"] == plan["through_seq"] && done["events"] == plan["events"])
        let gone = try #require(done["events"]?.integer)
        #expect(gone > 5)
        let after = try await home.events()
        #expect(after.count == before.count - Int(gone) + 1)
        #expect(
          after.last?["type"]?.string == "purged" && after.last?["actor_role"] == .string("admin"))
        // The record keeps these two events, because the hourly limit still counts the ring.
        let left = after.filter { $0["prompt_id"]?.string == prompt }
        #expect(Set(left.compactMap { $0["type"]?.string }) == ["ring_intent", "ring_started"])
        try await listsForget(home, prompt)
        try await headsAreChecked(home, old: code, new: head, file)
        _ = await home.stop()
        try await home.start()
        #expect(try await home.ask("verify")["ok"]?.bool == true)
        try await exportNotifies(home, gone: gone)
      }
    }

    @Test func `with a repeated key gives the same reply, and is done once`() async throws {
      try await TestHome.with { home in
        _ = try await past(home)
        let plan = try await home.ask("log", "purge", "--keep", "0", "--dry-run")
        let through = try #require(plan["through_seq"]?.integer)
        let file = home.path("archive.jsonl")
        let fetched = try await Running(
          "/usr/bin/curl",
          [
            "--silent", "--fail", "--unix-socket", home.socket, "--output", file,
            "http://localhost/v1/log/archive?through=\(through)",
          ], in: home.directory
        ).finished()
        try #require(fetched.code == 0, "\(fetched)")
        let digest = try await Running("/usr/bin/sha256sum", [file], in: home.directory)
          .finished().output.prefix(64)
        let purge = { () async throws -> (status: Int, text: String) in
          let reply = try await home.curl(
            "POST", "/v1/log/purge",
            body: #"{"through_seq":\#(through),"archive_sha256":"\#(digest)"}"#,
            headers: ["Idempotency-Key: once"])
          return (reply.status, reply.text)
        }
        let beyond = try await home.curl(
          "POST", "/v1/log/purge",
          body: #"{"through_seq":\#(through + 100_000),"archive_sha256":"\#(digest)"}"#)
        #expect(beyond.status == 422 && beyond.text.contains("through_seq"), "\(beyond)")
        let nowhere = try await home.curl("GET", "/v1/log/archive?through=\(through + 100_000)")
        #expect(nowhere.status == 422 && nowhere.text.contains("there is no row"), "\(nowhere)")
        let first = try await purge()
        try #require(first.status == 200, "\(first)")
        for _ in 0..<2 { #expect(try await purge() == first) }
        await home.kill()
        try await home.start()
        #expect(try await purge() == first)
        #expect(try await home.events("purged").count == 1)
      }
    }

    private func listsForget(_ home: TestHome, _ prompt: String) async throws {
      let why = try await home.run("why", prompt)
      #expect(why.code == 1 && why.complaint.contains("purged"), "\(why)")
      let past = try await home.ask("prompts", "--past")["prompts"]?.array ?? []
      #expect(!past.contains { $0["id"]?.string == prompt })
      let alarms = try await home.ask("list")["alarms"]?.array ?? []
      #expect(alarms.map { $0["label"]?.string } == ["Stays"])
    }

    private func headsAreChecked(
      _ home: TestHome, old: String, new: String, _ file: String
    ) async throws {
      let alone = try await home.run("verify", "--head", old)
      #expect(alone.code == 1 && alone.complaint.contains("was purged"), "\(alone)")
      #expect(try await home.run("verify", "--head", old, "--archive", file).code == 0)
      #expect(try await home.run("verify", "--head", new).code == 0)
      #expect(try await home.run("verify", "--manifest", home.path("study")).code == 0)
      // If one word of one event in the archive file changes, the verification finds the change.
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let forged = home.path("forged.jsonl")
      try text.replacing("\"completed\"", with: "\"declined\"", maxReplacements: 1)
        .write(toFile: forged, atomically: true, encoding: .utf8)
      let found = try await home.run("verify", "--head", old, "--archive", forged)
      #expect(found.code == 1 && found.complaint.contains("was changed"), "\(found)")
      let lines = text.split(separator: "\n")
      try (lines.dropLast().joined(separator: "\n") + "\n")
        .write(toFile: forged, atomically: true, encoding: .utf8)
      #expect(try await home.run("verify", "--archive", forged).code == 1)
    }

    private func exportNotifies(_ home: TestHome, gone: Int64) async throws {
      #expect(try await home.run("export", home.path("rest"), "--profile", "limited").code == 0)
      let manifest = try JSON(
        parsing: Array(try Data(contentsOf: URL(filePath: home.path("rest/MANIFEST.json")))))
      #expect(manifest["record"]?["purged_events"]?.integer == gone)
      #expect(manifest["record"]?["missing_events"]?.integer == 0)
      let gaps = try String(contentsOfFile: home.path("rest/gaps.csv"), encoding: .utf8)
      #expect(gaps.contains("purged"))
    }
  }
}
