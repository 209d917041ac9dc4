import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests imports of calendar files with the real daemon.
  @Suite struct CalendarImports {
    private static func event(_ uid: String, _ hour: String, _ more: String = "") -> String {
      "BEGIN:VEVENT\r\nUID:\(uid)\r\nSUMMARY:Visit \(uid)\r\n"
        + "DTSTART;TZID=Europe/Berlin:20400302T\(hour)0000\r\n\(more)END:VEVENT\r\n"
    }

    private static func write(_ events: [String], _ path: String) throws {
      let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(events.joined())END:VCALENDAR\r\n"
      try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// Returns the action and the label of each alarm in a reply.
    private static func actions(_ reply: JSON) -> [String] {
      (reply["alarms"]?.array ?? []).map {
        "\($0["action"]?.string ?? "") \($0["alarm"]?["label"]?.string ?? "")"
      } + (reply["removed"]?.array ?? []).map { "removed \($0["alarm"]?["label"]?.string ?? "")" }
    }

    @Test func `a file that is imported again updates the alarms`() async throws {
      try await TestHome.with { home in
        let file = home.path("a.ics")
        try Self.write([Self.event("1", "08"), Self.event("2", "09"), Self.event("3", "10")], file)
        let trial = try await home.run("import", file, "--dry-run")
        #expect(trial.output.contains("Would set: \"Visit 1\""), "\(trial)")
        #expect(trial.output.contains("nothing was changed"), "\(trial)")
        #expect(try await home.ask("list")["alarms"]?.array?.count == 0)

        let first = try await home.ask("add", "--ics", file)
        #expect(Self.actions(first) == ["set Visit 1", "set Visit 2", "set Visit 3"])
        let id = first["alarms"]?.array?.first?["alarm"]?["id"]?.string ?? ""
        let shown = try await home.run("show", id)
        #expect(shown.output.contains("calendar event") && shown.output.contains("1"), "\(shown)")
        let same = try await home.ask("import", file)
        #expect(
          Self.actions(same) == ["unchanged Visit 1", "unchanged Visit 2", "unchanged Visit 3"])

        try Self.write(
          [
            Self.event("1", "08"), Self.event("2", "19"),
            Self.event("3", "10", "STATUS:CANCELLED\r\n"),
          ], file)
        let planned = try await home.run("import", file, "--dry-run")
        #expect(planned.output.contains("Would change: \"Visit 2\""), "\(planned)")
        #expect(planned.output.contains("Would remove: \"Visit 3\""), "\(planned)")
        #expect(try await home.ask("list")["alarms"]?.array?.count == 3)
        let changed = try await home.ask("import", file)
        #expect(
          Self.actions(changed) == ["unchanged Visit 1", "changed Visit 2", "removed Visit 3"])
        let list = try await home.ask("list")
        #expect(list["alarms"]?.array?.count == 2)

        await home.kill()
        try await home.start()
        #expect(Self.actions(try await home.ask("import", file)).allSatisfy { $0.hasPrefix("un") })
        #expect(try await home.ask("verify")["ok"]?.bool == true)
        let export = home.path("b.ics")
        let text = try await home.run("list", "--ics").output
        try Data(text.utf8).write(to: URL(filePath: export))
        let again = try await home.ask("import", export)
        #expect(
          Self.actions(again).sorted() == ["unchanged Visit 1", "unchanged Visit 2"], "\(again)")
      }
    }

    /// Imports a first file once, and then a second file twice.
    ///
    /// All events have the same text. `before` contains the UID and the hour of each event of the
    /// first file. `after` contains the same values of the second file. The hour 0 in `after` means
    /// that the second file cancels the event. `hours` contains the hours of the alarms at the end.
    @Test(arguments: [
      ([("a", 8)], [("a", 0), ("b", 8)], [8]), ([("a", 8), ("b", 8)], [("a", 0)], [8]),
      ([("a", 8), ("b", 8)], [("a", 10)], [8, 10]),
      ([("a", 8), ("b", 10)], [("a", 10), ("b", 12)], [10, 12]),
      (
        [("a", 8), ("b", 12), ("c", 16), ("d", 20)], [("a", 12), ("b", 16), ("c", 20), ("d", 22)],
        [12, 16, 20, 22]
      ),
    ])
    func `equal events do not take the alarms of each other`(
      before: [(String, Int)], after: [(String, Int)], hours: [Int]
    ) async throws {
      try await TestHome.with { home in
        let file = home.path("a.ics")
        for events in [before, after, after] {
          let texts = events.map { uid, hour in
            Self.event(
              uid, hour < 10 ? "0\(max(hour, 8))" : "\(hour)",
              hour == 0 ? "STATUS:CANCELLED\r\n" : "")
          }
          try Self.write(texts.map { $0.replacing(/Visit ./, with: "Pills") }, file)
          let reply = try await home.run("import", file)
          #expect(reply.code == 0, "\(reply)")
        }
        let alarms = try #require(try await home.ask("list")["alarms"]?.array)
        let found = alarms.compactMap { $0["schedule"]?.string?.split(separator: " ").last }
        #expect(
          found.map(String.init).sorted()
            == hours.map { $0 < 10 ? "0\($0):00" : "\($0):00" }.sorted())
      }
    }

    @Test func `an alarm that would ring too often is set with fewer rings`() async throws {
      try await TestHome.with { home in
        let file = home.path("a.ics")
        let reminders = [60, 30, 15, 10, 5].map {
          "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT\($0)M\r\nEND:VALARM\r\n"
        }
        try Self.write([Self.event("1", "08", reminders.joined())], file)
        let replies = [
          try await home.ask("import", file, "--dry-run"), try await home.ask("import", file),
        ]
        for reply in replies {
          let notes = (reply["notes"]?.array ?? []).compactMap { $0["reason"]?.string }
          #expect(notes.contains { $0.contains("it rings 3 times at each due time") }, "\(notes)")
          #expect(reply["alarms"]?.array?.count == 1)
        }
        let list = try await home.ask("list")
        #expect(list["alarms"]?.array?.first?["rings"]?.integer == 3)
      }
    }

    @Test func `an older file changes nothing back, and one occurrence moves in all alarms`()
      async throws
    {
      try await TestHome.with { home in
        let file = home.path("a.ics")
        func imports(
          _ events: [String], _ method: String = "PUBLISH", older: Bool = false
        ) async throws -> JSON {
          let text =
            "BEGIN:VCALENDAR\r\nMETHOD:\(method)\r\n\(events.joined())END:VCALENDAR\r\n"
          try Data(text.utf8).write(to: URL(filePath: file))
          return older
            ? try await home.ask("import", file, "--older") : try await home.ask("import", file)
        }
        func version(_ number: Int) -> String {
          "SEQUENCE:\(number)\r\nDTSTAMP:2026010\(number + 1)T000000Z\r\n"
        }
        func notes(_ reply: JSON) -> [String] {
          (reply["notes"]?.array ?? []).compactMap { $0["reason"]?.string }
        }
        let series =
          "RRULE:FREQ=WEEKLY\r\nBEGIN:VALARM\r\nACTION:AUDIO\r\nTRIGGER:PT1H\r\nEND:VALARM\r\n"
        let first = try await imports([Self.event("1", "08", version(2) + series)])
        #expect(Self.actions(first) == ["set Visit 1", "set Visit 1"])
        let older = try await imports([Self.event("1", "10", version(1) + series)])
        #expect(Self.actions(older).isEmpty)
        #expect(notes(older).contains { $0.contains("older than the alarm that is set") })
        let proposal = try await imports([Self.event("1", "12", version(3) + series)], "COUNTER")
        #expect(Self.actions(proposal).isEmpty)

        let change = "RECURRENCE-ID;TZID=Europe/Berlin:20400309T080000\r\n"
        let moved = try await imports([Self.event("1", "15", version(3) + change)], "REQUEST")
        #expect(
          Self.actions(moved) == ["set Visit 1", "changed Visit 1", "changed Visit 1"], "\(moved)")
        let alarms = try #require(try await home.ask("list")["alarms"]?.array)
        for (zone, hour) in [("09T080000", "T080000"), ("09T090000", "T090000")] {
          let schedule = alarms.compactMap { $0["schedule"]?.string }.first { $0.contains(hour) }
          #expect(schedule?.contains("EXDATE:204003\(zone)") == true, "\(alarms)")
        }

        let cancelled = "UID:1\r\n" + version(5)
        let cancel = ["BEGIN:VEVENT\r\n\(cancelled)END:VEVENT\r\n"]
        #expect(Self.actions(try await imports(cancel, "CANCEL")).count == 3)
        await home.kill()
        try await home.start()
        let again = try await imports([Self.event("1", "08", version(2) + series)])
        #expect(Self.actions(again).isEmpty)
        #expect(notes(again).contains { $0.contains("a newer file cancelled it") })
        #expect(try await home.ask("list")["alarms"]?.array?.isEmpty == true)
        let forced = try await imports(
          [Self.event("1", "08", version(2) + series)], older: true)
        #expect(Self.actions(forced) == ["set Visit 1", "set Visit 1"])
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    /// The script `Tests/Fuzz/calendar_files.py` tests a file with the maximum number of lines.
    @Test func `a file with too many lines is refused`() async throws {
      try await TestHome.with { home in
        let file = home.path("long.ics")
        let lines = String(repeating: "A:\n", count: 999_999)
        try Data("BEGIN:VCALENDAR\n\(lines)END:VCALENDAR\n".utf8).write(to: URL(filePath: file))
        let said = try await home.run("import", file, "--dry-run")
        #expect(said.code == 2 && said.complaint.contains("too many lines"), "\(said)")
      }
    }

    @Test func `options that need a calendar file are refused without one`() async throws {
      try await TestHome.with { home in
        for words in [
          ["add", "Tea", "--schedule", "every day 08:00", "--dry-run"],
          ["add", "Tea", "--schedule", "every day 08:00", "--all-day", "08:00"],
          ["add", "Tea", "--schedule", "every day 08:00", "--older"],
          ["import", home.path("missing.ics")], ["import", home.path("a.ics"), "--all-day", "9"],
        ] {
          let refused = try await home.run(words)
          #expect(refused.code != 0, "\(words)")
        }
        #expect(try await home.ask("list")["alarms"]?.array?.count == 0)
      }
    }
  }
}
