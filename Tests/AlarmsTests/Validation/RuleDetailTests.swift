import CivilTime
import Testing

@testable import Alarms

/// Checks the limits of rules for an alarm.
///
/// The clock shows Friday 15 January 2027, 09:00 in Berlin.
@Suite struct `A rule for an alarm` {
  private func field(
    _ fixture: CoreFixture = CoreFixture(), _ edit: (inout AlarmForm) -> Void
  ) -> String? {
    var copy = fixture
    return refusal { try copy.add("Pills", edit) }?.field
  }

  @Test func `allows rings up to the hourly limit, and names the field with too many rings`() throws
  {
    var fixture = CoreFixture()
    try fixture.person { $0.ringsPerHour = 4 }
    let cases: [(schedule: String, rings: Int, completion: Int, field: String?)] = [
      ("every day 08:00", 4, 4, nil), ("every day 08:00", 5, 4, "steps"),
      ("every day 08:00", 4, 5, "complete_step"), ("every 30 minutes", 4, 1, "schedule"),
      ("every 30 minutes", 5, 1, "steps"), ("every 30 minutes", 2, 1, nil),
      ("every 30 minutes", 3, 1, "schedule"),
    ]
    for (schedule, rings, completion, expected) in cases {
      let found = field(fixture) {
        ($0.schedule, $0.rings) = (schedule, rings)
        $0.completion = [StepForm(rings: completion)]
      }
      #expect(found == expected, "\(schedule), \(rings) rings, completion \(completion)")
    }
  }

  @Test func `keeps the first 20 gains of a list`() throws {
    var fixture = CoreFixture()
    let gains = (0...20).map { -60 + Double($0) }
    let alarm = try fixture.add {
      ($0.schedule, $0.rings, $0.gainsDecibels) = ("every day 08:00", 20, gains)
    }
    #expect(alarm.burst.gainsDecibels == Array(gains.dropLast()))
  }

  /// The clocks go forward on 28 March, so the prompts of 27 and 28 March are 23 hours apart. The
  /// prompt of 28 March is number 51 or number 50.
  @Test(arguments: [("2027-02-06", false), ("2027-02-07", true)])
  func `checks the next fifty due times`(start: String, isShort: Bool) throws {
    let schedule = "every day 08:00 starting \(start)"
    let contact = field {
      $0.schedule = schedule
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 23 * 3_600)]
    }
    #expect(contact == (isShort ? "tell" : nil))
    var fixture = CoreFixture()
    let alarm = try fixture.add {
      ($0.schedule, $0.delaySeconds, $0.delayLimit) = (schedule, 23 * 3_600, 1)
    }
    let (_, _, report) = try fixture.edit(alarm.id) { $0.instructions = "Slowly" }
    #expect(report.warnings.contains { $0.kind == .delayPastNext } == isShort)
  }

  /// No later prompt ends the last prompt of a schedule, so the deadline of this prompt can pass.
  @Test(arguments: [(";COUNT=3", nil), ("", "complete_by")] as [(String, String?)])
  func `allows a long deadline if the last part of the schedule ends`(
    end: String, expected: String?
  ) {
    let found = field {
      $0.schedule =
        "DTSTART:20270116T080000 RRULE:FREQ=DAILY;COUNT=60 "
        + "DTSTART:20270601T080000 RRULE:FREQ=DAILY\(end)"
      $0.completeBySeconds = 86_400
    }
    #expect(found == expected)
  }

  @Test func `quiet hours that end at their start last a whole day`() throws {
    let eight = try ClockTime(parsing: "08:00")
    let day = QuietHours(from: eight, to: eight)
    for time in ["00:00", "07:59", "08:00", "08:01", "23:59"] {
      let time = try ClockTime(parsing: time)
      #expect(day.contains(time), "\(time)")
    }
  }
}
