import TestRandom
import Testing

@testable import CivilTime

/// Compares the data structures of the calendar with simple counting.
@Suite("Structures")
struct StructureTests {
  @Test func `a mask finds, counts and chooses its days`() {
    var random = SeededGenerator(seed: 5)
    for size in [0, 1, 2, 7, 40, 200, 384] {
      let days = Set((0..<size).map { _ in Int.random(in: 0..<384, using: &random) }).sorted()
      var mask = DayMask()
      for day in days { mask.insert(day) }
      #expect(mask.count == days.count && mask.isEmpty == days.isEmpty)
      for day in 0...384 {
        #expect(mask.count(before: day) == days.count { $0 < day }, "\(day)")
      }
      for rank in 0...days.count {
        #expect(mask.day(rank: rank) == (rank < days.count ? days[rank] : -1))
      }
      let chosen = mask.selecting([1, 3, -1, -2, 41, -41, 400])
      let count = days.count
      let places = [0, 2, count - 1, count - 2, 40, count - 41]
      let expected = Set(places.filter(days.indices.contains).map { days[$0] })
      #expect(
        (0..<384).filter { chosen.count(before: $0 + 1) > chosen.count(before: $0) }
          == expected.sorted())
      #expect(mask.selecting([]) == mask)
    }
  }

  @Test func `a mask takes a word at each day`() {
    for day in 0..<384 {
      var mask = DayMask()
      mask.insert(0b1011, at: day)
      let expected = [day, day + 1, day + 3].filter { $0 < 384 }
      #expect((0..<expected.count).map { mask.day(rank: $0) } == expected)
      #expect(mask.count == expected.count)
      var other = DayMask(first: min(day + 2, 384))
      #expect(other.count == min(day + 2, 384))
      other.formIntersection(mask)
      #expect(other.count == min(2, 384 - day) && other.day(rank: 0) == day)
    }
    #expect(DayMask(0b101).words == [5, 0, 0, 0, 0, 0])
  }

  @Test func `a bit is selected by its rank`() {
    var random = SeededGenerator(seed: 6)
    let dense = (0..<40).map { _ in UInt64.random(in: 1...(.max), using: &random) }
    for mask in dense + (0..<64).map({ 1 << UInt64($0) }) + [.max, 0xFF, 0xFF00, 0x8000_0001] {
      let bits = (0..<64).filter { mask >> UInt64($0) & 1 == 1 }
      #expect(bits.indices.map { selectBit(mask, $0) } == bits)
    }
  }

  /// The cases contain few, more and many times of day. The module uses a short list for few times,
  /// a search in a list for more times, and sets for many times.
  @Test(arguments: [
    (hours: [8], minutes: [30], seconds: [15]), ([0, 23], [0, 59], [0, 59]),
    ([1, 2, 3], [5, 6, 7], [9]), ([0, 12], [0, 30], [0, 1, 2, 3]),
    ([0, 9, 23], [0, 15, 59], [0, 59]), ([5, 6], [0, 1, 2, 58], [3, 4, 59]),
  ])
  func `times of day are found, ranked and counted`(
    hours: [Int], minutes: [Int], seconds: [Int]
  ) {
    func mask(_ values: [Int]) -> UInt64 { values.reduce(0) { $0 | 1 << UInt64($1) } }
    let list = hours.flatMap { hour in
      minutes.flatMap { minute in seconds.map { hour * 3600 + minute * 60 + $0 } }
    }
    let sets = TimesOfDay(hours: mask(hours), minutes: mask(minutes), seconds: mask(seconds))
    for times in [sets, TimesOfDay(list: list.map(Int32.init))] {
      #expect(times.count == list.count && times.first == list[0])
      #expect(list.indices.map { times.time(rank: $0) } == list)
      let instants = Set(list.flatMap { [$0 - 1, $0, $0 + 1, $0 + 60, $0 + 3600, $0 - 61] })
      for second in instants where (0..<86_400).contains(second) {
        #expect(times.first(atOrAfter: second) == list.first { $0 >= second } ?? -1, "\(second)")
        if times.count > 1 {
          #expect(times.rank(before: second) == list.count { $0 < second }, "\(second)")
        }
      }
    }
  }

  @Test func `no times of day have no first time and no rank`() {
    let none = TimesOfDay(list: [])
    #expect(none.count == 0 && none.first == 0)
    #expect(none.rank(before: 5) == 0 && none.first(atOrAfter: 1) == -1)
  }

  @Test func `each year has its kind, its length and its first day`() {
    var day = -719_162
    for year in 1...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let length = isLeap ? 366 : 365
      let found = [
        CivilDate.newYear(year), CivilDate.yearAndStart(dayNumber: day).year,
        CivilDate.yearAndStart(dayNumber: day).newYear,
        CivilDate.yearAndStart(dayNumber: day + length - 1).year,
        CivilDate.yearAndStart(dayNumber: day + length - 1).newYear,
      ]
      #expect(found == [day, year, day, year, day])
      if year > 1600, year <= 2000 {
        func leap(_ year: Int) -> Bool { CivilDate.isLeap(year) }
        let weekday = CivilDate(dayNumber: day).weekday.index
        let plain = YearKind(index: YearKind.plainIndex(isLeap: isLeap, newYear: day))
        #expect((plain.isLeap, plain.length, plain.firstWeekday) == (isLeap, length, weekday))
        let kind = YearKind(index: YearKind.index(year: year, newYear: day))
        #expect((kind.isLeap, kind.length, kind.firstWeekday) == (isLeap, length, weekday))
        #expect(kind.followsLeap == leap(year - 1), "\(year)")
        #expect(kind.precedesLeap == leap(year + 1), "\(year)")
      }
      day += length
    }
  }

  @Test func `a reciprocal divides like a division`() {
    var random = SeededGenerator(seed: 7)
    for divisor in [1, 2, 3, 7, 60, 3600, 86_400, 999_999_999, 3_599_999_996_400] {
      let reciprocal = Reciprocal(divisor)
      let near: [UInt64] = [0, 1, UInt64(divisor) - 1, UInt64(divisor), UInt64(divisor) + 1]
      let far = (0..<20).map { _ in UInt64.random(in: 0..<1 << 63, using: &random) }
      for value in near + far + [1 << 63 - 1] {
        let found = reciprocal.divide(value)
        #expect(found == (value / UInt64(divisor), value % UInt64(divisor)))
      }
    }
  }

  @Test func `divisions round down, and numbers have leading zeros`() {
    for value in -15...15 {
      for divisor in [1, 4, 7] {
        let expected = Int((Double(value) / Double(divisor)).rounded(.down))
        #expect(floorDivide(value, divisor) == expected)
        #expect(floorDivide(Int64(value), Int64(divisor)) == Int64(expected))
        #expect(floorRemainder(value, divisor) == value - expected * divisor)
      }
    }
    let numbers = [padded(5, 2), padded(-5, 2), padded(123, 2), padded(0, 4)]
    #expect(numbers == ["05", "-05", "123", "0000"])
    #expect(greatestCommonDivisor(12, -18) == 6 && greatestCommonDivisor(0, 5) == 5)
  }

  @Test func `instants round up, subtract and stop at the ends of their range`() {
    let rounded: [(Int64, Int64)] = [
      (-1_001, -1), (-1_000, -1), (-999, 0), (-1, 0), (0, 0), (1, 1), (999, 1), (1_000, 1),
      (1_001, 2),
    ]
    for (milliseconds, second) in rounded {
      #expect(Instant(milliseconds: milliseconds).secondsRoundedUp == second)
    }
    let (least, most) = (Instant(milliseconds: .min), Instant(milliseconds: .max))
    let (zero, five) = (Instant(milliseconds: 0), Instant(milliseconds: 5))
    #expect(five.milliseconds(since: Instant(milliseconds: -3)) == 8)
    #expect(zero.milliseconds(since: five) == -5)
    #expect(most.milliseconds(since: least) == .max && least.milliseconds(since: most) == .min)
    #expect(most.milliseconds(since: Instant(milliseconds: -1)) == .max)
    #expect(least.milliseconds(since: Instant(milliseconds: 1)) == .min)
    #expect(most.milliseconds(since: zero) == .max && least.milliseconds(since: zero) == .min)
    let limit = Int64.max / 1000
    #expect(Instant(seconds: limit).milliseconds == limit * 1000)
    #expect(Instant(seconds: limit + 1) == most && Instant(seconds: .max) == most)
    #expect(Instant(seconds: -limit).milliseconds == -limit * 1000)
    #expect(Instant(seconds: -limit - 1) == least)
    #expect(most.adding(milliseconds: 0) == most && most.adding(milliseconds: -1) < most)
    #expect(least.adding(seconds: .min) == least && zero.adding(seconds: -2).milliseconds == -2_000)
    #expect(Instant(seconds: -62_135_596_800).description == "0001-01-01T00:00:00.000Z")
    let before = Instant(milliseconds: -62_135_596_800_001)
    #expect(before.description == "0000-12-31T23:59:59.999Z")
    #expect(Instant(seconds: 253_402_300_800).description == "10000-01-01T00:00:00.000Z")
    #expect(Instant(milliseconds: 1_007).description == "1970-01-01T00:00:01.007Z")
  }

  @Test func `dates and times have their parts`() throws {
    for day in 0..<14 {
      #expect(CivilDate(dayNumber: day - 7).weekday.index == (day + 3) % 7)
    }
    let time = try local("2028-02-29T23:59:58")
    #expect((time.date.year, time.date.month, time.date.day) == (2028, 2, 29))
    #expect((time.time.hour, time.time.minute, time.time.second) == (23, 59, 58))
    let later = CivilDateTime(localSeconds: time.localSeconds + 2)
    #expect(later.description == "2028-03-01T00:00:00")
    #expect(CivilDateTime(localSeconds: -1).description == "1969-12-31T23:59:59")
    #expect(CivilDateTime(localSeconds: .max).time.secondOfDay == 86_399)
    #expect(CivilDateTime(localSeconds: .min).time == .midnight)
    #expect(CivilDateTime(localSeconds: .max).date.dayNumber == Int(Int32.max))
    #expect(CivilDateTime(localSeconds: .min).date.dayNumber == Int(Int32.min))
    #expect(CivilDate(dayNumber: .min).dayNumber == Int(Int32.min))
    #expect(try ClockTime(hour: 1, minute: 2, second: 60).secondOfDay == 3_779)
    #expect(try ClockTime(parsing: "01:02:60").secondOfDay == 3_779)
    func utc(_ text: String) throws -> String { try instant(text).description }
    #expect(try utc("2026-12-01 08:00:00.05-23:59") == "2026-12-02T07:59:00.050Z")
    #expect(try utc("2026-12-01T08:00:00.12345+23:59") == "2026-11-30T08:01:00.123Z")
    #expect(try time.date < time.date.adding(days: 1) && local("2026-01-01T00:00") < time)
  }
}
