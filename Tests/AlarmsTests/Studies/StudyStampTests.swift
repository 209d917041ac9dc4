import CivilTime
import Testing

@testable import Alarms

/// Each event about a prompt contains the phase at the due time of the prompt, even if the event
/// comes much later.
@Test func `a notification that ends in another phase has the phase of the due time`() throws {
  var fixture = CoreFixture()
  fixture.isNotifierSilent = true
  try fixture.phase(.prompted, to: "2027-01-15 12:00")
  try fixture.add {
    $0.schedule = "in 15 seconds"
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 0)]
  }
  fixture.pass(seconds: 10_000)
  let order = try #require(fixture.notified.first)
  try fixture.pass(to: "2027-01-15T12:30:00")
  try fixture.phase(.control)
  // At 21:00, the prompt is closed and no longer in memory. The command of the contact fails only
  // at this time.
  try fixture.pass(to: "2027-01-15T21:00:00")
  try fixture.handle(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: order.position, contact: order.contact, attempt: 1,
        reason: order.reason, result: .failed(reason: "no network", isLast: true))))
  let late = try #require(fixture.records.last { $0.event.type == "notification_failed" })
  #expect(late.phase == .prompted)
  #expect(fixture.home.prompts[try #require(late.event.promptID)] == nil)
}
