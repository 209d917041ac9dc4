import CivilTime
import Testing

@testable import Alarms

private func rings(_ bench: Bench) -> Int {
  bench.records.filter { $0.event.type == "ring_started" }.count
}

@Test func `an alarm set to another time and back again rings at the first time all the same`()
  throws
{
  var bench = Bench()
  let alarm = try bench.add {
    $0.schedule = "every day 09:05"
    $0.rings = 1
  }
  var form = AlarmForm()
  form.schedule = "every day 09:45"
  try bench.take(.command(.edit(alarm.id, ifVersion: 1, form), Bench.anna))
  bench.crash()
  form.schedule = "every day 09:05"
  try bench.take(.command(.edit(alarm.id, ifVersion: 2, form), Bench.anna))
  bench.pass(seconds: 3_600)
  #expect(rings(bench) == 1)
}

@Test func `a clock that is a day ahead for ten minutes does not cost the day's prompts`() throws {
  var bench = Bench()
  try bench.add {
    $0.schedule = "every day 09:30"
    $0.rings = 1
  }
  bench.stepClock(seconds: 100_000)
  #expect(bench.outcomes == [.missedClockInvalid, .missedClockInvalid])
  #expect(rings(bench) == 0)
  bench.pass(seconds: 600)
  bench.stepClock(seconds: -100_000)
  bench.pass(seconds: 3_600)
  #expect(rings(bench) == 1)
}

@Test func `what rang once does not come again, however the clock is set`() throws {
  var bench = Bench()
  let alarm = try bench.add {
    $0.schedule = "every day 09:05"
    $0.rings = 1
  }
  bench.pass(seconds: 400)
  var form = AlarmForm()
  form.label = "Other pills"
  try bench.take(.command(.edit(alarm.id, ifVersion: 1, form), Bench.anna))
  #expect(bench.outcomes == [.supersededByEdit])
  bench.stepClock(seconds: -380)
  bench.pass(seconds: 3_600)
  #expect(rings(bench) == 1)
}

@Test
func `a clock seventy years ahead costs a month of missed prompts, not seventy years of them`()
  throws
{
  var bench = Bench()
  try bench.add {
    $0.schedule = "every day 09:05"
    $0.rings = 1
  }
  bench.stepClock(seconds: 71 * 365 * 86_400)
  #expect((31...33).contains(bench.outcomes.count))
  #expect(bench.home.openPrompts.contains { $0.phase == .planned && $0.dueAt > bench.now.wall })
}

@Test
func `a clock set weeks back and put right ends only what rang or was planned again`() throws {
  var bench = Bench()
  let day: Int64 = 86_400
  try bench.add {
    $0.schedule = "every day 09:30"
    $0.rings = 1
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
  }
  bench.crash(offForSeconds: 25 * day)
  let before = bench.records.filter { $0.event.type == "escalated" }.count
  bench.stepClock(seconds: -20 * day)
  bench.pass(seconds: 2 * day)
  bench.stepClock(seconds: 20 * day)
  bench.pass(seconds: 60)
  let ended = bench.records.compactMap { record in
    if case .closed(let id, _, _, _) = record.event { id } else { nil }
  }
  // Two days' prompts rang, and the third's was planned.
  #expect(ended.count - Set(ended).count == 3)
  #expect(bench.records.filter { $0.event.type == "escalated" }.count == before + 3)
}
