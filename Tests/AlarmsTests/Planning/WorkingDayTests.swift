import CivilTime
import Foundation
import Testing

@testable import Alarms

@Suite struct `Working days of a month` {
  /// The list contains the holidays Monday 1 and Friday 26 February, Thursday 25 and Friday 26
  /// March, and Thursday 1 April 2027.
  private static func lists() throws -> [HolidayList] {
    [
      try HolidayFixture.list(
        "X", "2027-02-01", "2027-02-26", "2027-03-25", "2027-03-26", "2027-04-01")
    ]
  }

  @Test(arguments: [
    (
      "last working day of the month 09:00 holidays X",
      "the last working day of every month at 09:00 holidays X",
      ["2027-01-29", "2027-02-25", "2027-03-31", "2027-04-30"]
    ),
    (
      "first working day of month 09:00 holidays x",
      "the 1st working day of every month at 09:00 holidays X",
      ["2027-02-02", "2027-03-01", "2027-04-02", "2027-05-03"]
    ),
    (
      "third business day of the month at 09:00 not on holidays",
      "the 3rd working day of every month at 09:00 holidays X",
      ["2027-02-04", "2027-03-03", "2027-04-06", "2027-05-05"]
    ),
    (
      "last weekday of every 2 months 09:00 holidays X starting 2027-02-01",
      "the last working day of every 2 months at 09:00 starting 2027-02-01 holidays X",
      ["2027-02-25", "2027-04-30", "2027-06-30"]
    ),
    (
      "last working day of february 09:00 holidays X",
      "the last working day of February at 09:00 holidays X",
      ["2027-02-25", "2028-02-29", "2029-02-28"]
    ),
    (
      "last working day of month 09:00 holidays X until 2027-02-25",
      "the last working day of every month at 09:00 until 2027-02-25 holidays X",
      ["2027-01-29", "2027-02-25"]
    ),
    (
      "last working day of month 09:00", "the last working day of every month at 09:00",
      ["2027-01-29", "2027-02-26", "2027-03-31"]
    ),
  ])
  func `each phrase gives these days, and its words give the same schedule`(
    phrase: String, words: String, days: [String]
  ) throws {
    let parsed = try HolidayFixture.parsed(phrase, Self.lists())
    #expect(parsed.schedule.words(in: CoreFixture.berlin, typedAt: HolidayFixture.now) == words)
    #expect(try HolidayFixture.parsed(words, Self.lists()).schedule == parsed.schedule)
    let plan = try SchedulePlan(parsed.schedule, zone: CoreFixture.berlin, seed: 0)
    var found: [String] = []
    var from = HolidayFixture.now
    while found.count < days.count, let next = plan.next(after: from) {
      from = next.instant
      found.append(next.nominal.date.description)
      #expect(next.nominal.time.description == "09:00")
    }
    #expect(found == days)
    if phrase.contains("until") { #expect(plan.next(after: from) == nil) }
  }

  @Test func `a start within the month leaves out earlier days only`() throws {
    // Friday 1 January is in this list of holidays, so the first working day is Monday 4 January.
    let lists = [try HolidayFixture.list("X", "2027-01-01", "2027-01-29")]
    let early = Instant(seconds: 1_798_790_400)  // Friday 1 January 2027, 09:00 in Berlin.
    for (phrase, day) in [
      ("first working day of month 08:00 holidays X", "2027-01-04"),
      ("last working day of month 08:00 holidays X starting 2027-01-29", "2027-02-26"),
      ("last working day of month 08:00 holidays X starting 2027-01-28", "2027-01-28"),
    ] {
      let schedule = try SchedulePhrase(
        phrase, now: early, zone: CoreFixture.berlin, findHolidays: { _ in lists[0].exclusion }
      ).parsed().schedule
      let plan = try SchedulePlan(schedule, zone: CoreFixture.berlin, seed: 0)
      #expect(plan.next(after: early)?.nominal.date.description == day, "\(phrase)")
    }
  }

  @Test(arguments: [
    ("every day 08:00 holidays X", "write \"not on holidays\""),
    ("last working day of month 09:00 holidays Y", "there is no list of holidays \"Y\""),
    (
      "last working day of month 09:00 holidays X for 3 times", "cannot end after a number of times"
    ),
    ("last working of month 09:00", "expected"),
  ])
  func `a phrase that cannot be followed is refused with the reason`(
    phrase: String, sentence: String
  ) throws {
    let refusal = #expect(throws: Refusal.self) { try HolidayFixture.parsed(phrase, Self.lists()) }
    #expect(refusal?.detail.contains(sentence) == true, "\(refusal?.detail ?? "")")
  }

  /// Counts the working days of each month one by one, without the code for recurrence rules.
  @Test(arguments: [-1, 1, 2, 5], ["Europe/Berlin", "America/New_York", "Pacific/Apia"])
  func `ten years of a plan equal the working days of a calendar`(
    position: Int, name: String
  ) throws {
    let file = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)"))
    let zone = try Zone(name: name, tzif: Array(file))
    var random = SplitMix64(seed: 9)
    let first = try HolidayFixture.day("2027-01-01")
    let holidays = Set((0..<900).map { _ in first.adding(days: Int(random.next(below: 3_653))) })
    let ordinal = position < 0 ? "last" : ["first", "second", "", "", "fifth"][position - 1]
    let start = zone.resolve(CivilDateTime(date: first, time: .midnight)).instant
    let schedule = try SchedulePhrase(
      "\(ordinal) working day of month 12:00 holidays X", now: start, zone: zone,
      findHolidays: { _ in HolidayExclusion(list: "X", days: holidays.sorted()) }
    ).parsed().schedule
    let plan = try SchedulePlan(schedule, zone: zone, seed: 0)
    var from = start
    for month in 0..<120 {
      let working = (0..<3_653).map { first.adding(days: $0) }.filter {
        12 * ($0.year - 2027) + $0.month - 1 == month && $0.weekday.rawValue <= 5
          && !holidays.contains($0)
      }
      guard working.count >= abs(position) else { continue }
      let wanted = position < 0 ? working[working.count - 1] : working[position - 1]
      let next = try #require(plan.next(after: from))
      #expect(next.nominal.date == wanted)
      from = next.instant
    }
  }

  @Test func `a new list moves the planned prompt to the working day before`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("X", "2027-06-01")
    try fixture.add { $0.schedule = "last working day of the month 09:00 holidays X" }
    #expect(fixture.planned == ["2027-01-29T09:00:00"])
    try fixture.importHolidays("X", "2027-01-28", "2027-01-29")
    #expect(fixture.planned == ["2027-01-27T09:00:00"])
    fixture.crash()
    fixture.pass(seconds: 50 * 86_400)
    #expect(fixture.dueTimes == ["2027-01-27T09:00:00", "2027-02-26T09:00:00"])
  }

  @Test func `without a list, a warning says that holidays count as working days`() throws {
    var fixture = CoreFixture()
    var form = AlarmForm()
    form.label = "Rent"
    form.schedule = "last working day of the month 09:00"
    let reply = try fixture.handle(.command(.add(AlarmID("a1"), form), CoreFixture.anna))
    guard case .alarm(_, _, let report)? = reply else { throw Refusal(.notFound, "no alarm") }
    #expect(report.warnings.map(\.kind) == [.withoutHolidays])
  }
}
