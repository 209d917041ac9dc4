import CivilTime
import Testing

@testable import Alarms

/// Checks messages, chimes and refusals that depend on several prompts, and messages after a
/// restart.
@Suite struct `Decisions about several prompts` {
  @Test func `an undo drops only the all-clears of the undone answer`() throws {
    var fixture = CoreFixture()
    let alarms = try ["A", "B"].map { label in
      try fixture.add(label) {
        ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("in 1 minute", 2, 600)
        $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 10)]
      }.id
    }
    fixture.pass(seconds: 85)
    fixture.isNotifierSilent = true
    let ids = try alarms.map { alarm in
      try #require(fixture.home.waitingPrompts.first { $0.id.alarm == alarm }?.id)
    }
    func waiting() -> [String] {
      fixture.home.notices.waiting.map { waiting in
        let index = ids.firstIndex { $0 == waiting.notice.prompt }
        return "\(waiting.notice.kind) \(index.map { ["A", "B"][$0] } ?? "-")"
      }
    }
    for id in ids { try fixture.answer(.complete, to: id) }
    #expect(waiting() == ["allClear A", "allClear B"])
    try fixture.handle(.command(.undo(ids[0]), CoreFixture.anna))
    #expect(waiting() == ["allClear B", "answerUndone A"])
    try fixture.answer(.complete, to: ids[0])
    #expect(waiting() == ["allClear B", "answerUndone A", "allClear A"])
    try fixture.handle(.command(.undo(ids[0]), CoreFixture.anna))
    #expect(waiting() == ["allClear B", "answerUndone A", "answerUndone A"])
  }

  /// The daemon notifies anna about the prompt, and bob about the inactivity of the person.
  @Test func `an answer sends an all-clear to the contacts of the prompt and of the inactivity`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.person {
      $0.inactivityHours = 1
      $0.inactivityNotifySteps = [NotifyStep(contact: "bob", afterSeconds: 0)]
    }
    try fixture.add {
      ($0.schedule, $0.rings) = ("every 10 minutes", 1)
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
    }
    fixture.pass(seconds: 4_300)
    #expect(fixture.notified.contains { $0.contact == "bob" } && fixture.sentNotices.isEmpty)
    try fixture.answer(.complete)
    #expect(fixture.sentNotices.map(\.contact).sorted() == ["anna", "bob"])
    #expect(fixture.sentNotices.allSatisfy { $0.reason == .allClear })
  }

  /// The first two prompts use the speaker for 45 seconds each. The third prompt waits for the
  /// speaker. A contact is notified about the third prompt.
  @Test(arguments: [(59, .due), (60, .notHeard), (61, .notHeard)] as [(Int64, NotifyReason)])
  func `a prompt counts as not heard after it has waited 60 seconds for the speaker`(
    _ seconds: Int64, _ reason: NotifyReason
  ) throws {
    var fixture = CoreFixture()
    fixture.environment.mergesRings = false
    fixture.isPlayerSilent = true
    for due in 58...60 {
      try fixture.add("Task \(due)") {
        ($0.schedule, $0.rings) = ("in \(due) seconds", 1)
        if due == 60 { $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: seconds)] }
      }
    }
    fixture.pass(seconds: 130)
    #expect(fixture.notified.map(\.reason) == [reason])
  }

  @Test func `a ring at the same instant as the ring of another prompt has no chime`() throws {
    var fixture = CoreFixture()
    fixture.environment.mergesRings = false
    fixture.isSpeakerBroken = true
    for label in ["A", "B"] {
      try fixture.add(label) { ($0.schedule, $0.rings) = ("in 1 minute", 1) }
    }
    fixture.pass(seconds: 60)
    #expect(fixture.played.map(\.hasAlert) == [true, false])
  }

  /// A caretaker removes all contacts of the alarm while the program that notifies anna runs.
  @Test func `a missed prompt of an alarm without contacts causes no message after a restart`()
    throws
  {
    var fixture = CoreFixture()
    fixture.isNotifierSilent = true
    let alarm = try fixture.add {
      ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("every day 09:01", 1, 300)
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
    }
    fixture.pass(seconds: 900)
    #expect(fixture.outcomes == [.missedNoResponse] && fixture.notified.count == 1)
    var form = AlarmForm()
    form.notifySteps = []
    try fixture.handle(.command(.edit(alarm.id, ifVersion: nil, form), CoreFixture.anna))
    fixture.crash()
    #expect(fixture.notified.count == 1)
  }

  /// An alarm is due every 3 minutes, and its 400th due time is 05:00 on the next day.
  @Test(arguments: [("04:58-05:02", true), ("05:01-05:05", false)])
  func `the first 400 due times of an alarm must be outside quiet hours with the policy "refuse"`(
    _ hours: String, isRefused: Bool
  ) throws {
    var fixture = CoreFixture(limits: HomeLimits(alarms: 100, tones: 2, ringsPerHour: 60))
    try fixture.person { ($0.quietHours, $0.quietPolicy) = (hours, .refuse) }
    let refused = refusal {
      try fixture.add { ($0.schedule, $0.rings) = ("every 3 minutes", 1) }
    }
    #expect((refused != nil) == isRefused)
    #expect(!isRefused || refused?.detail.contains("2027-01-16 at 05:00") == true)
  }
}
