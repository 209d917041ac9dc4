import Alarms
import CivilTime
import Foundation
import ICalendar
import ICalendarParser
import Testing

private let now = Instant(seconds: 1_795_248_000)

private func system(_ name: String) -> Zone? {
  guard let file = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)") else {
    return nil
  }
  return try? Zone(name: name, tzif: Array(file))
}

private struct Rule: Sendable {
  var from: String
  var to: String
  var start = "16010101T000000"
  var rule: String?
}

private func definition(_ id: String, _ rules: [Rule]) -> String {
  var text = "BEGIN:VTIMEZONE\nTZID:\(id)\n"
  for rule in rules {
    text += "BEGIN:STANDARD\nDTSTART:\(rule.start)\nTZOFFSETFROM:\(rule.from)\n"
    text += "TZOFFSETTO:\(rule.to)\n" + (rule.rule.map { "RRULE:\($0)\n" } ?? "") + "END:STANDARD\n"
  }
  return text + "END:VTIMEZONE\n"
}

private let europe = [
  Rule(
    from: "+0200", to: "+0100", start: "16010101T030000", rule: "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10"),
  Rule(
    from: "+0100", to: "+0200", start: "16010101T020000", rule: "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"),
]
private let eastern = [
  Rule(
    from: "-0400", to: "-0500", start: "20071104T020000", rule: "FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"),
  Rule(
    from: "-0500", to: "-0400", start: "20070311T020000", rule: "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
]

private func imported(
  _ id: String, _ rules: [Rule], home: String = "Europe/Berlin"
) throws -> ICalendarImport {
  let file =
    "BEGIN:VCALENDAR\n\(definition(id, rules))BEGIN:VEVENT\nSUMMARY:x\n"
    + "DTSTART;TZID=\"\(id)\":20270310T080000\nRDATE;TZID=\"\(id)\":20270311T080000\n"
    + "END:VEVENT\nEND:VCALENDAR\n"
  return ICalendarImport(
    CalendarReader.tree(Array(file.utf8), now: now), now: now,
    homeZone: try #require(system(home)), allDay: try ClockTime(hour: 9, minute: 0), zone: system)
}

@Suite struct `Zones that only the file defines` {
  @Test(arguments: [
    "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Customized Time Zone", "1",
    "tzone://Microsoft/Custom", "W. Europe Standard Time 2", "Mitteleuropäische Zeit",
  ])
  func `the rules of the file decide, and the home zone comes first`(id: String) throws {
    let berlin = try imported(id, europe)
    #expect(berlin.entries.first?.form.zone == "Europe/Berlin")
    let vienna = try imported(id, europe, home: "Europe/Vienna")
    #expect(vienna.entries.first?.form.zone == "Europe/Vienna")
    #expect(vienna.notes.count { $0.property == "TZID" } == 1)
    #expect(vienna.notes.contains { $0.reason.contains("are those of Europe/Vienna") })
  }

  @Test func `quotation marks and escape characters are not part of a name`() throws {
    for (written, named) in [("\"Zone\"", "Zone"), ("A\\, B", "A, B"), ("Zone", "'Zone'")] {
      let file =
        "BEGIN:VCALENDAR\n\(definition(written, eastern))BEGIN:VEVENT\nSUMMARY:x\n"
        + "DTSTART;TZID=\"\(named)\":20270310T080000\nEND:VEVENT\nEND:VCALENDAR\n"
      let found = ICalendarImport(
        CalendarReader.tree(Array(file.utf8), now: now), now: now,
        homeZone: try #require(system("Europe/Berlin")),
        allDay: try ClockTime(hour: 9, minute: 0), zone: system)
      #expect(found.entries.first?.form.zone == "America/New_York")
    }
  }

  @Test func `another zone than the home is found by its rules`() throws {
    let found = try imported("Customized Time Zone", eastern)
    #expect(found.entries.first?.form.zone == "America/New_York")
    let named = try imported("(UTC-05:00) Toronto", eastern)
    #expect(named.entries.first?.form.zone == "America/Toronto")
  }

  /// Lotus Notes writes the time of the clock change into the rule, too. Other programs write only
  /// the clock changes of a few years.
  @Test(arguments: [
    europe.map { rule in
      var rule = rule
      rule.rule? += ";BYHOUR=2;BYMINUTE=0"
      return rule
    },
    europe.map { rule in
      var rule = rule
      rule.rule? += ";UNTIL=20271101T000000Z"
      return rule
    },
    [
      Rule(from: "+0200", to: "+0100", start: "20261025T030000"),
      Rule(from: "+0100", to: "+0200", start: "20270328T020000"),
    ],
    [
      Rule(from: "+0100", to: "+0200", start: "20260329T020000"),
      Rule(from: "+0200", to: "+0100", start: "20261025T030000"),
      Rule(from: "+0100", to: "+0200", start: "20270328T020000"),
      Rule(from: "+0200", to: "+0100", start: "20271031T030000"),
    ],
  ])
  fileprivate func `rules that end after some years are those of the home zone`(rules: [Rule])
    throws
  {
    #expect(try imported("Clinic", rules).entries.first?.form.zone == "Europe/Berlin")
  }

  @Test(arguments: [
    ("+0530", "Asia/Calcutta"), ("+0545", "Asia/Katmandu"), ("+0900", nil),
    ("-0300", nil), ("+1400", nil), ("+09:00", nil),
  ])
  func `a zone without clock changes is found`(offset: String, zone: String?) throws {
    let found = try imported("X", [Rule(from: offset, to: offset)])
    let name = try #require(found.entries.first?.form.zone)
    if let zone { #expect(name == zone) }
    let sign = offset.hasPrefix("-") ? -1 : 1
    let digits = try #require(Int(offset.filter(\.isNumber)))
    let seconds = sign * (digits / 100 * 3_600 + digits % 100 * 60)
    for day in 0..<3_650 {
      let instant = now.adding(seconds: Int64(day) * 86_400)
      #expect(system(name)?.offsetSeconds(at: instant) == seconds)
    }
  }

  @Test func `rules that no zone has give the nearest zone and a note`() throws {
    let found = try imported(
      "Mars",
      [
        Rule(
          from: "+0200", to: "+0100", start: "19700101T030000",
          rule: "FREQ=YEARLY;BYDAY=2SU;BYMONTH=10"),
        Rule(
          from: "+0100", to: "+0200", start: "19700101T020000",
          rule: "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"),
      ])
    #expect(found.entries.first?.form.zone == "Europe/Berlin")
    #expect(found.notes.contains { $0.reason.hasPrefix("no zone of this system has the rules") })
  }

  @Test func `a name of tzdata keeps the rules of tzdata`() throws {
    let found = try imported("Europe/Berlin", eastern)
    #expect(found.entries.first?.form.zone == "Europe/Berlin")
    #expect(!found.notes.contains { $0.property == "TZID" })
  }

  @Test func `the file decides against the name of a Windows zone, as in libical`() throws {
    let same = try imported("W. Europe Standard Time", europe, home: "Europe/Vienna")
    #expect(same.entries.first?.form.zone == "Europe/Berlin")
    #expect(!same.notes.contains { $0.property == "TZID" })
    let other = try imported("W. Europe Standard Time", eastern)
    #expect(other.entries.first?.form.zone == "America/New_York")
    #expect(other.notes.contains { $0.reason.contains("other rules than Windows") })
  }

  @Test(
    arguments: [
      [], [Rule(from: "x", to: "y")], [Rule(from: "+0100", to: "", start: "16010101T000000")],
      [Rule(from: "+0100", to: "+0100", start: "never")],
    ] as [[Rule]])
  private func `a definition without times is local time with a note`(rules: [Rule]) throws {
    let found = try imported("Customized", rules)
    #expect(found.entries.first?.form.zone == "Europe/Berlin")
    #expect(found.notes.contains { $0.reason.contains("its definition in the file has no times") })
  }

  @Test func `a rule with a time each second takes no long time`() throws {
    let found = try imported("X", [Rule(from: "+0100", to: "+0100", rule: "FREQ=SECONDLY")])
    #expect(found.entries.first?.form.zone != nil)
  }
}

/// Tests the offsets that libical computes from a VTIMEZONE.
@Suite struct `Offsets of libical` {
  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "America/Santiago",
    "Australia/Lord_Howe",
  ])
  func `the clock changes of a rule are those of tzdata`(name: String) throws {
    let zone = try #require(system(name))
    var rules: [String] = []
    // The file lists each clock change of tzdata in the period separately, and each of them has its
    // own RDATE.
    var at = now.adding(seconds: -500 * 86_400)
    var from = zone.offsetSeconds(at: at)
    func text(_ offset: Int) -> String {
      let minutes = abs(offset) / 60
      let digits = "\(minutes / 60 + 100)".dropFirst() + "\(minutes % 60 + 100)".dropFirst()
      return (offset < 0 ? "-" : "+") + digits
    }
    rules.append(
      "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:\(text(from))\nTZOFFSETTO:\(text(from))\nEND:STANDARD\n"
    )
    for _ in 0..<24 {
      guard let next = zone.nextOffsetChange(after: at) else { break }
      let to = zone.offsetSeconds(at: next)
      let local = Zone.utc.civil(at: next.adding(seconds: Int64(from))).dateTime
      let time = "\(local.date)T\(local.time)".filter { $0 != "-" && $0 != ":" }
      let clock = time.count < 15 ? time + "00" : time
      rules.append(
        "BEGIN:DAYLIGHT\nDTSTART:\(clock)\nRDATE:\(clock)\nTZOFFSETFROM:\(text(from))\nTZOFFSETTO:\(text(to))\nEND:DAYLIGHT\n"
      )
      (at, from) = (next, to)
    }
    let file =
      "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:x\n\(rules.joined())END:VTIMEZONE\nEND:VCALENDAR\n"
    let tree = CalendarReader.tree(Array(file.utf8), now: now)
    let offsets = try #require(tree.components.first?.components.first?.offsets)
    #expect(offsets.start == now.seconds - 366 * 86_400)
    for change in offsets.changes where change.second < at.seconds {
      let instant = Instant(seconds: change.second)
      #expect(zone.offsetSeconds(at: instant) == change.offset)
      #expect(zone.offsetSeconds(at: instant.adding(seconds: -1)) != change.offset)
    }
    #expect(offsets.changes.isEmpty == (name == "Asia/Kolkata"))
  }
}
