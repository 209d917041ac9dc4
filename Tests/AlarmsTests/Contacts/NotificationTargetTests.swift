import CivilTime
import Testing

@testable import Alarms

@Test func `a notification names the person of the prompt`() throws {
  var fixture = CoreFixture()
  for (id, name) in [("hilde", "Hilde"), ("otto", "Otto")] {
    var form = PersonForm()
    form.name = name
    try fixture.handle(.command(.addPerson(PersonID(id), form), CoreFixture.anna))
  }
  for person in ["otto", "hilde"] {
    try fixture.add {
      $0.person = person
      $0.schedule = "in 15 seconds"
      $0.rings = 1
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
    }
  }
  fixture.pass(seconds: 120)
  let named = fixture.notified.map { "\($0.person?.text ?? "-") \($0.personName ?? "-")" }
  #expect(named.sorted() == ["hilde Hilde", "otto Otto"])
  for notification in fixture.notified {
    guard case .prompt(let id) = notification.subject else { continue }
    #expect(fixture.home.alarm(id.alarm)?.person == notification.person)
  }
}

@Test func `a contact who cannot be reached does not shorten the wait after a later contact`()
  throws
{
  var fixture = CoreFixture()
  fixture.environment.contacts = ["anna", "bob", "carl"]
  fixture.isNotifierSilent = true
  try fixture.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 1
    $0.notifySteps = ["anna", "bob", "carl"].map { NotifyStep(contact: $0, afterSeconds: 60) }
  }
  fixture.pass(seconds: 15 + 60 + 60 + 5)
  #expect(fixture.notified.map(\.contact) == ["anna", "bob"])
  // The daemon has notified bob, and will notify carl 60 s after bob if nobody answers. Now the
  // notification of anna fails. This does not change when carl is notified.
  let order = try #require(fixture.notified.first)
  try fixture.handle(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: 0, contact: "anna", attempt: 3, reason: order.reason,
        result: .failed(reason: "no network", isLast: true))))
  fixture.pass(seconds: 50)
  #expect(fixture.notified.map(\.contact) == ["anna", "bob"])
  fixture.pass(seconds: 10)
  #expect(fixture.notified.map(\.contact) == ["anna", "bob", "carl"])
}
