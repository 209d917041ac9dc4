import CivilTime
import Testing

@testable import Alarms

private func rings(_ fixture: CoreFixture) -> Int {
  fixture.records.filter { $0.event.type == "ring_started" }.count
}

@Test func `an alarm moved to another time and back rings at its first time`()
  throws
{
  var fixture = CoreFixture()
  let alarm = try fixture.add {
    $0.schedule = "every day 09:05"
    $0.rings = 1
  }
  var form = AlarmForm()
  form.schedule = "every day 09:45"
  try fixture.handle(.command(.edit(alarm.id, ifVersion: 1, form), CoreFixture.anna))
  fixture.crash()
  form.schedule = "every day 09:05"
  try fixture.handle(.command(.edit(alarm.id, ifVersion: 2, form), CoreFixture.anna))
  fixture.pass(seconds: 3_600)
  #expect(rings(fixture) == 1)
}

@Test func `a clock that is a day ahead for ten minutes loses no prompts of the day`() throws {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "every day 09:30"
    $0.rings = 1
  }
  fixture.stepClock(seconds: 100_000)
  #expect(fixture.outcomes == [.missedClockInvalid, .missedClockInvalid])
  #expect(rings(fixture) == 0)
  fixture.pass(seconds: 600)
  fixture.stepClock(seconds: -100_000)
  fixture.pass(seconds: 3_600)
  #expect(rings(fixture) == 1)
}

@Test func `a prompt that rang does not ring again, however the clock is set`() throws {
  var fixture = CoreFixture()
  let alarm = try fixture.add {
    $0.schedule = "every day 09:05"
    $0.rings = 1
  }
  fixture.pass(seconds: 400)
  var form = AlarmForm()
  form.rings = 2
  try fixture.handle(.command(.edit(alarm.id, ifVersion: 1, form), CoreFixture.anna))
  #expect(fixture.outcomes == [.supersededByEdit])
  fixture.stepClock(seconds: -380)
  fixture.pass(seconds: 3_600)
  #expect(rings(fixture) == 1)
}

@Test
func `a clock seventy years ahead causes a month of missed prompts, not seventy years of them`()
  throws
{
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "every day 09:05"
    $0.rings = 1
  }
  fixture.stepClock(seconds: 71 * 365 * 86_400)
  #expect((31...33).contains(fixture.outcomes.count))
  #expect(fixture.home.openPrompts.contains { $0.state == .planned && $0.dueAt > fixture.now.wall })
}

@Test
func `a clock set back by weeks and corrected closes only prompts that rang or were planned again`()
  throws
{
  var fixture = CoreFixture()
  let day: Int64 = 86_400
  try fixture.add {
    $0.schedule = "every day 09:30"
    $0.rings = 1
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
  }
  fixture.crash(offForSeconds: 25 * day)
  let before = fixture.records.filter { $0.event.type == "escalated" }.count
  fixture.stepClock(seconds: -20 * day)
  fixture.pass(seconds: 2 * day)
  fixture.stepClock(seconds: 20 * day)
  fixture.pass(seconds: 60)
  let ended = fixture.records.compactMap { record in
    if case .closed(let id, _, _, _) = record.event { id } else { nil }
  }
  // After the clock was set back, two closed prompts rang again, and a third closed prompt was
  // planned again. Therefore these three prompts closed twice.
  #expect(ended.count - Set(ended).count == 3)
  #expect(fixture.records.filter { $0.event.type == "escalated" }.count == before + 3)
}

@Test
func `a clock forty days ahead causes one day of missed prompts of an alarm that is due hourly`()
  throws
{
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "every 60 minutes from 00:00 to 23:00"
    $0.rings = 1
  }
  fixture.stepClock(seconds: 40 * 86_400)
  #expect((24...26).contains(fixture.outcomes.count), "\(fixture.outcomes.count)")
}
