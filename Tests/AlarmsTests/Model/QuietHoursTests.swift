import CivilTime
import Testing

@testable import Alarms

/// The quiet hours of a person, as instants in Berlin.
@Suite struct `Quiet hours as instants` {
  private static let zone = CoreFixture.berlin

  private func instant(_ text: String) throws -> Instant {
    Self.zone.resolve(try CivilDateTime(parsing: text.replacing(" ", with: "T"))).instant
  }

  private func local(_ instant: Instant) -> String {
    let local = Self.zone.civil(at: instant).dateTime
    return "\(local.date) \(local.time)"
  }

  @Test(
    arguments: [
      ("22:00-07:00", "2027-01-15 21:59:59", nil),
      ("22:00-07:00", "2027-01-15 22:00:00", "2027-01-15 22:00 to 2027-01-16 07:00"),
      ("22:00-07:00", "2027-01-16 00:00:00", "2027-01-15 22:00 to 2027-01-16 07:00"),
      ("22:00-07:00", "2027-01-16 06:59:59", "2027-01-15 22:00 to 2027-01-16 07:00"),
      ("22:00-07:00", "2027-01-16 07:00:00", nil),
      ("13:00-14:00", "2027-01-16 12:59:59", nil),
      ("13:00-14:00", "2027-01-16 13:00:00", "2027-01-16 13:00 to 2027-01-16 14:00"),
      ("13:00-14:00", "2027-01-16 13:59:59", "2027-01-16 13:00 to 2027-01-16 14:00"),
      ("13:00-14:00", "2027-01-16 14:00:00", nil),
      // In this night, the clocks go forward, so the quiet hours are one hour shorter than usual.
      ("22:00-07:00", "2027-03-28 03:30:00", "2027-03-27 22:00 to 2027-03-28 07:00"),
    ] as [(String, String, String?)])
  func `a stretch has a first instant and an end`(hours: String, at: String, stretch: String?)
    throws
  {
    let quiet = try QuietHours(parsing: hours)
    let found = quiet.stretch(around: try instant(at), zone: Self.zone)
    #expect(found.map { "\(local($0.lowerBound)) to \(local($0.upperBound))" } == stretch)
    #expect(quiet.contains(try ClockTime(parsing: String(at.suffix(8)))) == (stretch != nil))
    #expect(quiet.text == hours)
  }

  @Test(arguments: [
    ("2027-01-15 21:59:59", "2027-01-15 22:00"), ("2027-01-15 22:00:00", "2027-01-16 22:00"),
    ("2027-01-16 00:00:00", "2027-01-16 22:00"),
  ])
  func `the next stretch starts later`(at: String, next: String) throws {
    let quiet = try QuietHours(parsing: "22:00-07:00")
    #expect(local(quiet.nextStart(after: try instant(at), zone: Self.zone)) == next)
  }

  @Test(arguments: [
    ("2027-01-15 20:00:00", "2027-01-15 21:00:00", 3_600),
    ("2027-01-15 20:00:00", "2027-01-15 22:00:00", 7_200),
    ("2027-01-15 20:00:00", "2027-01-15 23:00:00", 7_200),
    ("2027-01-15 23:00:00", "2027-01-16 06:00:00", 0),
    ("2027-01-15 23:00:00", "2027-01-16 07:00:01", 1),
    ("2027-01-15 20:00:00", "2027-01-17 08:00:00", 7_200 + 54_000 + 3_600),
    ("2027-01-15 20:00:00", "2027-01-15 20:00:00", 0),
    ("2027-01-15 20:00:00", "2027-01-15 19:00:00", 0),
  ])
  func `the time outside of quiet hours is counted`(from: String, to: String, seconds: Int64)
    throws
  {
    let quiet = try QuietHours(parsing: "22:00-07:00")
    let found = quiet.loudMilliseconds(
      from: try instant(from), to: try instant(to), zone: Self.zone)
    #expect(found == seconds * 1_000)
  }

  @Test(arguments: [
    ("22:00", "\"22:00\" is not a range of hours; write for example 22:00-07:00"),
    ("22:00-", "\"22:00-\" is not a range of hours; write for example 22:00-07:00"),
    (
      "22:00-07:00-08:00",
      "\"22:00-07:00-08:00\" is not a range of hours; write for example "
        + "22:00-07:00"
    ),
    ("22:00--07:00", "\"22:00--07:00\" is not a range of hours; write for example 22:00-07:00"),
    ("-22:00-07:00", "\"-22:00-07:00\" is not a range of hours; write for example 22:00-07:00"),
    ("22:00-07:00-", "\"22:00-07:00-\" is not a range of hours; write for example 22:00-07:00"),
    ("x-22:00-07:00", "\"x-22:00-07:00\" is not a range of hours; write for example 22:00-07:00"),
    ("25:00-07:00", "\"25:00-07:00\" is not a range of hours; write for example 22:00-07:00"),
    ("", "\"\" is not a range of hours; write for example 22:00-07:00"),
    ("07:00-07:00", "they begin and end at 07:00, so alarms would be silent all day"),
  ])
  func `a text that is not a range of hours is refused`(text: String, reason: String) {
    do throws(Refusal) {
      let found = try QuietHours(parsing: text, field: "hours")
      Issue.record("read \(found.text)")
    } catch {
      #expect(error == Refusal(.invalidField, field: "hours", reason))
    }
  }
}

@Test func `a window of a day knows its length and its days`() throws {
  func window(_ from: String, _ to: String, _ days: [Weekday] = [], last: String? = nil) throws
    -> DayWindow
  {
    DayWindow(
      from: try ClockTime(parsing: from), to: try ClockTime(parsing: to), weekdays: days,
      firstDay: try CivilDate(parsing: "2027-01-15"),
      lastDay: try last.map { try CivilDate(parsing: $0) })
  }
  #expect(try window("08:00", "20:00").seconds == 43_200)
  #expect(try window("20:00", "08:00").seconds == 43_200)
  #expect(try window("08:00", "08:00").seconds == 86_400)
  #expect(try window("22:00", "06:30").seconds == 30_600)
  func days(_ window: DayWindow) throws -> [Int] {
    let first = try CivilDate(parsing: "2027-01-13")
    return (0..<10).map { first.adding(days: $0) }.filter(window.contains).map(\.day)
  }
  #expect(try days(window("08:00", "20:00")) == Array(15...22))
  #expect(try days(window("08:00", "20:00", last: "2027-01-18")) == Array(15...18))
  #expect(try days(window("08:00", "20:00", [.monday, .friday])) == [15, 18, 22])
  #expect(
    try window("08:00", "20:00", [.sunday, .monday, .sunday]).weekdays == [.monday, .sunday])
  #expect(
    try window(
      "08:00", "20:00",
      [.sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday]
    ).weekdays == [])
}
