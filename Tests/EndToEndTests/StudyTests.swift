import API
import Foundation
import JSONValue
import Testing

extension EndToEnd {
  @Suite struct Studying {
    @Test
    func `a check-in is asked, answered, corrected and plotted, and its rows belong to the study`()
      async throws
    {
      try await TestHome.with { home in
        let enrolled = try await home.ask(
          "study", "enrol", "patient", "--pseudonym", "P-017", "--study", "remind1", "--arm", "AB")
        #expect(enrolled["participants"]?.array?.first?["current"]?.bool == true)
        _ = try await home.ask(
          "add", "How are you?", "--schedule", "in 1 seconds", "--answers-required", "yes", "--ask",
          "pain=scale How bad?", "--ask", "note=text(optional) Anything else?")
        try await home.ring(1)
        let early = try await home.run("done")
        #expect(early.code == 1 && early.complaint.contains("pain"))
        let wrong = try await home.run("answer", "pain=11")
        #expect(wrong.code == 1 && wrong.complaint.contains("responses[0].value"))
        let asked = try await home.ask("answer")["questions"]?.array ?? []
        #expect(asked.map { $0["name"]?.string } == ["pain", "note"])
        let done = try await home.ask("answer", "pain=7", "note==1+1", "--done")
        #expect(done["outcome"]?.string == "completed")
        let id = try #require(done["id"]?.string)
        _ = try await home.ask("answer", id, "pain=3")

        // After a restart, the daemon knows the answers only from the record.
        _ = await home.stop()
        try await home.start()
        _ = try await home.ask("answer", id, "pain=4")
        let given = try await home.ask("answer", id)["responses"]?.array ?? []
        #expect(given.map { $0["question"]?.string } == ["pain", "note", "pain", "pain"])
        #expect(given.map { $0["number"]?.integer } == [1, 1, 2, 3])
        #expect(given.map { $0["current"]?.bool } == [false, true, false, true])
        let series = try await home.ask("series", "pain")
        #expect(series["answers"]?.integer == 1)
        #expect(series["points"]?.array?.first?["value"]?.double == 4)

        let events = try await home.events("response")
        #expect(events.count == 4 && events.allSatisfy { $0["study_id"]?.string == "remind1" })
        #expect(!"\(events)".contains("=1+1"))
        #expect(
          try await home.ask("study")["participants"]?.array?.first?["pseudonym"]?.string == "P-017"
        )
        _ = try await home.ask("study", "withdraw", "patient", "--reason", "moved")
        #expect(try await home.run("study", "withdraw", "patient").code == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `questions come from a file, too, and a wrong file changes nothing`() async throws {
      try await TestHome.with { home in
        let file = home.path("questions.json")
        try Data(#"[{"name":"mood","kind":"mood","text":"How?"}]"#.utf8).write(
          to: URL(filePath: file))
        let set = try await home.ask(
          "add", "Say how", "--schedule", "every day 08:00", "--questions", file)
        let asked = set["alarm"]?["questions"]?.array ?? []
        #expect(asked.first?["kind"]?.string == "mood")
        try Data(#"[{"name":"mood","kind":"colour","text":"How?"}]"#.utf8).write(
          to: URL(filePath: file))
        let standing = try await home.standing()
        let refused = try await home.run(
          "add", "Say how", "--schedule", "every day 08:00", "--questions", file)
        #expect(refused.code == 1 && refused.complaint.contains("questions[0].kind"))
        #expect(try await home.standing() == standing)
        let phases = try await home.ask(
          "study", "crossover", "patient", "--days", "14", "--order", "AB")
        let kinds = (phases["phases"]?.array ?? []).map { $0["kind"]?.string }
        #expect(kinds == ["prompted", "control"])
      }
    }

    @Test func `erased words are in no file of the home, and a restart does not know them`()
      async throws
    {
      try await TestHome.with { home in
        let set = try await home.ask(
          "add", "CANARY label", "--schedule", "in 1 seconds", "--instructions", "CANARY",
          "--ask", "note=text CANARY?")
        let alarm = try #require(set["alarm"]?["id"]?.string)
        try await home.ring(1)
        _ = try await home.ask("answer", "note=CANARY", "--done")
        func traces() async throws -> String {
          try await Running(
            "/bin/grep", ["-r", "-l", "-a", "CANARY", home.state], in: home.directory
          ).finished().output
        }
        // The second copy of the record also contains the words. When the command `study erase`
        // ends, no copy may contain the words.
        try await home.until("the second copy has the words", seconds: 20) {
          try await traces().contains("/snapshot/")
        }
        #expect(try await home.run("study", "erase", "--alarm", alarm).code == 2)
        #expect(try await home.run("study", "erase", "--alarm", alarm, "--yes").code == 1)
        _ = try await home.ask("remove", alarm)
        _ = try await home.ask("study", "erase", "--alarm", alarm, "--yes")
        #expect(try await traces() == "")
        #expect(try await home.events("erased").count == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
        _ = await home.stop()
        try await home.start()
        #expect(!"\(try await home.prompts())".contains("CANARY"))
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test
    func `after a rekey only new pseudonyms and keys are used, and the rekey is recorded`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Pills", "--schedule", "in 1 seconds")
        try await home.ring(1)
        _ = try await home.ask("done")
        let person = try #require(
          try await home.events("alarm_created").first?["person"]?.string)
        func key() async throws -> String {
          try await Running(
            "/usr/bin/sqlite3",
            ["\(home.state)/record.sqlite", "SELECT group_concat(value) FROM settings"],
            in: home.directory
          ).finished().output
        }
        let keys = try await key()
        #expect(try await home.run("study", "rekey").code == 2)
        #expect(try await home.ask("study", "rekey", "--yes")["rekeyed"]?.bool == true)
        #expect(try await key() != keys)
        #expect(try await home.run("export", home.path("out"), "--profile", "limited").code == 0)
        let traces = try await Running(
          "/bin/grep", ["-r", "-l", person, home.path("out")], in: home.directory
        ).finished()
        #expect(traces.output == "" && traces.code == 1)
        #expect(!(try await home.run("log").output).contains(person))
        let event = try #require(try await home.events("pseudonyms_rekeyed").first)
        #expect(event["actor_role"]?.string == "admin" && "\(event["payload"] ?? .null)" == "{}")
        _ = await home.stop()
        try await home.start()
        #expect(!(try await home.run("log").output).contains(person))
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `one command gives the data of a person, with a page to read`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("people", "add", "bob", "--name", "CANARY")
        _ = try await home.ask(
          "add", "CANARY", "--schedule", "every day 08:00", "--person", "bob")
        _ = try await home.ask(
          "add", "My pills", "--schedule", "in 1 seconds", "--ask", "note=text How?",
          "--person", "patient")
        try await home.ring(1)
        _ = try await home.ask("answer", "note=quite well", "--done")
        #expect(try await home.run("export", home.path("mine"), "--person", "patient").code == 2)
        let made = try await home.ask("export", home.path("mine"), "--own")
        #expect(made["files"]?.array?.contains(.string("my-data.html")) == true)
        let page = try String(contentsOfFile: home.path("mine/my-data.html"), encoding: .utf8)
        #expect(page.contains("My pills") && page.contains("quite well"))
        let traces = try await Running(
          "/bin/grep", ["-r", "-l", "CANARY", home.path("mine")], in: home.directory
        ).finished()
        #expect(traces.output == "")
        #expect(try await home.events("export_made").last?["payload"]?["profile"]?.string == "own")
        #expect(
          try await home.run("export", home.path("none"), "--own", "--person", "eve").code == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }
  }
}
