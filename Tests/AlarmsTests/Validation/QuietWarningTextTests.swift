import CivilTime
import Testing

@testable import Alarms

/// Checks the whole texts of the warnings about quiet hours.
@Suite struct `The text of a warning about quiet hours` {
  /// Returns the warnings after a change of a person whose prompt of 09:05 is due, or is put off.
  private func changed(
    _ hours: String, _ policy: QuietPolicy, answer: Answer? = nil, zone: String? = nil,
    held: String? = nil
  ) throws -> [ScheduleWarning] {
    var fixture = CoreFixture()
    try fixture.person {
      $0.zone = zone
      $0.quietHours = held
    }
    try fixture.add { $0.schedule = "every day 09:05" }
    try fixture.pass(to: "2027-01-15T09:05:30")
    if let answer { try fixture.answer(answer) }
    return try fixture.warnings { ($0.quietHours, $0.quietPolicy) = (hours, policy) }
  }

  private let name = "\"Pills\" of 2027-01-15 at 09:05"

  @Test func `about a due prompt names the prompt and its next ring`() throws {
    let again = "\(name) stays open: it rings again at"
    #expect(
      try changed("09:00-10:00", .hold)
        == [ScheduleWarning(.keepsPrompt, "\(again) 10:00 on 2027-01-15")])
    #expect(
      try changed("08:00-09:00", .hold, zone: "UTC")
        == [ScheduleWarning(.keepsPrompt, "\(again) 09:00 on 2027-01-15")])
    #expect(
      try changed("09:00-10:00", .suppress) == [
        ScheduleWarning(
          .keepsPrompt,
          "\(name) stays open, but it does not ring again: its next ring is in the new quiet hours")
      ])
    #expect(try changed("10:00-11:00", .hold) == [])
    // The prompt is put off until 10:05:30.
    for answer: Answer in [.delay(seconds: 3_600), .acknowledge] {
      let isDelay = answer == .delay(seconds: 3_600)
      let hours = isDelay ? "10:00-11:00" : "09:10-11:00"
      #expect(
        try changed(hours, .hold, answer: answer)
          == [ScheduleWarning(.keepsPrompt, "\(again) 11:00 on 2027-01-15")])
      #expect(try changed("09:00-09:10", .hold, answer: answer) == [])
    }
  }

  @Test func `about a held prompt says when it rings`() throws {
    #expect(
      try changed("22:00-09:30", .hold, held: "09:00-10:00") == [
        ScheduleWarning(
          .keepsPrompt, "\(name) stays open: it rings at 09:30 on 2027-01-15")
      ])
    #expect(
      try changed("22:00-07:00", .hold, held: "09:00-10:00")
        == [ScheduleWarning(.keepsPrompt, "\(name) stays open: it rings now")])
    #expect(
      try changed("10:00-11:00", .suppress, answer: .delay(seconds: 3_600), held: "09:00-10:00")
        == [
          ScheduleWarning(
            .endsPrompt, "\(name) ends without a ring: it would ring in the new quiet hours")
        ])
  }

  /// Returns the texts of the warnings about rings that are too close together.
  private func tooClose(_ schedules: [String], _ hours: String) throws -> [String] {
    var fixture = CoreFixture()
    for (index, schedule) in schedules.enumerated() {
      try fixture.add("Task \(index)") { ($0.schedule, $0.rings) = (schedule, 1) }
    }
    let warnings = try fixture.warnings { $0.quietHours = hours }
    #expect(warnings.allSatisfy { $0.kind == .tooClose })
    return warnings.map(\.text)
  }

  @Test(arguments: [
    ("06:00 and 07:59", "07:00", "59 minutes", "1 hour 59 minutes"),
    ("06:00 and 08:00", "07:00", "1 hour", "2 hours"),
    ("06:00 and 08:01", "07:00", "1 hour 1 minute", "2 hours 1 minute"),
    ("05:00 and 07:30", "07:00", "30 minutes", "2 hours 30 minutes"),
    ("05:00 and 08:30", "07:00", "1 hour 30 minutes", "3 hours 30 minutes"),
  ])
  func `about rings that are too close gives both distances`(
    times: String, end: String, left: String, usual: String
  ) throws {
    let found = try tooClose(["every day \(times)"], "22:00-\(end)")
    #expect(
      found == [
        "\"Task 0\" comes too close together: quiet hours hold its ring of \(times.prefix(5)) on "
          + "2027-01-16 back until \(end) on 2027-01-16, and its next ring comes \(left) later "
          + "instead of \(usual) later; if it is a medicine, this can be an overdose; choose other "
          + "due times, or leave the ring out (--in-quiet-hours suppress), or let it ring at night "
          + "(--in-quiet-hours ring)"
      ])
  }

  @Test func `comes for at most five alarms of the person, sorted by id`() throws {
    let found = try tooClose(Array(repeating: "every day 06:00 and 08:00", count: 6), "22:00-07:00")
    #expect(found.count == 5 && Set(found).count == 5)
    var fixture = CoreFixture()
    try fixture.person("eva") { _ in }
    try fixture.add { ($0.schedule, $0.person) = ("every day 06:00 and 08:00", "eva") }
    #expect(try fixture.warnings { $0.quietHours = "22:00-07:00" } == [])
  }

  @Test(arguments: [(49, "06", true), (50, "07", false)])
  func `comes only for the next fifty rings`(count: Int, day: String, isFound: Bool) throws {
    let found = try tooClose(
      [
        "DTSTART:20270116T120000 RRULE:FREQ=DAILY;COUNT=\(count) "
          + "RDATE:202703\(day)T060000,202703\(day)T080000"
      ], "22:00-07:00")
    #expect(found.isEmpty == !isFound)
  }

  @Test(arguments: [
    // Three quarters of the usual four hours remain, or one minute less.
    ("06:00 and 10:00", "07:00", false), ("06:00 and 10:00", "07:01", true),
    ("06:00 and 07:00", "07:00", false), ("06:00 and 07:01", "07:00", true),
  ])
  func `comes if less than three quarters of the usual distance remain`(
    times: String, end: String, isTooClose: Bool
  ) throws {
    #expect(try tooClose(["every day \(times)"], "22:00-\(end)").isEmpty == !isTooClose)
  }
}
