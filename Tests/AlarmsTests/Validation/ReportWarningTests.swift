import CivilTime
import Testing

@testable import Alarms

/// Checks the warnings of a report that depend on the prompts and the pauses.
///
/// The clock shows Friday 15 January 2027, 09:00 in Berlin.
@Suite struct `A warning of a report` {
  private func warnings(_ alarm: AlarmID, _ fixture: CoreFixture) throws -> [ScheduleWarning] {
    let transition = Transition(
      fixture.home, fixture.now, CoreFixture.anna, fixture.environment)
    return transition.report(on: try #require(fixture.home.alarm(alarm))).warnings
  }

  @Test func `says that an alarm never rings only if nothing can ring`() throws {
    var fixture = CoreFixture()
    let once = try fixture.add("Once") { $0.schedule = "in 10 seconds" }
    let after = try fixture.add("After") { $0.schedule = "1 hour after Once is completed" }
    let silent = [ScheduleWarning(.silent, "with these settings it never rings")]
    #expect(try warnings(once.id, fixture) == [])
    fixture.pass(seconds: 15)
    // The prompt of the first alarm is open.
    #expect(try warnings(once.id, fixture) == [])
    #expect(try warnings(after.id, fixture).map(\.kind) == [.waitsForAnswer])
    var paused = fixture
    try fixture.answer(.complete)
    #expect(try warnings(once.id, fixture) == silent)
    try paused.pause(until: "2027-01-20")
    #expect(try warnings(once.id, paused).map(\.kind) == [.personPaused])
  }

  @Test func `about a pause names the first ring after it, if this ring is known`() throws {
    var fixture = CoreFixture()
    try fixture.person { $0.zone = "UTC" }
    let daily = try fixture.add("Daily") {
      ($0.schedule, $0.zone) = ("every day 08:00", "Europe/Berlin")
    }
    let after = try fixture.add("After") { $0.schedule = "1 hour after Daily is completed" }
    try fixture.pause(until: "2027-01-20")
    let start = "patient is paused until the end of 2027-01-20: "
    let end = "; to end the pause now: prompter resume --person patient"
    #expect(
      try warnings(daily.id, fixture) == [
        ScheduleWarning(
          .personPaused, start + "the first ring after the pause is on 2027-01-21 at 08:00" + end)
      ])
    #expect(
      try warnings(after.id, fixture).last
        == ScheduleWarning(.personPaused, start + "no ring after the pause is known yet" + end))
    try fixture.pause(until: "2027-01-20 12:30")
    #expect(
      try warnings(daily.id, fixture).first?.text.hasPrefix(
        "patient is paused until 2027-01-20 12:30: the first ring") == true)
    try fixture.pause()
    #expect(
      try warnings(daily.id, fixture) == [
        ScheduleWarning(
          .personPaused,
          "patient is paused without an end: the alarm is silent until somebody ends the pause "
            + "with: prompter resume --person patient")
      ])
  }

  @Test func `about a contact says how often the alarm names it`() throws {
    var fixture = CoreFixture()
    func found(_ contacts: String...) throws -> [String] {
      let alarm = try fixture.add {
        $0.schedule = "every day 08:00"
        $0.notifySteps = contacts.map { NotifyStep(contact: $0, afterSeconds: 60) }
        $0.rings = 1
      }
      return try warnings(alarm.id, fixture).filter { $0.kind == .contactTwice }.map(\.text)
    }
    func text(_ name: String, _ count: Int) -> String {
      "\"\(name)\" is named \(count) times: if nobody answers, \"\(name)\" gets \(count) messages "
        + "about each prompt; name another contact if you want to reach somebody else"
    }
    #expect(try found("anna", "bob") == [])
    #expect(try found("anna", "bob", "bob") == [text("bob", 2)])
    #expect(
      try found("bob", "anna", "bob", "anna", "bob") == [text("bob", 3), text("anna", 2)])
  }

  @Test func `about an UNTIL in local time comes for each form of a schedule, not for a date`()
    throws
  {
    for (end, isFound) in [("20270301T080000", true), ("20270301", false)] {
      for rest in ["", " RRULE:FREQ=WEEKLY", " RDATE:20270202T120000"] {
        var fixture = CoreFixture()
        let alarm = try fixture.add {
          $0.schedule = "DTSTART:20270201T080000 RRULE:FREQ=DAILY;UNTIL=\(end)\(rest)"
        }
        let kinds = try warnings(alarm.id, fixture).map(\.kind)
        #expect(kinds.contains(.untilNotUTC) == isFound, "\(end)\(rest)")
      }
    }
  }

  @Test func `about a rule comes once, even if two rules cause it`() throws {
    var fixture = CoreFixture()
    let rule = "FREQ=MONTHLY;BYMONTHDAY=31"
    for (hour, rules) in [("08", "RRULE:\(rule)"), ("12", "RRULE:\(rule) RRULE:\(rule)")] {
      let alarm = try fixture.add {
        ($0.schedule, $0.rings) = ("DTSTART:20270131T\(hour)0000 \(rules)", 1)
      }
      #expect(try warnings(alarm.id, fixture).map(\.kind) == [.missesMonths], "\(rules)")
    }
  }
}
