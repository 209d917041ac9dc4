import CivilTime
import Testing

@testable import Alarms

/// A ring, and a minute later anna is told; how that goes, nobody hears.
private func notifyProgress() throws -> Bench {
  var bench = Bench()
  try bench.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 1
    $0.lateWindowSeconds = 300
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
  }
  bench.isNotifierSilent = true
  bench.pass(seconds: 120)
  return bench
}

/// Missed while anna is being told.
private func missed() throws -> Bench {
  var bench = try notifyProgress()
  bench.pass(seconds: 480)
  #expect(bench.outcomes == [.missedNoResponse])
  return bench
}

@Test func `whoever was being told of what is missed is told again after a kill`() throws {
  var bench = try missed()
  #expect(bench.notified.map(\.contact) == ["anna"])
  bench.crash(offForSeconds: 7_200, newBoot: true)
  #expect(bench.notified.map(\.contact) == ["anna", "anna"])
  #expect(bench.notified.map(\.reason) == [.noAnswer, .noAnswer])
  #expect(bench.outcomes == [.missedNoResponse] && bench.home.nextWake == nil)
  // Nobody knows of that either, until it is known.
  bench.crash()
  #expect(bench.notified.count == 3)
  let order = try #require(bench.notified.last)
  try bench.take(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: 0, contact: "anna", attempt: 1, reason: order.reason,
        result: .notified)))
  bench.crash()
  #expect(bench.notified.count == 3)
}

@Test(arguments: [
  NotifyResult.Result.notified, .failed(reason: "no network", isLast: true),
]) func `of what is known to have gone well or badly nobody is told again`(
  result: NotifyResult.Result
) throws {
  var bench = try missed()
  let order = try #require(bench.notified.last)
  func report(_ result: NotifyResult.Result, _ attempt: Int) -> Input {
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: 0, contact: "anna", attempt: attempt,
        reason: order.reason,
        result: result))
  }
  try bench.take(report(.failed(reason: "no network", isLast: false), 1))
  var unsure = bench
  unsure.crash()
  #expect(unsure.notified.count == 2)
  try bench.take(report(result, 2))
  bench.crash()
  #expect(bench.notified.count == 1)
}

@Test func `whoever is in the chain no more is not told again of what was missed`() throws {
  var edited = try missed()
  let alarm = try #require(edited.home.alarms.first)
  var removed = edited
  var form = AlarmForm()
  form.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 60)]
  form.schedule = "every day 09:00"
  try edited.take(.command(.edit(alarm.id, ifVersion: nil, form), Bench.anna))
  edited.crash()
  #expect(edited.notified.count == 1)
  try removed.take(.command(.remove(alarm.id, ifVersion: nil), Bench.anna))
  removed.crash()
  #expect(removed.notified.count == 1)
}

@Test func `what was answered while somebody was being told is told to nobody after a kill`()
  throws
{
  var bench = try notifyProgress()
  try bench.answer(.complete)
  bench.crash()
  #expect(bench.notified.count == 1)
}

/// The next burst is put off by quiet hours in the moment in which anna is told; how that goes, nobody hears.
private func notificationAsQuietHoursBegin() throws -> Bench {
  var bench = Bench()
  var form = PersonForm()
  form.quietHours = "09:40-10:00"
  form.quietPolicy = .hold
  try bench.take(.command(.changePerson(.patient, ifVersion: nil, form), Bench.anna))
  try bench.add {
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
  bench.isNotifierSilent = true
  bench.pass(seconds: 2_460)
  #expect(bench.notified.map(\.contact) == ["anna"] && bench.records.last?.event.type == "held")
  return bench
}

@Test func `whoever is being told as quiet hours begin goes on being told`() throws {
  var killed = try notificationAsQuietHoursBegin()
  killed.crash()
  #expect(killed.notified.map(\.contact) == ["anna", "anna"])
  var answered = try notificationAsQuietHoursBegin()
  try answered.answer(.complete)
  #expect(answered.cancelledNotifications.count == 1)
  // Whoever is next waits for the burst after them, even where anna cannot be told.
  var failed = try notificationAsQuietHoursBegin()
  let order = try #require(failed.notified.last)
  try failed.take(
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
func `an answer in quiet hours, taken back where the clock was put back, waits for its time alone`()
  throws
{
  var bench = try notificationAsQuietHoursBegin()
  bench.isNotifierSilent = false
  try bench.answer(.acknowledge)
  bench.stepClock(seconds: -1_800)
  try bench.take(.command(.undo(nil), Bench.anna))
  // From 09:11 to 09:34:50: it is due at 09:30, long before the quiet hours, and bob's turn is five minutes later.
  bench.pass(seconds: 1_440 - 10)
  #expect(!bench.notified.map(\.contact).contains("bob"))
  bench.pass(seconds: 20)
  #expect(bench.notified.map(\.contact).contains("bob"))
}

/// Anna is being told of what rang at 09:30, and somebody says "later" for five minutes.
private func putOffAsAnnaIsTold() throws -> (bench: Bench, order: ContactNotification) {
  var bench = Bench()
  try bench.add {
    $0.schedule = "every day 09:30"
    $0.rings = 1
    $0.notifySteps = [
      NotifyStep(contact: "anna", afterSeconds: 60), NotifyStep(contact: "bob", afterSeconds: 120),
    ]
  }
  bench.isNotifierSilent = true
  bench.pass(seconds: 1_800 + 70)
  let order = try #require(bench.notified.last)
  try bench.answer(.delay(seconds: 300))
  #expect(bench.cancelledNotifications.count == 1)
  return (bench, order)
}

@Test func `whoever was still being told when it was put off is told by the new burst`() throws {
  var (bench, _) = try putOffAsAnnaIsTold()
  bench.pass(seconds: 300 + 50)
  #expect(bench.notified.map(\.contact) == ["anna"])
  bench.pass(seconds: 20)
  #expect(bench.notified.map(\.contact) == ["anna", "anna"])
  bench.pass(seconds: 120)
  #expect(bench.notified.map(\.contact) == ["anna", "anna", "bob"])
}

@Test func `a message that could not be stopped in time is not sent again by the new burst`()
  throws
{
  var (bench, order) = try putOffAsAnnaIsTold()
  bench.pass(seconds: 20)
  try bench.take(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: 0, contact: "anna", attempt: 1, reason: order.reason,
        result: .notified)))
  bench.crash()
  bench.pass(seconds: 280 + 100)
  #expect(bench.notified.map(\.contact) == ["anna"])
  bench.pass(seconds: 30)
  #expect(bench.notified.map(\.contact) == ["anna", "bob"])
}

@Test func `put off and taken back, whoever was being told is told again, once`() throws {
  var (bench, _) = try putOffAsAnnaIsTold()
  try bench.take(.command(.undo(nil), Bench.anna))
  #expect(bench.notified.map(\.contact) == ["anna", "anna"])
  bench.pass(seconds: 200)
  #expect(bench.notified.map(\.contact) == ["anna", "anna", "bob"])
}
