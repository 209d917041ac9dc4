import Foundation
import JSONValue
import Testing

extension EndToEnd {
  @Suite struct Days {
    @Test func `today and summary show what was done, and a contact gets the summary`()
      async throws
    {
      let home = try TestHome()
      let said = home.path("said")
      // The configured time of the summary is 00:00. At every time of day, 00:00 of that day has
      // passed, so the daemon sends the summary immediately after its start.
      let config = """
        [contacts.anna]
        command = ["/bin/sh", "-c", 'echo "$PROMPTER_REASON|$PROMPTER_TEXT" >> "$1"', "sh", "\(said)"]
        summary = "00:00"
        """
      do {
        try await home.start()
        _ = try await home.ask("people", "change", "patient", "--name", "Hilde")
        _ = try await home.ask("add", "Pills", "--schedule", "in 1 seconds", "--rings", "1")
        try await home.ring(1)
        _ = try await home.ask("done")
        let today = try await home.run("today")
        #expect(today.output.contains("Hilde") && today.output.contains("done at"))
        let tasks = try await home.ask("today")["tasks"]?.array ?? []
        #expect(tasks.map { $0["state"]?.string } == ["done"])
        let summary = try await home.run("summary")
        #expect(summary.output.hasPrefix("Hilde did 1 of 1 task on "))
        let week = try await home.run("summary", "--week", "--person", "patient")
        #expect(week.output.hasPrefix("Hilde did 1 of 1 task from "))
        #expect(try await home.run("summary", "--week", "--date", "2026-12-01").code == 2)
        #expect(try await home.run("summary", "--person", "nobody").code == 1)
        #expect(try await home.run("today", "--date", "2026-13-01").code == 1)

        await home.kill()
        try await home.start(config: config)
        try await home.until("anna gets the summary", seconds: 30) {
          try await !home.events("notice_sent").isEmpty
        }
        let text = try String(contentsOfFile: said, encoding: .utf8)
        #expect(text == "summary|\(summary.output.trimmingCharacters(in: .newlines))\n")
        await home.kill()
        try await home.start(config: config)
        try await Task.sleep(for: .seconds(2))
        #expect(try await home.events("notice_due").count == 1)
      } catch {
        await home.close()
        throw error
      }
      await home.close()
    }

    @Test func `a summary leaves out the default person if nobody uses this person`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("people", "add", "hilde", "--name", "Hilde")
        _ = try await home.ask("people", "add", "otto", "--name", "Otto")
        let people = try await home.ask("summary")["people"]?.array ?? []
        #expect(people.map { $0["person"]?.string } == ["hilde", "otto"])
        let one = try await home.ask("summary", "--person", "patient")["people"]?.array ?? []
        #expect(one.map { $0["person"]?.string } == ["patient"])
      }
    }
  }
}
