import CivilTime
import Testing

@testable import Alarms

/// Checks prompts that quiet hours or a control phase keep silent.
///
/// The clock shows 09:00 in Berlin at the start of each test.
@Suite struct `A prompt that must be silent` {
  /// The ends of the suppressions of all prompts.
  private func ends(_ fixture: CoreFixture) -> [Instant] {
    fixture.home.openPrompts.compactMap {
      if case .held(let suppression) = $0.state { suppression.until } else { nil }
    }
  }

  @Test func `rings at its due time after the clock is set back and the quiet hours are removed`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.person { ($0.quietHours, $0.quietPolicy) = ("09:20-10:00", .hold) }
    try fixture.add { ($0.schedule, $0.rings) = ("every day 09:30", 1) }
    let start = fixture.now.wall
    fixture.pass(seconds: 1_860)
    #expect(ends(fixture) == [start.adding(seconds: 3_600)])
    var later = fixture
    // The clock now shows 09:16. The due time 09:30 is still in the quiet hours.
    fixture.stepClock(seconds: -900)
    #expect(ends(fixture) == [start.adding(seconds: 3_600)])
    try fixture.person { $0.quietHours = "" }
    #expect(ends(fixture) == [start.adding(seconds: 1_800)] && fixture.played.isEmpty)
    fixture.pass(seconds: 839)
    #expect(fixture.played.isEmpty)
    fixture.pass(seconds: 1)
    #expect(fixture.played.count == 1)
    try later.person { $0.quietHours = "" }
    #expect(later.played.count == 1)
  }

  /// Returns the notifications about prompts after the device starts again.
  ///
  /// The device is off from 09:05 on. The prompts of 09:10 and 09:20 are due while the device is
  /// off.
  ///
  /// - Parameters:
  ///   - seconds: the time at which the device starts again, in seconds after 09:00.
  ///   - window: the late window of the alarm, in seconds.
  private func notified(
    startAt seconds: Int64, window: Int64, _ edit: (inout CoreFixture) throws -> Void
  ) throws -> [String] {
    var fixture = CoreFixture()
    try fixture.add {
      ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("every day 09:10, 09:20", 1, window)
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
    }
    try edit(&fixture)
    fixture.pass(seconds: 300)
    fixture.crash(offForSeconds: seconds - 300, newBoot: true)
    return fixture.notified.compactMap {
      guard case .prompt(let id) = $0.subject else { return nil }
      return "\(id.nominal.description.suffix(8)) \($0.reason.rawValue)"
    }
  }

  @Test func `does not stop a notification about an older missed prompt`() throws {
    let (older, newer) = ("09:10:00 missed_device_off", "09:20:00 missed_device_off")
    #expect(try notified(startAt: 2_400, window: 300) { _ in } == [newer])
    #expect(
      try notified(startAt: 2_400, window: 300) {
        try $0.phase(.control, from: "2027-01-15 09:15")
      } == [older])
    // In quiet hours with the policy "suppress", a prompt is silent until the end of its late
    // window. After its late window, the prompt is missed.
    func quiet(_ seconds: Int64) throws -> [String] {
      try notified(startAt: seconds, window: 1_800) {
        try $0.person { ($0.quietHours, $0.quietPolicy) = ("09:15-10:30", .suppress) }
      }
    }
    #expect(try quiet(3_000) == [older])
    #expect(try quiet(3_001) == [newer])
  }
}
