import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests the answers to "Why did this alarm not ring?" in a running home.
  @Suite struct Explanations {
    @Test func `a preview knows the people, the alarms and the last completion`() async throws {
      try await TestHome.with(config: "zone = \"Europe/Berlin\"\n") { home in
        for person in ["hilde", "otto"] { _ = try await home.ask("people", "add", person) }
        _ = try await home.ask(
          "add", "Lunch", "--schedule", "in 1 seconds", "--person", "hilde")
        try await home.ring(1)
        let after = ["preview", "--schedule", "2 hours after Lunch is completed"]
        let early = try await home.run(after + ["--person", "Hilde"])
        #expect(early.code == 0 && early.output.contains("nobody has done yet"), "\(early)")
        _ = try await home.ask("done")
        let late = try await home.run(after + ["--person", "Hilde"])
        #expect(late.output.contains("the last time was"), "\(late)")
        let unknown = try await home.run(
          "preview", "--schedule", "every day 08:00", "--person", "x")
        #expect(unknown.code == 1 && unknown.complaint.contains("hilde, otto"), "\(unknown)")
        await home.kill()
        let alone = try await home.run("preview", "--schedule", "every day 08:00", "--count", "2")
        #expect(alone.code == 0 && alone.output.contains("08:00"), "\(alone)")
        #expect(alone.complaint.contains("cannot be reached"), "\(alone)")
      }
    }

    @Test func `why explains a past ring, a future ring and a time that is not due`() async throws {
      try await TestHome.with(config: "zone = \"Europe/Berlin\"\n") { home in
        let added = try await home.ask("add", "Take the pills", "--schedule", "in 1 seconds")
        let alarm = try #require(added["alarm"]?["id"]?.string)
        try await home.heard(1)
        let id = try #require(try await home.ask("done")["id"]?.string)
        await home.kill()
        try await home.start()

        let why = try await home.ask("why", id)
        #expect(why["verdict"]?.string == "rang")
        #expect(why["summary"]?.string?.contains("completed it at") == true, "\(why)")
        let types = why["reasons"]?.array?.compactMap { $0["type"]?.string } ?? []
        for type in ["planned", "due", "ring_started", "completed", "gap"] {
          #expect(types.contains(type) == (type != "gap"), "\(type) of \(types)")
        }
        let local = try #require(why["at_local"]?.string)
        #expect(try await home.ask("why", alarm, "--at", local) == why)
        #expect(
          try await home.ask("why", alarm, "--at", "tomorrow 08:00")["verdict"]?.string == "not_due"
        )

        let daily = try await home.ask("add", "Walk", "--schedule", "every day 08:00")
        let walk = try #require(daily["alarm"]?["id"]?.string)
        let ahead = try await home.ask("why", walk, "--at", "2099-12-01 08:00")
        #expect(ahead["verdict"]?.string == "will_ring", "\(ahead)")
        let shown = try await home.run("why", walk, "--at", "2099-12-01 09:00")
        for word in [
          "Walk", "its times are 08:00", "The ring before: Tue 1 Dec 2099 08:00",
          "The ring after: Wed 2 Dec 2099 08:00", "every day at 08:00", "as set by",
        ] {
          #expect(shown.output.contains(word), "\(shown)")
        }
        let odd = try await home.curl("GET", "/v1/alarms/\(walk)/why?at=noonish")
        #expect(odd.status == 422 && odd.body["field"]?.string == "at", "\(odd)")
        #expect(try await home.curl("GET", "/v1/alarms/nosuch/why").status == 404)
      }
    }
  }
}
