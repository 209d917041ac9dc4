import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests `prompter watch`.
  @Suite struct Watching {
    static let events = """
      retry: 2000\n: after 6\n\nid: 7\nevent: due\ndata: {"seq":7,"type":"due","alarm_id":"a1",\
      "wall_utc_ms":1795259529470,"utc_offset_s":3600,"payload":{}}\n\n: still here\n\n\
      id: 8\nevent: heartbeat\ndata: {"seq":8,"type":"heartbeat","wall_utc_ms":0,"payload":{}}\n\n\
      id: 9\r\nevent: missed\r\ndata: {"seq":9,"type":"missed","alarm_id":"a1",\r\n\
      data: "wall_utc_ms":1795259530470,"utc_offset_s":3600,\r\n\
      data: "payload":{"outcome":"missed_no_response"}}\r\n\r\n
      """

    @Test func `an event is one line, and as JSON it is the row of the record`() async throws {
      let home = try TestHome()
      let server = try ScriptedServer(
        socket: home.socket,
        says: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: "
          + "\(Self.events.utf8.count)\r\n\r\n" + Self.events)
      let shown = try await home.run("watch", "--limit", "2")
      #expect(shown.code == 0, "\(shown)")
      #expect(
        shown.output == """
          12:12:09  due                   a1
          12:12:10  missed                a1, missed, no response

          """)
      let rows = try await home.run("--json", "watch", "--all", "--limit", "2")
      let types = try rows.output.split(separator: "\n")
        .map { try JSON(parsing: Array($0.utf8))["type"]?.string }
      #expect(types == ["due", "heartbeat"])
      withExtendedLifetime(server) {}
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test func `a watcher continues where it stopped when the daemon comes back`() async throws {
      try await TestHome.with { home in
        let watching = try Running(
          Programs.path("prompter"), ["--socket", home.socket, "--json", "watch", "--after", "0"],
          in: home.directory)
        _ = try await home.ask("add", "A", "--schedule", "every day 08:00")
        try await home.until("it has seen the alarm", seconds: 20) {
          watching.output.contains("alarm_created")
        }
        await home.kill()
        try await home.start()
        _ = try await home.ask("add", "B", "--schedule", "every day 09:00")
        let last = try #require(try await home.events().last?["seq"]?.integer)
        try await home.until("it has seen everything", seconds: 30) {
          watching.output.contains("\"seq\":\(last),")
        }
        watching.send(SIGKILL)
        _ = await watching.finished()
        let seen = try watching.output.split(separator: "\n")
          .compactMap { try JSON(parsing: Array($0.utf8))["seq"]?.integer }
        let heartbeats = try await home.events("heartbeat").compactMap { $0["seq"]?.integer }
        #expect(seen == (1...last).filter { !heartbeats.contains($0) }, "each once, in order")
      }
    }

    @Test func `an alarm that is set while somebody watches is shown with its label`() async throws
    {
      try await TestHome.with { home in
        let watching = try Running(
          Programs.path("prompter"), ["--socket", home.socket, "watch"], in: home.directory)
        // Before `watch` prints its first line, the test does not know whether the stream has
        // begun. The test therefore adds alarms until the first line appears.
        for number in 0..<20 where watching.output.isEmpty {
          _ = try await home.ask("add", "Tea \(number)", "--schedule", "every day 08:00")
          try await Task.sleep(for: .milliseconds(500))
        }
        _ = try await home.ask("add", "Walk", "--schedule", "every day 09:00")
        try await home.until("the new label is shown", seconds: 20) {
          watching.output.split(separator: "\n").contains {
            $0.contains("alarm created") && $0.contains("\"Walk\"")
          }
        }
        watching.send(SIGKILL)
        _ = await watching.finished()
      }
    }

    @Test func `a daemon that was never there is not waited for`() async throws {
      let home = try TestHome()
      let finished = try await home.run("watch")
      #expect(finished.code == 3 && finished.complaint.contains("no such socket"), "\(finished)")
      try FileManager.default.removeItem(at: home.directory)
    }
  }
}
