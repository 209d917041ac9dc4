import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests the backup of a home, and the restore on another device.
  @Suite struct Backups {
    @Test func `a home moves with its alarms, recordings and record, and rings on one device only`()
      async throws
    {
      let old = try TestHome()
      let new = try TestHome()
      defer {
        for home in [old, new] { try? FileManager.default.removeItem(at: home.directory) }
      }
      try await old.start()
      let voice = TestHome.fixtures.appending(path: "sound/warble.flac").path(percentEncoded: false)
      _ = try await old.ask("tone", "add", "voice", voice)
      _ = try await old.ask("add", "Pills", "--schedule", "every day 08:00", "--tone", "voice")
      let before = try #require(try await old.ask("verify")["events"]?.integer)
      let device = try await old.events().first?["device"]?.string

      let file = old.path("home.backup")
      _ = try await old.ask("backup", file)
      // The backup was made while the old home ran, and the old home may still ring. The command
      // therefore refuses to restore this backup into a second home.
      #expect(try await old.ask("status")["alarms"]?.integer == 1)
      try FileManager.default.createDirectory(
        atPath: new.state, withIntermediateDirectories: true)
      let refused = try await restore(file, into: new)
      #expect(refused.code == 1)
      #expect(refused.complaint.contains("its device may still ring"), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: new.state + "/record.sqlite"))

      let moved = old.path("moved.backup")
      #expect(try await old.ask("backup", moved, "--move")["retired"]?.bool == true)
      try await old.until("the old daemon ends", seconds: 15) { !old.isRunning }
      let caretaker = "65534"
      try await old.launchAgain(config: "[roles]\ncaretaker = [\"\(caretaker)\"]\n")
      let answer = try await old.curl(as: caretaker, "GET", "/v1/status")
      #expect(
        answer.status == "409" && answer.text.contains("moved to another device"), "\(answer)")
      #expect(try await old.curl(as: "65533", "GET", "/v1/status").status == "403")
      let epitaph = try await old.run("status")
      #expect(epitaph.code == 1)
      #expect(epitaph.complaint.contains("moved to another device"), "\(epitaph)")
      _ = await old.stop()

      let restored = try await restore(moved, into: new)
      #expect(restored.code == 0, "\(restored)")
      try await new.start()
      #expect(try await new.ask("list")["alarms"]?.array?.first?["label"]?.string == "Pills")
      let verdict = try await new.ask("verify")
      #expect(verdict["ok"]?.bool == true)
      #expect(try #require(verdict["events"]?.integer) > before)
      #expect(try await new.events().last?["device"]?.string != device)
      _ = try await new.ask("add", "Now", "--schedule", "in 1 seconds", "--tone", "voice")
      try await new.ring(1)
      #expect(try await new.events("ring_failed").isEmpty)
      _ = await new.stop()
    }

    @Test(arguments: [true, false])
    func `a move keeps the file unless the daemon certainly refused`(isRefused: Bool) async throws {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      // This script acts as a daemon that sends a backup. Then the script refuses to retire, or it
      // retires and its reply is lost.
      let script = """
        import http.server, os, socketserver, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def address_string(self): return "client"
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "application/x-tar")
                self.send_header("X-Prompter-Head", "a" * 64)
                self.send_header("Content-Length", "1024")
                self.end_headers()
                self.wfile.write(bytes(1024))
            def do_POST(self):
                self.close_connection = True
                if sys.argv[2] == "lose": return
                body = b'{"kind": "conflict", "title": "x", "status": 409, "detail": "new events"}'
                self.send_response(409)
                self.send_header("Content-Type", "application/problem+json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
        socketserver.ThreadingUnixStreamServer(sys.argv[1], Handler).serve_forever()
        """
      let server = try Running(
        "/usr/bin/python3", ["-c", script, home.socket, isRefused ? "refuse" : "lose"],
        in: home.directory)
      defer { server.send(SIGKILL) }
      try await home.until("the socket exists", seconds: 20) { access(home.socket, F_OK) == 0 }
      let file = home.path("moved.backup")
      let finished = try await home.run("backup", file, "--move")
      #expect(finished.code == (isRefused ? 1 : 3), "\(finished)")
      #expect(FileManager.default.fileExists(atPath: file) == !isRefused)
      #expect(finished.complaint.contains("--old-device-is-gone") == !isRefused, "\(finished)")
    }

    @Test func `a backup that was changed is refused, and nothing is changed`() async throws {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      try await home.start()
      _ = try await home.ask("add", "Pills", "--schedule", "every day 08:00")
      let file = home.path("home.backup")
      _ = try await home.ask("backup", file)
      _ = await home.stop()
      var bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
      let place = try #require(bytes.firstRange(of: Array("Pills".utf8))?.lowerBound)
      bytes[place] = UInt8(ascii: "K")
      try Data(bytes).write(to: URL(filePath: file))
      let record = try Data(contentsOf: URL(filePath: home.state + "/record.sqlite"))
      let refused = try await restore(file, into: home, "--old-device-is-gone")
      #expect(refused.code == 1)
      #expect(refused.complaint.contains("was changed after the backup"), "\(refused)")
      #expect(try Data(contentsOf: URL(filePath: home.state + "/record.sqlite")) == record)
    }

    private func restore(
      _ file: String, into home: TestHome, _ more: String...
    ) async throws -> Finished {
      let daemon = Programs.path("prompterd")
      let beside = (daemon as NSString).deletingLastPathComponent
      return try await Running(
        Programs.path("prompter"), ["restore", file, "--state", home.state] + more,
        in: home.directory, environment: ["PATH": "\(beside):/usr/bin:/bin"]
      ).finished()
    }
  }
}
