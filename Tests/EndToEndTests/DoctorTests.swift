import Foundation
import Testing
import Wire

extension EndToEnd {
  /// What `prompter doctor` finds, and what it makes of it.
  @Suite struct Doctor {
    @Test func `a home that rings is well, with a fix beside each warning`() async throws {
      try await TestHome.with(config: "zone = \"Europe/Berlin\"\n") { home in
        try await home.until("the speaker was tried", seconds: 20) {
          try await home.ask("status")["speaker"]?["usable"]?.bool == true
        }
        let report = try await home.ask("doctor")
        #expect(report["ok"]?.bool == true, "\(report)")
        let findings = try #require(report["findings"]?.array)
        let checks = Set(findings.compactMap { $0["check"]?.string })
        #expect(
          checks.isSuperset(of: [
            "daemon", "role", "clock", "zone", "tzdata", "speaker", "speech", "disk", "record",
            "alarms", "socket",
          ]), "\(checks)")
        for finding in findings where finding["grade"]?.string == "warning" {
          #expect(finding["fix"]?.string?.isEmpty == false, "\(finding)")
        }
        let said = try await home.run("doctor")
        #expect(said.code == 0 && said.output.contains("Alarms will ring."), "\(said)")
      }
    }

    @Test func `without a daemon it says why, and what to do`() async throws {
      let home = try TestHome()
      let finished = try await home.run("doctor")
      #expect(finished.code == 3, "\(finished)")
      for word in ["silent   daemon", "no such socket", "→ start", "might not be heard"] {
        #expect(finished.output.contains(word), "\(word): \(finished)")
      }
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test(arguments: [
      (#""speaker":{"usable":false,"trouble":"hw:7 is busy"}"#, "speaker", "hw:7 is busy"),
      (#""record":{"events":3,"writable":false}"#, "record", "cannot be written"),
      (#""clock":{"state":"unset"}"#, "clock", "not believed"),
      (#""machine":{"free_bytes":1000000,"state_directory":"/x"}"#, "disk", "0 MiB free for /x"),
    ])
    func `what silences an alarm ends with 1`(
      member: String, check: String, text: String
    ) async throws {
      let report = try await report(
        "HTTP/1.1 200 OK\r\n", "{\(member),\"zone\":\"Europe/Berlin\"}", code: 1)
      #expect(
        report.contains {
          $0["check"]?.string == check && $0["grade"]?.string == "silent"
            && $0["text"]?.string?.contains(text) == true && $0["fix"]?.string != nil
        }, "\(report)")
    }

    @Test(arguments: [
      (#""zone":"UTC""#, "zone"), (#""tzdata":"2019a""#, "tzdata"),
      (#""tzdata":"unknown""#, "tzdata"),
      (#""clock":{"state":"synced","utc":"2001-01-01T00:00:00.000Z"}"#, "clock"),
      (#""machine":{"missing_recordings":["dad"]}"#, "voice"),
      (#""machine":{"speech":false}"#, "speech"),
      (#""machine":{"free_bytes":50000000,"state_directory":"/x"}"#, "disk"),
      (#""problems":["the moon is full"]"#, "home"),
    ])
    func `what only makes it worse is a warning, and ends with 0`(
      member: String, check: String
    ) async throws {
      let report = try await report("HTTP/1.1 200 OK\r\n", "{\(member)}", code: 0)
      #expect(
        report.contains { $0["check"]?.string == check && $0["grade"]?.string == "warning" },
        "\(report)")
    }

    @Test func `somebody without a role hears that, and where roles are given`() async throws {
      let report = try await report(
        "HTTP/1.1 403 No\r\n", #"{"detail":"cannot serve uid 7: it has no role here"}"#, code: 1)
      let role = try #require(report.first { $0["check"]?.string == "role" })
      #expect(role["text"]?.string?.contains("uid 7") == true)
      #expect(role["fix"]?.string?.contains("[roles]") == true)
    }

    /// What is found where the daemon answers so.
    private func report(_ head: String, _ body: String, code: Int32) async throws -> [JSON] {
      let home = try TestHome()
      let server = try ScriptedServer(
        socket: home.socket,
        says: head + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body)
      let finished = try await home.run("--json", "doctor")
      withExtendedLifetime(server) {}
      #expect(finished.code == code, "\(finished)")
      try FileManager.default.removeItem(at: home.directory)
      return try JSON(parsing: Array(finished.output.utf8))["findings"]?.array ?? []
    }
  }
}
