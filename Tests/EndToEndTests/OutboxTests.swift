import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests changes that the command line keeps while it cannot reach the home.
  @Suite struct Outbox {
    @Test func `kept changes are delivered in order once the home can be reached`() async throws {
      let home = try TestHome()
      for (label, rings) in [("First", "1"), ("Second", "2")] {
        let kept = try await home.outbox(
          "--queue", "add", label, "--schedule", "every day 08:00", "--rings", rings)
        #expect(kept.code == 3, "\(kept)")
        #expect(kept.complaint.contains("kept as number"), "\(kept)")
      }
      let listed = try await home.outbox("outbox")
      #expect(listed.code == 0 && listed.output.contains("Second"), "\(listed)")
      let early = try await home.outbox("outbox", "deliver")
      #expect(early.code == 3 && early.output.contains("no such socket"), "\(early)")

      try await home.start()
      // The command line delivers the kept changes before the new change.
      let third = try await home.outbox(
        "--queue", "add", "Third", "--schedule", "every day 08:00", "--rings", "3")
      #expect(third.code == 0 && third.output.contains("Third"), "\(third)")
      #expect(try await home.outbox("outbox").output == "No changes are waiting.\n")
      #expect(try await home.outbox("outbox", "deliver").code == 0)
      let rings = try await home.events("alarm_created").map { $0["payload"]?["rings"]?.integer }
      #expect(rings == [1, 2, 3])
      try await home.finish()
    }

    @Test func `an expired change is never applied`() async throws {
      let home = try TestHome()
      let kept = try await home.outbox(
        "--queue", "--expires", "1s", "add", "Late", "--schedule", "every day 08:00")
      #expect(kept.code == 3, "\(kept)")
      // A kept change that adds a one-off alarm also expires at the due time of this alarm.
      #expect(
        try await home.outbox("--queue", "add", "Gone", "--schedule", "in 1 seconds").code == 3)
      // Both changes expire after one second. The test waits for more than two seconds, because
      // the expiry times can be rounded up to a whole second.
      try await Task.sleep(for: .seconds(2.1))
      try await home.start()
      let delivered = try await home.outbox("outbox", "deliver")
      #expect(delivered.code == 1, "\(delivered)")
      #expect(delivered.output.components(separatedBy: "expired number").count == 3, "\(delivered)")
      #expect(try await home.ask("list")["alarms"]?.array == [])
      let listed = try await home.outbox("outbox", "list")
      #expect(listed.output.contains("expired"), "\(listed)")
      #expect(try await home.outbox("outbox", "drop", "1").code == 0)
      #expect(try await home.outbox("outbox", "drop", "1").code == 1)
      #expect(try await home.outbox("outbox", "drop", "--all").code == 0)
      #expect(try await home.outbox("outbox").output == "No changes are waiting.\n")
      try await home.finish()
    }

    @Test func `a relative time counts from the moment when it was typed`() async throws {
      let home = try TestHome()
      #expect(try await home.outbox("--queue", "add", "Soon", "--schedule", "in 2 hours").code == 3)
      let change = try #require(try home.kept().first)
      let schedule = try #require(change["schedule"]?.string)
      #expect(schedule.hasSuffix("Z") && change["zone"] == nil, "\(change)")
      let listed = try await home.outbox("outbox")
      #expect(listed.output.contains("DUE") && listed.output.contains(" 20"), "\(listed)")
      try await home.start(config: "zone = \"Asia/Tokyo\"\n")
      #expect(try await home.outbox("outbox", "deliver").code == 0)
      // The command line kept the change before the daemon started. The alarm is still due two
      // hours after the command, and the alarm has the zone of the home.
      let due = try await home.ask("next")["agenda"]?.array?.first
      #expect(due?["utc"]?.string == schedule)
      #expect(due?["zone"]?.string == "Asia/Tokyo")
      let alarm = try await home.ask("list")["alarms"]?.array?.first
      #expect(alarm?["zone"]?.string == "Asia/Tokyo", "\(alarm ?? .null)")
      #expect(alarm?["schedule"]?.string?.hasSuffix("Z") == false, "\(alarm ?? .null)")
      try await home.finish()
    }

    @Test func `a refused change is kept for inspection and delays no other change`() async throws {
      let home = try TestHome()
      // Without a connection, the command line cannot find the alarm with a label. When it delivers
      // the change, a different alarm may have this label. The command line therefore keeps the
      // change only if the command contains the id of the alarm.
      #expect(try await home.outbox("--queue", "remove", "Tea").code == 2)
      #expect(try await home.outbox("--queue", "remove", "n0n0n0n0n0n0").code == 3)
      #expect(
        try await home.outbox("--queue", "add", "Tea", "--schedule", "every day 08:00").code == 3)
      try await home.start()
      let delivered = try await home.outbox("outbox", "deliver")
      #expect(delivered.code == 1, "\(delivered)")
      #expect(try await home.ask("list")["alarms"]?.array?.count == 1)
      let left = try await home.outbox("--json", "outbox")
      let changes = try JSON(parsing: Array(left.output.utf8))["changes"]?.array ?? []
      #expect(changes.map { $0["state"]?.string } == ["refused"])
      #expect(changes.first?["reason"]?.string?.contains("n0n0n0n0n0n0") == true, "\(changes)")
      // If the command line can reach the home, it prints the refusal at once and does not keep the
      // change.
      let now = try await home.outbox("--queue", "remove", "n0n0n0n0n0n0")
      #expect(now.code == 1, "\(now)")
      #expect(try await home.outbox("--json", "outbox").output.contains("\"number\":3") == false)
      try await home.finish()
    }

    @Test func `a change whose response was lost takes effect once`() async throws {
      let home = try TestHome()
      try await home.start()
      let path = home.path("lossy.sock")
      let lossy = try LossyServer(socket: path, home: home.socket)
      func outbox(_ arguments: String...) async throws -> Finished {
        try await home.outbox(["--socket", path] + arguments)
      }
      let kept = try await outbox("--queue", "add", "Tea", "--schedule", "every day 08:00")
      #expect(kept.code == 3, "\(kept)")
      #expect(try await home.ask("list")["alarms"]?.array?.count == 1)
      let delivered = try await outbox("outbox", "deliver")
      #expect(delivered.code == 0, "\(delivered)")
      #expect(try await home.ask("list")["alarms"]?.array?.count == 1)
      #expect(try await home.events("alarm_created").count == 1)
      withExtendedLifetime(lossy) {}
      try await home.finish()
    }

    @Test func `only the owner can read an outbox`() async throws {
      let home = try TestHome()
      _ = try await home.outbox("--queue", "add", "Tea", "--schedule", "every day 08:00")
      let directory = home.path("outbox")
      func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? Int) ?? -1
      }
      #expect(try mode(directory) == 0o700)
      for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
        #expect(try mode("\(directory)/\(name)") == 0o600, "\(name)")
      }
      chmod(directory, 0o755)
      let open = try await home.outbox("--queue", "add", "Tea", "--schedule", "every day 08:00")
      #expect(open.code == 2 && open.complaint.contains("only this user may open it"), "\(open)")
      try await home.finish()
    }

    @Test(arguments: [
      ["--queue", "list"], ["--queue", "done"], ["--expires", "1h", "list"],
      ["--queue", "add", "A", "--schedule", "every blue moon"], ["outbox", "drop"],
    ])
    func `a change that cannot wait is refused at once and not kept`(arguments: [String])
      async throws
    {
      let home = try TestHome()
      let finished = try await home.outbox(arguments)
      #expect(finished.code == (arguments.contains("add") ? 1 : 2), "\(finished)")
      #expect(try home.kept().isEmpty)
      try await home.finish()
    }

    @Test func `the outbox works through ssh, too`() async throws {
      let home = try TestHome()
      let shell = try await SecureShell(in: home)
      let kept = try await home.outbox(
        ["--host", shell.url, "--queue", "add", "Tea", "--schedule", "every day 08:00"], shell)
      #expect(kept.code == 3, "\(kept)")
      try await home.start()
      let delivered = try await home.outbox(["outbox", "deliver"], shell)
      #expect(delivered.code == 0, "\(delivered)")
      #expect(try await home.ask("list")["alarms"]?.array?.count == 1)
      shell.stop()
      try await home.finish()
    }
  }
}

extension TestHome {
  func outbox(_ arguments: String...) async throws -> Finished { try await outbox(arguments) }

  /// Runs `prompter` with the outbox of this home.
  func outbox(_ arguments: [String], _ shell: SecureShell? = nil) async throws -> Finished {
    var environment = ["PROMPTER_OUTBOX": path("outbox")]
    environment["PROMPTER_SSH"] = shell?.client
    let there = shell == nil ? ["--socket", socket] : []
    return try await Running(
      Programs.path("prompter"), there + arguments, in: directory, environment: environment
    ).finished()
  }

  /// Returns the bodies of the kept changes.
  func kept() throws -> [JSON] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path("outbox"))) ?? []
    return try names.filter { $0.hasSuffix(".change") }.sorted().map { name in
      let text = try String(contentsOfFile: path("outbox/\(name)"), encoding: .utf8)
      return try JSON(parsing: Array((text.split(separator: "\n").last ?? "").utf8))
    }
  }

  /// Ends the daemon, if it runs, and removes all files.
  func finish() async throws {
    await kill()
    try FileManager.default.removeItem(at: directory)
  }
}
