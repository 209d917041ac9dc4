import CivilTime
import Testing

@testable import Alarms

/// Checks two periods at their ends. A recent ring counts for one hour. A person can undo an answer
/// for one minute.
@Suite struct RecentRingTests {
  private static let at = Instant(seconds: 1_800_000_000)
  private static let hour: Int64 = 3_600_000

  private func rings(_ rings: [(Int64, isRepetition: Bool, isTask: Bool)]) -> RecentRings {
    var found = RecentRings()
    for (milliseconds, isRepetition, isTask) in rings {
      found.add(
        RecentRing(
          at: Self.at.adding(milliseconds: milliseconds), isRepetition: isRepetition,
          isTask: isTask), of: .patient)
    }
    return found
  }

  /// Returns the times of the repetitions that the hourly limit counts, in milliseconds after `at`.
  private func repetitions(_ rings: RecentRings, at milliseconds: Int64) -> [Int64] {
    rings.repetitions(of: .patient, at: Self.at.adding(milliseconds: milliseconds)).map {
      $0.milliseconds(since: Self.at)
    }
  }

  @Test func `a repetition counts for one hour`() {
    let one = rings([(0, true, true), (1_000, false, true), (2_000, true, false)])
    #expect(repetitions(one, at: 3_000) == [0, 2_000])
    #expect(repetitions(one, at: Self.hour - 1) == [0, 2_000])
    #expect(repetitions(one, at: Self.hour) == [2_000])
    #expect(repetitions(one, at: Self.hour + 2_000) == [])
    #expect(repetitions(one, at: 2_001 - Self.hour) == [0, 2_000])
    #expect(repetitions(one, at: 2_000 - Self.hour) == [0])
    #expect(one.repetitions(of: PersonID("hilde"), at: Self.at) == [])
    var moved = one
    moved.shift(by: 500)
    #expect(repetitions(moved, at: 3_000) == [500, 2_500])
    #expect(moved.lastTaskSound(of: .patient) == Self.at.adding(milliseconds: 1_500))
  }

  @Test func `a ring is kept for one hour, and the newest ring of a task for longer`() {
    let before: [(Int64, isRepetition: Bool, isTask: Bool)] = [
      (0, true, true), (10, true, true), (20, true, false),
    ]
    let kept = rings(before + [(Self.hour - 1, true, false)])
    #expect(repetitions(kept, at: 30) == [0, 10, 20, Self.hour - 1])
    let at = rings(before + [(Self.hour, true, false)])
    #expect(repetitions(at, at: 30) == [10, 20, Self.hour])
    let later = rings(before + [(Self.hour + 100, true, false)])
    #expect(repetitions(later, at: 30) == [10])
    #expect(later.lastTaskSound(of: .patient) == Self.at.adding(milliseconds: 10))
    #expect(later.lastTaskSound(of: nil) == Self.at.adding(milliseconds: 10))
    #expect(later.lastTaskSound(of: PersonID("hilde")) == nil)
    #expect(RecentRings().lastTaskSound(of: nil) == nil)
    let replaced = rings(before + [(Self.hour + 100, true, true)])
    #expect(repetitions(replaced, at: 30) == [])
  }

  @Test func `an answer can be undone for one minute`() {
    let answer = LastAnswer(at: Self.at, before: nil)
    #expect(answer.undoUntil == Self.at.adding(seconds: 60))
    for (milliseconds, isRecent) in [
      (0, true), (60_000, true), (60_001, false), (-60_000, true), (-60_001, false),
    ] as [(Int64, Bool)] {
      #expect(answer.isRecent(at: Self.at.adding(milliseconds: milliseconds)) == isRecent)
    }
  }

  private func prompt(_ state: PromptState, before: PromptState?, at: Instant? = at) -> Prompt {
    Prompt(
      id: PromptID(alarm: AlarmID("a"), nominal: CivilDateTime(localSeconds: 0), fold: 0),
      alarmVersion: 3, dueAt: Self.at, zoneName: "UTC", utcOffsetSeconds: 0, state: state,
      lastAnswer: at.map {
        LastAnswer(
          at: $0,
          before: before.map {
            .init(state: $0, delays: 0, acknowledgedAt: nil, notifyProgress: .none)
          })
      })
  }

  @Test func `an undo is refused with the reason`() {
    let name = "\"a@1970-01-01T00:00:00\""
    let closed = PromptState.closed(.completed, reason: .none, at: Self.at)
    let late = Self.at.adding(milliseconds: 60_001)
    let cases: [(Prompt, Instant, Int?, Refusal.Kind?, String)] = [
      (prompt(closed, before: .planned), Self.at, 3, nil, ""),
      (
        prompt(closed, before: .planned), Self.at, 4, .superseded,
        "cannot undo: the alarm of prompt \(name) was changed after the answer"
      ),
      (
        prompt(closed, before: .planned), Self.at, nil, .superseded,
        "cannot undo: the alarm of prompt \(name) was removed"
      ),
      (prompt(.delayed(until: Self.at), before: .planned), Self.at, nil, nil, ""),
      (prompt(.delayed(until: Self.at), before: .planned), Self.at, 9, nil, ""),
      (
        prompt(closed, before: .planned), late, 3, .tooLate,
        "cannot undo: prompt \(name) was answered at 2027-01-15T08:00:00.000Z, and an answer can "
          + "be undone only within 60 seconds"
      ),
      (
        prompt(closed, before: nil), Self.at, 3, .alreadyCorrected,
        "the last answer to this prompt was already taken back"
      ),
      (
        prompt(closed, before: nil, at: nil), Self.at, 3, .nothingToUndo,
        "prompt \(name) has no answer to undo"
      ),
      (
        prompt(.closed(.supersededByEdit, reason: .none, at: Self.at), before: .planned), Self.at,
        3, .superseded, "cannot undo: a change of the alarm ended prompt \(name)"
      ),
    ]
    for (prompt, wall, version, kind, detail) in cases {
      let refusal = prompt.undoRefusal(at: wall, version: version)
      #expect(refusal?.kind == kind && refusal?.detail ?? "" == detail)
    }
    #expect(
      Prompt.nothingToUndo.detail == "nothing was answered within the last 60 seconds")
  }

  @Test func `each state names the answer that caused it`() {
    let states: [(PromptState, Correction.Undone?)] = [
      (.acknowledged(until: Self.at), .acknowledged), (.delayed(until: Self.at), .delayed),
      (.closed(.completedOutOfWindow, reason: .none, at: Self.at), .completed),
      (.closed(.declined, reason: .none, at: Self.at), .declined),
      (.closed(.cancelledBeforeDue, reason: .none, at: Self.at), .cancelled),
      (.closed(.missedSuspended, reason: .none, at: Self.at), nil), (.planned, nil),
      (.waiting(ring: 0, at: Self.at), nil), (.expiring(at: Self.at), nil),
    ]
    for (state, expected) in states {
      #expect(prompt(state, before: nil).undone == expected, "\(state)")
    }
  }

  @Test func `each suppression rings afterwards or has its outcome`() {
    let table: [(Suppression.Reason, ringsAfterwards: Bool, moves: Bool, Outcome)] = [
      (.quietHours, true, false, .suppressedQuietHours),
      (.quietRest, false, false, .suppressedQuietHours),
      (.controlPhase, false, false, .suppressedControlPhase), (.cap, true, true, .suppressedCap),
      (.capRest, false, true, .suppressedCap),
    ]
    #expect(Set(table.map(\.0)) == Set(Suppression.Reason.allCases))
    for (reason, ringsAfterwards, moves, outcome) in table {
      let held = Suppression(until: Self.at, since: Self.at, ring: 2, reason: reason)
      #expect(held.ringsAfterwards == ringsAfterwards && held.outcome == outcome, "\(reason)")
      var moved = held
      moved.until = moves ? Self.at.adding(seconds: 9) : Self.at
      moved.since = moved.until
      #expect(PromptState.held(held).shifted(by: 9_000) == .held(moved), "\(reason)")
      let isElapsed = reason != .quietHours && reason != .controlPhase
      #expect(PromptState.held(held).goesWithTheClock == isElapsed)
    }
    #expect(
      !PromptState.planned.goesWithTheClock && PromptState.expiring(at: Self.at).goesWithTheClock)
    #expect(!PromptState.closed(.declined, reason: .none, at: Self.at).goesWithTheClock)
  }
}
