import CivilTime
import Testing

@testable import Alarms

/// Adds an alarm. Then edits the label of the alarm in a copy of the home, because the reply to an
/// edit contains the report on the alarm.
private func report(
  _ edit: (inout AlarmForm) -> Void
) throws -> (fixture: CoreFixture, warnings: [ScheduleWarning]) {
  var fixture = CoreFixture()
  let alarm = try fixture.add(edit: edit)
  var copy = fixture
  let (_, _, report) = try copy.edit(alarm.id) { $0.label = "Tablets" }
  return (fixture, report.warnings)
}

extension CoreFixture {
  fileprivate mutating func add(edit: (inout AlarmForm) -> Void) throws(Refusal) -> Alarm {
    try add("Pills", edit)
  }
}

private func refusal(_ edit: (inout AlarmForm) -> Void) throws -> Refusal? {
  var fixture = CoreFixture()
  let count = fixture.records.count
  do throws(Refusal) {
    try fixture.add("Pills", edit)
    return nil
  } catch {
    #expect(fixture.records.count == count && fixture.home.alarms.isEmpty)
    return error
  }
}

@Suite struct `Parts of a prompt that come after the next prompt` {
  @Test
  func `a delay that reaches past the next prompt gives a warning, and the prompt is replaced`()
    throws
  {
    let (made, warnings) = try report {
      $0.schedule = "every 5 minutes"
      $0.rings = 1
      $0.delaySeconds = 400
      $0.completeBySeconds = 60
    }
    #expect(warnings.map(\.kind) == [.delayPastNext], "\(warnings)")
    #expect(
      warnings.first?.text
        == "after the answer \"later\", the prompt would ring again 400 seconds later, but the next "
        + "prompt can be due 5 minutes later: then the next prompt replaces this one, and this one "
        + "is missed")
    var fixture = made
    #expect(
      try fixture.timeline("-----s---------", tick: 60) == "----1x---1----1")
    #expect(fixture.outcomes == [.missedNoResponse, .missedNoResponse])
  }

  @Test func `a shorter delay rings again before the next prompt, and gives no warning`() throws {
    let (made, warnings) = try report {
      $0.schedule = "every 5 minutes"
      $0.rings = 1
      $0.delaySeconds = 120
      $0.delayLimit = 2
      $0.completeBySeconds = 60
    }
    #expect(warnings.isEmpty, "\(warnings)")
    var fixture = made
    #expect(try fixture.timeline("-----s----", tick: 60) == "----1x2--1")
  }

  @Test func `several answers "later" that together reach the next prompt give a warning`() throws {
    let (_, warnings) = try report {
      $0.schedule = "every 15 minutes"
      $0.rings = 1
      $0.delaySeconds = 300
      $0.delayLimit = 3
    }
    #expect(warnings.map(\.kind) == [.delayPastNext])
    #expect(warnings.first?.text.hasPrefix("after 3 answers \"later\"") == true, "\(warnings)")
    let (_, rounded) = try report {
      $0.schedule = "every 10 minutes"
      $0.rings = 1
      $0.delaySeconds = 599
      $0.delayLimit = 3
    }
    let delay = rounded.first { $0.kind == .delayPastNext }
    #expect(delay?.text.hasPrefix("after 2 answers \"later\"") == true, "\(rounded)")
    let (_, none) = try report {
      $0.schedule = "every 15 minutes"
      $0.rings = 1
      $0.delayLimit = 0
    }
    #expect(none.isEmpty, "\(none)")
  }

  @Test func `an escalation step that sometimes comes gives a warning, and is cut off`() throws {
    let (made, warnings) = try report {
      $0.schedule = "every day at 09:05, 09:10 and 20:00"
      $0.steps = [
        StepForm(rings: 1), StepForm(rings: 1, isUrgent: true, pauseSeconds: 600),
      ]
      $0.delaySeconds = 60
      $0.completeBySeconds = 60
    }
    #expect(warnings.map(\.kind) == [.stepPastNext])
    #expect(
      warnings.first?.text.hasPrefix(
        "ring 1 of step 2 would begin 10 minutes after a prompt begins to ring, but the next prompt "
          + "can be due 5 minutes later") == true, "\(warnings)")
    var fixture = made
    #expect(try fixture.timeline("----------------------", tick: 60) == "----1----1---------2--")
  }

  @Test func `an escalation step that can never come is refused, also in an edit`() throws {
    let chain: (inout AlarmForm) -> Void = {
      $0.steps = [StepForm(rings: 1), StepForm(rings: 1, isUrgent: true, pauseSeconds: 7_200)]
    }
    let refused = try refusal {
      $0.schedule = "every 2 hours"
      chain(&$0)
    }
    #expect(refused?.kind == .invalidField && refused?.field == "steps")
    #expect(
      refused?.detail
        == "step 2 would begin 2 hours after a prompt begins to ring, but the next prompt is due at "
        + "most 2 hours later and ends this one, so step 2 would never ring; choose a shorter time, "
        + "or leave the step out")
    // If the schedule has an end, no prompt follows the last prompt. Step 2 of the last prompt
    // therefore rings.
    #expect(
      try refusal {
        $0.schedule = "every 2 hours for 3 times"
        chain(&$0)
      } == nil)
    var fixture = CoreFixture()
    let alarm = try fixture.add {
      $0.schedule = "every day 20:00"
      chain(&$0)
    }
    #expect(throws: Refusal.self) { try fixture.edit(alarm.id) { $0.schedule = "every 2 hours" } }
    #expect(fixture.home.alarms.first?.phrase == "every day 20:00")
  }

  @Test func `a deadline that can never come is refused, and one that sometimes comes is not`()
    throws
  {
    let refused = try refusal {
      $0.schedule = "every hour"
      $0.rings = 1
      $0.completeBySeconds = 3_600
    }
    #expect(refused?.field == "complete_by")
    #expect(refused?.detail.contains("so it would never ring again") == true)
    let (made, warnings) = try report {
      $0.schedule = "every day at 09:05, 09:10 and 20:00"
      $0.rings = 1
      $0.delayLimit = 0
      $0.completeBySeconds = 480
    }
    #expect(warnings.map(\.kind) == [.completeByPastNext], "\(warnings)")
    var fixture = made
    #expect(
      try fixture.timeline("-----a----a----------", tick: 60) == "----1x---1x------2---")
  }

  @Test func `the default deadline of a frequent alarm gives a warning and is not refused`() throws
  {
    let (_, warnings) = try report {
      $0.schedule = "every 10 minutes"
      $0.rings = 1
      $0.delayLimit = 0
    }
    #expect(warnings.map(\.kind) == [.completeByPastNext])
  }

  @Test func `one contact twice gives a warning, and gets two messages`() throws {
    let (made, warnings) = try report {
      $0.schedule = "in 15 seconds"
      $0.rings = 1
      $0.notifySteps = [
        NotifyStep(contact: "anna", afterSeconds: 50), NotifyStep(contact: "bob", afterSeconds: 10),
        NotifyStep(contact: "Anna", afterSeconds: 20),
      ]
    }
    #expect(warnings.map(\.kind) == [.contactTwice])
    #expect(warnings.first?.text.hasPrefix("\"anna\" is named 2 times") == true, "\(warnings)")
    var fixture = made
    #expect(try fixture.timeline("-----------") == "-1----AB-A-")
  }

  @Test func `a preview contains the same warnings, and a refusal as a warning`() throws {
    var form = AlarmForm()
    form.schedule = "every 5 minutes"
    form.rings = 1
    form.delaySeconds = 400
    let fixture = CoreFixture()
    let range = PreviewRange(after: fixture.now.wall, count: 3)
    var found = try previewed(
      form, range, now: fixture.now.wall, beside: fixture.home, in: fixture.environment)
    #expect(found.report.warnings.map(\.kind) == [.completeByPastNext, .delayPastNext])
    form.completeBySeconds = 3_600
    found = try previewed(
      form, range, now: fixture.now.wall, beside: fixture.home, in: fixture.environment)
    #expect(found.report.warnings.contains { $0.text.contains("so it would never ring again") })
  }
}

@Suite struct `An edit obeys the rules of a new alarm` {
  @Test func `an edit that makes two equal alarms is refused, unless the caretaker permits it`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add("Pills") { $0.schedule = "every day 08:00" }
    let second = try fixture.add("Tablets") { $0.schedule = "every day 20:00" }
    try fixture.edit(second.id) { $0.label = "Pills" }
    let count = fixture.records.count
    do throws(Refusal) {
      try fixture.edit(second.id) { $0.schedule = "every day 08:00" }
      Issue.record("the equal alarm was saved")
    } catch {
      #expect(error.kind == .duplicate, "\(error)")
    }
    #expect(fixture.records.count == count)
    try fixture.edit(second.id) {
      $0.schedule = "every day 08:00"
      $0.allowsDuplicate = true
    }
    // The two alarms now have the same label and the same schedule. The daemon still accepts an
    // edit of a different field.
    try fixture.edit(second.id) { $0.instructions = "With water" }
  }

  @Test func `an edit to a time that has passed is refused`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.add { $0.schedule = "every day 08:00" }
    do throws(Refusal) {
      try fixture.edit(alarm.id) { $0.schedule = "2026-12-01 08:00" }
      Issue.record("the past time was saved")
    } catch {
      #expect(error.detail.contains("would never ring"), "\(error)")
    }
    #expect(fixture.home.alarms.first?.phrase == "every day 08:00")
    #expect(fixture.home.openPrompts.map(\.state) == [.planned])
  }
}
