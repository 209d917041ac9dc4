import Alarms
import CivilTime
import ICalendar
import Testing

private func rule(_ kind: String, _ from: String, _ to: String, _ rule: String = "") -> String {
  "BEGIN:\(kind)\nDTSTART:19700101T020000\nTZOFFSETFROM:\(from)\nTZOFFSETTO:\(to)\n"
    + (rule.isEmpty ? "" : "RRULE:FREQ=YEARLY;\(rule)\n") + "END:\(kind)\n"
}

/// A zone with a late beginning of summer time. Summer time begins on the last Sunday of April, and
/// ends on the last Sunday of October.
private let lateSummer =
  rule("STANDARD", "+0200", "+0100", "BYMONTH=10;BYDAY=-1SU")
  + rule("DAYLIGHT", "+0100", "+0200", "BYMONTH=4;BYDAY=-1SU")
private let mean = rule("STANDARD", "+0117", "+0117")
/// In this zone, the clocks change by half an hour.
private let half =
  rule("STANDARD", "+0430", "+0400", "BYMONTH=10;BYDAY=1SU")
  + rule("DAYLIGHT", "+0400", "+0430", "BYMONTH=3;BYDAY=2SU")

private func imported(_ zone: String, _ lines: String) throws -> ICalendarImport {
  try importing(
    calendar(
      "BEGIN:VTIMEZONE\nTZID:Own\n\(zone)END:VTIMEZONE\nBEGIN:VEVENT\nUID:1\nSUMMARY:x\n"
        + "\(lines)\nEND:VEVENT"))
}

private func alarm(_ trigger: String) -> String {
  "\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER\(trigger)\nEND:VALARM"
}

@Suite struct `Zones whose rules no zone of this system has` {
  @Test(arguments: [
    (lateSummer, "20270310T080000", "03-10 08:00"), (lateSummer, "20270410T080000", "04-10 09:00"),
    (mean, "20270310T080000", "03-10 07:43"), (half, "20270310T080000", "03-10 05:00"),
    (half, "20270320T080000", "03-20 04:30"),
  ])
  func `a single event rings at the instant that the file means`(
    zone: String, start: String, time: String
  ) throws {
    let found = try imported(zone, "DTSTART;TZID=Own:\(start)")
    #expect(try rings(found, to: "2027-06-01T00:00:00Z") == [time], "\(found.notes)")
    #expect(found.notes.contains { $0.reason.contains("computed from the rules in the file") })
    let early = try imported(zone, "DTSTART;TZID=Own:\(start)" + alarm(":-P1D") + alarm(":PT1H"))
    let times = try rings(early, to: "2027-06-01T00:00:00Z")
    #expect(times.count == 3)
    #expect(times[1] == time)
  }

  @Test(arguments: [
    (lateSummer, "RRULE:FREQ=MONTHLY;COUNT=4", ["03-10 08:00", "04-10 09:00", "05-10 08:00"]),
    (
      lateSummer, "RRULE:FREQ=MONTHLY\nEXDATE;TZID=Own:20270410T080000",
      ["03-10 08:00", "05-10 08:00"]
    ),
    (
      lateSummer, "RRULE:FREQ=MONTHLY\nEXDATE:20270410T070000Z", ["03-10 08:00", "05-10 08:00"]
    ),
    (
      lateSummer, "RDATE;TZID=Own:20270411T080000\nRDATE:20270511T060000Z",
      ["03-10 08:00", "04-11 09:00", "05-11 08:00"]
    ),
    (
      lateSummer, "RRULE:FREQ=MONTHLY;UNTIL=20270410T070000Z", ["03-10 08:00", "04-10 09:00"]
    ),
    (mean, "RRULE:FREQ=MONTHLY;COUNT=2", ["03-10 07:43", "04-10 08:43"]),
    (mean, "RRULE:FREQ=MONTHLY;UNTIL=20270410T064300Z", ["03-10 07:43", "04-10 08:43"]),
    (mean, "RRULE:FREQ=MONTHLY;BYMONTHDAY=10;BYHOUR=8,9;COUNT=2", ["03-10 07:43", "03-10 08:43"]),
  ])
  func `a series`(zone: String, lines: String, times: [String]) throws {
    let found = try imported(zone, "DTSTART;TZID=Own:20270310T080000\n\(lines)")
    #expect(try rings(found, to: "2027-06-01T00:00:00Z") == times, "\(found.notes)")
  }

  @Test func `an endless daily series keeps ringing, and a note says until when it is exact`()
    throws
  {
    let found = try imported(lateSummer, "DTSTART;TZID=Own:20270310T080000\nRRULE:FREQ=DAILY")
    for (day, hour) in [
      ("2027-03-27", 8), ("2027-03-28", 9), ("2027-04-24", 9), ("2027-04-25", 8), ("2027-10-31", 8),
      ("2030-04-10", 9),
    ] {
      let noon = "\(day)T12:00:00Z"
      #expect(
        try rings(found, from: "\(day)T00:00:00Z", to: noon)
          == ["\(day.dropFirst(5)) 0\(hour):00"])
    }
    #expect(try rings(found, from: "2050-02-01T00:00:00Z", to: "2050-02-08T00:00:00Z").count == 7)
    #expect(found.notes.contains { $0.reason.contains("an hour early or late on some days from") })
    let fixed = try imported(mean, "DTSTART;TZID=Own:20270310T080000\nRRULE:FREQ=DAILY")
    #expect(
      try rings(fixed, from: "2050-02-01T00:00:00Z", to: "2050-02-02T00:00:00Z")
        == ["02-01 07:43"])
    #expect(!fixed.notes.contains { $0.reason.contains("early or late") })
  }

  @Test func `a moved occurrence and a reminder at the end`() throws {
    let found = try imported(
      lateSummer,
      "DTSTART;TZID=Own:20270409T080000\nDTEND;TZID=Own:20270409T090000\nRRULE:FREQ=DAILY;COUNT=3\n"
        + alarm(";RELATED=END:PT0S")
        + "\nEND:VEVENT\nBEGIN:VEVENT\nUID:1\nSUMMARY:x\nRECURRENCE-ID;TZID=Own:20270410T080000\n"
        + "DTSTART;TZID=Own:20270410T100000" + alarm(";RELATED=END:PT0S"))
    #expect(
      try rings(found, to: "2027-06-01T00:00:00Z") == [
        "04-09 09:00", "04-09 10:00", "04-10 11:00", "04-10 12:00", "04-11 09:00", "04-11 10:00",
      ], "\(found.notes)")
  }

  @Test func `a trigger at a fixed time, and one with days and hours`() throws {
    let fixed = try imported(
      lateSummer,
      "DTSTART;TZID=Own:20270410T080000" + alarm(";VALUE=DATE-TIME;TZID=Own:20270409T070000"))
    #expect(try rings(fixed, to: "2027-06-01T00:00:00Z") == ["04-09 08:00", "04-10 09:00"])
    let early = try imported(
      lateSummer, "DTSTART;TZID=Own:20270410T080000\nRRULE:FREQ=MONTHLY;COUNT=2" + alarm(":-P1DT1H")
    )
    #expect(
      try rings(early, to: "2027-06-01T00:00:00Z")
        == ["04-09 08:00", "04-10 09:00", "05-09 07:00", "05-10 08:00"])
  }

  @Test func `an elapsed rule counts from the instant of its start`() throws {
    let found = try imported(
      lateSummer, "DTSTART;TZID=Own:20270410T080000\nRRULE:FREQ=HOURLY;INTERVAL=6;COUNT=3")
    #expect(
      try rings(found, to: "2027-06-01T00:00:00Z") == ["04-10 09:00", "04-10 15:00", "04-10 21:00"])
  }
}
