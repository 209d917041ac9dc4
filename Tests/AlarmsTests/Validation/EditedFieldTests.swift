import CivilTime
import Testing

@testable import Alarms

/// Compares whole alarms and people before and after an edit.
@Suite struct `An edit` {
  /// Returns an alarm whose fields all differ from their defaults.
  private func made() throws -> (CoreFixture, Alarm) {
    var fixture = try RuleTable.home()
    let supply = SupplyForm(name: "Tablets")
    try fixture.handle(
      .command(.supply(.add(SupplyID("s"), supply, left: 9)), CoreFixture.anna))
    var question = QuestionForm()
    (question.name, question.text, question.kind) = ("pain", "How?", "mood")
    let questions = [question]
    let alarm = try fixture.add {
      ($0.schedule, $0.person, $0.instructions) = ("every day 10:00", "patient", "With water")
      ($0.zone, $0.tone, $0.image, $0.quietHours) = ("UTC", "gong", "aa", "hold")
      ($0.calendarUID, $0.calendarRevision, $0.pausedUntil) = ("u1", "r1", "2027-01-17")
      ($0.lateWindowSeconds, $0.delaySeconds, $0.delayLimit) = (60, 61, 2)
      ($0.completeBySeconds, $0.completion) = (62, [StepForm(rings: 1)])
      $0.steps = [StepForm(rings: 2, spacingSeconds: 30), StepForm(rings: 1, pauseSeconds: 90)]
      $0.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 9)]
      ($0.earlyReminders, $0.exclude, $0.skipNext) = (["1 hour"], ["2027-01-20"], 1)
      ($0.questions, $0.answersRequired) = (questions, true)
      $0.uses = [.init(supply: "s", amount: 2)]
    }
    return (fixture, alarm)
  }

  @Test func `keeps each field that the form does not contain`() throws {
    var (fixture, old) = try made()
    let (new, _, _) = try fixture.edit(old.id) { $0.label = "Capsules" }
    var expected = old
    (expected.label, expected.version) = ("Capsules", 2)
    #expect(new == expected)
    #expect(fixture.home.alarm(old.id) == expected)
  }

  @Test func `removes each field whose new value is empty`() throws {
    var (fixture, old) = try made()
    let (new, _, _) = try fixture.edit(old.id) {
      ($0.instructions, $0.tone, $0.image, $0.quietHours) = ("", "", "", "")
      ($0.calendarUID, $0.calendarRevision, $0.pausedUntil) = ("", "", "")
      ($0.completion, $0.notifySteps, $0.earlyReminders) = ([], [], [])
      ($0.exclude, $0.skipNext, $0.questions, $0.uses) = ([], 0, [], [])
    }
    var expected = old
    (expected.version, expected.instructions) = (2, "")
    (expected.tone, expected.image, expected.quiet) = (nil, nil, nil)
    (expected.calendarUID, expected.calendarRevision, expected.checkIn) = (nil, nil, nil)
    (expected.pauses, expected.earlyReminders, expected.uses) = (.none, [], [])
    expected.escalation.completion = nil
    expected.escalation.notifySteps = []
    #expect(new == expected)
  }

  @Test func `does not change an announcement into a task`() throws {
    var fixture = CoreFixture()
    let id = try fixture.say { $0.message = .heard }
    let (new, _, _) = try fixture.edit(id) { $0.instructions = "Now" }
    #expect(new.isAnnouncement && new.message == .heard && new.instructions == "Now")
  }

  @Test func `of a person keeps fields that are not in the form, and removes empty fields`() throws
  {
    var fixture = try RuleTable.home()
    let state = try fixture.person {
      ($0.language, $0.zone, $0.tone, $0.rewardImage) = ("de", "UTC", "gong", "aa")
      ($0.quietHours, $0.quietPolicy, $0.ringsPerHour) = ("22:00-07:00", .suppress, 30)
      $0.inactivityHours = 12
      $0.inactivityNotifySteps = [NotifyStep(contact: "bob", afterSeconds: 60)]
    }
    let old = try #require(state.person)
    var renamed = old
    (renamed.name, renamed.version) = ("Ada", old.version + 1)
    let new = try fixture.person { $0.name = "Ada" }
    #expect(new.person == renamed)
    let bare = try fixture.person {
      ($0.name, $0.language, $0.zone, $0.tone, $0.rewardImage) = ("", "", "", "", "")
      ($0.quietHours, $0.ringsPerHour, $0.inactivityHours) = ("", 0, 0)
    }
    #expect(bare.person == Person(id: .patient, version: old.version + 2))
  }
}
