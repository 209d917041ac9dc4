import CivilTime
import Testing

@testable import Alarms

@Suite struct `Rules about which calendar programs disagree` {
  @Test(
    arguments: [
      ("FREQ=YEARLY;INTERVAL=2;BYWEEKNO=20;BYDAY=MO", "BYWEEKNO with INTERVAL"),
      ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", nil),
      ("FREQ=YEARLY;BYMONTHDAY=5", "FREQ=YEARLY with BYMONTHDAY and without BYMONTH"),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=5", nil), ("FREQ=MONTHLY;BYMONTHDAY=5", nil),
      ("FREQ=MONTHLY;BYMONTHDAY=1,-1;COUNT=5", "COUNT with days that can be the same day"),
      ("FREQ=YEARLY;BYYEARDAY=1,-1;COUNT=5", "COUNT with days that can be the same day"),
      (
        "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,-1;COUNT=5",
        "COUNT with positions that can be the same time"
      ),
      ("FREQ=MONTHLY;BYMONTHDAY=1,-1", nil), ("FREQ=MONTHLY;BYMONTHDAY=1,2;COUNT=5", nil),
      ("FREQ=MONTHLY;BYMONTHDAY=-1,-2;COUNT=5", nil), ("FREQ=YEARLY;BYYEARDAY=1,-1", nil),
      ("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,-1", nil),
      ("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,2;COUNT=5", nil),
    ] as [(String, String?)])
  func `are named by their part`(rule: String, part: String?) throws {
    #expect(try RecurrenceRule(parsing: rule).disputedPart == part)
  }

  @Test func `get a warning with the next three times`() throws {
    func warning(_ rule: String) throws -> ScheduleWarning? {
      let start = try CivilDateTime(parsing: "2026-05-11T08:00")
      let schedule = Schedule.recurring(try RecurrenceRule(parsing: rule), start: start)
      return ScheduleWarning.disputed(
        schedule, try SchedulePlan(schedule, zone: .utc, seed: 1), zone: .utc,
        from: try Instant(parsing: "2026-01-01T00:00:00Z"))
    }
    let found = try #require(try warning("FREQ=YEARLY;INTERVAL=2;BYWEEKNO=20;BYDAY=MO"))
    #expect(found.kind == .disputedRule)
    #expect(
      found.text
        == "calendar programs disagree about BYWEEKNO with INTERVAL; Prompter follows RFC 5545, and "
        + "the next times are 2026-05-11 08:00, 2028-05-15 08:00, 2030-05-13 08:00")
    #expect(try warning("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO") == nil)
  }
}
