import Alarms
import CivilTime
import Foundation
import ICalendar
import TestRandom
import Testing

/// Returns the zone with this name from the tzdata of the system. Returns nil if the zone does not
/// exist.
func systemZone(_ name: String) -> Zone? {
  guard let file = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)") else {
    return nil
  }
  return try? Zone(name: name, tzif: Array(file))
}

/// 21 November 2026, 09:00 in Berlin.
let now = Instant(seconds: 1_795_248_000)

func importing(_ text: String) throws -> ICalendarImport {
  ICalendarImport(
    parse(text), now: now, homeZone: try #require(systemZone("Europe/Berlin")),
    allDay: try ClockTime(hour: 9, minute: 0), zone: systemZone)
}

func calendar(_ lines: String) -> String {
  "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x\n\(lines)\nEND:VCALENDAR\n"
}

func vevent(_ lines: String) -> String {
  calendar("BEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\n\(lines)\nEND:VEVENT")
}

/// Returns the name of the property of each note.
func noted(_ found: ICalendarImport) -> [String] { found.notes.map(\.property) }

@Suite struct `Reading calendars` {
  @Test func `an appointment with an alarm an hour before`() throws {
    let found = try importing(
      vevent(
        """
        DTSTART;TZID=Europe/Berlin:20261201T140000
        DTEND;TZID=Europe/Berlin:20261201T150000
        DESCRIPTION:Take the bus\\, line 4\\nBring the card
        BEGIN:VALARM
        ACTION:AUDIO
        TRIGGER:-PT1H
        REPEAT:2
        DURATION:PT5M
        END:VALARM
        """))
    let form = try #require(found.entries.first?.form)
    #expect(form.label == "Dentist")
    #expect(form.instructions == "Take the bus, line 4\nBring the card")
    #expect(form.schedule == "2026-12-01 14:00")
    #expect(form.zone == "Europe/Berlin")
    #expect(form.earlyReminders == ["60 minutes before"])
    #expect(form.rings == 3)
    #expect(form.spacingSeconds == 300)
    #expect(
      noted(found) == ["VALARM", "DTEND"])
  }

  @Test func `a series with dates that are removed, added, moved and cancelled`() throws {
    let found = try importing(
      calendar(
        """
        BEGIN:VEVENT
        UID:7
        SUMMARY:Pills
        DTSTART;TZID=Europe/Berlin:20261201T080000
        RRULE:FREQ=DAILY;COUNT=10
        EXDATE;TZID=Europe/Berlin:20261202T080000
        EXDATE;VALUE=DATE:20261203
        RDATE:20261220T110000Z
        END:VEVENT
        BEGIN:VEVENT
        UID:7
        SUMMARY:Pills
        RECURRENCE-ID;TZID=Europe/Berlin:20261204T080000
        DTSTART;TZID=Europe/Berlin:20261204T093000
        END:VEVENT
        BEGIN:VEVENT
        UID:7
        STATUS:CANCELLED
        RECURRENCE-ID;TZID=Europe/Berlin:20261205T080000
        DTSTART;TZID=Europe/Berlin:20261205T080000
        END:VEVENT
        """))
    #expect(
      found.entries.first?.form.schedule
        == "DTSTART:20261201T080000 RRULE:FREQ=DAILY;COUNT=10 RDATE:20261204T093000,20261220T120000 "
        + "EXDATE:20261202T080000,20261203T080000,20261204T080000,20261205T080000")
    #expect(found.notes.isEmpty)
  }

  @Test(arguments: [
    ("Europe/Berlin", "Europe/Berlin"), ("W. Europe Standard Time", "Europe/Berlin"),
    ("/freeassociation.sourceforge.net/Europe/Berlin", "Europe/Berlin"),
    ("/x/y/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
    ("Custom", "Asia/Kolkata"),
  ])
  func `a zone is found by its name and never by its rules`(id: String, zone: String) throws {
    let found = try importing(
      calendar(
        """
        BEGIN:VTIMEZONE
        TZID:Custom
        X-LIC-LOCATION:Asia/Kolkata
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:+0000
        TZOFFSETTO:+0000
        END:STANDARD
        END:VTIMEZONE
        BEGIN:VEVENT
        SUMMARY:x
        DTSTART;TZID="\(id)":20261201T140000
        END:VEVENT
        """))
    #expect(found.entries.first?.form.zone == zone)
    #expect(found.notes.isEmpty)
  }

  @Test func `everything that an alarm cannot express gives a note with its line`() throws {
    let found = try importing(
      vevent(
        """
        DTSTART:20261201T140000
        LOCATION:Main street
        ATTENDEE:mailto:a@b
        RRULE:FREQ=WEEKLY;BYDAY=WE
        X-NOISE:1
        BEGIN:VALARM
        ACTION:EMAIL
        TRIGGER:-PT1H
        END:VALARM
        BEGIN:VALARM
        TRIGGER:PT0S
        ATTACH:file:///bell.wav
        REPEAT:3
        END:VALARM
        """))
    #expect(found.entries.count == 1)
    #expect(
      found.notes.map { "\($0.line) \($0.property)" } == [
        "7 DTSTART", "8 LOCATION", "9 ATTENDEE", "10 RRULE", "11 X-NOISE", "13 ACTION", "18 ATTACH",
        "19 REPEAT",
      ])
    #expect(found.notes[1].reason == "left out: the place (Main street)")
    #expect(found.notes[4].reason == "left out: the property (1)")
    // The start is not a Wednesday, but the alarm also rings at the start, as in common calendar
    // programs.
    #expect(
      found.entries[0].form.schedule
        == "DTSTART:20261202T140000 RRULE:FREQ=WEEKLY;BYDAY=WE RDATE:20261201T140000")
  }

  @Test(arguments: [
    ("DTSTART:20261301T140000", "DTSTART"),
    ("DTSTART;TZID=Europe/Berlin:20200101T140000", "DTSTART"), ("LOCATION:x", "VEVENT"),
    ("DTSTART:20261201T140000Z\nSTATUS:CANCELLED", "STATUS"),
    ("DTSTART:20260101T140000Z\nRRULE:FREQ=DAILY;COUNT=3", "DTSTART"),
  ])
  func `an event that cannot be imported is refused with the reason`(
    lines: String, property: String
  ) throws {
    let found = try importing(vevent(lines))
    #expect(found.entries.isEmpty)
    #expect(
      found.notes.contains { $0.property == property && $0.reason.contains("not imported") },
      "\(found.notes)")
  }

  @Test func `an all-day event rings at the time of its alarm, or else in the morning`() throws {
    let plain = try importing(vevent("DTSTART;VALUE=DATE:20261224"))
    #expect(plain.entries.first?.form.schedule == "2026-12-24 09:00")
    let timed = try importing(
      vevent(
        "DTSTART;VALUE=DATE:20261224\nBEGIN:VALARM\nTRIGGER:PT7H30M\nEND:VALARM\n"
          + "BEGIN:VALARM\nTRIGGER:-P1D\nEND:VALARM"))
    #expect(timed.entries.first?.form.schedule == "2026-12-24 07:30")
  }

  @Test func `an acknowledged alarm stays silent, and a snooze becomes an alarm of its own`() throws
  {
    let found = try importing(
      vevent(
        """
        DTSTART:20261121T090000Z
        BEGIN:VALARM
        UID:a
        TRIGGER:-PT2H
        ACKNOWLEDGED:20261121T070100Z
        END:VALARM
        BEGIN:VALARM
        TRIGGER;VALUE=DATE-TIME:20261121T081500Z
        RELATED-TO;RELTYPE=SNOOZE:a
        END:VALARM
        """))
    #expect(
      found.entries.map(\.form.schedule) == [
        "at 2026-11-21T09:00:00.000Z", "at 2026-11-21T08:15:00.000Z",
      ])
    #expect(found.entries[0].form.earlyReminders == nil)
    #expect(noted(found).contains("ACKNOWLEDGED"))
  }

  @Test func `folds within a character, quotes and foreign line ends are read`() throws {
    let found = try importing(
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY;X=\"a:b;c\":Caf\u{E9}\r\n  und\r\n\t Tee\r\n"
        + "DTSTART:20261201T140000Z\r\nEND:VEVENT\r\nEND:VCALENDAR")
    #expect(found.entries.first?.form.label == "Café und Tee")
    var bytes = Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:".utf8)
    bytes += [0xC3, 0x0A, 0x20, 0xA9] + Array("\nDTSTART:20261201T140000Z\nEND:VEVENT".utf8)
    let split = ICalendarImport(
      parse(bytes), now: now, homeZone: .utc, allDay: try ClockTime(hour: 9, minute: 0),
      zone: systemZone)
    #expect(split.entries.first?.form.label == "é")
    #expect(noted(split) == ["VCALENDAR"])
  }

  @Test func `no bytes cause a failure, and the rest of a damaged file is read or noted`() throws {
    let seed = vevent(
      "DTSTART;TZID=Europe/Berlin:20261201T140000\nRRULE:FREQ=DAILY;COUNT=3\nBEGIN:VALARM\n"
        + "TRIGGER:-PT1H\nREPEAT:2\nDURATION:PT5M\nEND:VALARM\nRDATE:20261220T110000Z\n"
        + "EXDATE;VALUE=DATE:20261203")
    var random = SeededGenerator(seed: 5_545)
    for _ in 0..<1_500 {
      let bytes = random.damaged(seed, inserting: ":;=\n,-\"")
      let found = ICalendarImport(
        parse(bytes), now: now, homeZone: .utc, allDay: try ClockTime(hour: 9, minute: 0),
        zone: systemZone)
      #expect(!found.entries.isEmpty || !found.notes.isEmpty)
    }
  }
}

@Suite struct `Writing calendars` {
  private func alarm(_ phrase: String, earlyReminders: [EarlyReminder] = []) throws -> Alarm {
    let zone = try #require(systemZone("Europe/Berlin"))
    let parsed = try SchedulePhrase(
      phrase, now: now, zone: zone, findAlarm: { (name) in AlarmID(name) }
    ).parsed()
    return Alarm(
      id: AlarmID("k3v9"), version: 2, person: .patient, label: "Pills; two, \"green\"",
      instructions: "With water.\nNot with milk.", schedule: parsed.schedule, phrase: parsed.phrase,
      zoneName: "Europe/Berlin", tone: nil, burst: .standard, lateWindowSeconds: 1_800,
      delaySeconds: 300, delayLimit: 3, earlyReminders: parsed.earlyReminders)
  }

  @Test(arguments: [
    "every day 08:00", "mon,wed 18:00", "every 2 weeks on tue 10:00", "last fri of month 10:00",
    "the 31st of every month 09:00", "every day 08:00 and 20:30", "2026-12-01 14:00",
    "at 2026-12-01T13:00:00Z", "every day 08:00 for 10 times", "every 8 hours",
    "2026-12-01 14:00 and 1h before and the evening before at 19:00",
    "DTSTART:20261201T080000 RRULE:FREQ=DAILY EXDATE:20261203T080000 RDATE:20261220T120000",
    "every 90 minutes from 08:00 to 20:00 on weekdays", "random between 09:00 and 12:00",
    "30 minutes after k3v9 is completed",
  ])
  func `an exported alarm is imported with the same times, words and burst`(
    phrase: String
  ) throws {
    let zone = try #require(systemZone("Europe/Berlin"))
    let alarm = try alarm(phrase)
    let file = ICalendarExport([alarm], now: now, homeZone: zone, zone: systemZone)
    #expect(file.text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
    let back = try importing(file.text)
    let form = try #require(back.entries.first?.form, "\(back.notes)")
    #expect(back.entries.count == 1)
    #expect(form.label == alarm.label)
    #expect(form.instructions == alarm.instructions)
    #expect(form.zone == "Europe/Berlin")
    #expect(form.rings ?? 5 == 5)
    #expect(form.lateWindowSeconds == 1_800)
    let earlyReminders = try (form.earlyReminders ?? []).map { try EarlyReminder(words: $0) }
    #expect(earlyReminders == alarm.earlyReminders)
    let again = try SchedulePhrase(
      form.schedule ?? "", now: now, zone: zone, findAlarm: { (name) in AlarmID(name) }
    ).parsed()
    let plans = try [alarm.schedule, again.schedule].map {
      try SchedulePlan($0, zone: zone, seed: 9)
    }
    var (one, other) = (now, now)
    for _ in 0..<50 {
      let next = plans.map { $0.next(after: one) }
      #expect(next[0]?.instant == next[1]?.instant)
      guard let first = next[0] else { break }
      one = first.instant
      other = max(other, one)
    }
  }

  @Test func `an exported alarm has this form`() throws {
    let alarm = try alarm("every day 08:00")
    let file = ICalendarExport([alarm], now: now, homeZone: .utc, zone: systemZone)
    let lines = file.text.components(separatedBy: "\r\n")
    let first = try #require(lines.firstIndex(of: "BEGIN:VEVENT"))
    #expect(
      Array(lines[first..<(first + 8)]) == [
        "BEGIN:VEVENT", "UID:k3v9@prompter", "DTSTAMP:20261121T080000Z", "SEQUENCE:1",
        "SUMMARY:Pills\\; two\\, \"green\"", "DESCRIPTION:With water.\\nNot with milk.",
        "DTSTART;TZID=Europe/Berlin:20261122T080000",
        "RRULE:FREQ=DAILY;BYSECOND=0;BYMINUTE=0;BYHOUR=8",
      ])
    #expect(lines.contains("TRIGGER:PT0S"))
    #expect(lines.contains("REPEAT:4"))
    #expect(lines.contains("DURATION:PT1M"))
    #expect(file.notes.isEmpty)
  }

  @Test func `alarms that other programs will not ring give a note`() throws {
    let file = ICalendarExport(
      [try alarm("random between 09:00 and 12:00")], now: now, homeZone: .utc, zone: systemZone)
    #expect(file.notes.map(\.property) == ["X-PROMPTER-SCHEDULE"])
    #expect(file.text.contains("BEGIN:VTODO"))
  }
}
