import CivilTime
import Testing

@testable import Alarms

private func day(_ text: String) throws -> CivilDate { try CivilDate(parsing: text) }

@Suite struct `A list of holidays` {
  @Test func `is sorted, and finds the holiday of a day and the next holiday`() throws {
    let list = HolidayList(
      name: "X",
      days: try [("2027-05-01", "B"), ("2027-01-01", "A"), ("2027-12-25", "")].map {
        Holiday(date: try day($0.0), label: $0.1)
      })
    #expect(list.days.map(\.label) == ["A", "B", ""])
    #expect(list.holiday(on: try day("2027-05-01"))?.label == "B")
    #expect(list.holiday(on: try day("2027-05-02")) == nil)
    let next = try ["2026-01-01", "2027-01-01", "2027-01-02", "2027-12-25", "2027-12-26"].map {
      list.next(from: try day($0))?.date.month
    }
    #expect(next == [1, 1, 5, 12, nil])
    #expect(list.last == (try day("2027-12-25")))
    #expect(list.exclusion.days == list.days.map(\.date))
  }

  @Test func `has labels of at most 200 characters`() throws {
    let date = try day("2027-01-01")
    for (count, kept) in [(199, 199), (200, 200), (201, 200)] {
      let label = String(repeating: "a", count: count)
      let list = HolidayList(name: "X", days: [Holiday(date: date, label: label)])
      #expect(list.days[0].label.count == kept)
    }
  }

  @Test func `is renamed and left out only in a schedule of dates`() throws {
    let rule = try RecurrenceRule(parsing: "FREQ=DAILY")
    let start = CivilDateTime(date: try day("2027-01-16"), time: .midnight)
    let days = HolidayExclusion(list: "X", days: [try day("2027-01-20")])
    let recurring = Schedule.recurring(rule, start: start)
    let without = Schedule.several(RecurringDates(rules: [.init(rule: rule, start: start)]))
    let with = Schedule.several(
      RecurringDates(rules: [.init(rule: rule, start: start)], holidays: days))
    #expect(recurring.leavingOut(days) == with && without.leavingOut(days) == with)
    #expect(Schedule.once(start).leavingOut(days) == nil)
    #expect(Schedule.at(Instant(seconds: 0)).leavingOut(days) == nil)
    #expect(with.namingHolidays("Y").holidays?.list == "Y")
    #expect(without.namingHolidays("Y") == without && recurring.namingHolidays("Y") == recurring)
    #expect(with.holidays == days && without.holidays == nil && recurring.holidays == nil)
    var used = days
    #expect(used.words == "not on holidays X")
    used.workingDaysFrom = try day("2027-01-01")
    #expect(used.words == "holidays X")
    used.list = ""
    #expect(used.words == "holidays")
  }

  @Test func `that ends names the first alarm by label, and the lists by name`() throws {
    var fixture = CoreFixture()
    for name in ["B", "A"] {
      try fixture.importHolidays(name, "2027-01-16", "2027-03-20", replacing: false)
      for label in ["Walk", "Lunch", "Tea"] {
        try fixture.add(label) { $0.schedule = "every day 08:00 not on holidays \(name)" }
      }
    }
    func words(_ text: String) throws -> [String] {
      try fixture.home.endingHolidays(on: try day(text)).map {
        "\($0.list) \($0.label) \($0.last) \($0.isOver)"
      }
    }
    let open = ["A Lunch 2027-03-20 false", "B Lunch 2027-03-20 false"]
    #expect(try words("2027-01-19") == [])
    #expect(try words("2027-01-20") == open)
    #expect(try words("2027-03-20") == open)
    #expect(try words("2027-03-21") == open.map { $0.replacing("false", with: "true") })
    #expect(
      fixture.home.alarms(usingHolidays: "a").map(\.label) == ["Lunch", "Tea", "Walk"])
  }

  @Test func `has a name of one word that is not part of a phrase`() {
    func isName(_ name: String) -> Bool { (try? HolidayRules.checkName(name)) != nil }
    for name in ["DE-BE", "a", "2027", "Ärzte_1.2", String(repeating: "a", count: 64)] {
      #expect(isName(name), "\(name)")
    }
    for name in [
      "", "a b", "a/b", "a,b", "not", "NOT", "until", "and", String(repeating: "a", count: 65),
      String(repeating: "\u{10400}", count: 51),
    ] {
      #expect(!isName(name), "\(name)")
    }
    #expect(isName(String(repeating: "\u{10400}", count: 50)))
  }

  @Test(arguments: [
    (1, "2027-01-01 2027-02-01", "2027-01-04"), (1, "", "2027-01-01"), (5, "", "2027-01-07"),
    (-1, "2027-01-29", "2027-01-28"), (-1, "", "2027-01-29"), (-21, "", "2027-01-01"),
    (-22, "", "-"), (21, "", "2027-01-29"), (22, "", "-"), (2, "2027-01-04", "2027-01-05"),
  ])
  func `moves a working day within its month`(position: Int, holidays: String, found: String) throws
  {
    let days = Set(try holidays.split(separator: " ").map { try day(String($0)) })
    for first in ["2027-01-01", "2027-01-15", "2027-01-31"] {
      let working = WorkingDays.day(position, inMonthOf: try day(first), holidays: days)
      #expect(working.map { "\($0)" } ?? "-" == found, "\(first)")
    }
  }

  @Test(arguments: [
    // The rule has a time in every second month, beginning in January. Therefore the rule has no
    // time in February.
    ("FREQ=MONTHLY;INTERVAL=2", "2027-01-29 2027-02-26", "2027-01-28"),
    ("FREQ=MONTHLY;INTERVAL=2", "2027-03-31", "2027-03-30"),
    ("FREQ=MONTHLY;INTERVAL=13", "2028-02-29", "2028-02-28"),
    ("FREQ=MONTHLY;INTERVAL=12", "2028-02-29", ""),
    ("FREQ=MONTHLY", "2027-01-29 2027-02-26", "2027-01-28 2027-02-25"),
    ("FREQ=YEARLY;BYMONTH=3", "2027-01-29 2027-03-31 2028-03-31", "2027-03-30 2028-03-30"),
    (
      "FREQ=YEARLY;INTERVAL=2;BYMONTH=3", "2027-03-31 2028-03-31 2029-03-30",
      "2027-03-30 2029-03-29"
    ),
    ("FREQ=MONTHLY;UNTIL=20270225", "2027-01-29 2027-02-26 2027-03-31", "2027-01-28 2027-02-25"),
    ("FREQ=MONTHLY;UNTIL=20270224", "2027-01-29 2027-02-26", "2027-01-28"),
    ("FREQ=MONTHLY;UNTIL=20270224T000000", "2027-01-29 2027-02-26", "2027-01-28"),
  ])
  func `moves the working days of the months of a rule`(
    rule: String, holidays: String, moved: String
  ) throws {
    let text = "\(rule);BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=8,20;BYMINUTE=0;BYSECOND=0"
    let start = CivilDateTime(date: try day("2027-01-01"), time: .midnight)
    let dates = RecurringDates(
      rules: [.init(rule: try RecurrenceRule(parsing: text), start: start)],
      holidays: HolidayExclusion(
        list: "X", days: try holidays.split(separator: " ").map { try day(String($0)) },
        workingDaysFrom: start.date))
    let parts = dates.holidayParts
    let wanted = moved.split(separator: " ").flatMap { ["\($0)T08:00:00", "\($0)T20:00:00"] }
    #expect(parts.dates.sorted().map { "\($0)" } == wanted)
    var later = dates
    later.holidays?.workingDaysFrom = try day("2040-01-01")
    #expect(later.holidayParts.dates == [])
    #expect(later.holidayParts.excludedDays.sorted() == parts.excludedDays.sorted())
    later.holidays = nil
    #expect(later.holidayParts.dates == [] && later.holidayParts.excludedDays == [])
  }
}

@Test func `an interval with a later start is a rule, and another interval is not`() throws {
  // Saturday 21 November 2026, 09:00 in Berlin.
  let now = Instant(seconds: 1_795_248_000)
  func kind(_ phrase: String) throws -> String {
    try SchedulePhrase(phrase, now: now, zone: CoreFixture.berlin).parsed().schedule.kind
  }
  #expect(try kind("every 8 hours starting 2026-11-21 08:00") == "every")
  #expect(try kind("every 8 hours starting 2026-11-22 01:00") == "every")
  #expect(try kind("every 8 hours starting 2026-11-22 01:01") == "recurring")
  #expect(try kind("every 8 hours for 3 times") == "recurring")
}

@Test func `without the daemon, a phrase cannot name an alarm or holidays`() {
  let now = Instant(seconds: 1_795_248_000)
  func refusal(_ phrase: String) -> String? {
    do throws(Refusal) {
      _ = try SchedulePhrase(phrase, now: now, zone: .utc).parsed()
      return nil
    } catch {
      return "\(error)"
    }
  }
  #expect(
    refusal("1 hour after Lunch is completed")?.hasSuffix(
      "cannot find the alarm \"Lunch\": only the daemon knows the alarms") == true)
  #expect(
    refusal("weekdays 08:00 not on holidays")?.hasSuffix(
      "cannot find the list of holidays: only the daemon knows the lists") == true)
}

@Test func `a person that nobody uses is not offered for a new alarm`() throws {
  var fixture = CoreFixture()
  try fixture.person("eva") { _ in }
  #expect(fixture.home.peopleInUse.map(\.id.text) == ["eva"])
  #expect(fixture.home.onlyPerson == PersonID("eva"))
  #expect(try fixture.add { $0.schedule = "every day 08:00" }.person == PersonID("eva"))
  try fixture.add { ($0.schedule, $0.person) = ("every day 09:00", "patient") }
  #expect(Set(fixture.home.peopleInUse.map(\.id.text)) == ["eva", "patient"])
  #expect(fixture.home.onlyPerson == nil)
}

@Test func `the photo of a prompt stays its photo if the picture is recorded again`() {
  let picture = Picture(sha256: "aa", mediaType: "image/png", width: 4, height: 3, bytes: 9)
  let prompt = PromptID(alarm: AlarmID("a"), nominalKey: 8)
  var replay = Replay()
  let at = CoreFixture().now
  replay.apply(.photographed(prompt, sha256: "aa"), at: at)
  #expect(replay.picture("aa") == nil)
  replay.apply(.imageAdded(picture), at: at)
  #expect(replay.picture("aa")?.prompt == nil)
  replay.apply(.photographed(prompt, sha256: "aa"), at: at)
  replay.apply(.imageAdded(picture), at: at)
  #expect(replay.picture("aa")?.prompt == prompt)
  replay.apply(.imageRemoved(picture), at: at)
  #expect(replay.picture("aa") == nil)
}
