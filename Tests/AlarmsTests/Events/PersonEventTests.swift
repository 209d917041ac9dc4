import CivilTime
import Testing

@testable import Alarms

/// Applies single events to one person, and compares the whole state with the expected state.
@Suite struct `An event of a person` {
  private static let at = Instant(seconds: 1_800_000_000)
  private static let id = PersonID("hilde")
  private static let prompt = PromptID(alarm: AlarmID("a"), nominalKey: 2)

  private static func person(bobAfter seconds: Int64? = 60, version: Int = 1) -> Person {
    let steps = seconds.map {
      [
        NotifyStep(contact: "anna", afterSeconds: 10), NotifyStep(contact: "bob", afterSeconds: $0),
      ]
    }
    return Person(
      id: id, version: version, inactivity: steps.map { InactivityRule(hours: 1, notifySteps: $0) })
  }

  /// A period of inactivity. The notification of anna has begun, and its result is unknown.
  private static func inactivity(
    _ moved: Int64 = 0, next: Int64 = 60, pending: [Int] = [0]
  ) -> Inactivity {
    Inactivity(
      since: at.adding(seconds: moved - 3_600),
      notifyProgress: NotifyProgress(
        begun: 1, nextAt: at.adding(seconds: next + moved), lastAt: at.adding(seconds: moved),
        pending: pending))
  }

  private static func state(
    _ inactivity: Inactivity?, ended: Inactivity? = nil, _ person: Person? = Self.person(),
    pause: PersonPause? = nil
  ) -> PersonState {
    PersonState(
      id: id, person: person, pause: pause, inactivity: inactivity,
      endedInactivity: ended.map { EndedInactivity(answered: prompt, inactivity: $0) })
  }

  /// Applies the event 5 seconds after `at`, and returns the new state of the person.
  private static func apply(_ event: Event, to state: PersonState) -> PersonState? {
    var replay = Replay()
    replay.put(state)
    replay.apply(event, at: at.adding(seconds: 5))
    return replay.people[id]
  }

  @Test func `changes the inactivity of the person`() {
    let begun = Inactivity(since: Self.at.adding(seconds: 5))
    let notifying = Inactivity(
      since: Self.at.adding(seconds: 5),
      notifyProgress: NotifyProgress(
        begun: 1, nextAt: Self.at.adding(seconds: 65), lastAt: Self.at.adding(seconds: 5),
        pending: [0]))
    let (open, told) = (Self.inactivity(), Self.inactivity(pending: []))
    let (both, ended) = (Self.state(open, ended: open), Self.state(nil, ended: open))
    let notified = InactivityChange.notified(position: 0, contact: "anna", attempt: 1)
    let other = InactivityChange.notified(position: 1, contact: "bob", attempt: 1)
    let first = InactivityChange.notifying(
      position: 0, contact: "anna", since: Self.at.adding(seconds: 5), hours: 1)
    func failed(_ isLast: Bool) -> InactivityChange {
      .failed(position: 0, contact: "anna", attempt: 1, isLast: isLast, reason: "r")
    }
    let cases: [(InactivityChange, PersonState, PersonState)] = [
      (.begun, Self.state(nil), Self.state(begun)), (.begun, Self.state(open), Self.state(open)),
      (.begun, ended, Self.state(begun, ended: open)),
      (.ended(answered: Self.prompt), Self.state(open), ended),
      (.ended(answered: nil), Self.state(open), Self.state(nil)),
      (.ended(answered: nil), both, Self.state(nil)),
      (.ended(answered: Self.prompt), ended, Self.state(nil)),
      (.resumed, ended, Self.state(open)),
      (.resumed, Self.state(begun, ended: open), Self.state(open)),
      (.resumed, Self.state(open), Self.state(open)), (.resumed, Self.state(nil), Self.state(nil)),
      (first, Self.state(begun), Self.state(notifying)), (first, ended, ended),
      (notified, both, Self.state(told, ended: told)),
      (notified, ended, Self.state(nil, ended: told)),
      (other, both, both), (failed(false), both, both),
      (failed(true), both, Self.state(Self.inactivity(next: 5, pending: []), ended: open)),
      (.stopUntilLater, both, Self.state(nil)), (.stopUntilLater, ended, Self.state(nil)),
    ]
    for (change, before, after) in cases {
      #expect(Self.apply(.inactivity(Self.id, change), to: before) == after, "\(change)")
    }
  }

  @Test func `moves each period of inactivity if the clock is set`() {
    let (open, moved) = (Self.inactivity(), Self.inactivity(90))
    let step = Event.clockStep(milliseconds: 90_000)
    for (now, ended) in [(true, true), (true, false), (false, true), (false, false)] {
      let before = Self.state(now ? open : nil, ended: ended ? open : nil)
      let after = Self.state(now ? moved : nil, ended: ended ? moved : nil)
      #expect(Self.apply(step, to: before) == after, "\(now) \(ended)")
    }
  }

  @Test func `changes the settings, the pause and the inactivity together`() {
    let (open, later) = (Self.inactivity(), Self.inactivity(next: 100))
    let pause = PersonPause(until: nil)
    let before = Self.state(open, ended: open, pause: pause)
    let changed = Self.person(bobAfter: 100, version: 2)
    #expect(
      Self.apply(.personChanged(changed), to: before)
        == Self.state(later, ended: later, changed, pause: pause))
    let without = Self.person(bobAfter: nil, version: 2)
    #expect(
      Self.apply(.personChanged(without), to: before)
        == Self.state(nil, without, pause: pause))
    #expect(
      Self.apply(.personRemoved(Self.id, version: 1), to: before) == Self.state(nil, nil))
    #expect(
      Self.apply(.personResumed(Self.id), to: before) == Self.state(open, ended: open))
    #expect(
      Self.apply(.personPaused(Self.id, pause), to: Self.state(open))
        == Self.state(open, pause: pause))
  }

  @Test func `creates the state of a person whom no caretaker has added`() {
    var replay = Replay()
    replay.apply(.personPaused(Self.id, PersonPause(until: nil)), at: Self.at)
    #expect(
      replay.people[Self.id]
        == PersonState(
          id: Self.id, person: Person(id: Self.id, version: 0), pause: PersonPause(until: nil)))
  }
}
