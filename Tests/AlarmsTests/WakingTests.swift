import CivilTime
import Testing

@testable import Alarms

/// Rings once, every ten minutes.
private func everyTenMinutes() throws -> Bench {
  var bench = Bench()
  try bench.add {
    $0.schedule = "every 10 minutes"
    $0.rings = 1
    $0.lateWindowSeconds = 300
  }
  return bench
}

private func rings(_ bench: Bench) -> Int {
  bench.records.filter { $0.event.type == "ring_started" }.count
}

@Test func `on time, it rings and the next occurrence is planned`() throws {
  var bench = try everyTenMinutes()
  bench.pass(seconds: 601)
  #expect(rings(bench) == 1)
  #expect(bench.home.openPrompts.filter { $0.phase == .planned }.count == 1)
}

@Test
func `after hours without power only the newest rings, and the others are missed with the cause`()
  throws
{
  var bench = try everyTenMinutes()
  bench.crash(offForSeconds: 3 * 600 + 120, newBoot: true)
  bench.pass(seconds: 10)
  #expect(rings(bench) == 1)
  #expect(bench.outcomes == [.missedDeviceOff, .missedDeviceOff])
  let causes = bench.records.compactMap {
    if case .gap(_, _, let cause) = $0.event { cause } else { nil }
  }
  #expect(causes == [.deviceOff])
}

@Test func `past its window nothing rings, and the prompt is missed with the cause`() throws {
  var bench = Bench()
  try bench.add {
    $0.schedule = "in 10 minutes"
    $0.lateWindowSeconds = 300
  }
  bench.crash(offForSeconds: 600 + 301)
  bench.pass(seconds: 3_600)
  #expect(rings(bench) == 0)
  #expect(bench.outcomes == [.missedDeviceOff])
  #expect(bench.home.nextWake == nil)
}

/// Ten days.
private let back: Int64 = 864_000

@Test func `a delay that was begun on a clock that ran ahead is over in its minutes after a boot`()
  throws
{
  var bench = Bench()
  try bench.add {
    $0.schedule = "every day 09:05"
    $0.rings = 1
  }
  bench.pass(seconds: 301)
  try bench.answer(.delay(seconds: 600))
  bench.crash(clockBackSeconds: back)
  #expect(
    bench.records.contains { $0.event == .clockStep(milliseconds: -back * 1_000) })
  bench.pass(seconds: 590)
  #expect(rings(bench) == 1)
  bench.pass(seconds: 20)
  #expect(rings(bench) == 2)
}

@Test func `saying "on my way" has an end on a clock that was put back in quiet hours, too`() throws
{
  var bench = Bench()
  var form = PersonForm()
  form.quietHours = "09:12-12:00"
  form.quietPolicy = .hold
  try bench.take(.command(.changePerson(.patient, ifVersion: nil, form), Bench.anna))
  try bench.add {
    $0.schedule = "every day 09:05"
    $0.rings = 1
    $0.completeBySeconds = 600
    $0.delayLimit = 1
  }
  bench.pass(seconds: 360)
  try bench.answer(.acknowledge)
  bench.pass(seconds: 660)
  #expect(bench.records.last?.event.type == "held")
  bench.stepClock(seconds: -900)
  bench.pass(seconds: 500)
  try bench.answer(.acknowledge)
  bench.pass(seconds: 60)
  #expect(throws: Refusal.self) { try bench.answer(.acknowledge) }
}

@Test func `an answer without a name is for who called last, also on a clock that was put back`()
  throws
{
  var bench = Bench()
  try bench.add("Pills") {
    $0.schedule = "every day 09:05"
    $0.rings = 1
    $0.lateWindowSeconds = 7_200
  }
  bench.pass(seconds: 600)
  bench.stepClock(seconds: -3_600)
  let drops = try bench.add("Drops") {
    $0.schedule = "every day 08:20"
    $0.rings = 1
  }
  bench.pass(seconds: 660)
  #expect(rings(bench) == 2)
  #expect(try bench.answer(.complete).prompt.id.alarm == drops.id)
}

@Test func `rings of a clock that ran ahead do not count again when their hour comes`() throws {
  var bench = Bench(limits: HomeLimits(alarms: 10, tones: 1, ringsPerHour: 2))
  try bench.add {
    $0.schedule = "in 10 minutes"
    $0.rings = 2
  }
  bench.pass(seconds: 700)
  #expect(rings(bench) == 2)
  bench.crash(clockBackSeconds: 5_000)
  try bench.add {
    $0.schedule = "in 70 minutes"
    $0.rings = 1
  }
  // More than an hour after those rings, and within an hour of the times at which they are recorded.
  bench.pass(seconds: 4_300)
  #expect(rings(bench) == 3)
}

@Test func `stepped back over a completed prompt, the clock does not ring it again`() throws {
  var bench = Bench()
  try bench.add {
    $0.schedule = "every day 09:05"
    $0.rings = 2
  }
  bench.pass(seconds: 400)
  try bench.answer(.complete)
  #expect(rings(bench) == 2)
  bench.stepClock(seconds: -380)
  bench.pass(seconds: 7_200)
  #expect(rings(bench) == 2)
  #expect(bench.records.contains { $0.event.type == "clock_step" })
  bench.pass(seconds: 86_400)
  #expect(rings(bench) == 4)
}

/// Three days of two rings each, completed, of which the record was purged but for the last hours.
private func purgedHome() throws -> Bench {
  var bench = Bench()
  let began = bench.now.wall
  try bench.add {
    $0.schedule = "every day 09:05"
    $0.rings = 2
  }
  for _ in 1...3 {
    bench.pass(seconds: 400)
    try bench.answer(.complete)
    bench.pass(seconds: 86_000)
  }
  bench.purged = began..<bench.now.wall.adding(seconds: -3_600)
  bench.crash(offForSeconds: 5, newBoot: true)
  return bench
}

@Test func `stepped back over what was purged, the clock does not ring it again`() throws {
  var bench = try purgedHome()
  #expect(rings(bench) == 6)
  bench.stepClock(seconds: -2 * 86_400)
  bench.pass(seconds: 2 * 86_400 - 3_600)
  #expect(rings(bench) == 6)
  bench.pass(seconds: 86_400)
  #expect(rings(bench) == 8)
}

@Test func `what was purged does not silence a time before the alarm was made`() throws {
  var bench = try everyTenMinutes()
  let began = bench.now.wall
  bench.pass(seconds: 1_201)
  bench.purged = began..<bench.now.wall
  bench.crash(offForSeconds: 5, newBoot: true)
  #expect(rings(bench) == 2)
  bench.stepClock(seconds: -365 * 86_400)
  bench.pass(seconds: 3_600)
  #expect(rings(bench) == 8)
}

@Test func `stepped forward past the window, the prompt is missed for the clock's sake`() throws {
  var bench = Bench()
  try bench.add { $0.schedule = "every day 09:05" }
  bench.stepClock(seconds: 86_400 + 7_200)
  #expect(rings(bench) == 0)
  #expect(bench.outcomes.last == .missedClockInvalid)
}

@Test func `a step of the clock does not change how long a delay lasts`() throws {
  for stepSeconds: Int64 in [-3_600, 3_600] {
    var bench = Bench()
    try bench.add {
      $0.schedule = "in 10 seconds"
      $0.rings = 1
      $0.delaySeconds = 300
    }
    bench.pass(seconds: 20)
    try bench.answer(.delay(seconds: nil))
    bench.stepClock(seconds: stepSeconds)
    bench.pass(seconds: 290)
    #expect(rings(bench) == 1)
    bench.pass(seconds: 20)
    #expect(rings(bench) == 2)
  }
}

/// One sounds and one waits for the voice when the clock is set back into the quiet hours that held both.
@Test func `set back into quiet hours, what waited in line rings when they end once more`() throws {
  var bench = Bench()
  try bench.person {
    $0.quietHours = "09:02-09:20"
    $0.quietPolicy = .hold
  }
  for (label, time) in [("Pills", "09:05"), ("Tea", "09:06")] {
    try bench.add(label) {
      $0.schedule = "every day \(time)"
      $0.rings = 1
    }
  }
  try bench.pass(to: "2027-01-15T09:20:00")
  #expect(rings(bench) == 1)
  bench.stepClock(seconds: -360)
  bench.pass(seconds: 60)
  #expect(rings(bench) == 1 && bench.sounding == nil)
  let end = bench.now.wall.adding(seconds: 300)
  #expect(bench.home.nextWake == end)
  bench.pass(seconds: 300)
  #expect(rings(bench) == 2)
}

@Test func `a clock set back by a year does not silence what is counted in elapsed time`() throws {
  var bench = try everyTenMinutes()
  bench.pass(seconds: 601)
  bench.stepClock(seconds: -365 * 86_400)
  bench.pass(seconds: 3_600)
  #expect(rings(bench) == 7)
}

@Test func `an edit keeps the planned prompt where the schedule still has it`() throws {
  var bench = Bench()
  let alarm = try bench.add { $0.schedule = "every day 09:05" }
  var form = AlarmForm()
  form.label = "Evening pills"
  try bench.take(.command(.edit(alarm.id, ifVersion: 1, form), Bench.anna))
  #expect(bench.outcomes.isEmpty)
  #expect(bench.home.openPrompts.map(\.alarmVersion) == [2])
  form.schedule = "every day 10:00"
  try bench.take(.command(.edit(alarm.id, ifVersion: 2, form), Bench.anna))
  #expect(bench.outcomes == [.supersededByEdit])
  #expect(bench.home.openPrompts.count == 1)
  #expect(throws: Refusal.self) {
    try bench.take(.command(.edit(alarm.id, ifVersion: 1, form), Bench.anna))
  }
}

@Test func `removed while it rings, an alarm is silent at once and for ever`() throws {
  var bench = Bench()
  bench.ringSeconds = 25
  let alarm = try bench.add { $0.schedule = "every 20 minutes" }
  bench.pass(seconds: 1_201)
  #expect(bench.sounding != nil)
  try bench.take(.command(.remove(alarm.id, ifVersion: nil), Bench.anna))
  #expect(bench.sounding == nil)
  #expect(bench.outcomes == [.cancelledBeforeDue, .cancelledWhileRinging].reversed())
  bench.pass(seconds: 86_400)
  #expect(rings(bench) == 1)
  #expect(bench.home.nextWake == nil)
}

@Test func `a thousand prompts due at once are all dealt with, one voice at a time`() throws {
  var bench = Bench(limits: HomeLimits(alarms: 2_000, tones: 1, ringsPerHour: 20))
  for number in 0..<1_000 {
    try bench.add("Task \(number)") {
      $0.schedule = "in 60 seconds"
      $0.rings = 1
    }
  }
  bench.pass(seconds: 61)
  #expect(bench.records.filter { $0.event.type == "due" }.count == 1_000)
  bench.pass(seconds: 3_600)
  #expect(bench.outcomes.count == 1_000)
}

@Test func `what the events add up to is what the home holds`() throws {
  var bench = try everyTenMinutes()
  bench.pass(seconds: 3_000)
  try bench.answer(.complete)
  bench.crash(offForSeconds: 2_000)
  bench.stepClock(seconds: -500)
  bench.pass(seconds: 5_000)
  let open = bench.replay.prompts.values.filter(\.phase.isOpen)
  #expect(Set(open) == Set(bench.home.openPrompts))
}
