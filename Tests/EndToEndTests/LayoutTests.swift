import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests exports in the layouts that other programs read.
  @Suite struct Layouts {
    /// Reads a table, and returns a dictionary for each row.
    private func rows(
      _ home: TestHome, _ file: String, separator: Character
    ) throws -> [[String: String]] {
      let text = try String(contentsOfFile: home.path(file), encoding: .utf8)
        .replacingOccurrences(of: "\"", with: "")
      let lines = text.split(separator: "\n").map {
        $0.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
      }
      return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
    }

    @Test(arguments: ["America/New_York", "Asia/Kolkata"])
    func `all times of a row are on one clock, also for an alarm of another zone`(
      zone: String
    ) async throws {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Pills", "--schedule", "in 1 seconds", "--zone", zone, "--rings", "1")
        try await home.ring(1)
        _ = try await home.ask("ack")
        _ = try await home.ask("done", "Pills")
        for layout in ["mpath", "cleanadh"] {
          let made = try await home.run(
            "export", home.path(layout), "--layout", layout, "--profile", "limited")
          #expect(made.code == 0, "\(made)")
        }
        let beep = try #require(
          try rows(home, "mpath/mpath_basic.csv", separator: ";").first, "no beep")
        let times = try ["Scheduled", "Sent", "Start", "Stop"].map {
          try #require(beep["timeStamp\($0)"].flatMap { Int($0) }, "\(beep)")
        }
        #expect(times == times.sorted() && times[3] - times[0] < 60, "\(times)")
        let offset = try #require(beep["timeZoneOffset"].flatMap { Int($0) })
        #expect(offset == TimeZone(identifier: zone)?.secondsFromGMT())
        #expect(abs(times[0] - offset - Int(Date().timeIntervalSince1970)) < 120)
        let opening = try #require(
          try rows(home, "cleanadh/eventlist.csv", separator: ",").first, "no opening")
        let reader = DateFormatter()
        reader.dateFormat = "yyyy-MM-dd HH:mm:ss"
        reader.timeZone = TimeZone(secondsFromGMT: 0)
        let date = try #require(opening["Date"].flatMap { reader.date(from: $0) }, "\(opening)")
        #expect(Int(date.timeIntervalSince1970) == times[3])
        let info = try #require(try rows(home, "cleanadh/EMInfo.csv", separator: ",").first)
        #expect(opening["Date"]?.hasPrefix(info["EndDate"] ?? "?") == true, "\(info) \(opening)")
      }
    }

    @Test func `an announcement is not an opening of a pill box`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("say", "Shall I come?", "--answer", "heard", "--expires", "5m")
        try await home.until("it is answered", seconds: 20) {
          try await home.run("done").code == 0
        }
        let made = try await home.run("export", home.path("cleanadh"), "--layout", "cleanadh")
        #expect(made.code == 0, "\(made)")
        #expect(try rows(home, "cleanadh/eventlist.csv", separator: ",").isEmpty)
        #expect(try rows(home, "cleanadh/EMInfo.csv", separator: ",").isEmpty)
      }
    }
  }
}
