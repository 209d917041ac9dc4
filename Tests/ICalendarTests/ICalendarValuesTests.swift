import Alarms
import CivilTime
import Foundation
import ICalendar
import Testing

private func system(_ name: String) -> Zone? {
  guard let file = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)") else {
    return nil
  }
  return try? Zone(name: name, tzif: Array(file))
}

private func imported(_ lines: String, in calendar: String = "") throws -> ICalendarImport {
  ICalendarImport(
    parse(
      "BEGIN:VCALENDAR\n\(calendar)BEGIN:VEVENT\nSUMMARY:x\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n"),
    now: Instant(seconds: 1_795_248_000), homeZone: try #require(system("Europe/Berlin")),
    allDay: try ClockTime(hour: 9, minute: 0), zone: system)
}

/// Tests the forms in which other programs write dates, times and durations.
@Suite struct `Values of other programs` {
  @Test(arguments: [
    ("DTSTART;TZID=Europe/Berlin:20270310T0800", "2027-03-10 08:00"),
    ("DTSTART;TZID=Europe/Berlin:20270310t080000", "2027-03-10 08:00"),
    ("DTSTART;TZID=Europe/Berlin: 20270310T080000 ", "2027-03-10 08:00"),
    ("DTSTART;TZID=Europe/Berlin:20270310T080000;", "2027-03-10 08:00"),
    ("DTSTART;TZID=Europe/Berlin:20270310T080000.000", "2027-03-10 08:00"),
    ("DTSTART;TZID=Europe/Berlin:2027-03-10T08:00:00", "2027-03-10 08:00"),
    ("DTSTART;TZID=Europe/Berlin:2027-03-10 08:00", "2027-03-10 08:00"),
    ("DTSTART;TZID=Europe/Berlin:20270310T240000", "2027-03-11 00:00"),
    ("DTSTART;TZID=Europe/Berlin:20270310T075960", "2027-03-10 07:59:59"),
    ("DTSTART:20270310T070000z", "at 2027-03-10T07:00:00.000Z"),
    ("DTSTART:2027-03-10T08:00:00+01:00", "at 2027-03-10T07:00:00.000Z"),
    ("DTSTART:2027-03-10T07:00:00.5Z", "at 2027-03-10T07:00:00.000Z"),
    ("DTSTART;VALUE=DATE:20270310T000000", "2027-03-10 09:00"),
    ("DTSTART;VALUE=DATE:20270310T230000Z", "2027-03-10 09:00"),
    ("DTSTART:20270310", "2027-03-10 09:00"), ("DTSTART:2027-03-10", "2027-03-10 09:00"),
    ("DTSTART;TZID=Europe/Berlin:20270310", "2027-03-10 09:00"),
  ])
  func `a date or time is read`(line: String, schedule: String) throws {
    #expect(try imported(line).entries.first?.form.schedule == schedule)
  }

  @Test(arguments: [
    "DTSTART:202703", "DTSTART:20270310T", "DTSTART:20270310T8", "DTSTART:20270310T250000",
    "DTSTART:20270310T240001", "DTSTART:20270310T080000X", "DTSTART:20270230T080000",
    "DTSTART:20270310T080000+1", "DTSTART:", "DTSTART:tomorrow",
  ])
  func `anything else is not a date`(line: String) throws {
    let found = try imported(line)
    #expect(found.entries.isEmpty)
    #expect(found.notes.contains { $0.property == "DTSTART" })
  }

  @Test(arguments: [
    ("-PT15M", 15), ("-P0DT0H15M0S", 15), ("PT-15M", 15), ("P-15M", 15), ("-P15M", 15),
    ("\u{2212}PT15M", 15), ("-pt15m", 15), (" -PT15M ", 15), ("-PT0.5H", 30), ("-PT1H30M", 90),
    ("-PT1H,", 60),
  ])
  func `a duration is read`(trigger: String, minutes: Int) throws {
    let found = try imported(
      "DTSTART:20270310T080000Z\nBEGIN:VALARM\nACTION:AUDIO\nTRIGGER:\(trigger)\nEND:VALARM")
    #expect(found.entries.first?.form.earlyReminders == ["\(minutes) minutes before"])
  }

  @Test(arguments: [
    ("-P1DT", "1 days before"), ("-P1W2D", "9 days before"), ("-PT1D", "1 days before"),
    ("-P0Y0M1DT0H", "1 days before"),
  ])
  func `a duration in days is read`(trigger: String, phrase: String) throws {
    let found = try imported(
      "DTSTART:20270310T080000Z\nBEGIN:VALARM\nACTION:AUDIO\nTRIGGER:\(trigger)\nEND:VALARM")
    #expect(found.entries.first?.form.earlyReminders == [phrase])
  }

  @Test(arguments: ["PT", "P", "", "15", "PT15", "PT15X", "soon", "P1Y", "PT1.2.3H"])
  func `anything else is not a duration`(trigger: String) throws {
    let found = try imported(
      "DTSTART:20270310T080000Z\nBEGIN:VALARM\nACTION:AUDIO\nTRIGGER:\(trigger)\nEND:VALARM")
    #expect(found.notes.contains { $0.property == "TRIGGER" })
    #expect(found.entries.first?.form.schedule == "at 2027-03-10T08:00:00.000Z")
  }
}

@Suite struct `Zones of other programs` {
  @Test(arguments: [
    ("Europe/Berlin", "Europe/Berlin"), ("/Europe/Berlin", "Europe/Berlin"),
    ("europe/berlin", "Europe/Berlin"), ("Europe / Berlin", "Europe/Berlin"),
    ("/freeassociation.sourceforge.net/Tzfile/Asia/Tokyo", "Asia/Tokyo"),
    ("/citadel.org/20210210_1/America/New_York", "America/New_York"),
    ("'America/New_York'", "America/New_York"), ("W. Europe Standard Time", "Europe/Berlin"),
    ("w. europe standard time", "Europe/Berlin"), ("Iran Standard Time", "Asia/Tehran"),
    ("W. Europe Standard Time 1", "Europe/Berlin"),
    ("Lord Howe Standard Time", "Australia/Lord_Howe"),
    ("UTC+02:00", "Etc/GMT-2"), ("GMT-0500", "Etc/GMT+5"), ("GMT", "GMT"), ("UTC", "UTC"),
    ("(UTC)", "UTC"),
  ])
  func `a zone is found by its name`(id: String, zone: String) throws {
    let found = try imported("DTSTART;TZID=\"\(id)\":20270310T080000")
    #expect(found.entries.first?.form.zone == zone)
    #expect(found.notes.isEmpty)
  }

  @Test func `a zone that nobody knows is local time, with one note for all of its lines`() throws {
    let found = try imported(
      "DTSTART;TZID=Mars/Olympus:20270310T080000\nRDATE;TZID=Mars/Olympus:20270311T080000")
    #expect(found.entries.first?.form.zone == "Europe/Berlin")
    #expect(found.notes.filter { $0.property == "TZID" }.map(\.line) == [4])
    #expect(found.notes.contains { $0.reason.contains("does not know the zone \"Mars/Olympus\"") })
  }

  @Test func `an empty zone is no zone`() throws {
    let found = try imported("DTSTART;TZID=:20270310T080000")
    #expect(found.entries.first?.form.zone == "Europe/Berlin")
    #expect(found.notes.map(\.reason) == ["it has no zone; it is read in Europe/Berlin"])
  }

  @Test func `X-WR-TIMEZONE is the zone of times without a zone`() throws {
    let found = try imported("DTSTART:20270310T080000", in: "X-WR-TIMEZONE:America/New_York\n")
    #expect(found.entries.first?.form.zone == "America/New_York")
    let own = try imported(
      "DTSTART;TZID=Asia/Tokyo:20270310T080000", in: "X-WR-TIMEZONE:America/New_York\n")
    #expect(own.entries.first?.form.zone == "Asia/Tokyo")
    #expect(own.notes.isEmpty)
    let day = try imported("DTSTART;VALUE=DATE:20270310", in: "X-WR-TIMEZONE:America/New_York\n")
    #expect(day.entries.first?.form.zone == "Europe/Berlin")
    let unknown = try imported("DTSTART:20270310T080000", in: "X-WR-TIMEZONE:Mars\n")
    #expect(unknown.entries.first?.form.zone == "Europe/Berlin")
    #expect(unknown.notes.contains { $0.reason.contains("\"Mars\"") })
  }
}
