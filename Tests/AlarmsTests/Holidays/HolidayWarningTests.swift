import CivilTime
import Testing

@testable import Alarms

/// Checks the warnings about holidays and the rules for working days.
@Suite struct `A warning about holidays` {
  private func warnings(_ last: String, _ schedule: String) throws -> [ScheduleWarning] {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2026-12-25", last)
    var form = AlarmForm()
    (form.label, form.schedule) = ("Pills", schedule)
    let reply = try fixture.handle(.command(.add(AlarmID("a"), form), CoreFixture.anna))
    guard case .alarm(_, _, let report)? = reply else { return [] }
    return report.warnings
  }

  @Test(arguments: [
    ("2027-03-16", "-"), ("2027-03-15", "ends"), ("2027-01-15", "ends"), ("2027-01-14", "ended"),
  ])
  func `comes less than 60 days before the last holiday`(last: String, verb: String) throws {
    // The clock shows 15 January 2027, 09:00.
    let text =
      "the list of holidays DE-BE \(verb) on \(last): after this day, \"Pills\" rings on holidays "
      + "too; import a newer file with: prompter holidays import FILE.ics --name DE-BE --replace"
    #expect(
      try warnings(last, "weekdays 08:00 not on holidays")
        == (verb == "-" ? [] : [ScheduleWarning(.holidaysEnd, text)]))
    #expect(try warnings(last, "weekdays 08:00") == [])
  }

  @Test func `comes for working days without a list`() throws {
    #expect(
      try warnings("2027-12-25", "last working day of the month 09:00").map(\.text) == [
        "each day from Monday to Friday counts as a working day, because the schedule names no "
          + "list of holidays; to leave out holidays, add for example: holidays DE-BE"
      ])
    #expect(
      try warnings("2027-12-25", "last working day of the month 09:00 holidays DE-BE") == [])
    let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO,TU,WE,TH,FR")
    let start = try CivilDateTime(parsing: "2027-01-15T08:00:00")
    func several(_ holidays: HolidayExclusion?) -> Schedule {
      .several(RecurringDates(rules: [.init(rule: rule, start: start)], holidays: holidays))
    }
    #expect(ScheduleWarning.withoutHolidays(several(nil)).map(\.kind) == [.withoutHolidays])
    let list = HolidayExclusion(list: "X", days: [])
    #expect(ScheduleWarning.withoutHolidays(several(list)).isEmpty)
    #expect(ScheduleWarning.withoutHolidays(.once(start)).isEmpty)
  }

  @Test(
    arguments: [
      ("FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO,TU,WE,TH,FR", 1),
      ("FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR", -1),
      ("FREQ=YEARLY;BYMONTH=2;BYSETPOS=2;BYDAY=MO,TU,WE,TH,FR", 2),
      ("FREQ=YEARLY;BYSETPOS=2;BYDAY=MO,TU,WE,TH,FR", nil),
      ("FREQ=YEARLY;BYMONTH=2,3;BYSETPOS=2;BYDAY=MO,TU,WE,TH,FR", nil),
      ("FREQ=WEEKLY;BYSETPOS=1;BYDAY=MO,TU,WE,TH,FR", nil),
      ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR", nil),
      ("FREQ=MONTHLY;BYSETPOS=1,2;BYDAY=MO,TU,WE,TH,FR", nil),
      ("FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO,TU,WE,TH", nil),
      ("FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO,TU,WE,TH,FR,SA", nil),
      ("FREQ=MONTHLY;BYSETPOS=1;BYDAY=1MO,1TU,1WE,1TH,1FR", nil),
      ("FREQ=MONTHLY;BYSETPOS=1;BYMONTHDAY=1,2,3;BYDAY=MO,TU,WE,TH,FR", nil),
    ] as [(String, Int?)])
  func `is about rules with a position among the working days`(
    rule: String, position: Int?
  ) throws {
    #expect(try RecurrenceRule(parsing: rule).workingDayPosition == position)
  }

  @Test func `of a list with too many or too few dates has the limits`() throws {
    let first = try HolidayFixture.day("2027-01-01")
    for (count, isAccepted) in [(0, false), (1, true), (1_000, true), (1_001, false)] {
      var fixture = CoreFixture()
      let list = HolidayList(
        name: "X", days: (0..<count).map { Holiday(date: first.adding(days: $0), label: "") })
      let found = refusal {
        try fixture.handle(.command(.importHolidays(list, replacing: false), CoreFixture.anna))
      }
      #expect(
        found
          == (isAccepted
            ? nil
            : Refusal(
              .invalidField, field: "days",
              "the list has \(count) dates; a list has from 1 to 1000 dates")))
    }
  }

  @Test func `of a list names the field of the refusal`() throws {
    var fixture = CoreFixture()
    let day = Holiday(date: try HolidayFixture.day("2027-01-18"), label: "a\u{7}")
    func refused(_ command: Command) -> Refusal? {
      refusal { try fixture.handle(.command(command, CoreFixture.anna)) }
    }
    #expect(
      refused(.importHolidays(HolidayList(name: "X", days: [day]), replacing: false))?.field
        == "days")
    #expect(
      refused(.removeHolidays("DE"))
        == Refusal(
          .notFound,
          "there is no list of holidays \"DE\"; import a list with: prompter holidays import "
            + "FILE.ics --name DE"))
    try fixture.importHolidays("DE-BE", "2027-01-18")
    #expect(
      refused(.removeHolidays("DE-BY"))
        == Refusal(
          .notFound,
          "there is no list of holidays \"DE-BY\"; the lists are: DE-BE; did you mean \"DE-BE\"?; "
            + "import another list with: prompter holidays import FILE.ics"))
    #expect(
      refused(.importHolidays(HolidayList(name: "de-be", days: [day]), replacing: false)) != nil)
    #expect(
      refused(
        .importHolidays(
          try HolidayFixture.list("de-be", "2027-01-19"), replacing: false))
        == Refusal(
          .conflict, field: "name",
          "there is already a list of holidays \"DE-BE\"; choose another name, or replace it "
            + "(--replace)"))
  }

  @Test func `of a new file, the reply has the added and removed days and the alarms`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays("DE-BE", "2027-06-01", "2027-06-02")
    try fixture.importHolidays("US", "2027-06-01")
    for label in ["A", "B"] {
      try fixture.add(label) { $0.schedule = "weekdays 08:00 not on holidays DE-BE" }
    }
    try fixture.add("C") { $0.schedule = "weekdays 08:00 not on holidays US" }
    try fixture.add("D") { $0.schedule = "weekdays 08:00" }
    let list = try HolidayFixture.list("de-be", "2027-06-02", "2027-06-03")
    let reply = try fixture.handle(
      .command(.importHolidays(list, replacing: true), CoreFixture.anna))
    guard case .holidays(let found)? = reply else {
      Issue.record("no list came back")
      return
    }
    #expect(found.list.name == "DE-BE" && found.list.days == list.days)
    #expect(found.added.map { "\($0.date)" } == ["2027-06-03"])
    #expect(found.removed.map { "\($0.date)" } == ["2027-06-01"])
    #expect(found.alarms.map(\.label) == ["A", "B"] && found.alarms.map(\.version) == [2, 2])
    try fixture.handle(.command(.importHolidays(list, replacing: true), CoreFixture.anna))
    #expect(
      refusal { try fixture.handle(.command(.removeHolidays("us"), CoreFixture.anna)) }?.detail
        == "cannot remove the list of holidays \"US\": \"C\" use it; first change their schedules")
  }
}
