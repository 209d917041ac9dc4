import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests that damage to the record file does not silence the alarms.
  @Suite struct DamagedRecord {
    @Test func `a daemon with a destroyed record knows its alarms, rings, and reports the damage`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Pills", "--schedule", "every day 08:00")
        let copy = home.state + "/snapshot/record.sqlite"
        try await home.until("the second copy knows the alarm", seconds: 60) {
          guard let bytes = FileManager.default.contents(atPath: copy) else { return false }
          // While the daemon writes the copy, the directory also contains a journal file.
          return bytes.range(of: Data("Pills".utf8)) != nil
            && !FileManager.default.fileExists(atPath: copy + "-journal")
        }
        await home.kill()
        let record = home.state + "/record.sqlite"
        for companion in ["-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: record + companion)
        }
        let noise = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try noise.write(to: URL(filePath: record))

        try await home.start()
        let alarms = try await home.ask("list")["alarms"]?.array ?? []
        #expect(alarms.map { $0["label"]?.string } == ["Pills"])
        let problems = try await home.ask("status")["problems"]?.array ?? []
        let notified = problems.filter {
          $0["kind"]?.string == "record_notice"
            && $0["detail"]?.string?.contains("the record was damaged") == true
        }
        #expect(notified.count == 1, "\(problems)")
        let kept = try FileManager.default.contentsOfDirectory(atPath: home.state)
          .filter { $0.hasPrefix("damaged-") }
        #expect(kept.count == 1)
        #expect(
          FileManager.default.contents(
            atPath: "\(home.state)/\(kept.first ?? "")/record.sqlite") == noise)
        _ = try await home.ask("add", "Now", "--schedule", "in 1 seconds", "--rings", "1")
        try await home.ring(1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }
  }
}
