import Foundation
import JSONValue
import Testing

extension EndToEnd {
  @Suite struct Configuration {
    @Test(arguments: [
      ("zone = \"Europe/Berlin\"\nlevle = 3\n", "line 2: \"levle\" is not a key"),
      ("[roles]\n\nking = [\"0\"]\n", "line 3: \"roles.king\" is not a role"),
      ("[limits]\nalarms = 10\ntunes = 3\n", "line 3: \"limits.tunes\" is not a key"),
      ("level = 101\n", "line 1: \"level\" must be a whole number from 1 to 100"),
      ("# nothing\nzone = \"Mars/Base\"\n", "this system has no time zone \"Mars/Base\""),
      ("level = = 3\n", "line 1: "),
      ("[roles]\npatient = [\"@no-such-group\"]\n", "there is no group \"no-such-group\""),
    ])
    func `a wrong configuration is refused with its line`(
      text: String, words: String
    ) async throws {
      let checked = try await check(text)
      #expect(checked.code == 1)
      #expect(checked.complaint.contains(words), "\(checked)")
    }

    @Test func `a correct configuration passes the check`() async throws {
      let checked = try await check("zone = \"Europe/Berlin\"\n[roles]\npatient = [\"0\"]\n")
      #expect(checked.code == 0, "\(checked)")
    }

    @Test func `environment variables override the file and are checked, too`() async throws {
      let checked = try await check("level = 50\n", environment: ["PROMPTER_LEVEL": "150"])
      #expect(checked.code == 1)
      #expect(checked.complaint.contains("PROMPTER_LEVEL must be a whole number from 1 to 100"))
    }

    @Test func `an error in the file does not silence the home at the next start`() async throws {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      try await home.start(config: "zone = \"Asia/Tokyo\"\n")
      _ = await home.stop()
      try await home.start(config: "zoen = \"Asia/Tokyo\"\n")
      #expect(try await home.ask("status")["zone"]?.string == "Asia/Tokyo")
      _ = await home.stop()
    }

    @Test func `a reload changes the zone while a ring sounds, and a wrong file changes nothing`()
      async throws
    {
      try await TestHome.with(config: "zone = \"Asia/Tokyo\"\n") { home in
        _ = try await home.ask("add", "Pills", "--schedule", "every day 08:00")
        _ = try await home.ask(
          "add", "Ring on", "--schedule", "in 1 seconds", "--rings", "3", "--spacing", "10s")
        try await home.ring(1)
        let file = home.directory.appending(path: "prompter.toml")
        try Data("zone = \"Europe/Berlin\"\n".utf8).write(to: file)
        home.reload()
        try await home.until("the home has moved", seconds: 10) {
          try await home.ask("status")["zone"]?.string == "Europe/Berlin"
        }
        try Data("zone = 3\n".utf8).write(to: file)
        home.reload()
        try await home.until("the refusal is in the log", seconds: 10) {
          home.complaint.contains("the previous settings stay in use")
        }
        #expect(try await home.ask("status")["zone"]?.string == "Europe/Berlin")
        #expect(try await home.events("service_start").count == 1)
        try await home.ring(2)
      }
    }

    @Test(arguments: [
      (0o666, "users other than its owner can change it (mode 666)"), (0o622, "(mode 622)"),
      (0o660, "(mode 660)"), (0o602, "(mode 602)"),
    ])
    func `a file that others can change is refused`(mode: mode_t, words: String) async throws {
      let checked = try await check("level = 50\n") { chmod($0, mode) }
      #expect(checked.code == 1 && checked.complaint.contains(words), "\(checked)")
    }

    @Test func `a file that everybody can read gives a warning, and one for a group does not`()
      async throws
    {
      let open = try await check("level = 50\n") { chmod($0, 0o644) }
      #expect(open.code == 0 && open.complaint.contains("every user"), "\(open)")
      let closed = try await check("level = 50\n") { chmod($0, 0o640) }
      #expect(closed.code == 0 && closed.complaint.isEmpty, "\(closed)")
    }

    @Test(.enabled(if: geteuid() == 0))
    func
      `a file is refused if another user owns it or its directory, or if anybody may write there`()
      async throws
    {
      func directory(_ file: String) -> String { (file as NSString).deletingLastPathComponent }
      let theirs = try await check("level = 50\n") { chown($0, 61_234, 0) }
      #expect(theirs.code == 1 && theirs.complaint.contains("belongs to uid 61234"), "\(theirs)")
      for prepare in [
        { chmod(directory($0), 0o777) }, { chmod(directory($0), 0o770) },
        { chown(directory($0), 61_234, 0) },
        { file in
          // The configuration path is a symbolic link of root to a file of root. The directory of
          // this file is open to every user, so another user can replace the file.
          mkdir(directory(file) + "/open", 0o777)
          chmod(directory(file) + "/open", 0o777)
          rename(file, directory(file) + "/open/real.toml")
          return symlink(directory(file) + "/open/real.toml", file)
        },
      ] as [(String) -> Int32] {
        let checked = try await check("level = 50\n", prepare: prepare)
        #expect(checked.code == 1, "\(checked)")
        #expect(checked.complaint.contains("can replace it in the directory"), "\(checked)")
      }
      let sticky = try await check("level = 50\n") { chmod(directory($0), 0o1777) }
      #expect(sticky.code == 0, "\(sticky)")
    }

    @Test func `a file that others can change does not silence the home, and is not used`()
      async throws
    {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      let file = home.path("prompter.toml")
      func problems() async throws -> [String] {
        try await home.problems().filter { $0.contains("users other than its owner") }
      }
      try await home.start(config: "zone = \"Asia/Tokyo\"\n")
      #expect(try await problems().isEmpty)
      try Data("zone = \"Europe/Berlin\"\n".utf8).write(to: URL(filePath: file))
      chmod(file, 0o666)
      home.reload()
      try await home.until("it is told", seconds: 10) { try await !problems().isEmpty }
      #expect(try await home.ask("status")["zone"]?.string == "Asia/Tokyo")
      _ = await home.stop()
      // The daemon does not accept the file, because other users can change the file. At its
      // start, the daemon uses the last configuration that it accepted. If no configuration was
      // accepted before, the daemon uses the file and reports the problem.
      try await home.startAsItIs(config: file)
      #expect(try await home.ask("status")["zone"]?.string == "Asia/Tokyo")
      #expect(try await problems().first?.contains("uses the last configuration") == true)
      _ = await home.stop()
      #expect(unlink(home.state + "/config.last.toml") == 0)
      try await home.startAsItIs(config: file)
      #expect(try await home.ask("status")["zone"]?.string == "Europe/Berlin")
      #expect(try await problems().first?.contains("uses it anyway") == true)
      #expect(!FileManager.default.fileExists(atPath: home.state + "/config.last.toml"))
      chmod(file, 0o600)
      home.reload()
      try await home.until("all is well", seconds: 10) { try await problems().isEmpty }
      _ = await home.stop()
    }

    private func check(
      _ text: String, environment: [String: String] = [:],
      prepare: (String) -> Int32 = { chmod($0, 0o600) }
    ) async throws -> Finished {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      let file = home.directory.appending(path: "prompter.toml")
      try Data(text.utf8).write(to: file)
      chmod(file.path(percentEncoded: false), 0o600)
      #expect(prepare(file.path(percentEncoded: false)) == 0)
      return try await Running(
        Programs.path("prompterd"),
        ["--check-config", "--config", file.path(percentEncoded: false)], in: home.directory,
        environment: environment
      ).finished()
    }
  }
}
