import CivilTime
import Foundation
import Testing

@testable import Alarms

@Suite struct `Schedules that leave out holidays` {
  /// The list of holidays contains Monday 18, Wednesday 20 and Saturday 23 January 2027.
  @Test(arguments: [
    ("weekdays 08:00 not on holidays DE-BE", ["01-19 08:00", "01-21 08:00", "01-22 08:00"]),
    ("every weekday 08:00 not on holidays de-be", ["01-19 08:00", "01-21 08:00", "01-22 08:00"]),
    ("every day 08:00 not on holidays", ["01-16 08:00", "01-17 08:00", "01-19 08:00"]),
    ("every day 8:00, 20:30 except on holidays", ["01-15 20:30", "01-16 08:00", "01-16 20:30"]),
    ("mon 10:00 but not on the holidays of DE-BE", ["01-25 10:00", "02-01 10:00", "02-08 10:00"]),
    ("every day 08:00 except holidays until 2027-01-19", ["01-16 08:00", "01-17 08:00"]),
    ("every day 08:00 not on holidays for 4 days", ["01-16 08:00", "01-17 08:00", "01-19 08:00"]),
    ("weekdays 08:00 not on holidays and 1 hour before", ["01-19 07:00", "01-19 08:00"]),
    ("every year on 18 january 08:00 not on holidays", ["2028-01-18 08:00"]),
    (
      "weekdays 08:00 not on holidays DE-BE starting 2027-01-20",
      ["01-21 08:00", "01-22 08:00", "01-25 08:00"]
    ),
  ])
  func `each phrase gives these times, and its words give the same schedule`(
    phrase: String, wanted: [String]
  ) throws {
    let lists = [try HolidayFixture.list("DE-BE", "2027-01-18", "2027-01-20", "2027-01-23")]
    let parsed = try HolidayFixture.parsed(phrase, lists)
    let plan = try SchedulePlan(
      parsed.schedule, earlyReminders: parsed.earlyReminders, zone: CoreFixture.berlin, seed: 0)
    var times: [String] = []
    var from = HolidayFixture.now
    while times.count < wanted.count, let next = plan.next(after: from) {
      from = next.instant
      times.append("\(next.nominal.date) \(next.nominal.time)")
    }
    #expect(times == wanted.map { $0.hasPrefix("2") ? $0 : "2027-\($0)" })
    let words = parsed.schedule.words(in: CoreFixture.berlin, typedAt: HolidayFixture.now)
    #expect(words.hasSuffix(" not on holidays DE-BE"), "\(words)")
    #expect(try HolidayFixture.parsed(words, lists).schedule == parsed.schedule, "\(words)")
    #expect(try HolidayFixture.parsed(parsed.phrase, lists).schedule == parsed.schedule)
    #expect(parsed.phrase.lowercased().contains("de-be"), "\(parsed.phrase)")
  }

  @Test(arguments: [
    ("every day 08:00 not on holidays DE-BY", "did you mean \"DE-BE\"?"),
    ("every day 08:00 not on holidays DE-BY", "prompter holidays import FILE.ics"),
    ("every day 08:00 not on holidays", "the home has 2 lists of holidays"),
    ("every day 08:00 not on birthdays", "the end of the text"),
    ("every day 08:00 not on holidays DE-BE for 3 times", "cannot end after a number of times"),
    ("every 8 hours not on holidays DE-BE", "only a schedule with times of day"),
    ("2027-02-01 08:00 not on holidays DE-BE", "only a schedule with times of day"),
    ("random between 09:00 and 12:00 not on holidays US", "only a schedule with times of day"),
    ("every day 08:00 not on holidays DE-BE US", "the end of the text"),
  ])
  func `a phrase that cannot be followed is refused with the reason`(
    phrase: String, sentence: String
  ) throws {
    let lists = [
      try HolidayFixture.list("DE-BE", "2027-01-18"), try HolidayFixture.list("US", "2027-07-05"),
    ]
    let refusal = #expect(throws: Refusal.self) { try HolidayFixture.parsed(phrase, lists) }
    #expect(refusal?.field == "schedule")
    #expect(refusal?.detail.contains(sentence) == true, "\(refusal?.detail ?? "")")
  }

  @Test func `without a list, the refusal says how to import one`() throws {
    for phrase in ["weekdays 08:00 not on holidays", "weekdays 08:00 not on holidays DE-BE"] {
      let refusal = #expect(throws: Refusal.self) { try HolidayFixture.parsed(phrase, []) }
      #expect(refusal?.detail.contains("prompter holidays import FILE.ics") == true)
    }
  }

  /// Computes the expected days one after another, without the code for recurrence rules.
  @Test(arguments: ["Europe/Berlin", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe"])
  func `ten years of a plan equal the days that are neither weekends nor holidays`(
    name: String
  ) throws {
    let file = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)"))
    let zone = try Zone(name: name, tzif: Array(file))
    var random = SplitMix64(seed: 4)
    let first = try HolidayFixture.day("2027-01-16")
    let holidays = Set((0..<700).map { _ in first.adding(days: Int(random.next(below: 3_650))) })
    let exclusion = HolidayExclusion(list: "X", days: holidays.sorted())
    let schedule = try SchedulePhrase(
      "weekdays 02:30 not on holidays X", now: HolidayFixture.now, zone: zone,
      findHolidays: { _ in exclusion }
    ).parsed().schedule
    let plan = try SchedulePlan(schedule, zone: zone, seed: 0)
    var from = HolidayFixture.now
    for offset in 0..<3_650 {
      let date = first.adding(days: offset)
      if date.weekday.rawValue > 5 || holidays.contains(date) { continue }
      let next = try #require(plan.next(after: from))
      #expect(next.nominal.date == date)
      #expect(
        next.instant
          == zone.resolve(
            CivilDateTime(date: date, time: try ClockTime(hour: 2, minute: 30))
          ).instant)
      from = next.instant
    }
  }
}

@Suite struct `Lists of holidays that change` {
  @Test func `a planned prompt on a new holiday is replaced by the prompt of the next day`() throws
  {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-06-01")
    let alarm = try fixture.add { $0.schedule = "every day 08:00 not on holidays" }
    #expect(fixture.planned == ["2027-01-16T08:00:00"])
    try fixture.importHolidays("de-be", "2027-01-16", "2027-01-17")
    #expect(fixture.planned == ["2027-01-18T08:00:00"])
    #expect(fixture.home.alarm(alarm.id)?.version == 2)
    #expect(fixture.home.holidays.keys.sorted() == ["DE-BE"])
    fixture.pass(seconds: 4 * 86_400)
    #expect(fixture.dueTimes == ["2027-01-18T08:00:00", "2027-01-19T08:00:00"])
  }

  @Test func `a day that is no longer a holiday rings, also after a restart`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-01-16", "2027-01-17")
    try fixture.add { $0.schedule = "every day 08:00 not on holidays" }
    #expect(fixture.planned == ["2027-01-18T08:00:00"])
    try fixture.importHolidays("DE-BE", "2027-01-17")
    #expect(fixture.planned.first == "2027-01-16T08:00:00")
    // The caretaker imports the list of two days again, and then the list of one day. The first of
    // these imports closes the prompt of 16 January. The second import plans this prompt again.
    try fixture.importHolidays("DE-BE", "2027-01-16", "2027-01-17")
    try fixture.importHolidays("DE-BE", "2027-01-17")
    fixture.crash()
    fixture.pass(seconds: 3 * 86_400)
    #expect(fixture.dueTimes == ["2027-01-16T08:00:00", "2027-01-18T08:00:00"])
  }

  @Test func `a prompt that already rings stays open if its day becomes a holiday`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-06-01")
    try fixture.add { $0.schedule = "every day 09:10 not on holidays" }
    fixture.pass(seconds: 11 * 60)
    let open = try #require(fixture.home.openPrompts.first { $0.state != .planned })
    try fixture.importHolidays("DE-BE", "2027-01-15", "2027-01-16")
    let kept = try #require(fixture.home.prompt(open.id))
    #expect(kept.state.isOpen && kept.alarmVersion == 2)
    #expect(fixture.planned == ["2027-01-17T09:10:00"])
    try fixture.handle(.command(.answer(nil, .complete), CoreFixture.anna))
    #expect(!fixture.home.openPrompts.contains { $0.state != .planned })
  }

  @Test func `a holiday on the day of a clock change leaves out this day only`() throws {
    var fixture = CoreFixture()
    // The clocks go forward at 02:00 on 28 March, and back at 03:00 on 31 October 2027.
    try fixture.importHolidays("DE-BE", "2027-03-28", "2027-10-31")
    try fixture.add { $0.schedule = "every day 02:30 not on holidays DE-BE" }
    fixture.pass(seconds: 300 * 86_400)
    let due = fixture.dueTimes
    #expect(!due.contains { $0.hasPrefix("2027-03-28") || $0.hasPrefix("2027-10-31") })
    for date in ["2027-03-27", "2027-03-29", "2027-10-30", "2027-11-01"] {
      #expect(due.contains("\(date)T02:30:00"))
    }
  }

  @Test func `after the end of the list the alarm rings, and the home says so before`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-01-16", "2027-03-20")
    try fixture.add("Day centre") { $0.schedule = "every day 08:00 not on holidays" }
    #expect(fixture.home.endingHolidays(on: try HolidayFixture.day("2027-01-19")).isEmpty)
    let ending = try #require(
      fixture.home.endingHolidays(on: try HolidayFixture.day("2027-01-20")).first)
    #expect(ending.words.contains("DE-BE ends on 2027-03-20"))
    #expect(ending.words.contains("\"Day centre\" rings on holidays too"))
    let over = try #require(
      fixture.home.endingHolidays(on: try HolidayFixture.day("2027-03-21")).first)
    #expect(over.words.contains("DE-BE ended on 2027-03-20"))
    fixture.pass(seconds: 70 * 86_400)
    #expect(fixture.dueTimes.last == "2027-03-26T08:00:00" && fixture.dueTimes.count == 69 - 1)
  }

  @Test func `no list gives a problem while no alarm uses it`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-01-16")
    #expect(fixture.home.endingHolidays(on: try HolidayFixture.day("2027-02-01")).isEmpty)
  }

  @Test func `a list that would end an alarm is accepted, and the alarm is over`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-06-01")
    let alarm = try fixture.add { $0.schedule = "every day 08:00 until 2027-01-17 not on holidays" }
    try fixture.importHolidays("DE-BE", "2027-01-16", "2027-01-17")
    #expect(fixture.planned.isEmpty && fixture.home.isOver(alarm.id))
    try fixture.importHolidays("DE-BE", "2027-01-17")
    #expect(fixture.planned == ["2027-01-16T08:00:00"])
  }

  @Test func `a list is removed while only an alarm that is over uses it`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-01-16", "2027-01-17")
    let alarm = try fixture.add { $0.schedule = "every day 08:00 until 2027-01-18 not on holidays" }
    #expect(throws: Refusal.self) {
      try fixture.handle(.command(.removeHolidays("DE-BE"), CoreFixture.anna))
    }
    try fixture.importHolidays("DE-BE", "2027-01-16", "2027-01-17", "2027-01-18")
    #expect(fixture.home.isOver(alarm.id))
    try fixture.handle(.command(.removeHolidays("DE-BE"), CoreFixture.anna))
    #expect(fixture.replay.alarms[alarm.id]?.schedule.holidays?.days.count == 3)
  }

  @Test func `a list is replaced only on request, and removed only if no alarm uses it`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-06-01")
    let alarm = try fixture.add { $0.schedule = "every day 08:00 not on holidays" }
    let count = fixture.records.count
    for (command, sentence) in [
      (
        Command.importHolidays(try HolidayFixture.list("de-BE", "2027-06-02"), replacing: false),
        "--replace"
      ),
      (.importHolidays(HolidayList(name: "US", days: []), replacing: false), "0 dates"),
      (
        .importHolidays(try HolidayFixture.list("not", "2027-06-02"), replacing: false),
        "cannot be the name"
      ),
      (
        .importHolidays(try HolidayFixture.list("two words", "2027-06-02"), replacing: false),
        "one word"
      ),
      (.removeHolidays("DE-BE"), "\"Pills\" use it"), (.removeHolidays("DE-BY"), "DE-BE"),
    ] {
      let refusal = #expect(throws: Refusal.self) {
        try fixture.handle(.command(command, CoreFixture.anna))
      }
      #expect(refusal?.detail.contains(sentence) == true, "\(refusal?.detail ?? "")")
    }
    #expect(fixture.records.count == count)
    try fixture.handle(.command(.remove(alarm.id, ifVersion: nil), CoreFixture.anna))
    try fixture.handle(.command(.removeHolidays("de-be"), CoreFixture.anna))
    #expect(fixture.home.holidays.isEmpty && fixture.replay.holidays.isEmpty)
  }

  @Test func `an import without a difference records nothing and changes no alarm`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-06-01")
    try fixture.add { $0.schedule = "every day 08:00 not on holidays" }
    let count = fixture.records.count
    try fixture.importHolidays("DE-BE", "2027-06-01")
    #expect(fixture.records.count == count)
  }

  @Test func `a home keeps at most 32 lists`() throws {
    var fixture = CoreFixture()
    for number in 1...32 { try fixture.importHolidays("L\(number)", "2027-06-01") }
    let refusal = #expect(throws: Refusal.self) { try fixture.importHolidays("L33", "2027-06-01") }
    #expect(refusal?.kind == .limit)
    try fixture.importHolidays("L32", "2027-06-02")
  }

  @Test func `the warning of a saved alarm says that its list ends soon`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-02-01")
    var form = AlarmForm()
    form.label = "Day centre"
    form.schedule = "weekdays 08:00 not on holidays"
    let reply = try fixture.handle(.command(.add(AlarmID("a1"), form), CoreFixture.anna))
    guard case .alarm(_, _, let report)? = reply else { throw Refusal(.notFound, "no alarm") }
    #expect(report.warnings.map(\.kind) == [.holidaysEnd])
    #expect(report.explanation.contains("weekdays at 08:00 not on holidays DE-BE"))
  }

  @Test func `two holidays on one date are one day with both labels`() throws {
    let date = try HolidayFixture.day("2027-10-03")
    let list = HolidayList(
      name: "DE",
      days: ["Unity Day", "", "Harvest", "Unity Day"].map { Holiday(date: date, label: $0) })
    #expect(list.days == [Holiday(date: date, label: "Unity Day, Harvest")])
  }
}

@Test func `why names the holiday and its list`() throws {
  var fixture = CoreFixture()
  let holiday = Holiday(date: try HolidayFixture.day("2027-05-06"), label: "Ascension Day")
  try fixture.handle(
    .command(
      .importHolidays(HolidayList(name: "DE-BE", days: [holiday]), replacing: false),
      CoreFixture.anna))
  let alarm = try fixture.add { $0.schedule = "weekdays 08:00 not on holidays" }
  func summary(_ time: String) throws -> String {
    let at = try typedInstant(time, zone: CoreFixture.berlin, now: HolidayFixture.now, field: "at")
    return whyNot(
      at: at, versions: [SetAlarm(alarm: alarm, actor: CoreFixture.anna, at: HolidayFixture.now)],
      removal: nil,
      before: nil, interruptions: [], now: fixture.now, in: fixture.home, fixture.environment,
      userName: { _ in nil }
    ).summary
  }
  #expect(
    try summary("2027-05-06 08:00").contains(
      "2027-05-06 is a holiday (Ascension Day) of DE-BE."))
  #expect(try !summary("2027-05-06 09:00").contains("holiday"))
  #expect(try !summary("2027-05-08 08:00").contains("holiday"))
}
