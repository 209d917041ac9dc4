import API
import Alarms
import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests the role `courier`.
  ///
  /// The program with this role sends the record of a home to the archive of a study. Only root can
  /// run this suite, because the suite acts as another user.
  @Suite(.enabled(if: geteuid() == 0)) struct Courier {
    /// A script that checks the rows that a courier gets.
    ///
    /// The script checks that each row contains the hash of the row before. It computes the hash of
    /// each open row again. A sealed row contains only its number and the two hashes.
    private static let check = """
      import hashlib, json, sys
      last, opened, sealed = (0, "0" * 64), 0, 0
      for row in map(json.loads, open(sys.argv[1], encoding="utf-8")):
          assert (row["seq"], row["prev_hash"]) == (last[0] + 1, last[1]), row
          if len(row) > 3:
              cells = [row[name] for name in list(row)[:-1]]
              data = [b"-;" if c is None else b"%d:%s;" % (len(str(c).encode()), str(c).encode()) for c in cells]
              assert len(cells) == 27 and hashlib.sha256(b"".join(data)).hexdigest() == row["hash"], row
              opened += 1
          else:
              assert list(row) == ["seq", "prev_hash", "hash"], row
              sealed += 1
          last = (row["seq"], row["hash"])
      print(opened, sealed)
      """

    /// - Returns: the number of open rows and the number of sealed rows.
    private func counts(_ home: TestHome, _ lines: String) async throws -> [Int] {
      let file = home.path("rows")
      try Data(lines.utf8).write(to: URL(filePath: file))
      let finished = try await Running(
        "/usr/bin/python3", ["-c", Self.check, file], in: home.directory
      ).finished()
      #expect(finished.code == 0, "\(finished)")
      return finished.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    }

    @Test func `a courier gets every row, and those about people outside the study are sealed`()
      async throws
    {
      try await TestHome.with(config: RouteSearch.config) { home in
        for name in ["anna", "bob"] {
          _ = try await home.ask("people", "add", name, "--name", "Zq\(name)")
          _ = try await home.ask(
            "add", "Zqtea \(name)", "--schedule", "every day 08:00", "--person", name)
        }
        _ = try await home.ask("study", "enrol", "anna", "--pseudonym", "P-1", "--study", "remind")
        _ = try await home.ask(
          "add", "Zqpills", "--schedule", "every day 09:00", "--person", "anna")
        _ = try await home.ask("add", "Zqwalk", "--schedule", "every day 10:00", "--person", "bob")
        let courier = try RouteSearch.uid(.courier)
        func log(_ query: String = "") async throws -> (status: String, text: String) {
          try await home.curl(as: courier, "GET", "/v1/log\(query)")
        }
        let rows = try await log("?study=remind")
        let found = try await counts(home, rows.text)
        let events = try await home.events()
        #expect(found.count == 2 && found[0] + found[1] == events.count, "\(found)")
        let code = try #require(
          events.first { $0["type"]?.string == "person_added" && "\($0)".contains("P-") })
        #expect(code["person"]?.string != nil)
        let bob = try #require(
          events.last { $0["type"]?.string == "alarm_created" }?["person"]?.string)
        #expect(!rows.text.contains(bob) && !rows.text.contains("Zq"), "\(rows.text)")
        #expect(rows.text.contains(#""type":"enrolled""#) && found[1] >= 5, "\(found)")
        // Anna is in the study "remind". Therefore, the rows for the study "other" contain no open
        // row about an enrolment.
        #expect(!(try await log("?study=other").text.contains(#""type":"enrolled""#)))
        #expect(try await counts(home, log().text) == found)

        let status = try await home.curl(as: courier, "GET", "/v1/status")
        #expect(status.status == "200" && !status.text.contains("anna"), "\(status)")
        let stream = home.path("stream")
        try Data().write(to: URL(filePath: stream))
        #expect(chmod(stream, 0o666) == 0)
        _ = try await home.curl(as: courier, "GET", "/v1/events?after=0", seconds: 2, into: stream)
        let streamed = try String(contentsOfFile: stream, encoding: .utf8)
        #expect(streamed.contains(#"data: {"seq":3}"#) && !streamed.contains("type"))
        for path in ["/v1/people", "/v1/prompts", "/v1/export", "/v1/alarms", "/v1/verify"] {
          #expect(try await home.curl(as: courier, "GET", path).status == "403", "\(path)")
        }
        let selected = try await home.curl(
          as: RouteSearch.uid(.researcher), "GET", "/v1/log?study=remind")
        #expect(selected.status == "422" && selected.text.contains("only a courier"), "\(selected)")

        _ = try await home.ask("study", "rekey", "--yes")
        let late = try await log("?study=remind")
        #expect(late.status == "409" && late.text.contains("pseudonyms were changed"), "\(late)")
      }
    }
  }
}
