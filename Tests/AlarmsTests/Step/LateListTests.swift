import CivilTime
import Testing

@testable import Alarms

/// Checks which missed prompts the record lists after the device was off for a long time.
///
/// The list contains the prompts of the last 31 days. If these 31 days contain 500 prompts or more,
/// the list contains only the prompts of the last day.
@Suite struct `The list of missed prompts` {
  /// A home with one alarm. The first due time of the alarm is 00:00 on 16 January 2027.
  private struct Home {
    var fixture = CoreFixture()
    var alarm: Alarm
    var first: Prompt

    init(_ schedule: String) throws {
      alarm = try fixture.add { ($0.schedule, $0.rings) = (schedule, 1) }
      first = try #require(fixture.home.openPrompts.first)
      #expect(first.dueAt == Self.start)
    }

    /// 16 January 2027, 00:00 in Berlin.
    static let start = Instant(seconds: 1_800_000_000 + 15 * 3_600)

    /// Returns the due time of the prompt that the daemon plans after the first prompt; nil if no
    /// prompt follows.
    ///
    /// The result is in milliseconds after the due time of the first prompt.
    ///
    /// - Parameter milliseconds: the present time, in milliseconds after the due time of the first
    ///   prompt.
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

  /// The present time is 40 days after the first prompt. The last 31 days begin 216 hours after the
  /// first prompt. Therefore they do not contain the first 217 prompts of the alarm.
  @Test func `begins one day ago if the last 31 days contain 500 prompts or more`() throws {
    for (count, hours) in [(716, 217), (717, nil)] as [(Int, Int64?)] {
      let home = try Home("DTSTART:20270116T000000 RRULE:FREQ=HOURLY;COUNT=\(count)")
      #expect(home.next(at: 40 * Self.day) == hours.map { $0 * Self.hour }, "\(count)")
    }
    let home = try Home("DTSTART:20270116T000000 RRULE:FREQ=HOURLY")
    #expect(home.next(at: 40 * Self.day) == (39 * 24 + 1) * Self.hour)
    #expect(home.next(at: 40 * Self.day - 1) == 39 * Self.day)
  }
}
