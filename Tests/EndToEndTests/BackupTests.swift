import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// A whole home in one file, restored on another device.
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
      // An online backup: the old home continues, so a restore beside it is refused.
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
      try await old.launchAgain()
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
