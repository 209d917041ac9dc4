import Foundation
import Testing
import Wire

extension EndToEnd {
  /// Lists by what people look for.
  @Suite struct Listing {
    @Test func `prompts are found by state, label, alarm and day, and those that wait are counted`()
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

    @Test func `progress says how far the day is`() async throws {
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
