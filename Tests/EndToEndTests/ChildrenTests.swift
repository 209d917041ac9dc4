import Foundation
import Glibc
import JSONValue
import Testing

extension EndToEnd {
  /// Tests which descriptors and environment variables child processes inherit.
  ///
  /// The child processes belong to the daemon or to the command line.
  @Suite struct Children {
    /// Returns a configuration with one contact.
    ///
    /// The command of the contact writes its descriptors and its environment into files.
    private static func config(_ home: TestHome) -> String {
      """
      [contacts.bob]
      command = [
        "/bin/sh", "-c",
        'ls /proc/self/fd > "$1.fd"; cat "/proc/$$/environ" > "$1.env"; : > "$1"', "sh",
        "\(home.path("said"))",
      ]
      """
    }

    @Test func `a contact's command gets no connection and only its own variables`()
      async throws
    {
      let home = try TestHome()
      do {
        try await home.start(config: Self.config(home))
        // These programs are other clients with open connections. The daemon has a descriptor for
        // each connection.
        let streams = try (0..<4).map { _ in
          try Running(
            "/usr/bin/curl",
            ["-sN", "--unix-socket", home.socket, "http://home/v1/events?after=0"],
            in: home.directory)
        }
        try await home.until("the streams flow", seconds: 30) {
          streams.allSatisfy { !$0.output.isEmpty }
        }
        let added = try await home.run(
          "add", "Take the pills", "--schedule", "in 1 seconds", "--step", "1 ring", "--tell",
          "bob after 1s")
        #expect(added.code == 0, "\(added)")
        try await home.until("bob is told", seconds: 60) {
          FileManager.default.fileExists(atPath: home.path("said"))
        }
        // The descriptor 3 is the directory that `ls` reads.
        let open = try String(contentsOfFile: home.path("said.fd"), encoding: .utf8)
        #expect(open.split(separator: "\n").sorted() == ["0", "1", "2", "3"], "\(open)")
        let environment = try String(contentsOfFile: home.path("said.env"), encoding: .utf8)
          .split(separator: "\0").map { $0.split(separator: "=")[0] }
        #expect(
          environment.sorted() == [
            "LANG", "PATH", "PROMPTER_ALARM_ID", "PROMPTER_ATTEMPT", "PROMPTER_CONTACT",
            "PROMPTER_INACTIVE_HOURS", "PROMPTER_LABEL", "PROMPTER_PERSON", "PROMPTER_PERSON_NAME",
            "PROMPTER_POSITION", "PROMPTER_PROMPT_ID", "PROMPTER_REASON", "PROMPTER_SCHEDULED",
            "PROMPTER_TEXT",
          ])
        for stream in streams { stream.send(SIGTERM) }
      } catch {
        await home.kill()
        throw error
      }
      await home.kill()
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test func `an editor gets no connection to the home`() async throws {
      try await TestHome.with { home in
        let added = try await home.ask("add", "Tea", "--schedule", "every day 08:00")
        let id = try #require(added["alarm"]?["id"]?.string)
        let list = home.path("open")
        let editor = home.path("editor")
        try Data("#!/bin/sh\nls -l /proc/$$/fd > '\(list)'\n".utf8).write(to: URL(filePath: editor))
        #expect(chmod(editor, 0o700) == 0)
        // The command line does not pass on an extra descriptor that it inherited from its parent
        // process.
        let edited = try await Running(
          "/bin/sh",
          [
            "-c", "exec 7</etc/passwd; exec \"$0\" --socket \"$1\" edit \"$2\"",
            Programs.path("prompter"), home.socket, id,
          ], in: home.directory, environment: ["VISUAL": "", "EDITOR": editor]
        ).finished()
        let open = try #require(
          try? String(contentsOfFile: list, encoding: .utf8), "\(edited)")
        // The shell opens descriptors from 10 up for its own script. The test therefore checks only
        // that the list contains none of the following descriptors.
        for stray in ["socket:", "eventpoll", "eventfd", "/etc/passwd"] {
          #expect(!open.contains(stray), "\(open)")
        }
        #expect(open.contains(" 0 -> "), "\(open)")
      }
    }

    /// Only root can run this test, because the test acts as another user.
    @Test(.enabled(if: geteuid() == 0))
    func `a user with several roles has the rights of all, and whoami lists them`() async throws {
      let config = """
        [roles]
        patient = ["65531"]
        researcher = ["65531"]
        monitor = ["@65531", "65532"]
        """
      try await TestHome.with(config: config) { home in
        let status = try await home.curl(as: "65531", "GET", "/v1/status")
        #expect(status.text.contains(#""roles":["researcher","patient","monitor"]"#), "\(status)")
        // Each of these paths needs a different role.
        for path in ["/v1/study/phases", "/v1/agenda", "/v1/metrics"] {
          #expect(try await home.curl(as: "65531", "GET", path).status == "200", "\(path)")
        }
        #expect(
          try await home.curl(as: "65531", "POST", "/v1/alarms", body: "{}").status == "403")
        #expect(try await home.curl(as: "65532", "GET", "/v1/agenda").status == "403")
        let who = try await Running(
          "/usr/bin/setpriv",
          [
            "--reuid", "65531", "--regid", "65531", "--clear-groups", Programs.path("prompter"),
            "--socket", home.socket, "whoami",
          ], in: home.directory
        ).finished()
        #expect(who.output.contains("researcher, patient, monitor"), "\(who)")
        for path in ["/v1/metrics", "/v1/study/phases", "/v1/prompts/{id}/complete"] {
          #expect(who.output.contains(path), "\(who)")
        }
      }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `no name in a refused path gets into the journal or the record`()
      async throws
    {
      try await TestHome.with(config: "[roles]\npatient = [\"65533\"]\n") { home in
        for path in ["/v1/tones/AnnaMusterfrau", "/v1/images/AnnaMusterfrau"] {
          #expect(try await home.curl(as: "65533", "DELETE", path).status == "403")
        }
        #expect(
          try await home.curl(as: "65534", "GET", "/v1/people/AnnaMusterfrau").status == "403")
        #expect(try await home.curl(as: "65534", "GET", "/AnnaMusterfrau").status == "403")
        #expect(!home.complaint.contains("Musterfrau"), "\(home.complaint)")
        #expect(home.complaint.contains("/v1/tones/{name}"), "\(home.complaint)")
        let log = try await home.run("log").output
        #expect(log.contains("denied") && !log.contains("Musterfrau"))
      }
    }
  }
}
