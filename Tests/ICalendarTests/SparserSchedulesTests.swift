import ICalendar
import Testing

@Suite struct `Schedules with fewer due times` {
  @Test(arguments: [
    (
      "FREQ=MINUTELY;COUNT=500",
      ["FREQ=MINUTELY;COUNT=167;INTERVAL=3", "FREQ=HOURLY;COUNT=9"]
    ),
    (
      "FREQ=MINUTELY;INTERVAL=2;UNTIL=20270302T100000",
      ["FREQ=MINUTELY;INTERVAL=4;UNTIL=20270302T100000", "FREQ=HOURLY;UNTIL=20270302T100000"]
    ),
    ("FREQ=SECONDLY;INTERVAL=90", ["FREQ=MINUTELY;INTERVAL=3", "FREQ=HOURLY"]),
    ("FREQ=SECONDLY;INTERVAL=7;COUNT=3", ["FREQ=HOURLY;COUNT=1"]),
    ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0,1,2,3", ["FREQ=DAILY;BYHOUR=9"]),
    ("FREQ=DAILY", []),
  ])
  func `the rule is thinned out, and the last schedule is the start`(
    rule: String, expected: [String]
  ) {
    let all = SparserSchedules(of: "DTSTART:20270302T090000 RRULE:\(rule)").all
    #expect(
      all.dropLast().map(\.phrase) == expected.map { "DTSTART:20270302T090000 RRULE:\($0)" })
    #expect(all.last?.phrase == "2027-03-02 09:00")
  }

  @Test func `single dates that are too close are left out`() {
    let start = "DTSTART:20270302T090000"
    let dates = ["090100", "090300", "090500", "100200"].map { "20270302T\($0)" }
    let all = SparserSchedules(of: "\(start) RDATE:\(dates.joined(separator: ","))").all
    #expect(
      all.map(\.phrase) == [
        "\(start) RDATE:\(dates[0]),\(dates[2]),\(dates[3])",
        "\(start) RDATE:\(dates[0]),\(dates[3])",
        "2027-03-02 09:00",
      ])
  }

  @Test func `an event without a rule keeps at least its first date`() {
    let dates = ["20270302T090000", "20270302T090100"]
    let all = SparserSchedules(of: "RDATE:\(dates.joined(separator: ","))").all
    #expect(all.map(\.phrase) == ["RDATE:\(dates[0])", "RDATE:\(dates[0])", "2027-03-02 09:00"])
  }

  @Test func `other phrases have no sparser schedule`() {
    #expect(SparserSchedules(of: "every day 08:00").all.isEmpty)
    #expect(SparserSchedules(of: "2027-03-02 09:00").all.isEmpty)
  }
}
