import API
import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Reads lists in pages while other requests add new rows.
  @Suite struct Paging {
    struct Listing: Sendable {
      var path: String
      /// The names of two members of a response.
      ///
      /// The member `rows` contains the rows. In each row, the member `id` identifies the row.
      var rows: String
      var id: String
      var cursor = "after"
    }

    static let listings = [
      Listing(path: "/v1/alarms", rows: "alarms", id: "id"),
      Listing(path: "/v1/agenda", rows: "agenda", id: "prompt_id"),
      Listing(path: "/v1/prompts", rows: "prompts", id: "id", cursor: "before"),
      Listing(path: "/v1/people", rows: "people", id: "id"),
      Listing(path: "/v1/tones", rows: "tones", id: "name"),
      Listing(path: "/v1/images", rows: "images", id: "id"),
    ]

    /// The table `listings` contains every list with pages, except the log.
    ///
    /// The log has its own test, because a page of the log consists of lines.
    @Test func `the table below contains every listing with pages`() {
      let paged = Route.all.filter { route in
        let names = route.query.map(\.name)
        return route.operation != .log && names.contains("limit")
          && (names.contains("after") || names.contains("before"))
      }
      #expect(Set(paged.map(\.path)) == Set(Self.listings.map(\.path)))
    }

    @Test func `a row that stays in a list appears once and in order, whatever is added meanwhile`()
      async throws
    {
      try await TestHome.with { home in
        for number in 0..<5 { try await furnish(home, "m\(number)") }
        for listing in Self.listings {
          let before = ids(try await page(home, listing, "limit=100"), listing)
          try #require(before.count >= 3, "\(listing)")
          var (seen, cursor): ([String], String?) = ([], nil)
          repeat {
            let query = cursor.map { "limit=1&\(listing.cursor)=\($0)" } ?? "limit=1"
            let found = try await page(home, listing, query)
            seen += ids(found, listing)
            cursor = found["next_\(listing.cursor)"]?.string
            try #require(seen.count < 100, "\(listing) never ends")
            // The new rows come before, between and after the listed rows. The test adds new rows
            // only while it reads the first pages, because the number of rows in a home is limited.
            for name in ["a", "m2", "z"] where seen.count < 3 {
              try await furnish(home, "\(name)\(listing.rows)\(seen.count)")
            }
          } while cursor != nil
          #expect(seen.filter(before.contains) == before, "\(listing)")
          #expect(Set(seen).count == seen.count, "\(listing)")
        }
      }
    }

    @Test func `the pages of the log together are the whole log`() async throws {
      try await TestHome.with { home in
        for number in 0..<3 { try await furnish(home, "m\(number)") }
        let whole = try await home.curl("GET", "/v1/log").text.split(separator: "\n")
        var seen: [Substring] = []
        while seen.count < whole.count {
          let last =
            try seen.last.map { try JSON(parsing: Array($0.utf8))["seq"]?.integer ?? 0 } ?? 0
          let text = try await home.curl("GET", "/v1/log?limit=3&after=\(last)").text
          let page = text.split(separator: "\n")
          try #require((1...3).contains(page.count))
          seen += page
          if seen.count == 6 { try await furnish(home, "later") }
        }
        #expect(Array(seen.prefix(whole.count)) == whole)
      }
    }

    @Test func `a malformed cursor is refused by name`() async throws {
      try await TestHome.with { home in
        let foreign = Cursor(["only one part"]).text
        for listing in Self.listings {
          for text in ["nosuch", "5B5D0", "nosuch@2026-01-01T00:00:00", "+1", "%C3%BC"] {
            let path = "\(listing.path)?\(listing.cursor)=\(text)"
            let reply = try await home.curl("GET", path)
            #expect(reply.status == 422, "\(path): \(reply)")
            #expect(reply.body["field"]?.string == listing.cursor, "\(path): \(reply)")
          }
          guard listing.cursor == "after" else { continue }
          let reply = try await home.curl("GET", "\(listing.path)?after=\(foreign)")
          #expect(reply.status == 200, "\(reply)")
        }
        #expect(try await home.curl("GET", "/v1/log?after=-1").status == 422)
        #expect(try await home.curl("GET", "/v1/log?after=x").status == 422)
      }
    }

    /// Adds one object of each kind that the lists contain.
    ///
    /// The function adds each of the four recordings only once. The home stores each picture only
    /// once.
    private func furnish(_ home: TestHome, _ name: String) async throws {
      _ = try await home.ask("people", "add", name)
      // The due time depends on the name. Alarms with different names therefore have different
      // positions in the agenda.
      let minute = Int(name.utf8.reduce(0) { ($0 * 31 + Int($1)) % 700 })
      _ = try await home.ask(
        "add", name, "--schedule", "in \(60 + minute) minutes", "--person", name)
      let sounds = ["warble.flac", "warble.mp3", "warble.ogg", "warble.opus"]
      if let sound = sounds.first(where: { !FileManager.default.fileExists(atPath: home.path($0)) })
      {
        try Data().write(to: URL(filePath: home.path(sound)))
        let file = TestHome.fixtures.appending(path: "sound/\(sound)").path(percentEncoded: false)
        _ = try await home.ask("tone", "add", name, file)
      }
      for picture in ["glass.png", "quarters.jpg", "quarters.png"] {
        let file = TestHome.fixtures.appending(path: "image/\(picture)").path(percentEncoded: false)
        _ = try await home.ask("image", "add", file)
      }
    }

    private func page(_ home: TestHome, _ listing: Listing, _ query: String) async throws -> JSON {
      let reply = try await home.curl("GET", "\(listing.path)?\(query)")
      try #require(reply.status == 200, "\(reply)")
      return reply.body
    }

    private func ids(_ page: JSON, _ listing: Listing) -> [String] {
      page[listing.rows]?.array?.compactMap { $0[listing.id]?.string } ?? []
    }
  }
}
