import Foundation
import Testing

extension EndToEnd {
  /// Tests access to a home from another machine: through ssh, with `prompter bridge` in the home.
  @Suite struct RemoteAccess {
    @Test func `every kind of command works through ssh`() async throws {
      try await TestHome.with { home in
        let shell = try await SecureShell(in: home)
        let voice = home.path("voice.wav")
        let spoken = try await Running(
          "/usr/bin/espeak-ng", ["-w", voice, "Anna, take your pills please."], in: home.directory
        ).finished()
        #expect(spoken.code == 0, "\(spoken)")
        let stored = try await home.far(shell, "tone", "add", "dad", voice)
        #expect(stored.code == 0, "\(stored)")
        let added = try await home.far(
          shell, "--json", "add", "Take the pills", "--schedule", "in 1 seconds", "--tone", "dad")
        #expect(added.code == 0, "\(added)")
        try await home.ring(1)
        let done = try await home.far(shell, "done")
        #expect(done.code == 0 && done.output.contains("completed"), "\(done)")
        let listed = try await home.far(shell, "prompts", "--state", "closed")
        #expect(listed.output.contains("Take the pills"), "\(listed)")
        let log = try await home.far(shell, "log")
        #expect(log.output == (try await home.run("log")).output)
        let exported = try await home.far(shell, "export", home.path("out"))
        #expect(exported.code == 0, "\(exported)")
        let refused = try await home.far(shell, "show", "nosuch")
        #expect(refused.code == 1 && refused.complaint.contains("nosuch"), "\(refused)")
        withExtendedLifetime(shell) {}
      }
    }

    @Test func `a key can be restricted to the home`() async throws {
      try await TestHome.with { home in
        let bridge = Programs.path("prompter") + " bridge"
        let shell = try await SecureShell(in: home, allows: "restrict,command=\"\(bridge)\"")
        let status = try await home.far(shell, "status")
        #expect(status.code == 0, "\(status)")
        withExtendedLifetime(shell) {}
      }
    }

    @Test func `a bridge returns the response to a client that has stopped sending`() async throws {
      try await TestHome.with { home in
        let head = #"GET /v1/status HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"#
        let bridged = try await Running(
          "/bin/sh",
          [
            "-c",
            "printf '\(head)' | \(Programs.path("prompter")) --socket \(home.socket) bridge",
          ], in: home.directory
        ).finished()
        #expect(bridged.code == 0 && bridged.output.hasPrefix("HTTP/1.1 200"), "\(bridged)")
        #expect(bridged.output.contains("\"problems\":"), "\(bridged)")
      }
    }

    @Test func `a failed ssh connection is reported with the place to look at`() async throws {
      let home = try TestHome()
      let shell = try await SecureShell(in: home)
      let noDaemon = try await home.far(shell, "list")
      #expect(noDaemon.code == 3, "\(noDaemon)")
      #expect(noDaemon.complaint.contains("no daemon answers there"), "\(noDaemon)")
      #expect(noDaemon.complaint.contains("no such socket"), "\(noDaemon)")
      shell.stop()
      let noShell = try await home.far(shell, "list")
      #expect(
        noShell.code == 3 && noShell.complaint.contains("ssh could not connect"), "\(noShell)")
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test(arguments: [
      "ssh://-oProxyCommand=x", "ssh://a@-b", "ssh://a;b", "ssh://home:0", "ssh://home:70000",
      "ssh://", "http://home", "home", "ssh://a b", "ssh://[::1", "ssh://home/run/x",
    ])
    func `a malformed address of a home is not passed to ssh`(text: String) async throws {
      let home = try TestHome()
      let finished = try await Running(
        Programs.path("prompter"), ["--host", text, "list"], in: home.directory,
        environment: ["PROMPTER_SSH": "/bin/false"]
      ).finished()
      #expect(finished.code == 2, "\(finished)")
      try FileManager.default.removeItem(at: home.directory)
    }
  }
}

extension TestHome {
  /// Runs `prompter` for this home through ssh, as another machine does.
  func far(_ shell: SecureShell, _ arguments: String...) async throws -> Finished {
    try await Running(
      Programs.path("prompter"), ["--host", shell.url] + arguments, in: directory,
      environment: ["PROMPTER_SSH": shell.client]
    ).finished()
  }
}
