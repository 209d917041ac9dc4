import CivilTime
import Testing

@testable import Alarms

/// Checks decisions about prompts that wait for the speaker.
@Suite struct QueueDecisionTests {
  private func apart() -> CoreFixture {
    var fixture = CoreFixture()
    fixture.environment.mergesRings = false
    fixture.isPlayerSilent = true
    return fixture
  }

  @Test func `a decision closes 250 late prompts, and says if more are late`() throws {
    for (count, isMoreDue) in [(250, false), (251, true)] {
      var fixture = apart()
      try fixture.add("First") {
        ($0.schedule, $0.lateWindowSeconds) = ("in 1 minute", 3_600)
        $0.steps = [StepForm(rings: 1, isUrgent: true)]
      }
      for number in 0..<count {
        try fixture.add("Task \(number)") {
          ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("in 1 minute", 1, 60)
        }
      }
      // The late windows of the other prompts end at 120 seconds. The urgent prompt is due one
      // second after this.
      try fixture.add("Urgent") {
        $0.schedule = "in 121 seconds"
        $0.steps = [StepForm(rings: 1, isUrgent: true)]
      }
      fixture.move(to: fixture.now.wall.adding(seconds: 60))
      try fixture.handle(.woke)
      #expect(fixture.played.count == 1)
      fixture.move(to: fixture.now.wall.adding(seconds: 61))
      let decision = try step(fixture.home, .woke, at: fixture.now, in: fixture.environment)
      let closed = decision.records.count { $0.event.type == "missed" }
      #expect(decision.isMoreDue == isMoreDue, "\(count): \(closed)")
      #expect(closed == 250)
      #expect(decision.records.last { $0.event.type == "ring_intent" } != nil)
      try fixture.handle(.woke)
      fixture.pass(seconds: 46)
      #expect(fixture.records.count { $0.event.type == "missed" } == count)
    }
  }

  /// Many prompts of Hilde wait for the speaker, and then her quiet hours begin. One decision holds
  /// only 250 of these prompts back. A prompt of the patient waits after the prompts of Hilde.
  /// Another prompt of the patient becomes due in this decision.
  @Test
  func `a prompt that becomes due does not ring before a prompt that waits after 250 others`()
    throws
  {
    var fixture = apart()
    try fixture.person("hilde") {
      ($0.name, $0.quietHours, $0.quietPolicy) = ("Hilde", "09:02-09:30", .hold)
    }
    for number in 0..<256 {
      try fixture.add("Task \(number)") {
        ($0.person, $0.schedule, $0.rings) = ("hilde", "in 1 minute", 1)
        $0.lateWindowSeconds = 3_600
      }
    }
    let patient = PersonID.patient.text
    let behind = try fixture.add("Behind") {
      ($0.person, $0.schedule, $0.rings) = (patient, "in 61 seconds", 1)
    }
    let newest = try fixture.add("Newest") {
      ($0.person, $0.schedule, $0.rings) = (patient, "in 150 seconds", 1)
    }
    fixture.pass(seconds: 200)
    // Each ring uses the speaker for 45 seconds.
    #expect(fixture.played.count == 4)
    #expect(fixture.played.suffix(2).map(\.prompt.alarm) == [behind.id, newest.id])
    #expect(fixture.records.count { $0.event.type == "held" } == 254)
  }

  /// Quiet hours hold two prompts back. When the quiet hours end, one prompt rings, and the other
  /// prompt waits for the speaker. Then somebody sets the clock back to a time in the quiet hours.
  @Test(arguments: [true, false])
  func `a prompt that is held again after a clock step rings at the end of quiet hours`(
    _ isNotified: Bool
  ) throws {
    var fixture = apart()
    fixture.isNotifierSilent = true
    try fixture.person { ($0.quietHours, $0.quietPolicy) = ("08:00-09:05", .hold) }
    for label in ["A", "B"] {
      try fixture.add(label) {
        ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("in 1 minute", 1, 3_600)
        $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 0)]
      }
    }
    fixture.pass(seconds: 301)
    let end = fixture.now.wall.adding(seconds: -1)
    let ringing = try #require(fixture.home.sounding)
    let other = try #require(fixture.home.waitingPrompts.first { $0.id != ringing }?.id)
    #expect(fixture.home.speakerQueue.contains(other))
    fixture.now.wall = fixture.now.wall.adding(seconds: -1_800)
    let report = NotifyResult(
      subject: .prompt(other), position: 0, contact: "anna", attempt: 1, reason: .due,
      result: isNotified ? .notified : .failed(reason: "r", isLast: true))
    try fixture.handle(.notifyResult(report))
    #expect(!fixture.home.speakerQueue.contains(other))
    #expect(fixture.home.lostPrompts().isEmpty)
    try fixture.handle(.command(.answer(ringing, .complete), CoreFixture.anna))
    fixture.pass(seconds: 3_000)
    let times = fixture.records.filter {
      $0.event.type == "ring_intent" && $0.event.promptID == other
    }
    #expect(times.map(\.reading.wall) == [end])
  }
}
