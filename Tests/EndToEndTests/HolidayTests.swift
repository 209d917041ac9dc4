import Foundation
import JSONValue
import Testing

extension EndToEnd {
  @Suite struct Holidays {
    /// Returns the date that is `days` days after today, for example `20261201`.
    ///
    /// All dates depend on today, so the test can run on any day.
    private static func date(_ days: Int) -> String {
      let format = DateFormatter()
      format.dateFormat = "yyyyMMdd"
      format.timeZone = TimeZone(identifier: "UTC")
      return format.string(from: Date(timeIntervalSinceNow: Double(days) * 86_400))
    }

    private static func calendar(_ dates: [String]) -> String {
      let events = dates.map {
        "BEGIN:VEVENT\r\nUID:\($0)\r\nDTSTART;VALUE=DATE:\($0)\r\nSUMMARY:Feast\r\nEND:VEVENT\r\n"
      }
      return "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Public holidays\r\n\(events.joined())"
        + "END:VCALENDAR\r\n"
    }

    @Test func `a calendar file becomes a list, and its days are left out`() async throws {
      let file = TestHome.fixtures.appending(path: "holidays/berlin-2027.ics")
        .path(percentEncoded: false)
      try await TestHome.with { home in
        let own = home.path("own.ics")
        let dates = (1...9).map { Self.date($0) } + [Self.date(400)]
        try Data(Self.calendar(dates).utf8).write(to: URL(filePath: own))
        let early = try await home.run(
          "add", "Tea", "--schedule", "every day 08:00 not on holidays")
        #expect(early.code == 1 && early.complaint.contains("prompter holidays import FILE.ics"))
        let imported = try await home.run("holidays", "import", own)
        #expect(imported.output.contains("Imported the list of holidays Public-holidays: 10 days"))
        #expect(imported.output.contains("Feast"))
        let added = try await home.ask(
          "add", "Day centre", "--schedule", "every day 12:00 not on holidays")
        let first = added["next"]?.array?.first?["local"]?.string ?? ""
        let today = Self.date(0)
        #expect(
          first.hasPrefix(Self.dashed(Self.date(10))) || first.hasPrefix(Self.dashed(today)),
          "\(first)")
        let why = try await home.run(
          "why", "Day centre", "--at", "\(Self.dashed(Self.date(5))) 12:00")
        #expect(why.output.contains("is a holiday (Feast) of Public-holidays"), "\(why)")
        let listed = try await home.run("holidays")
        #expect(listed.output.contains("Day centre") && listed.output.contains("Public-holidays"))

        try Data(Self.calendar([Self.date(400), Self.date(401)]).utf8)
          .write(to: URL(filePath: own))
        let refused = try await home.run("holidays", "import", own)
        #expect(refused.code == 1 && refused.complaint.contains("--replace"), "\(refused)")
        #expect(refused.complaint.contains("Added: \(Self.dashed(Self.date(401))) Feast"))
        let replaced = try await home.run("holidays", "import", own, "--replace")
        #expect(replaced.output.contains("Planned anew: \"Day centre\""), "\(replaced)")
        let second = try await home.run("holidays", "import", file, "--name", "DE-BE")
        #expect(second.complaint.contains("\"Summer party\" has a time of day"), "\(second)")
        let kept = try await home.run("holidays", "remove", "public-holidays")
        #expect(kept.code == 1 && kept.complaint.contains("\"Day centre\" use it"))

        await home.kill()
        try await home.start()
        let shown = try await home.run("holidays", "show", "Public-holidays")
        #expect(shown.output.contains("\(Self.dashed(Self.date(401)))  Feast"), "\(shown)")
        #expect(try await home.ask("verify")["ok"]?.bool == true)
        let export = try await home.run("list", "--ics")
        #expect(export.output.contains("EXDATE;TZID="))
      }
    }

    private static func dashed(_ date: String) -> String {
      "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
    }
  }
}
