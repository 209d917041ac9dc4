import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests the API in the way in which another program uses it.
  @Suite struct DirectAPI {
    @Test func `a change sent three times is one event, also after a crash`() async throws {
      try await TestHome.with { home in
        let body = #"{"label":"Pills","schedule":"every day 08:00"}"#
        let key = ["Idempotency-Key: outbox-1"]
        let first = try await home.curl("POST", "/v1/alarms", body: body, headers: key)
        #expect(first.status == 201)
        #expect(
          try await home.curl("POST", "/v1/alarms", body: body, headers: key).text == first.text)
        await home.kill()
        try await home.start()
        #expect(
          try await home.curl("POST", "/v1/alarms", body: body, headers: key).text == first.text)
        #expect(try await home.events("alarm_created").count == 1)
        let other = try await home.curl(
          "POST", "/v1/alarms", body: #"{"label":"Tea","schedule":"every day 08:00"}"#, headers: key
        )
        #expect(other.status == 409 && other.body["kind"]?.string == "key_reused")
      }
    }

    @Test
    func `the event stream starts at any event, follows the record, and ends with the daemon`()
      async throws
    {
      try await TestHome.with { home in
        let reader = try Running(
          "/usr/bin/curl",
          ["-sSN", "--unix-socket", home.socket, "http://home/v1/events?after=0"],
          in: home.directory)
        _ = try await home.ask("add", "Tea", "--schedule", "every day 08:00")
        _ = try await home.ask("add", "Pills", "--schedule", "every day 09:00")
        try await home.until("the reader is seen", seconds: 10) {
          try await home.curl("GET", "/v1/status").body["presence"]?["callers"]?.array?
            .contains { $0["watching"]?.bool == true } ?? false
        }
        let known = try await home.events().count
        try await Task.sleep(for: .milliseconds(500))
        _ = await home.stop()
        let heard = await reader.finished()
        #expect(heard.code == 0, "\(heard)")
        let ids = heard.output.split(separator: "\n").filter { $0.hasPrefix("id: ") }
          .compactMap { Int($0.dropFirst(4)) }
        #expect(ids.prefix(known) == ArraySlice(1...known))
        #expect(heard.output.contains("event: alarm_created"))

        try await home.start()
        let later = try await Running(
          "/usr/bin/curl",
          [
            "-sSN", "-m", "2", "-H", "Last-Event-ID: 2", "--unix-socket", home.socket,
            "http://home/v1/events",
          ], in: home.directory
        ).finished()
        #expect(later.output.contains("\nid: 3\n") && !later.output.contains("\nid: 2\n"))
      }
    }

    @Test func `lists with filters, versions, progress and metrics`() async throws {
      try await TestHome.with { home in
        let added = try await home.ask("add", "Morning pills", "--schedule", "every day 08:00")
        let id = try #require(added["alarm"]?["id"]?.string)
        _ = try await home.ask("edit", id, "--rings", "2")
        _ = try await home.ask("add", "Tea", "--schedule", "in 1 second")
        try await home.ring(1)
        func labels(_ query: String) async throws -> [String] {
          let reply = try await home.curl("GET", "/v1/prompts?\(query)")
          #expect(reply.status == 200, "\(reply.text)")
          return reply.body["prompts"]?.array?.compactMap { $0["label"]?.string } ?? []
        }
        #expect(try await labels("state=current") == ["Tea"])
        #expect(try await labels("state=upcoming") == ["Morning pills"])
        #expect(try await labels("state=incomplete") == ["Tea"])
        #expect(try await labels("label=PILLS") == ["Morning pills"])
        #expect(try await home.curl("GET", "/v1/prompts?person=nobody").status == 422)
        #expect(try await labels("person=patient").count == 2)
        #expect(try await labels("from=2020-01-01&to=2020-01-02") == [])
        #expect(try await home.curl("GET", "/v1/prompts").body["waiting"]?.integer == 1)
        let before = try await home.curl("GET", "/v1/progress").body["people"]?.array?.first
        #expect(before?["due"]?.integer == 1 && before?["done"]?.integer == 0)
        _ = try await home.ask("done")
        #expect(try await labels("state=complete") == ["Tea"])
        #expect(try await labels("state=past") == ["Tea"])
        #expect(try await labels("state=incomplete") == [])
        let after = try await home.curl("GET", "/v1/progress").body["people"]?.array?.first
        #expect(after?["done"]?.integer == 1, "\(after ?? .null)")
        let versions = try await home.curl("GET", "/v1/alarms/\(id)/versions").body["versions"]
        #expect(versions?.array?.map { $0["rings"]?.integer } == [5, 2])
        let metrics = try await home.curl("GET", "/v1/metrics").text
        #expect(metrics.contains("prompter_prompts_closed_total{outcome=\"completed\"} 1"))
        let page = try await Running(
          "/usr/bin/curl",
          ["-sSi", "--unix-socket", home.socket, "http://home/v1/log?limit=2"], in: home.directory
        ).finished()
        #expect(page.output.lowercased().contains("x-prompter-next-after: 2"))
      }
    }
  }
}
