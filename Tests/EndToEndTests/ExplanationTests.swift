import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// "Why did it not ring?", answered by a running home.
  @Suite struct Explanations {
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
        for word in ["Walk", "its times are 08:00", "Due after", "every day at 08:00"] {
          #expect(shown.output.contains(word), "\(shown)")
        }
        let odd = try await home.curl("GET", "/v1/alarms/\(walk)/why?at=noonish")
        #expect(odd.status == 422 && odd.body["field"]?.string == "at", "\(odd)")
        #expect(try await home.curl("GET", "/v1/alarms/nosuch/why").status == 404)
      }
    }
  }
}
