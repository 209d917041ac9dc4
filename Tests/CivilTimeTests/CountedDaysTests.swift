import Testing

@testable import CivilTime

/// Compares rules with a count of all days, and the fast searches with the slow searches.
@Suite("Counted days")
struct CountedDaysTests {
  private static let start = "2026-01-01T08:00"

  private func days(_ rule: String, years: Int) throws -> [Int] {
    let made = try Recurrence(
      rule: RecurrenceRule(parsing: rule), start: local(Self.start), zone: .utc)
    let first = try local(Self.start).localSeconds
    let end = Instant(seconds: first + Int64(years) * 366 * 86_400)
    return made.occurrences(from: Instant(seconds: first), to: end).map(\.nominal.date.dayNumber)
  }

  private func count(
    years: Int, every step: Int = 1, _ fits: (CivilDate) -> Bool
  ) throws -> [Int] {
    let first = try local(Self.start).date.dayNumber
    return stride(from: first, to: first + years * 366, by: step).filter {
      fits(CivilDate(dayNumber: $0))
    }
  }

  @Test(arguments: [3, 7, 9, 100, 1000])
  func `a daily rule with an interval and limits has the counted days`(step: Int) throws {
    // The module stores the days of the first 250 years of such a rule, so the test counts 600
    // years.
    let rule = "FREQ=DAILY;INTERVAL=\(step)"
    #expect(
      try days("\(rule);BYMONTH=2", years: 600)
        == count(years: 600, every: step) { $0.month == 2 })
    #expect(
      try days("\(rule);BYMONTHDAY=13", years: 600)
        == count(years: 600, every: step) { $0.day == 13 })
    if step != 7 {
      #expect(
        try days("\(rule);BYDAY=FR;BYMONTHDAY=13", years: 600)
          == count(years: 600, every: step) { $0.day == 13 && $0.weekday == .friday })
    }
    let friday = try days("FREQ=DAILY;INTERVAL=\(step);BYDAY=TH,SU", years: 60)
    #expect(
      friday == (try count(years: 60, every: step) { [.thursday, .sunday].contains($0.weekday) }))
  }

  @Test(arguments: [1, 2, 3, 5])
  func `a weekly rule with months has the counted days`(step: Int) throws {
    let monday = try local(Self.start).date.dayNumber - 3
    let found = try days("FREQ=WEEKLY;INTERVAL=\(step);BYDAY=MO,TH,SU;BYMONTH=2,7", years: 600)
    let expected = try count(years: 600) {
      [.monday, .thursday, .sunday].contains($0.weekday) && [2, 7].contains($0.month)
        && ($0.dayNumber - monday) / 7 % step == 0
    }
    #expect(found == expected)
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `a yearly or monthly rule with rare days has the counted days`(step: Int) throws {
    if step != 100 {
      let found = try days("FREQ=YEARLY;INTERVAL=\(step);BYMONTH=2;BYMONTHDAY=29", years: 1000)
      let expected = try count(years: 1000) {
        $0.month == 2 && $0.day == 29 && ($0.year - 2026) % step == 0
      }
      #expect(found == expected)
    }
    let months = try days("FREQ=MONTHLY;INTERVAL=\(step);BYMONTHDAY=31", years: 400)
    let expected = try count(years: 400) {
      $0.day == 31 && ($0.year * 12 + $0.month - 2026 * 12 - 1) % step == 0
    }
    #expect(months == expected)
    let fridays = try days("FREQ=MONTHLY;INTERVAL=\(step);BYMONTHDAY=13;BYDAY=FR", years: 400)
    let thirteenths = try count(years: 400) {
      $0.day == 13 && $0.weekday == .friday
        && ($0.year * 12 + $0.month - 2026 * 12 - 1) % step == 0
    }
    #expect(fridays == thirteenths)
  }

  private static let zones = [
    "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca",
    "America/St_Johns", "Antarctica/Troll", "Pacific/Kwajalein",
  ]

  @Test(arguments: zones)
  func `the slow search finds the same times as the fast search`(name: String) throws {
    let zone = try SystemZone.named(name)
    let changes = zone.table.transitions.filter { $0 > 1_200_000_000 && $0 < 1_500_000_000 }
    for rule in [
      "FREQ=DAILY;BYHOUR=0,1,2,3,23;BYMINUTE=0,30", "FREQ=DAILY;BYHOUR=2",
      "FREQ=WEEKLY;BYHOUR=1,12",
      "FREQ=MONTHLY;BYMONTHDAY=1,-1;BYHOUR=2,3;BYMINUTE=15", "FREQ=YEARLY;COUNT=4",
      "FREQ=DAILY;INTERVAL=4;UNTIL=20120401",
    ] {
      let made = try Recurrence(
        rule: RecurrenceRule(parsing: rule), start: local("2008-01-01T02:30"), zone: zone)
      guard case .civil(let civil) = made.schedule else { continue }
      let near: [Int64] = [-200_000, -90_000, -3_601, -1_801, -1, 0, 1, 1_799, 3_600, 90_000]
      for second in changes.flatMap({ change in near.map { change + $0 } }) {
        let (fast, slow) = (civil.next(after: second), civil.slowNext(after: second))
        #expect(fast?.second == slow?.second, "\(rule) after \(second)")
        #expect(fast?.nominal.local == slow?.nominal.local && fast?.change == slow?.change)
      }
    }
  }

  @Test(arguments: zones)
  func `the table and the list of changes give the same offsets`(name: String) throws {
    let table = try SystemZone.named(name).table
    let near: [Int64] = [-90_001, -7_200, -3_600, -1_800, -1, 0, 1, 1_800, 3_599, 3_600, 86_400]
    let bounds = (0..<20).map { OffsetTable.base + Int64($0 * 113) << OffsetTable.shift }
    let changes = table.transitions.filter { $0 < 7_300_000_000 }
    let ends = [OffsetTable.base, OffsetTable.base + Int64(OffsetTable.count) << OffsetTable.shift]
    for second in (changes + bounds + ends).flatMap({ place in near.map { place + $0 } }) {
      let offset = table.offset(at: second)
      #expect(offset == table.searchOffset(at: second), "\(second)")
      let reading = table.reading(second)
      for local in [second + offset, second] {
        let (fast, slow) = (table.resolve(local: local), table.searchResolve(local: local))
        #expect(fast.second == slow.second && fast.foldSecond == slow.foldSecond, "\(local)")
        #expect(fast.kind == slow.kind, "\(local)")
      }
      let place = table.searchResolve(local: second + offset)
      let isSecondPass = place.kind == .fold && place.foldSecond == second
      #expect(reading == (offset, isSecondPass), "\(second)")
      let stretch = table.stretch(at: second)
      #expect(stretch.start <= second && second < stretch.end && stretch.offset == offset)
      #expect(stretch.previousOffset == table.offset(at: max(stretch.start, -5_000_000_000) - 1))
    }
  }

  @Test(arguments: ["America/New_York", "Australia/Lord_Howe", "Europe/Berlin", "Pacific/Chatham"])
  func `clock changes repeat every 400 years`(name: String) throws {
    let zone = try SystemZone.named(name)
    let cycle = OffsetTable.cycleSeconds
    let changes = zone.table.transitions.filter { $0 > 6_900_000_000 && $0 < 7_200_000_000 }
    #expect(changes.count > 16)
    let near: [Int64] = [-90_000, -1, 0, 1_799, 3_600]
    for second in changes.flatMap({ change in near.map { change + $0 } }) {
      for far in [second + cycle, second + 7 * cycle] {
        let (one, other) = (zone.table.reading(second), zone.table.reading(far))
        #expect(one == other, "\(far)")
        let local = CivilDateTime(localSeconds: far + one.offset)
        let place = zone.resolve(CivilDateTime(localSeconds: second + one.offset), fold: 1)
        let later = zone.resolve(local, fold: 1)
        #expect(later.instant.seconds - place.instant.seconds == far - second)
        #expect(later.kind == place.kind && later.offsetSeconds == place.offsetSeconds)
        let next = zone.nextOffsetChange(after: Instant(seconds: second))
        let nextLater = zone.nextOffsetChange(after: Instant(seconds: far))
        #expect(nextLater?.seconds == next.map { $0.seconds + far - second })
        let (early, late) = (zone.table.stretch(at: second), zone.table.stretch(at: far))
        #expect(late.start - early.start == far - second && late.end - early.end == far - second)
        #expect(zone.table.offsets(near: far) == zone.table.offsets(near: second))
      }
    }
  }

  @Test func `the offsets near a second apply in the three days before or after it`() throws {
    let table = try SystemZone.named("Europe/Berlin").table
    let change = try #require(table.transitions.first { $0 > 1_800_000_000 })
    let days: Int64 = 3 * 86_400
    #expect(table.offsets(near: change - days - 1) == [3_600])
    #expect(table.offsets(near: change - days) == [3_600, 7_200])
    #expect(table.offsets(near: change + days - 1) == [3_600, 7_200])
    #expect(table.offsets(near: change + days) == [7_200])
  }

  @Test func `a start in a gap keeps its time if the rule uses elapsed time`() throws {
    let zone = try SystemZone.named("Europe/Berlin")
    func start(_ rule: String) throws -> String {
      let counted = try CountedStart(
        rule: RecurrenceRule(parsing: rule), start: local("2026-03-29T02:30"), zone: zone)
      #expect(counted.single == nil)
      return counted.start.description
    }
    #expect(try start("FREQ=DAILY;BYHOUR=3") == "2026-03-29T03:30:00")
    #expect(try start("FREQ=DAILY;BYHOUR=2,3") == "2026-03-29T03:30:00")
    #expect(try start("FREQ=DAILY") == "2026-03-29T02:30:00")
    #expect(try start("FREQ=HOURLY;INTERVAL=6") == "2026-03-29T02:30:00")
  }
}
