import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests names as people type them: misspelt, shortened, and in a home of two people.
  @Suite struct Naming {
    @Test func `in a home of two people, the command line asks for whom an alarm is`() async throws
    {
      try await TestHome.with { home in
        for person in ["hilde", "otto"] { _ = try await home.ask("people", "add", person) }
        let add = ["add", "Pills", "--schedule", "every day 08:00"]
        let refused = try await home.run(add)
        #expect(refused.code == 1 && refused.complaint.contains("hilde, otto"), "\(refused)")
        #expect(try await home.run(add + ["--person", "Hilde"]).code == 0)
        let again = try await home.run(add + ["--person", "hilde"])
        #expect(again.code == 1 && again.complaint.contains("--duplicate"), "\(again)")
        #expect(try await home.run(add + ["--person", "otto"]).code == 0)
        let list = try await home.run("list")
        let rows = list.output.split(separator: "\n")
        #expect(rows.first?.contains("FOR") == true && rows.count == 3, "\(list)")
        #expect(list.output.contains("VOICE") && list.output.contains("spoken words"), "\(list)")
        #expect(rows.contains { $0.contains("hilde") } && rows.contains { $0.contains("otto") })
      }
    }

    @Test func `a misspelt command or name gets a suggestion`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Pills", "--schedule", "every day 08:00")
        for (arguments, code, words) in [
          (["lsit"], 2, "did you mean \"prompter list\"?"),
          (["delete", "Pills"], 2, "did you mean \"prompter remove\"?"),
          (["people", "ad", "hilde"], 2, "did you mean \"prompter people add\"?"),
          (["xyzzy"], 2, "see \"prompter help\""),
          (["show", "Pils"], 1, "did you mean \"Pills\"?"),
          (["add", "Tea", "--shedule", "every day 09:00"], 2, "--schedule"),
        ] as [([String], Int32, String)] {
          let refused = try await home.run(arguments)
          #expect(refused.code == code && refused.complaint.contains(words), "\(refused)")
        }
      }
    }

    @Test func `an alarm and a prompt are found by label and by the beginning of their ids`()
      async throws
    {
      try await TestHome.with { home in
        let added = try await home.ask("add", "Pills", "--schedule", "in 1 seconds")
        let id = try #require(added["alarm"]?["id"]?.string)
        _ = try await home.ask("add", "Tea", "--schedule", "every day 12:00")
        #expect(try await home.run("show", String(id.prefix(5))).output.contains(id))
        #expect(try await home.run("show", String(id.prefix(3))).code == 1)
        try await home.ring(1)
        let missing = try await home.run("done", "Tea")
        #expect(
          missing.code == 1 && missing.complaint.contains("waits for an answer"), "\(missing)")
        #expect(try await home.run("delay", "pills", "20m").output.contains("put off"))
        #expect(try await home.run("why", String(id.prefix(5))).code == 0)
        let done = try await home.run("done", "PILLS")
        #expect(done.output.contains("completed"), "\(done)")
        #expect(try await home.run("undo", "pills").output.contains("Taken back."))
        #expect(try await home.run("decline", String(id.prefix(6))).output.contains("declined"))
        // The first alarm with the label "Pills" is over. A new alarm can have the same label. The
        // label then means the new alarm.
        let again = try await home.ask("add", "Pills", "--schedule", "every day 08:00")
        let shown = try await home.run("show", "Pills")
        #expect(shown.output.contains(again["alarm"]?["id"]?.string ?? "none"), "\(shown)")
        #expect(try await home.run("cancel", "Tea").output.contains("cancelled"))
      }
    }
  }
}
