import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests lists with filters.
  @Suite struct Listing {
    @Test func `prompts are found by state, label, alarm and day, and waiting ones are counted`()
      async throws
    {
      try await TestHome.with { home in
        let added = try await home.ask("add", "Evening tea", "--schedule", "every day 08:00")
        let id = try #require(added["alarm"]?["id"]?.string)
        _ = try await home.ask("add", "Take the pills", "--schedule", "in 1 seconds")
        try await home.ring(1)
        func labels(_ arguments: String...) async throws -> [String] {
          let finished = try await home.run(["--json", "prompts"] + arguments)
          try #require(finished.code == 0, "\(finished)")
          let prompts = try JSON(parsing: Array(finished.output.utf8))["prompts"]?.array ?? []
          return prompts.compactMap { $0["label"]?.string }
        }
        #expect(try await labels("--current") == ["Take the pills"])
        #expect(try await labels("--incomplete") == ["Take the pills"])
        #expect(try await labels("--upcoming") == ["Evening tea"])
        #expect(try await home.run("prompts").output.contains("1 waits for an answer."))
        #expect(try await home.run("status").output.contains("1 for an answer"))
        _ = try await home.ask("done")
        #expect(try await labels("--current") == [])
        #expect(try await labels("--complete") == ["Take the pills"])
        #expect(try await labels("--past") == ["Take the pills"])
        #expect(try await labels("--missed") == [])
        #expect(try await labels("--label", "TEA") == ["Evening tea"])
        #expect(try await labels("--alarm", id) == ["Evening tea"])
        #expect(try await labels("--to", "2001-01-01") == [])
        #expect(try await home.run("prompts", "--missed", "--past").code == 2)
        #expect(try await home.run("prompts", "--date", "tomorrow").code == 1)
      }
    }

    @Test func `a time in quiet hours is marked when the alarm is set and in every list`()
      async throws
    {
      try await TestHome.with(config: "zone = \"Europe/Berlin\"\n") { home in
        // The quiet hours are the whole day except its first minute.
        _ = try await home.ask("people", "change", "patient", "--quiet-hours", "00:01-00:00")
        let added = try await home.run("add", "Tea", "--schedule", "every day 12:00")
        #expect(
          added.output.contains("Due") && added.output.contains("quiet hours, rings"), "\(added)")
        let again = try await home.run(
          "add", "Tea", "--schedule", "every day 12:00", "--duplicate")
        #expect(again.output.contains("ings together with \"Tea\" at 12:00"), "\(again)")
        #expect(try await home.run("next").output.contains("quiet hours, rings"))
        #expect(try await home.run("list").output.contains("quiet hours, rings"))
        let row = try #require(try await home.ask("next")["agenda"]?.array?.first)
        #expect(row["suppressed_by"]?.string == "quiet_hours")
        #expect(row["rings_local"]?.string?.hasSuffix("T00:00:00") == true)
      }
    }

    @Test func `a label identifies an alarm if only one alarm has it`() async throws {
      try await TestHome.with { home in
        for label in ["Tea", "Tea", "Take the pills"] {
          _ = try await home.ask("add", label, "--schedule", "every day 12:00", "--duplicate")
        }
        #expect(try await home.run("show", "take the pills").code == 0)
        let ambiguous = try await home.run("remove", "Tea")
        #expect(
          ambiguous.code == 1 && ambiguous.complaint.contains("can mean 2 alarms"), "\(ambiguous)")
        #expect(try await home.run("remove", "Take the pills").code == 0)
        #expect(try await home.run("show", "Take the pills").code == 1)
        #expect(try await home.ask("list")["alarms"]?.array?.count == 2)
      }
    }

    @Test func `a list distinguishes an alarm that waits for an answer from one that never rings`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Lunch", "--schedule", "every day 12:00")
        let set = try await home.run(
          "add", "Walk", "--schedule", "2 hours after Lunch is completed")
        #expect(set.output.contains("It has no time until that task is completed."), "\(set)")
        #expect(try await home.run("list").output.contains("after that is completed"))
        _ = try await home.ask("add", "Tea", "--schedule", "in 1 seconds")
        try await home.ring(1)
        #expect(try await home.run("list").output.contains("waits for an answer"))
        _ = try await home.ask("done")
        #expect(try await home.run("list").output.contains("over"))
      }
    }

    @Test func `progress shows how much of the day is done`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Take the pills", "--schedule", "in 1 seconds")
        try await home.ring(1)
        _ = try await home.ask("done")
        let shown = try await home.run("progress")
        #expect(shown.code == 0 && shown.output.contains("DUE SO FAR"), "\(shown)")
        let person = try #require(try await home.ask("progress")["people"]?.array?.first)
        #expect(person["done"]?.integer == 1 && person["due"]?.integer == 1, "\(person)")
      }
    }
  }
}
