import CivilTime
import Testing

@testable import Alarms

/// Checks the progress of the notifications of several contacts after each change.
@Suite struct NotifyProgressTests {
  private static let at = Instant(seconds: 1_800_000_000)
  private static let steps = [("anna", 10), ("bob", 60), ("carl", 300)].map {
    NotifyStep(contact: $0.0, afterSeconds: $0.1)
  }

  /// Returns the progress as text. The times are seconds after `at`.
  ///
  /// Example: "2 360 60 [1]". Two notifications have begun. The next notification is due at 360 s,
  /// and the last notification began at 60 s. The contact with the index 1 has no result yet.
  private func text(_ progress: NotifyProgress) -> String {
    func seconds(_ instant: Instant?) -> String {
      instant.map { "\(($0.milliseconds - Self.at.milliseconds) / 1_000)" } ?? "-"
    }
    return "\(progress.begun) \(seconds(progress.nextAt)) \(seconds(progress.lastAt)) "
      + "\(progress.pending)"
  }

  @Test func `each notification plans the next one`() {
    var progress = NotifyProgress.none
    progress.begin(0, of: Self.steps, at: Self.at)
    #expect(text(progress) == "1 60 0 [0]")
    progress.begin(1, of: Self.steps, at: Self.at.adding(seconds: 60))
    #expect(text(progress) == "2 360 60 [0, 1]")
    // After a restart, the notifications of the first two contacts begin again. This changes
    // nothing.
    progress.begin(0, of: Self.steps, at: Self.at.adding(seconds: 70))
    progress.begin(1, of: Self.steps, at: Self.at.adding(seconds: 70))
    #expect(text(progress) == "2 360 60 [0, 1]")
    progress.begin(2, of: Self.steps, at: Self.at.adding(seconds: 360))
    #expect(text(progress) == "3 - 360 [0, 1, 2]")
    progress.shift(by: 5_000)
    #expect(text(progress) == "3 - 365 [0, 1, 2]")
    var first = NotifyProgress(begun: 2, nextAt: nil, lastAt: nil, pending: [1])
    first.begin(0, of: Self.steps, at: Self.at)
    #expect(text(first) == "2 - - [0, 1]")
  }

  @Test func `an answer stops the notifications that are in progress`() {
    let cases: [(begun: Int, pending: [Int], expected: String)] = [
      (0, [], "0 9 5 []"), (1, [], "1 9 5 []"), (1, [0], "0 9 5 []"), (2, [0], "2 9 5 []"),
      (2, [1], "1 9 5 []"), (3, [0, 1, 2], "0 9 5 []"), (3, [0, 2], "2 9 5 []"),
      (3, [1, 2], "1 9 5 []"),
    ]
    for (begun, pending, expected) in cases {
      var progress = NotifyProgress(
        begun: begun, nextAt: Self.at.adding(seconds: 9), lastAt: Self.at.adding(seconds: 5),
        pending: pending)
      progress.abort()
      #expect(text(progress) == expected, "\(begun) \(pending)")
    }
  }

  @Test func `a contact who cannot be notified does not delay the next contact`() {
    let cases: [(position: Int, wall: Int64, expected: String)] = [
      (1, 5, "2 5 0 [0]"), (1, 9, "2 9 0 [0]"), (1, 11, "2 10 0 [0]"), (0, 5, "2 10 0 [1]"),
      (2, 5, "2 10 0 [0, 1]"),
    ]
    for (position, wall, expected) in cases {
      var progress = NotifyProgress(
        begun: 2, nextAt: Self.at.adding(seconds: 10), lastAt: Self.at, pending: [0, 1])
      progress.giveUp(position, at: Self.at.adding(seconds: wall))
      #expect(text(progress) == expected, "\(position) at \(wall)")
    }
    var last = NotifyProgress(begun: 3, nextAt: nil, lastAt: Self.at, pending: [2])
    last.giveUp(2, at: Self.at)
    #expect(text(last) == "3 - 0 []")
  }

  @Test func `a new list of contacts continues after the contacts who were notified`() {
    let cases: [(begun: Int, count: Int, expected: String)] = [
      (0, 3, "0 7 0 [0, 1]"), (1, 3, "1 60 0 [0, 1]"), (2, 3, "2 300 0 [0, 1]"),
      (3, 3, "3 - 0 [0, 1]"), (1, 1, "1 - 0 [0]"), (2, 1, "2 - 0 [0]"), (1, 0, "1 - 0 []"),
    ]
    for (begun, count, expected) in cases {
      var progress = NotifyProgress(
        begun: begun, nextAt: Self.at.adding(seconds: 7), lastAt: Self.at, pending: [0, 1])
      progress.follow(Array(Self.steps.prefix(count)))
      #expect(text(progress) == expected, "\(begun) of \(count)")
    }
    var never = NotifyProgress(begun: 1, nextAt: nil, lastAt: nil, pending: [0])
    never.follow([])
    #expect(text(never) == "1 - - [0]")
  }

  private typealias Found = UnconfirmedNotification

  @Test func `only the notifications about missed prompts without a result are repeated`() {
    let (a, b) = (
      PromptID(alarm: AlarmID("a"), nominalKey: 4), PromptID(alarm: AlarmID("b"), nominalKey: 2)
    )
    func begin(_ id: PromptID, _ position: Int, _ reason: NotifyReason = .noAnswer) -> Event {
      .escalated(id, position: position, contact: "c\(position)", reason: reason)
    }
    func found(_ id: PromptID, _ position: Int, _ reason: NotifyReason = .noAnswer) -> Found {
      Found(prompt: id, position: position, contact: "c\(position)", reason: reason)
    }
    func closed(_ id: PromptID, _ outcome: Outcome) -> Event {
      .closed(id, outcome, reason: .none, .nothing)
    }
    func failed(_ id: PromptID, _ position: Int, isLast: Bool) -> Event {
      .notificationFailed(
        id, position: position, contact: "c", attempt: 1, isLast: isLast, reason: "r")
    }
    let missed: [Event] = [
      begin(a, 1), begin(a, 0), begin(b, 0), closed(a, .missedNoResponse),
      closed(b, .missedSuspended),
    ]
    let all = [found(b, 0), found(a, 0), found(a, 1)]
    let planned = Prompt(
      id: a, alarmVersion: 1, dueAt: Self.at, zoneName: "UTC", utcOffsetSeconds: 0)
    let cases: [([Event], [Found])] = [
      ([], []), ([begin(a, 0)], []), (missed, all), ([closed(a, .missedNoResponse)], []),
      (missed + [.notified(a, position: 1, contact: "c1", attempt: 1)], Array(all.prefix(2))),
      (missed + [failed(a, 1, isLast: false)], all),
      (missed + [failed(a, 1, isLast: true), failed(a, 0, isLast: true)], [found(b, 0)]),
      (missed + [failed(b, 0, isLast: true), begin(b, 1)], Array(all.suffix(2))),
      ([begin(a, 0, .missedDeviceOff)], [found(a, 0, .missedDeviceOff)]),
      (missed + [.planned(planned)], [found(b, 0)]),
      (missed + [.acknowledged(a, until: Self.at, .nothing)], [found(b, 0)]),
      (missed + [.delayed(b, until: Self.at, .nothing)], Array(all.suffix(2))),
      (missed + [closed(a, .completed)], [found(b, 0)]), (missed + [.heartbeat], all),
    ]
    for (events, expected) in cases {
      var tally = UnconfirmedTally()
      for event in events { tally.apply(event) }
      #expect(tally.unconfirmed == expected, "\(events.map(\.type))")
    }
  }
}
