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
