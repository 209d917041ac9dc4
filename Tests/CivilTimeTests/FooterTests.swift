import Testing

@testable import CivilTime

/// Compares the days of footers with a count of all days, and tests the clock changes of footers in
/// each year. A footer is the last line of a TZif file.
@Suite("Footers")
struct FooterTests {
  private func seconds(_ day: PosixZone.Day, _ year: Int, second: Int = 0) -> Int64 {
    PosixZone.Change(day: day, second: second).localSeconds(year: year)
  }

  @Test func `a day of a footer is the day that a count of all days finds`() {
    for year in [1900, 1969, 1970, 1999, 2000, 2100] + Array(2024..<2040) {
      let newYear = CivilDate.newYear(year)
      let days = (newYear..<CivilDate.newYear(year + 1)).map { CivilDate(dayNumber: $0) }
      let groups = Dictionary(grouping: days) { [$0.month, $0.weekday.rawValue % 7] }
      for (key, group) in groups {
        let found = (1...5).map { week in
          seconds(.weekday(month: key[0], week: week, weekday: key[1]), year)
        }
        let expected = [0, 1, 2, 3, group.count - 1].map { Int64(group[$0].dayNumber) * 86_400 }
        #expect(found == expected, "\(year) \(key)")
      }
      let numbered = days.filter { ($0.month, $0.day) != (2, 29) }
      #expect(
        (1...365).map { seconds(.julian($0), year) }
          == numbered.map { Int64($0.dayNumber) * 86_400 })
      #expect(
        days.indices.map { seconds(.zeroBased($0), year, second: -3_601) }
          == days.map { Int64($0.dayNumber) * 86_400 - 3_601 })
    }
  }

  @Test func `a footer can contain the first and the last month, week and weekday`() throws {
    let zone = try #require(PosixZone("ABC5DEF,M1.1.0,M12.5.6/-167:59:59"))
    let daylight = try #require(zone.daylight)
    #expect(daylight.offset == -14_400 && zone.standardOffset == -18_000)
    #expect(
      daylight.start == .init(day: .weekday(month: 1, week: 1, weekday: 0), second: 7_200))
    #expect(
      daylight.end == .init(day: .weekday(month: 12, week: 5, weekday: 6), second: -604_799))
  }

  /// The last time in each file is in 1970. The clock changes repeat after 400 years. Therefore the
  /// test checks more than 800 years.
  @Test(arguments: [
    "CET-1CEST,M3.5.0,M10.5.0/3", "NZST-12NZDT,M9.5.0,M4.1.0/3",
    "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "IST-1GMT0,M10.5.0,M3.5.0/1",
    "ABC0DEF,J1/-30,J180/0", "ABC0DEF,J100,J365/100", "ABC0DEF,59/-1,300/167",
  ])
  func `the clock changes of a footer apply in each year`(footer: String) throws {
    let rules = try #require(PosixZone(footer))
    let zone = try Zone(name: "x", tzif: ZoneReaderTests.file(footer: footer))
    let changes = (1971...2880).flatMap { rules.changes(year: $0) }
    var found: [Int64] = []
    var last = Instant(seconds: changes[0].instant - 1)
    while found.count < changes.count, let next = zone.nextOffsetChange(after: last) {
      found.append(next.seconds)
      last = next
    }
    #expect(found == changes.map(\.instant))
    for (index, change) in changes.enumerated().dropFirst() {
      let (before, after) = (changes[index - 1].offset, change.offset)
      let offsets = [-1, 0, 1].map {
        zone.offsetSeconds(at: Instant(seconds: change.instant + $0))
      }
      guard offsets != [Int(before), Int(after), Int(after)] else { continue }
      Issue.record("\(footer) at \(change.instant): \(offsets)")
    }
  }

  @Test func `a clock change of the previous year can be after the last time of the file`() throws {
    // The change of 1969-12-31 is 100 hours after midnight. This instant is 1970-01-04, 03:00 UTC.
    let zone = try Zone(
      name: "x", tzif: ZoneReaderTests.file(footer: "ABC0DEF,J100,J365/100"))
    let offsets = [99, 100, 269_999, 270_000].map {
      zone.offsetSeconds(at: Instant(seconds: $0))
    }
    #expect(offsets == [0, 3_600, 3_600, 0])
    #expect(zone.nextOffsetChange(after: Instant(seconds: 100)) == Instant(seconds: 270_000))
  }

  @Test func `a zone in which daylight time never ends has no clock changes`() throws {
    let file = ZoneReaderTests.file(offsets: [0, -14_400], footer: "EST5EDT,0/0,J365/25")
    let zone = try Zone(name: "x", tzif: file)
    #expect(zone.nextOffsetChange(after: Instant(seconds: 99)) == Instant(seconds: 100))
    for year in [1970, 1971, 2027, 2028, 2370, 2371, 2372, 2373, 3000] {
      let newYear = Int64(CivilDate.newYear(year)) * 86_400
      for second: Int64 in [101, 17_999, 18_000, 18_001, 20_000_000] {
        let instant = Instant(seconds: newYear + second)
        #expect(zone.offsetSeconds(at: instant) == -14_400, "\(instant)")
        #expect(zone.nextOffsetChange(after: instant) == nil, "\(instant)")
      }
    }
    #expect(zone.table.stretch(at: 1_000_000).end == OffsetTable.never)
  }

  /// The day with the number 365, counted from 0, exists only in leap years. Therefore standard time
  /// lasts from the last day of a leap year to the first day of the next year. In all other years,
  /// daylight time has no end.
  @Test(arguments: [1970, 2026, 2037, 2099])
  func `changes that exist only in leap years repeat after 400 years`(lastYear: Int) throws {
    func newYear(_ year: Int) -> Int64 { Int64(CivilDate.newYear(year)) * 86_400 }
    let file = ZoneReaderTests.file([(newYear(lastYear), 1)], footer: "AAA0BBB,0/0,365/1")
    let zone = try Zone(name: "x", tzif: file)
    var found: [String] = []
    var last = Instant(seconds: newYear(lastYear))
    let end = Instant(seconds: newYear(3030))
    while let next = zone.nextOffsetChange(after: last), next < end {
      found.append(String(next.description.prefix(13)))
      last = next
    }
    let leap = (lastYear..<3030).filter { CivilDate.isLeap($0) }
    let expected = leap.flatMap { ["\($0)-12-31T00", "\($0 + 1)-01-01T00"] }
    #expect(found == expected)
  }

  @Test func `a time exactly at the limit for very early times is a clock change`() throws {
    let bound = Int64(1) << 43
    func offsets(_ times: [(Int64, UInt8)], _ instants: [Int64]) throws -> [Int] {
      let zone = try Zone(name: "x", tzif: ZoneReaderTests.file(times))
      return instants.map { zone.offsetSeconds(at: Instant(seconds: $0)) }
    }
    #expect(try offsets([(-bound, 1)], [-bound - 1, -bound, 0]) == [0, 3_600, 3_600])
    #expect(try offsets([(-bound - 1, 1)], [-bound - 2, -bound - 1]) == [3_600, 3_600])
    #expect(try offsets([(-2 * bound, 1), (-bound, 0)], [-bound - 1, -bound]) == [3_600, 0])
  }
}
