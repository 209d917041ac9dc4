import Foundation
import StudyExport
import Testing

extension EndToEnd {
  /// Tests commands that root runs in a state directory of another user.
  ///
  /// The other user has put links into the directory. The commands must not change the targets of
  /// these links.
  @Suite(.enabled(if: geteuid() == 0)) struct ForeignState {
    /// A uid that belongs to no user.
    private static let owner: uid_t = 61_234

    /// Runs `body` in a home whose state directory belongs to `owner`.
    ///
    /// Outside this directory is a file (`victim`) to which only root may write. At the end, the
    /// function checks that the file is unchanged.
    private func withHome(_ body: (TestHome, _ victim: String) async throws -> Void) async throws {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      let victim = home.path("victim")
      try Data("untouched".utf8).write(to: URL(filePath: victim))
      chmod(victim, 0o600)
      mkdir(home.state, 0o700)
      chown(home.state, Self.owner, Self.owner)
      try await body(home, victim)
      #expect(try Data(contentsOf: URL(filePath: victim)) == Data("untouched".utf8))
      var status = stat()
      #expect(stat(victim, &status) == 0 && status.st_uid == 0 && status.st_mode & 0o777 == 0o600)
    }

    /// Makes a backup of another home, and then stops that home.
    private func backup(into home: TestHome) async throws -> String {
      let file = home.path("home.backup")
      let old = try TestHome()
      defer { try? FileManager.default.removeItem(at: old.directory) }
      try await old.start()
      let voice = TestHome.fixtures.appending(path: "sound/warble.flac").path(percentEncoded: false)
      _ = try await old.ask("tone", "add", "voice", voice)
      _ = try await old.ask("add", "Pills", "--schedule", "every day 08:00", "--tone", "voice")
      _ = try await old.ask("backup", file)
      _ = await old.stop()
      // A backup that root copied to this device has this mode.
      chmod(file, 0o600)
      return file
    }

    private func restore(_ file: String, _ home: TestHome, state: String? = nil) async throws
      -> Finished
    {
      let beside = (Programs.path("prompterd") as NSString).deletingLastPathComponent
      return try await Running(
        Programs.path("prompter"),
        ["restore", file, "--state", state ?? home.state, "--old-device-is-gone"],
        in: home.directory, environment: ["PATH": "\(beside):/usr/bin:/bin"]
      ).finished()
    }

    private func link(_ target: String, _ path: String) {
      #expect(symlink(target, path) == 0)
      lchown(path, Self.owner, Self.owner)
    }

    private func owners(below path: String) throws -> Set<uid_t> {
      var found: Set<uid_t> = []
      for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
        var status = stat()
        #expect(lstat("\(path)/\(name)", &status) == 0)
        found.insert(status.st_uid)
        #expect(status.st_mode & 0o077 == 0 || status.st_mode & S_IFMT == S_IFLNK, "\(name)")
      }
      return found
    }

    @Test func `a restore runs as the owner, and its files belong to the owner`() async throws {
      try await withHome { home, _ in
        let file = try await backup(into: home)
        let restored = try await restore(file, home)
        #expect(restored.code == 0, "\(restored)")
        #expect(try owners(below: home.state) == [Self.owner])
        #expect(FileManager.default.fileExists(atPath: home.state + "/record.sqlite"))
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: home.state + "/tones").count == 1)
        #expect(!FileManager.default.fileExists(atPath: home.state + "/restoring"))
        // The second restore of the same backup moves the present state into a new directory.
        let again = try await restore(file, home)
        #expect(again.code == 0, "\(again)")
        #expect(try owners(below: home.state) == [Self.owner])
      }
    }

    @Test(arguments: ["lock", "restoring", "record.sqlite", "tones", "images", "moved.json"])
    func `a restore follows no link in place of one of our files`(name: String) async throws {
      try await withHome { home, victim in
        let file = try await backup(into: home)
        let folder = home.path("folder")
        mkdir(folder, 0o755)
        try Data("kept".utf8).write(to: URL(filePath: "\(folder)/kept"))
        let isFolder = ["restoring", "tones", "images"].contains(name)
        link(isFolder ? folder : victim, "\(home.state)/\(name)")
        let restored = try await restore(file, home)
        #expect((restored.code == 0) == (name != "lock"), "\(restored)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["kept"])
      }
    }

    @Test func `a hard link in place of the lock is refused`() async throws {
      try await withHome { home, victim in
        let file = try await backup(into: home)
        #expect(Foundation.link(victim, home.state + "/lock") == 0)
        let restored = try await restore(file, home)
        #expect(restored.code == 1, "\(restored)")
      }
    }

    @Test func `root does not follow another user's link to a state directory`()
      async throws
    {
      try await withHome { home, _ in
        let file = try await backup(into: home)
        let target = home.path("root-only")
        mkdir(target, 0o700)
        link(target, home.path("alias"))
        for state in [home.path("alias"), home.path("alias") + "/"] {
          let restored = try await restore(file, home, state: state)
          #expect(restored.code == 1 && restored.complaint.contains("it is a link"), "\(restored)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
        chmod(target, 0o777)
        let open = try await restore(file, home, state: target)
        #expect(open.code == 1 && open.complaint.contains("users other than root"), "\(open)")
        let missing = try await restore(file, home, state: home.path("nowhere"))
        #expect(missing.code == 1 && missing.complaint.contains("No such file"), "\(missing)")
        let fifo = home.path("fifo")
        mkfifo(fifo, 0o600)
        let pipe = try await restore(fifo, home)
        #expect(pipe.code == 1 && pipe.complaint.contains("it is not a file"), "\(pipe)")
      }
    }

    @Test func `the daemon does not start as root on the directory of another user`() async throws {
      try await withHome { home, victim in
        link(victim, home.state + "/lock")
        let refused = try home.launch()
        let finished = await refused.finished()
        #expect(finished.code == 1, "\(finished)")
        #expect(finished.complaint.contains("belongs to uid \(Self.owner)"), "\(finished)")
        // A daemon that runs as the owner does not follow the link either.
        let own = try await Running(
          "/usr/bin/setpriv",
          [
            "--reuid", "\(Self.owner)", "--regid", "\(Self.owner)", "--clear-groups",
            Programs.path("prompterd"), "--state", home.state, "--socket", home.path("s.sock"),
          ], in: home.directory
        ).finished()
        #expect(own.code == 1 && own.complaint.contains("\"lock\" is a link"), "\(own)")
      }
    }
  }

  /// Tests exports of a hostile daemon, for example of a remote home.
  @Suite struct HostileArchive {
    private func export(_ body: [UInt8]) async throws -> (Finished, [String]?) {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      let head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-tar\r\nContent-Length: \(body.count)\r\n"
        + "Connection: close\r\n\r\n"
      let server = try ScriptedServer(
        socket: home.socket, says: head + String(decoding: body, as: UTF8.self))
      let directory = home.path("export")
      let finished = try await home.run("export", directory)
      withExtendedLifetime(server) {}
      let beside = try FileManager.default.contentsOfDirectory(
        atPath: home.directory.path(percentEncoded: false))
      #expect(!beside.contains { $0.contains("partial") }, "\(beside)")
      return (finished, try? FileManager.default.contentsOfDirectory(atPath: directory))
    }

    private func member(_ name: String, mode: String = "0000644", kind: String = "0") -> [UInt8] {
      var block = TarHeader.bytes(name: name, size: 0)
      block.replaceSubrange(100..<107, with: Array(mode.utf8))
      block[156] = kind.utf8.first ?? 0
      if kind == "2" { block.replaceSubrange(157..<168, with: Array("/etc/shadow".utf8)) }
      block.replaceSubrange(148..<156, with: Array("        ".utf8))
      let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
      block.replaceSubrange(
        148..<156,
        with: Array((String(repeating: "0", count: 6 - sum.count) + sum).utf8) + [0, 0x20])
      return block
    }

    @Test func `only plain files are unpacked`() async throws {
      let (good, files) = try await export(member("events.csv") + TarHeader.end)
      #expect(good.code == 0 && files == ["events.csv"], "\(good)")
      for (what, block) in [
        ("setuid", member("sh", mode: "0004755")), ("link", member("events.csv", kind: "2")),
        ("directory", member("d", kind: "5")), ("path", member("../events.csv")),
      ] {
        let (bad, files) = try await export(
          member("prompts.csv") + block + TarHeader.end)
        #expect(bad.code == 3 && files == nil, "\(what): \(bad)")
        #expect(bad.complaint.contains("sent a damaged archive"), "\(what): \(bad)")
      }
    }
  }
}
