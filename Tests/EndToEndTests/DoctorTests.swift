import API
import EventCoding
import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests the findings of `prompter doctor`.
  @Suite struct Doctor {
    @Test func `a home that rings is well, and each warning names a fix`() async throws {
      try await TestHome.with(config: "zone = \"Europe/Berlin\"\n") { home in
        try await home.until("the speaker was tried", seconds: 20) {
          try await home.ask("status")["speaker"]?["usable"]?.bool == true
        }
        let report = try await home.ask("doctor")
        #expect(report["ok"]?.bool == true, "\(report)")
        let findings = try #require(report["findings"]?.array)
        let checks = Set(findings.compactMap { $0["kind"]?.string })
        #expect(
          checks.isSuperset(of: [
            "daemon", "role", "clock", "zone", "tzdata", "speaker", "speech", "formats", "disk",
            "record",
            "alarms", "socket",
          ]), "\(checks)")
        for finding in findings where finding["grade"]?.string == "warning" {
          #expect(finding["fix"]?.string?.isEmpty == false, "\(finding)")
        }
        let said = try await home.run("doctor")
        #expect(said.code == 0 && said.output.contains("Alarms will ring."), "\(said)")
      }
    }

    @Test func `a failed notification and a configuration that everybody can read are reported`()
      async throws
    {
      let contacts = """
        [contacts.anna]
        command = ["/bin/true"]
        [contacts.bob]
        command = ["/usr/lib/no-such-program"]
        [contacts.carl]
        command = ["/etc/passwd"]

        """
      try await TestHome.with(config: contacts) { home in
        func findings(_ check: String) async throws -> [JSON] {
          try await home.ask("doctor")["findings"]?.array?.filter { $0["kind"]?.string == check }
            ?? []
        }
        _ = try await home.ask(
          "add", "Pills", "--schedule", "every day 08:00", "--tell", "anna after 10m")
        let broken = try await findings("contacts")
        #expect(broken.map { $0["grade"]?.string } == ["warning", "warning"], "\(broken)")
        #expect(broken.first?["text"]?.string?.contains("\"bob\"") == true, "\(broken)")
        #expect(broken.last?["text"]?.string?.contains("/etc/passwd is not a program") == true)
        #expect(broken.allSatisfy { $0["fix"]?.string?.contains("command") == true })

        let file = home.path("prompter.toml")
        #expect(chmod(file, 0o640) == 0)
        #expect(try await findings("configuration").first?["grade"]?.string == "well")
        #expect(chmod(file, 0o644) == 0)
        let readable = try #require(try await findings("configuration").first)
        #expect(readable["grade"]?.string == "warning", "\(readable)")
        #expect(readable["text"]?.string?.contains("every user can read") == true, "\(readable)")
        try Data("".utf8).write(to: URL(filePath: file))
        home.reload()
        try await home.until("anna is gone", seconds: 10) {
          try await findings("contacts").first?["text"]?.string
            == "there is no contact \"anna\", but 1 alarm would notify it"
        }
        #expect(chmod(file, 0o666) == 0)
        let open = try #require(try await findings("configuration").first)
        #expect(open["grade"]?.string == "warning" && open["fix"]?.string?.contains(file) == true)
      }
    }

    @Test func `the daemon, the command line and the API print the same version`() async throws {
      try await TestHome.with { home in
        let daemon = try await Running(
          Programs.path("prompterd"), ["--version"], in: home.directory
        ).finished()
        #expect(daemon.output == "\(Release.version)\n" && daemon.code == 0, "\(daemon)")
        let client = try await home.run("--version")
        #expect(client.output == daemon.output && client.code == 0, "\(client)")
        #expect(try await home.ask("status")["version"]?.string == Release.version)
      }
    }

    @Test func `without a daemon it names the reason and the fix`() async throws {
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
      (#""clock":{"state":"unset"}"#, "clock", "not trusted"),
    ])
    func `a finding that silences alarms gives exit code 1`(
      member: String, check: String, text: String
    ) async throws {
      let report = try await report(
        "HTTP/1.1 200 OK\r\n", "{\(member),\"zone\":\"Europe/Berlin\"}", code: 1)
      #expect(
        report.contains {
          $0["kind"]?.string == check && $0["grade"]?.string == "silent"
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
      (#""problems":[{"kind":"the_moon","detail":"the moon is full"}]"#, "home"),
      (#""problems":[{"kind":"person_unknown","detail":"any words at all"}]"#, "patients"),
      (#""problems":[{"kind":"hour_full","detail":"any words at all"}]"#, "limits"),
      (#""problems":[{"kind":"holidays_end","detail":"any words at all"}]"#, "holidays"),
    ])
    func `a finding that is only a warning gives exit code 0`(
      member: String, check: String
    ) async throws {
      let report = try await report("HTTP/1.1 200 OK\r\n", "{\(member)}", code: 0)
      #expect(
        report.contains { $0["kind"]?.string == check && $0["grade"]?.string == "warning" },
        "\(report)")
    }

    @Test(arguments: [
      (#""record":{"events":3,"writable":false}"#, "record", "alarms ring"),
      (#""machine":{"free_bytes":1000000,"state_directory":"/x"}"#, "disk", "0 MiB free for /x"),
      (#""problems":[{"kind":"configuration","detail":"line 3: no"}]"#, "configuration", "line 3"),
    ])
    func `a problem with which alarms still ring gives exit code 0`(
      member: String, check: String, text: String
    ) async throws {
      let report = try await report("HTTP/1.1 200 OK\r\n", "{\(member)}", code: 0)
      #expect(
        report.contains {
          $0["kind"]?.string == check && $0["grade"]?.string == "problem"
            && $0["text"]?.string?.contains(text) == true && $0["fix"]?.string != nil
        }, "\(report)")
    }

    @Test func `a user without a role learns that, and where roles are configured`() async throws {
      let report = try await report(
        "HTTP/1.1 403 No\r\n", #"{"detail":"cannot serve uid 7: it has no role here"}"#, code: 1)
      let role = try #require(report.first { $0["kind"]?.string == "role" })
      #expect(role["text"]?.string?.contains("uid 7") == true)
      #expect(role["fix"]?.string?.contains("[roles]") == true)
    }

    /// Returns the findings of `prompter doctor` for a scripted response.
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
