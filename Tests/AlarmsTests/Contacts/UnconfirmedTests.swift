import CivilTime
import Testing

@testable import Alarms

/// Adds an alarm with one ring. Anna is notified one minute after the ring, but the notifier
/// reports no result.
private func notifyProgress() throws -> CoreFixture {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 1
    $0.lateWindowSeconds = 300
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
  }
  fixture.isNotifierSilent = true
  fixture.pass(seconds: 120)
  return fixture
}

/// Waits until the prompt is missed, while the notification of anna still runs.
private func missed() throws -> CoreFixture {
  var fixture = try notifyProgress()
  fixture.pass(seconds: 480)
  #expect(fixture.outcomes == [.missedNoResponse])
  return fixture
}

@Test func `an unconfirmed notification of a missed prompt is repeated after a kill`() throws {
  var fixture = try missed()
  #expect(fixture.notified.map(\.contact) == ["anna"])
  fixture.crash(offForSeconds: 7_200, newBoot: true)
  #expect(fixture.notified.map(\.contact) == ["anna", "anna"])
  #expect(fixture.notified.map(\.reason) == [.noAnswer, .noAnswer])
  #expect(fixture.outcomes == [.missedNoResponse] && fixture.home.nextWake == nil)
  // The repeated notification also has no result. Therefore the daemon sends the notification again
  // at its next start.
  fixture.crash()
  #expect(fixture.notified.count == 3)
  let order = try #require(fixture.notified.last)
  try fixture.handle(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: 0, contact: "anna", attempt: 1, reason: order.reason,
        result: .notified)))
  fixture.crash()
  #expect(fixture.notified.count == 3)
}

@Test(arguments: [
  NotifyResult.Result.notified, .failed(reason: "no network", isLast: true),
]) func `a notification with a known result is not repeated`(
  result: NotifyResult.Result
) throws {
  var fixture = try missed()
  let order = try #require(fixture.notified.last)
  func report(_ result: NotifyResult.Result, _ attempt: Int) -> Input {
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: 0, contact: "anna", attempt: attempt,
        reason: order.reason,
        result: result))
  }
  try fixture.handle(report(.failed(reason: "no network", isLast: false), 1))
  var unsure = fixture
  unsure.crash()
  #expect(unsure.notified.count == 2)
  try fixture.handle(report(result, 2))
  fixture.crash()
  #expect(fixture.notified.count == 1)
}

@Test func `a contact who left the chain is not notified again of a missed prompt`() throws {
  var edited = try missed()
  let alarm = try #require(edited.home.alarms.first)
  var removed = edited
  var form = AlarmForm()
  form.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 60)]
  form.schedule = "every day 09:00"
  try edited.handle(.command(.edit(alarm.id, ifVersion: nil, form), CoreFixture.anna))
  edited.crash()
  #expect(edited.notified.count == 1)
  try removed.handle(.command(.remove(alarm.id, ifVersion: nil), CoreFixture.anna))
  removed.crash()
  #expect(removed.notified.count == 1)
}

@Test func `a prompt answered during a notification is not notified again after a kill`()
  throws
{
  var fixture = try notifyProgress()
  try fixture.answer(.complete)
  fixture.crash()
  #expect(fixture.notified.count == 1)
}

/// Lets quiet hours begin while the notification of anna runs. Anna is notified at 09:40, when the
/// quiet hours begin. The notifier reports no result.
private func notificationAsQuietHoursBegin() throws -> CoreFixture {
  var fixture = CoreFixture()
  var form = PersonForm()
  form.quietHours = "09:40-10:00"
  form.quietPolicy = .hold
  try fixture.handle(.command(.changePerson(.patient, ifVersion: nil, form), CoreFixture.anna))
  try fixture.add {
    $0.schedule = "every day 09:30"
    $0.lateWindowSeconds = 7_200
    $0.steps = [
      StepForm(rings: 1, spacingSeconds: 60),
      StepForm(rings: 1, spacingSeconds: 20, pauseSeconds: 600),
    ]
    $0.notifySteps = [
      NotifyStep(contact: "anna", afterSeconds: 600), NotifyStep(contact: "bob", afterSeconds: 300),
    ]
  }
  fixture.isNotifierSilent = true
  fixture.pass(seconds: 2_460)
  #expect(fixture.notified.map(\.contact) == ["anna"] && fixture.records.last?.event.type == "held")
  return fixture
}

@Test func `a notification that runs when quiet hours begin continues`() throws {
  var killed = try notificationAsQuietHoursBegin()
  killed.crash()
  #expect(killed.notified.map(\.contact) == ["anna", "anna"])
  var answered = try notificationAsQuietHoursBegin()
  try answered.answer(.complete)
  #expect(answered.cancelledNotifications.count == 1)
  // A new burst begins at the end of the quiet hours. Bob is notified 300 seconds after the start
  // of this burst, even if the notification of anna fails.
  var failed = try notificationAsQuietHoursBegin()
  let order = try #require(failed.notified.last)
  try failed.handle(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: 0, contact: "anna", attempt: 3,
        reason: order.reason, result: .failed(reason: "no network", isLast: true))))
  failed.pass(seconds: 1_140 + 290)
  #expect(failed.notified.map(\.contact) == ["anna"])
  failed.pass(seconds: 20)
  #expect(failed.notified.map(\.contact) == ["anna", "bob"])
}

@Test
func `an answer in quiet hours, undone after the clock was set back, waits only for its time`()
  throws
{
  var fixture = try notificationAsQuietHoursBegin()
  fixture.isNotifierSilent = false
  try fixture.answer(.acknowledge)
  fixture.stepClock(seconds: -1_800)
  try fixture.handle(.command(.undo(nil), CoreFixture.anna))
  // The clock now shows 09:11. The prompt is due at 09:30, before the quiet hours, and bob is
  // notified 300 seconds later, at 09:35. The test looks at 09:34:50 and at 09:35:10.
  fixture.pass(seconds: 1_440 - 10)
  #expect(!fixture.notified.map(\.contact).contains("bob"))
  fixture.pass(seconds: 20)
  #expect(fixture.notified.map(\.contact).contains("bob"))
}

/// Delays the prompt of 09:30 by five minutes, while the notification of anna runs.
private func putOffAsAnnaIsTold() throws -> (fixture: CoreFixture, order: ContactNotification) {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "every day 09:30"
    $0.rings = 1
    $0.notifySteps = [
      NotifyStep(contact: "anna", afterSeconds: 60), NotifyStep(contact: "bob", afterSeconds: 120),
    ]
  }
  fixture.isNotifierSilent = true
  fixture.pass(seconds: 1_800 + 70)
  let order = try #require(fixture.notified.last)
  try fixture.answer(.delay(seconds: 300))
  #expect(fixture.cancelledNotifications.count == 1)
  return (fixture, order)
}

@Test func `a contact whose notification a delay stopped is notified in the new burst`() throws {
  var (fixture, _) = try putOffAsAnnaIsTold()
  fixture.pass(seconds: 300 + 50)
  #expect(fixture.notified.map(\.contact) == ["anna"])
  fixture.pass(seconds: 20)
  #expect(fixture.notified.map(\.contact) == ["anna", "anna"])
  fixture.pass(seconds: 120)
  #expect(fixture.notified.map(\.contact) == ["anna", "anna", "bob"])
}

@Test func `a notification that could not be stopped in time is not repeated in the new burst`()
  throws
{
  var (fixture, order) = try putOffAsAnnaIsTold()
  fixture.pass(seconds: 20)
  try fixture.handle(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: 0, contact: "anna", attempt: 1, reason: order.reason,
        result: .notified)))
  fixture.crash()
  fixture.pass(seconds: 280 + 100)
  #expect(fixture.notified.map(\.contact) == ["anna"])
  fixture.pass(seconds: 30)
  #expect(fixture.notified.map(\.contact) == ["anna", "bob"])
}

@Test func `after an undone delay the stopped notification is repeated once`() throws {
  var (fixture, _) = try putOffAsAnnaIsTold()
  try fixture.handle(.command(.undo(nil), CoreFixture.anna))
  #expect(fixture.notified.map(\.contact) == ["anna", "anna"])
  fixture.pass(seconds: 200)
  #expect(fixture.notified.map(\.contact) == ["anna", "anna", "bob"])
}
