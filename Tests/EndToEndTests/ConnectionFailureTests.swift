import Foundation
import Testing

extension EndToEnd {
  /// Tests how the command line reports a connection that fails.
  ///
  /// The daemon is missing, the daemon closes the connection too early, or another program answers
  /// in place of the daemon.
  @Suite struct ConnectionFailures {
    static let head = "HTTP/1.1 200 OK\r\n"

    @Test(arguments: [
      ("", "closed the connection without an answer"), ("hello\r\n\r\n", "does not speak HTTP"),
      (head + "Content-Length: 100\r\n\r\n{\"alarms\":[", "broke off after 11 bytes"),
      (head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"ala\r\n", "broke off after 5 bytes"),
      (head + "Content-Length: 5\r\n\r\nhello", "it is not JSON"),
    ])
    func `a malformed response gives exit code 3 and a reason`(answer: String, why: String)
      async throws
    {
      try await reach(answer, ["list"]) { finished in
        #expect(finished.code == 3, "\(finished)")
        #expect(finished.complaint.contains(why), "\(finished)")
        #expect(finished.output == "", "\(finished)")
      }
    }

    @Test func `an export that breaks off leaves no file`() async throws {
      let answer = Self.head + "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n"
      try await reach(answer, ["export", "OUT"]) { finished in
        #expect(finished.code == 3, "\(finished)")
      }
    }

    @Test func `an export that is not an archive leaves no file`() async throws {
      let answer = Self.head + "Content-Length: 700\r\n\r\n" + String(repeating: "x", count: 700)
      try await reach(answer, ["export", "OUT"]) { finished in
        #expect(finished.code == 3, "\(finished)")
        #expect(finished.complaint.contains("is not a plain file"), "\(finished)")
      }
    }

    @Test func `a refusal is read although the server did not read the recording`() async throws {
      let detail = #"{"detail":"cannot use this recording: too long"}"#
      let answer =
        "HTTP/1.1 413 No\r\nConnection: close\r\nContent-Length: \(detail.count)\r\n\r\n\(detail)"
      try await reach(answer, ["tone", "add", "mum", "BIG"], reads: false) { finished in
        #expect(finished.code == 1, "\(finished)")
        #expect(finished.complaint == "prompter: cannot use this recording: too long\n")
      }
    }

    @Test func `a refusal without a reason is still a refusal`() async throws {
      try await reach("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", ["list"]) { finished in
        #expect(finished.code == 1, "\(finished)")
        #expect(finished.complaint.contains("500"), "\(finished)")
      }
    }

    @Test func `without a daemon the command line names the socket and ends with 3`() async throws {
      let home = try TestHome()
      let finished = try await home.run("list")
      #expect(finished.code == 3)
      #expect(finished.complaint.contains(home.socket), "\(finished)")
      #expect(finished.complaint.contains("no such socket"), "\(finished)")
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test(arguments: [
      ["--help"], ["help", "add"], ["tone"], ["--generate-completion-script", "bash"],
    ])
    func `help needs no daemon and ends with 0`(arguments: [String]) async throws {
      let home = try TestHome()
      let finished = try await home.run(arguments)
      #expect(finished.code == 0, "\(finished)")
      #expect(!finished.output.isEmpty && finished.complaint.isEmpty, "\(finished)")
      try FileManager.default.removeItem(at: home.directory)
    }

    /// Runs a command that receives a scripted response.
    ///
    /// The function also checks that the command leaves no file.
    private func reach(
      _ answer: String, _ arguments: [String], reads: Bool = true,
      _ check: (Finished) throws -> Void
    ) async throws {
      let home = try TestHome()
      let server = try ScriptedServer(socket: home.socket, says: answer, reads: reads)
      try Data(count: 8 << 20).write(to: home.directory.appending(path: "big.wav"))
      let names = ["OUT": home.path("out"), "BIG": home.path("big.wav")]
      let finished = try await home.run(arguments.map { names[$0] ?? $0 })
      try check(finished)
      let left = try FileManager.default.contentsOfDirectory(atPath: home.directory.path())
      #expect(!left.contains { $0.hasPrefix("out") && !$0.hasSuffix(".out") }, "\(left)")
      withExtendedLifetime(server) {}
      try FileManager.default.removeItem(at: home.directory)
    }
  }
}
