import CivilTime
import Testing

@testable import Alarms

@Suite struct `A change of quiet hours and open prompts` {
  /// Makes a home in which quiet hours hold back the prompt of 02:28 until 07:00. The clock shows
  /// 03:00.
  private static func held(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> CoreFixture {
    var fixture = CoreFixture()
    try fixture.person {
      $0.quietHours = "22:00-07:00"
      $0.quietPolicy = .hold
    }
    try fixture.add {
      $0.schedule = "every day 02:28"
      $0.rings = 2
      edit(&$0)
    }
    try fixture.pass(to: "2027-01-16T03:00:00")
    #expect(fixture.states == ["held quiet_hours"])
    return fixture
  }

  private static func local(_ fixture: CoreFixture) -> String {
    CoreFixture.berlin.civil(at: fixture.now.wall).dateTime.time.description
  }

  @Test(arguments: [
    (QuietPolicy.suppress, "22:00-07:00", "07:00"), (.hold, "22:00-06:00", "06:00"),
    (.suppress, "22:00-08:30", "08:30"), (.hold, "23:00-02:00", "now"), (.hold, "", "now"),
  ])
  func `a held prompt stays open and rings when the new hours end`(
    _ policy: QuietPolicy, _ hours: String, _ rings: String
  ) throws {
    var fixture = try Self.held()
    let warnings = try fixture.warnings {
      $0.quietHours = hours
      if !hours.isEmpty { $0.quietPolicy = policy }
    }
    #expect(warnings.map(\.kind) == [.keepsPrompt], "\(warnings)")
    #expect(
      warnings.first?.text.contains(rings == "now" ? "rings now" : "rings at \(rings)") == true)
    #expect(fixture.outcomes == [])
    if rings != "now" {
      #expect(fixture.states == ["held quiet_hours"] && fixture.played.isEmpty)
      try fixture.pass(to: "2027-01-16T\(rings):00")
    }
    #expect(fixture.sounding?.order.ring == 1)
    try fixture.answer(.complete)
    #expect(fixture.outcomes == [.completedOutOfWindow])
  }

  @Test func `a change of something else says nothing about a held prompt`() throws {
    var fixture = try Self.held()
    #expect(try fixture.warnings { $0.name = "Maria" } == [])
    #expect(fixture.states == ["held quiet_hours"])
  }

  @Test(arguments: [QuietPolicy.hold, .suppress])
  func `the reply says that a burst is interrupted by new quiet hours`(_ policy: QuietPolicy) throws
  {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "every day 09:05" }
    try fixture.pass(to: "2027-01-15T09:05:30")
    let warnings = try fixture.warnings {
      $0.quietHours = "09:00-10:00"
      $0.quietPolicy = policy
    }
    #expect(warnings.map(\.kind) == [.keepsPrompt])
    #expect(
      warnings[0].text.contains(policy == .hold ? "rings again at 10:00" : "does not ring again"))
    let rings = fixture.played.count
    try fixture.pass(to: "2027-01-15T09:59:00")
    #expect(fixture.played.count == rings)
    fixture.pass(seconds: 300)
    #expect((fixture.played.count > rings) == (policy == .hold))
  }

  @Test func `the reply says that a prompt ends which the new quiet hours silence`() throws {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "every day 09:05" }
    try fixture.person {
      $0.quietHours = "09:00-10:00"
      $0.quietPolicy = .hold
    }
    try fixture.pass(to: "2027-01-15T09:05:30")
    try fixture.answer(.delay(seconds: 3_600))
    let warnings = try fixture.warnings {
      $0.quietHours = "10:00-11:00"
      $0.quietPolicy = .suppress
    }
    #expect(warnings.map(\.kind) == [.endsPrompt])
    try fixture.pass(to: "2027-01-15T10:05:40")
    #expect(fixture.outcomes == [.suppressedQuietHours] && fixture.played.isEmpty)
  }

  // MARK: Rings that come too close

  private static func kinds(
    _ schedule: String, _ policy: QuietPolicy? = .hold, _ alarm: String? = nil
  ) throws -> [ScheduleWarning] {
    var fixture = CoreFixture()
    if let policy {
      try fixture.person {
        $0.quietHours = "22:00-07:00"
        $0.quietPolicy = policy
      }
    }
    try fixture.pass(to: "2027-01-15T10:28:00")
    var form = AlarmForm()
    form.label = "Pills"
    form.schedule = schedule
    form.quietHours = alarm
    let id = AlarmID("pills")
    guard
      case .alarm(_, _, let report)? = try fixture.handle(
        .command(.add(id, form), CoreFixture.anna))
    else { return [] }
    return report.warnings.filter { $0.kind == .tooClose }
  }

  @Test func `a dose of the night that waits for the morning comes too close to the next dose`()
    throws
  {
    let warning = try #require(try Self.kinds("every 8 hours").first)
    for words in [
      "02:28 on 2027-01-16", "until 07:00", "3 hours 28 minutes later instead of 8 hours later",
      "--in-quiet-hours suppress", "--in-quiet-hours ring", "other due times",
    ] { #expect(warning.text.contains(words), "\(words): \(warning.text)") }
    #expect(try Self.kinds("every day 00:00, 08:00 and 16:00").count == 1)
  }

  @Test(arguments: [
    ("every 8 hours", QuietPolicy?.none, String?.none), ("every 8 hours", .suppress, nil),
    ("every 8 hours", .hold, "ring"), ("every 8 hours", .hold, "suppress"),
    ("every day 06:30", .hold, nil), ("every day 06:00 and 18:00", .hold, nil),
    ("8 hours after the last completion", .hold, nil), ("every day 08:00", .hold, nil),
    ("2027-01-16 02:00", .hold, nil),
    // The next prompt is due exactly at the end of the quiet hours, or one minute before this end.
    ("every day 03:00 and 07:00", .hold, nil), ("every day 03:00 and 06:59", .hold, nil),
    // The prompt of 06:00 rings at 07:00, and the next ring comes three hours later. This is
    // exactly three quarters of the usual four hours, which is enough.
    ("every day 06:00 and 10:00", .hold, nil),
  ])
  func `no ring comes too close`(
    _ schedule: String, _ policy: QuietPolicy?, _ alarm: String?
  ) throws {
    #expect(try Self.kinds(schedule, policy, alarm) == [], "\(schedule)")
  }

  @Test func `new quiet hours warn about the alarms of the person`() throws {
    var fixture = CoreFixture()
    try fixture.pass(to: "2027-01-15T10:28:00")
    try fixture.add("Drops") { $0.schedule = "every 8 hours" }
    try fixture.add("Tea") { $0.schedule = "every day 16:00" }
    let warnings = try fixture.warnings { $0.quietHours = "22:00-07:00" }
    #expect(warnings.map(\.kind) == [.tooClose])
    #expect(warnings[0].text.contains("\"Drops\""))
    #expect(try fixture.warnings { $0.name = "Maria" } == [])
  }

  // MARK: Announcements

  @Test(arguments: QuietPolicy.allCases)
  func `an announcement waits for the end of quiet hours, whatever the policy is`(
    _ policy: QuietPolicy
  ) throws {
    var fixture = CoreFixture()
    try fixture.person {
      $0.quietHours = "09:00-10:00"
      $0.quietPolicy = policy
    }
    try fixture.say()
    fixture.pass(seconds: 5)
    #expect(fixture.states == ["held quiet_hours"])
    fixture.crash()
    try fixture.pass(to: "2027-01-15T09:59:59")
    #expect(fixture.played.isEmpty)
    fixture.pass(seconds: 3)
    #expect(fixture.played.map(\.words?.text) == ["Lunch is ready"])
  }

  @Test func `an announcement that must not wait sounds in quiet hours`() throws {
    var fixture = CoreFixture()
    try fixture.person { $0.quietHours = "09:00-10:00" }
    try fixture.say { $0.quietHours = "ring" }
    fixture.pass(seconds: 2)
    #expect(fixture.sounding?.order.words?.text == "Lunch is ready")
  }
}
