import Testing

@testable import CivilTime

@Suite("Zones")
struct ZoneTests {
  @Test func `a gap uses the offset before it and a fold its first instant`() throws {
    let berlin = try SystemZone.named("Europe/Berlin")
    let gap = berlin.resolve(try local("2026-03-29T02:30"))
    #expect(gap.kind == .gap)
    #expect(gap.instant == (try instant("2026-03-29T01:30:00Z")))
    #expect(gap.offsetSeconds == 7200)
    let fold = berlin.resolve(try local("2026-10-25T02:30"))
    #expect(fold.kind == .fold)
    #expect(fold.instant == (try instant("2026-10-25T00:30:00Z")))
    let second = berlin.resolve(try local("2026-10-25T02:30"), fold: 1)
    #expect(second.instant == (try instant("2026-10-25T01:30:00Z")))
    #expect(berlin.civil(at: second.instant).fold == 1)
    #expect(berlin.civil(at: fold.instant).fold == 0)
    #expect(berlin.resolve(try local("2026-10-25T03:00"), fold: 1).kind == .unique)
  }

  @Test func `the footer gives the rules of the far future`() throws {
    let berlin = try SystemZone.named("Europe/Berlin")
    for year in [2037, 2038, 2100, 2199, 2201, 2500, 9990] {
      let summer = try instant("\(year)-07-01T00:00:00Z")
      let winter = try instant("\(year)-12-31T00:00:00Z")
      #expect(berlin.offsetSeconds(at: summer) == 7200, "\(year)")
      #expect(berlin.offsetSeconds(at: winter) == 3600, "\(year)")
      #expect(berlin.resolve(try local("\(year)-07-01T02:00")).instant == summer)
    }
  }

  @Test func `a whole day can be missing`() throws {
    let apia = try SystemZone.named("Pacific/Apia")
    let place = apia.resolve(try local("2011-12-30T08:00"))
    #expect(place.kind == .gap)
    #expect(place.instant == apia.resolve(try local("2011-12-31T08:00")).instant)
  }

  @Test(arguments: [
    ("UTC0", 0), ("EST5", -18_000), ("EST+5", -18_000), ("CET-1", 3_600), ("<+03>-3", 10_800),
    ("<-01>1:30", -5_400), ("ABC24", -86_400), ("ABC-24", 86_400), ("ABC5:00:00", -18_000),
    ("ABC-1:30:15", 5_415), ("ABC0:59:59", -3_599), ("abc005", -18_000),
  ])
  func `a footer without daylight saving time has one offset`(text: String, offset: Int32) throws {
    let zone = try #require(PosixZone(text))
    #expect(zone.standardOffset == offset && zone.daylight == nil)
    #expect(zone.changes(year: 2027).isEmpty)
  }

  @Test(arguments: [
    "", "AB5", "<+0>5", "<+03-3", "ABC", "ABC25", "ABC5:60", "ABC5:00:60", "ABC-+5", "ABC+-5",
    "ABC5:", "ABC0005", "ABC5DE", "ABC5DEF", "ABC5DEF25,J1,J2", "ABC5DEF,J1", "ABC5DEF,J0,J2",
    "ABC5DEF,J366,J2", "ABC5DEF,366,J2", "ABC5DEF,M0.1.0,J2", "ABC5DEF,M13.1.0,J2",
    "ABC5DEF,M1.0.0,J2", "ABC5DEF,M1.6.0,J2", "ABC5DEF,M1.1.7,J2", "ABC5DEF,J1/168,J2",
    "ABC5DEF,J1,J2,J3", "ABC5DEF,J1,J2x", "ABC5 ",
  ])
  func `a malformed footer is refused`(text: String) {
    #expect(PosixZone(text) == nil)
  }

  /// Each case contains a footer, and its clock changes in the leap year 2028. A clock change is an
  /// instant in UTC and the new offset in seconds.
  @Test(arguments: [
    (
      "CET-1CEST,M3.5.0,M10.5.0/3",
      ["2028-03-26T01:00:00.000Z 7200", "2028-10-29T01:00:00.000Z 3600"]
    ),
    (
      "NZST-12NZDT,M9.5.0,M4.1.0/3",
      ["2028-04-01T14:00:00.000Z 43200", "2028-09-23T14:00:00.000Z 46800"]
    ),
    (
      "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
      ["2028-04-01T15:00:00.000Z 37800", "2028-09-30T15:30:00.000Z 39600"]
    ),
    ("ABC0DEF,J60/0,J365/24", ["2028-03-01T00:00:00.000Z 3600", "2028-12-31T23:00:00.000Z 0"]),
    ("ABC0DEF,0/0,365/0", ["2028-01-01T00:00:00.000Z 3600", "2028-12-30T23:00:00.000Z 0"]),
    ("ABC0DEF,59/-1,J1/167", ["2028-01-07T22:00:00.000Z 0", "2028-02-28T23:00:00.000Z 3600"]),
  ])
  func `a footer gives the changes of a year`(text: String, changes: [String]) throws {
    let found = try #require(PosixZone(text)).changes(year: 2028)
    #expect(found.map { "\(Instant(seconds: $0.instant)) \($0.offset)" } == changes)
  }

  @Test func `files that are not zones are refused`() {
    #expect(throws: CivilTimeError.self) { try Zone(name: "x", tzif: []) }
    #expect(throws: CivilTimeError.self) { try Zone(name: "x", tzif: Array("TZif2".utf8)) }
    let error = #expect(throws: CivilTimeError.self) {
      try Zone(name: "x", tzif: Array(repeating: 0x41, count: 100))
    }
    #expect(error?.kind == "malformed-zone")
    #expect(error?.description.contains("does not start with TZif") == true)
  }

  @Test func `UTC never changes`() throws {
    #expect(Zone.utc.offsetSeconds(at: try instant("1800-01-01T00:00:00Z")) == 0)
    #expect(Zone.utc.nextOffsetChange(after: Instant(seconds: 0)) == nil)
  }

  @Test func `the next change of offset is found now and in the far future`() throws {
    let york = try SystemZone.named("America/New_York")
    let next = york.nextOffsetChange(after: try instant("2026-11-21T00:00:00Z"))
    #expect(next == (try instant("2027-03-14T07:00:00Z")))
    let far = york.nextOffsetChange(after: try instant("3026-11-21T00:00:00Z"))
    #expect(far == (try instant("3027-03-11T07:00:00Z")))
  }

  @Test func `instants at the ends of their range give an answer without an overflow`() throws {
    let york = try SystemZone.named("America/New_York")
    let daily = try Recurrence(
      rule: RecurrenceRule(parsing: "FREQ=DAILY"), start: local("2026-01-01T08:00"), zone: york)
    let hourly = try Recurrence(
      rule: RecurrenceRule(parsing: "FREQ=HOURLY"), start: local("2026-01-01T08:00"), zone: york)
    for instant in [Instant(milliseconds: .min), Instant(milliseconds: .max)] {
      let reading = york.civil(at: instant)
      #expect(york.resolve(reading.dateTime).kind == .unique)
      _ = york.nextOffsetChange(after: instant)
      #expect((daily.next(after: instant) == nil) == (instant.milliseconds > 0))
      #expect((hourly.next(after: instant) == nil) == (instant.milliseconds > 0))
      #expect(daily.identities(at: instant).isEmpty)
      #expect(hourly.identities(at: instant).isEmpty)
      #expect(daily.occurrences(from: instant, to: instant).map { _ in 1 } == [])
    }
    #expect(CivilDate(dayNumber: .max).year > 5_000_000)
  }
}
