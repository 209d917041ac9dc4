import Alarms
import CivilTime
import Testing

@testable import Logbook

@Suite struct InactivityEvents {
  @Test func `inactivity is restored as it was, and follows from its events`() throws {
    let directory = TemporaryDirectory()
    var logbook = try Logbook.open(directory)
    var history = History(seed: 5)
    let id = PersonID("anna")
    let rule = InactivityRule(hours: 6, notifySteps: [NotifyStep(contact: "bob", afterSeconds: 0)])
    let answered = PromptID(alarm: AlarmID("k3v9zz0"), nominalKey: 84)
    let changes: [InactivityChange] = [
      .begun,
      .notifying(
        position: 0, contact: "bob", since: Instant(seconds: 1_796_000_000), hours: 6),
      .failed(position: 0, contact: "bob", attempt: 1, isLast: false, reason: "no network"),
      .ended(answered: answered), .resumed, .notified(position: 0, contact: "bob", attempt: 2),
      .ended(answered: nil), .begun, .stopUntilLater, .begun,
    ]
    let person = Person(id: id, version: 1, inactivity: rule)
    for event in [.personAdded(person)] + changes.map({ Event.inactivity(id, $0) }) {
      for event in [event, .clockStep(milliseconds: 5_000)] {
        let record = history.record(event)
        var changes = StateDelta()
        changes.people[id] = history.replay.people[id]
        try logbook.record([record], changes)
      }
      try logbook.close()
      logbook = try Logbook.open(directory)
      #expect(try logbook.restore().people == [history.replay.people[id]], "\(event)")
      #expect(try logbook.verify().isOK, "\(event)")
    }
  }
}
