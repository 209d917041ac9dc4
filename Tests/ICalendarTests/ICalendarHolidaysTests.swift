import Alarms
import CivilTime
import Foundation
import ICalendar
import TestRandom
import Testing

private func day(_ text: String) throws -> CivilDate { try CivilDate(parsing: text) }

private func read(_ events: String, category: String? = nil) throws -> ICalendarHolidays {
  ICalendarHolidays(
    parse("BEGIN:VCALENDAR\nVERSION:2.0\n\(events)\nEND:VCALENDAR\n"),
    today: try day("2026-11-25"), category: category)
}

private func event(_ lines: String) -> String {
  "BEGIN:VEVENT\nUID:1\nSUMMARY:Closed\n\(lines)\nEND:VEVENT"
}

@Suite struct `Reading holidays` {
  private static let fixture = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/holidays/berlin-2027.ics")

  @Test func `a file of a calendar site gives its all-day events`() throws {
    let bytes = Array(try Data(contentsOf: Self.fixture))
    #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF]))
    let found = ICalendarHolidays(parse(bytes), today: try day("2026-11-25"), category: nil)
    #expect(found.name == "DE-BE")
    let list = HolidayList(name: "DE-BE", days: found.days)
    #expect(list.days.count == 10 + 6 + 1)
    #expect(list.holiday(on: try day("2027-05-06"))?.label == "Ascension Day")
    #expect(
      list.holiday(on: try day("2027-10-03"))?.label
        == "German Unity Day, national holiday of the Federal Republic")
    #expect(list.holiday(on: try day("2027-02-06"))?.label == "Winter holidays of the day centre")
    #expect(list.holiday(on: try day("2027-02-07")) == nil)
    #expect(list.holiday(on: try day("2027-08-20")) == nil)
    #expect(
      found.notes.map(\.reason) == [
        "left out: \"Summer party\" has a time of day, so it is not a holiday"
      ])
    let holidays = ICalendarHolidays(
      parse(bytes), today: try day("2026-11-25"), category: "holiday")
    #expect(holidays.days.count == 10)
    let observances = ICalendarHolidays(
      parse(bytes), today: try day("2026-11-25"), category: "Observance")
    #expect(observances.days.map(\.label) == ["Valentine's Day"])
    let closed = ICalendarHolidays(parse(bytes), today: try day("2026-11-25"), category: "closed")
    #expect(closed.days.count == 6)
  }

  /// Each case contains the lines of an event. The import must find the given holidays in these
  /// lines.
  @Test(arguments: [
    ("DTSTART;VALUE=DATE:20270101", ["2027-01-01"]),
    ("DTSTART:20270101", ["2027-01-01"]),
    ("DTSTART;VALUE=DATE:20270101\nDTEND;VALUE=DATE:20270101", ["2027-01-01"]),
    ("DTSTART;VALUE=DATE:20270101\nDTEND;VALUE=DATE:20270103", ["2027-01-01", "2027-01-02"]),
    ("DTSTART;VALUE=DATE:20270101\nDURATION:P2D", ["2027-01-01", "2027-01-02"]),
    ("DTSTART;VALUE=DATE:20270101\nDURATION:PT12H", ["2027-01-01"]),
    ("DTSTART;VALUE=DATE:20270101\nRDATE;VALUE=DATE:20270301", ["2027-01-01", "2027-03-01"]),
    ("DTSTART;TZID=Europe/Berlin:20270101T000000", []),
    ("DTSTART:20270101T000000\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE", ["2027-01-01"]),
    ("DTSTART;VALUE=DATE:20270230", []), ("LOCATION:here", []),
    ("DTSTART;VALUE=DATE:20270101\nDTEND;VALUE=DATE:20290101", []),
    ("DTSTART;VALUE=DATE:20240101", []),
    (
      "DTSTART;VALUE=DATE:20250103\nRRULE:FREQ=YEARLY;UNTIL=20280201\nEXDATE;VALUE=DATE:20270103",
      ["2026-01-03", "2028-01-03"]
    ),
    (
      "DTSTART;VALUE=DATE:20261225\nDTEND;VALUE=DATE:20261227\nRRULE:FREQ=YEARLY;COUNT=2",
      ["2026-12-25", "2026-12-26", "2027-12-25", "2027-12-26"]
    ),
  ])
  func `one event gives these dates`(lines: String, dates: [String]) throws {
    let found = try read(event(lines))
    #expect(HolidayList(name: "X", days: found.days).days.map(\.date.description) == dates)
    #expect(dates.isEmpty == !found.notes.isEmpty || lines.contains("RRULE"), "\(found.notes)")
  }

  @Test func `rules end with the single dates of the file, because later dates are incomplete`()
    throws
  {
    let christmas = event("DTSTART;VALUE=DATE:20201225\nRRULE:FREQ=YEARLY")
    let easter =
      "BEGIN:VEVENT\nUID:2\nSUMMARY:Easter\nDTSTART;VALUE=DATE:20280417\nEND:VEVENT"
    let both = HolidayList(name: "X", days: try read("\(christmas)\n\(easter)").days)
    #expect(both.days.map(\.date.description).suffix(2) == ["2028-04-17", "2028-12-25"])
    let rules = HolidayList(name: "X", days: try read(christmas).days)
    #expect(rules.last == (try day("2031-12-25")))
    let past = try read("\(christmas)\n\(easter.replacing("2028", with: "2026"))")
    #expect(past.notes.contains { $0.reason.contains("the single dates of the file are over") })
  }

  @Test func `a changed date of a rule replaces the date, and a cancelled date is no holiday`()
    throws
  {
    let found = try read(
      event("DTSTART;VALUE=DATE:20261201\nRRULE:FREQ=MONTHLY;COUNT=4") + "\n"
        + event("RECURRENCE-ID;VALUE=DATE:20270101\nDTSTART;VALUE=DATE:20270104") + "\n"
        + event("RECURRENCE-ID;VALUE=DATE:20270201\nDTSTART;VALUE=DATE:20270201\nSTATUS:CANCELLED"))
    #expect(
      HolidayList(name: "X", days: found.days).days.map(\.date.description) == [
        "2026-12-01", "2027-01-04", "2027-03-01",
      ])
  }

  @Test func `damaged files give notes and no crash`() throws {
    var random = SeededGenerator(seed: 27)
    let bytes = Array(try Data(contentsOf: Self.fixture))
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let found = ICalendarHolidays(parse(damaged), today: try day("2026-11-25"), category: nil)
      #expect(found.days.count < 5_000)
    }
    #expect(
      !ICalendarHolidays(parse([]), today: try day("2026-11-25"), category: nil).notes.isEmpty)
  }
}

@Test func `an exported alarm leaves out the known holidays as single times`() throws {
  let path = "/usr/share/zoneinfo/Europe/Berlin"
  let file = try #require(FileManager.default.contents(atPath: path))
  let berlin = try Zone(name: "Europe/Berlin", tzif: Array(file))
  let days = try ["2026-12-24", "2026-12-26", "2027-01-01"].map(day)
  let parsed = try SchedulePhrase(
    "weekdays 08:00, 20:00 not on holidays X", now: Instant(seconds: 1_795_248_000), zone: berlin,
    findHolidays: { _ in HolidayExclusion(list: "X", days: days) }
  ).parsed()
  var alarm = Alarm(
    id: AlarmID("a1"), version: 1, person: .patient, label: "Day centre", instructions: "",
    schedule: parsed.schedule, phrase: parsed.phrase, zoneName: "Europe/Berlin", tone: nil,
    burst: .standard, lateWindowSeconds: 1_800, delaySeconds: 300, delayLimit: 3)
  alarm.isAnnouncement = false
  let export = ICalendarExport(
    [alarm], now: Instant(seconds: 1_795_248_000), homeZone: berlin, zone: { _ in berlin })
  let text = export.text.replacing("\r\n ", with: "")
  #expect(
    text.contains(
      "EXDATE;TZID=Europe/Berlin:20261224T080000,20261224T200000,20270101T080000,20270101T200000"))
  #expect(
    export.notes.map(\.reason).contains(
      "the file leaves out the holidays of X up to 2027-01-01, but not later holidays"))
  let again = ICalendarImport(
    parse(export.text), now: Instant(seconds: 1_795_248_000), homeZone: berlin,
    allDay: try ClockTime(hour: 9, minute: 0), zone: { _ in berlin })
  let schedule = try #require(again.entries.first?.form.schedule)
  let back = try SchedulePhrase(schedule, now: Instant(seconds: 1_795_248_000), zone: berlin)
    .parsed().schedule
  let plans = try [parsed.schedule, back].map { try SchedulePlan($0, zone: berlin, seed: 0) }
  var from = Instant(seconds: 1_795_248_000)
  for _ in 0..<100 {
    let next = try #require(plans[0].next(after: from))
    #expect(plans[1].next(after: from)?.instant == next.instant)
    from = next.instant
  }
}
