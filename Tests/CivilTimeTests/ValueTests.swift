import Testing

@testable import CivilTime

@Suite("Dates, times and instants")
struct ValueTests {
  @Test func `every day of 800 years converts in both directions and follows the day before`() {
    var number = CivilDate.dayNumber(year: 1600, month: 1, day: 1)
    for year in 1600..<2400 {
      for month in 1...12 {
        for day in 1...CivilDate.lengthOfMonth(year: year, month: month) {
          let parts = CivilDate(dayNumber: number).parts
          #expect(parts == (year, month, day))
          #expect(CivilDate.dayNumber(year: year, month: month, day: day) == number)
          number += 1
        }
      }
    }
  }

  @Test func `very early and very late years convert, too`() throws {
    #expect(CivilDate(dayNumber: -719_162).description == "0001-01-01")
    #expect(CivilDate(dayNumber: 2_932_896).description == "9999-12-31")
    #expect(try CivilDate(year: 1970, month: 1, day: 1).weekday == .thursday)
    #expect(try CivilDate(parsing: "2026-12-01").weekday == .tuesday)
  }

  @Test(arguments: [
    ("2026-02-30T08:00", "no-such-date-time", 9, "February 2026 has 28 days"),
    ("2026-13-01T08:00", "no-such-date-time", 6, "there is no month 13"),
    ("2026-12-01T25:00", "no-such-date-time", 12, "there is no hour 25"),
    ("2026-12-01X08:00", "malformed-date-time", 11, "expected \"T\""),
    ("2026-12-01T08:00 ", "malformed-date-time", 17, "the end of the text"),
    ("tomorrow", "malformed-date-time", 1, "a year of four digits"),
    ("", "malformed-date-time", 1, "a year of four digits"),
  ])
  func `the error of a bad date-time names place and reason`(
    text: String, kind: String, position: Int, sentence: String
  ) {
    let error = #expect(throws: CivilTimeError.self) { try CivilDateTime(parsing: text) }
    #expect(error?.kind == kind)
    #expect(error?.position == position)
    #expect(error?.description.contains(sentence) == true)
  }

  @Test func `times of day are read and printed`() throws {
    #expect(try ClockTime(parsing: "08:00").description == "08:00")
    #expect(try ClockTime(parsing: "08:00:30").description == "08:00:30")
    #expect(try ClockTime(parsing: "23:59:60").description == "23:59:59")
    #expect(throws: CivilTimeError.self) { try ClockTime(parsing: "25:00") }
    #expect(throws: CivilTimeError.self) { try ClockTime(hour: 24, minute: 0) }
  }

  @Test(arguments: [
    ("2026-12-01T08:00:00Z", "2026-12-01T08:00:00.000Z"),
    ("2026-12-01T09:00:00.25+01:00", "2026-12-01T08:00:00.250Z"),
    ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    ("2026-12-01t08:00:00.1239z", "2026-12-01T08:00:00.123Z"),
    ("2026-11-30T20:30:00-11:30", "2026-12-01T08:00:00.000Z"),
    ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"),
  ])
  func `instants are read with their offset and printed in UTC`(text: String, utc: String) throws {
    #expect(try Instant(parsing: text).description == utc)
  }

  @Test(arguments: [
    "2026-12-01T08:00:00", "2026-12-01", "2026-12-01T08:00:00+1", "2026-12-01T08:00:00.Z",
    "2026-12-01T08:00:00+24:00", "2026-12-01T08:00:00Zx",
  ])
  func `an instant without a clear offset is refused`(text: String) {
    #expect(throws: CivilTimeError.self) { try Instant(parsing: text) }
  }

  @Test func `instants stop at the ends of their range and round down`() {
    #expect(Instant(milliseconds: -1).seconds == -1)
    #expect(Instant(milliseconds: .max).adding(seconds: 1).milliseconds == .max)
    #expect(Instant(milliseconds: .min).adding(milliseconds: -1).milliseconds == .min)
    #expect(Instant(seconds: .min).milliseconds == .min)
    #expect(Instant(milliseconds: .max).description.hasSuffix("Z"))
  }
}
