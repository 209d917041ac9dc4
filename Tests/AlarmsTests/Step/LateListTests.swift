import CivilTime
import Testing

@testable import Alarms

/// Checks which missed prompts the record lists after a long time without the daemon: the prompts
/// of the last 31 days, or of the last day if the 31 days contain 500 prompts or more.
@Suite struct `The list of missed prompts` {
  /// A home with one alarm that is first due at midnight on 16 January 2027.
  private struct Home {
    var fixture = CoreFixture()
    var alarm: Alarm
    var first: Prompt

    init(_ schedule: String) throws {
      alarm = try fixture.add { ($0.schedule, $0.rings) = (schedule, 1) }
      first = try #require(fixture.home.openPrompts.first)
      #expect(first.dueAt == Self.start)
    }

    /// Midnight in Berlin on 16 January 2027.
    static let start = Instant(seconds: 1_800_000_000 + 15 * 3_600)

    /// Returns the prompt after the first prompt at this time, in milliseconds after the due time
    /// of the first prompt; nil if no prompt follows.
    func next(at milliseconds: Int64) -> Int64? {
      var reading = fixture.now
      reading.wall = Self.start.adding(milliseconds: milliseconds)
      let transition = Transition(
        fixture.home, reading, .daemon("test"), fixture.environment)
      return transition.successor(of: first, of: alarm)?.dueAt.milliseconds(since: Self.start)
    }
  }

  private static let hour: Int64 = 3_600_000
  private static let day = 24 * hour

  @Test func `begins 31 days ago`() throws {
    let home = try Home("DTSTART:20270116T000000 RRULE:FREQ=DAILY")
    let (day, month) = (Self.day, 32 * Self.day)
    #expect(home.next(at: month - day) == day)
    #expect(home.next(at: month) == day)
    #expect(home.next(at: month + 1) == 2 * day)
    #expect(home.next(at: month + day - 1) == 2 * day)
    #expect(home.next(at: month + day) == 3 * day)
  }

  /// Forty days after the first prompt, 31 days ago is 216 hours after the first prompt. Therefore
  /// the last 31 days contain 217 prompts fewer than the alarm has.
  @Test func `begins one day ago if 31 days contain 500 prompts`() throws {
    for (count, hours) in [(716, 217), (717, nil)] as [(Int, Int64?)] {
      let home = try Home("DTSTART:20270116T000000 RRULE:FREQ=HOURLY;COUNT=\(count)")
      #expect(home.next(at: 40 * Self.day) == hours.map { $0 * Self.hour }, "\(count)")
    }
    let home = try Home("DTSTART:20270116T000000 RRULE:FREQ=HOURLY")
    #expect(home.next(at: 40 * Self.day) == (39 * 24 + 1) * Self.hour)
    #expect(home.next(at: 40 * Self.day - 1) == 39 * Self.day)
  }
}
