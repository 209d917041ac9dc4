import Foundation
import JSONValue
import RequestHandlers
import Testing

extension EndToEnd {
  /// Tests the progress line of long work, which appears only on a terminal.
  @Suite struct LongWork {
    private static let days = 5_000
    /// The minimum duration of a verification.
    ///
    /// The test adds events until a verification takes longer than this time.
    private static let patience = Duration.seconds(3)

    @Test func `verify, export, backup and restore show progress on a terminal only`()
      async throws
    {
      try await TestHome.with { home in
        // The command shows no progress line for fast work.
        let brief = try await terminal(home, "verify")
        #expect(!brief.contains("verifying"), "\(brief)")
        // Each round imports all days again, with a value that differs from the value of the round
        // before. Each new value of a day adds an event.
        for round in 0..<60 {
          let rows = (0..<Self.days).map { index in
            let (year, month, day) = (1990 + index / 336, 1 + index / 28 % 12, 1 + index % 28)
            return
              "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day),\(round % 4)"
          }
          let file = home.path("diary.csv")
          try Data(("day,completion\n" + rows.joined(separator: "\n")).utf8).write(
            to: URL(filePath: file))
          let imported = try await home.run("study", "diary", "import", file, "--older")
          try #require(imported.code == 0, "\(imported)")
          guard round % 4 == 3 else { continue }
          let start = ContinuousClock.now
          _ = try await home.run("verify")
          if ContinuousClock.now - start > Self.patience { break }
        }
        let total = try #require(try await home.ask("status")["record"]?["events"]?.integer)

        let verified = try await terminal(home, "verify")
        let bars = verified.components(separatedBy: "\r").filter {
          $0.contains(" of \(total) events")
        }
        #expect(bars.contains { $0.contains("verifying") && $0.contains("[") }, "\(verified)")
        let done = bars.compactMap { bar in
          bar.components(separatedBy: "] ").last?.split(separator: " ").first.flatMap { Int($0) }
        }
        #expect(done == done.sorted() && (done.first ?? 0) > 0, "\(done)")

        let exported = try await terminal(home, "export", home.path("package"))
        let copied = try await terminal(home, "backup", home.path("home.backup"))
        for text in [exported, copied] {
          #expect(text.contains("Wrote"), "\(text)")
        }
        for arguments in [["verify"], ["export", home.path("p2")], ["backup", home.path("b2")]] {
          let piped = try await home.run(arguments)
          #expect(piped.code == 0 && piped.complaint == "", "\(piped)")
          #expect(!piped.output.contains("\r") && !piped.output.contains("["), "\(piped)")
        }
      }
    }

    /// Runs `prompter` on a terminal and returns everything that appears there.
    private func terminal(_ home: TestHome, _ arguments: String...) async throws -> String {
      let words = [Programs.path("prompter"), "--socket", home.socket] + arguments
      let finished = try await Running(
        "/usr/bin/script", ["-qec", words.joined(separator: " "), "/dev/null"], in: home.directory
      ).finished()
      #expect(finished.code == 0, "\(finished)")
      return finished.output
    }
  }
}
