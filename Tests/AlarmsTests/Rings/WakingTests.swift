import CivilTime
import Testing

@testable import Alarms

/// Adds an alarm that is due every ten minutes and rings once.
private func everyTenMinutes() throws -> CoreFixture {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "every 10 minutes"
    $0.rings = 1
    $0.lateWindowSeconds = 300
  }
  return fixture
}

private func rings(_ fixture: CoreFixture) -> Int {
  fixture.records.filter { $0.event.type == "ring_started" }.count
}

@Test func `a prompt rings on time and the next occurrence is planned`() throws {
  var fixture = try everyTenMinutes()
  fixture.pass(seconds: 601)
  #expect(rings(fixture) == 1)
  #expect(fixture.home.openPrompts.filter { $0.state == .planned }.count == 1)
}

@Test
func `after hours without power only the newest rings, and the others are missed with the cause`()
  throws
{
  var fixture = try everyTenMinutes()
  fixture.crash(offForSeconds: 3 * 600 + 120, newBoot: true)
  fixture.pass(seconds: 10)
  #expect(rings(fixture) == 1)
  #expect(fixture.outcomes == [.missedDeviceOff, .missedDeviceOff])
  let causes = fixture.records.compactMap {
    if case .gap(_, _, let cause) = $0.event { cause } else { nil }
  }
  #expect(causes == [.deviceOff])
}

@Test func `past its late window a prompt does not ring and is missed with the cause`() throws {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "in 10 minutes"
    $0.lateWindowSeconds = 300
  }
  fixture.crash(offForSeconds: 600 + 301)
  fixture.pass(seconds: 3_600)
  #expect(rings(fixture) == 0)
  #expect(fixture.outcomes == [.missedDeviceOff])
  #expect(fixture.home.nextWake == nil)
}

/// The distance by which a clock is set back: ten days, in seconds.
private let back: Int64 = 864_000

@Test func `a delay that began on a clock that was ahead keeps its length after a boot`()
  throws
{
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "every day 09:05"
    $0.rings = 1
  }
  fixture.pass(seconds: 301)
  try fixture.answer(.delay(seconds: 600))
  fixture.crash(clockBackSeconds: back)
  #expect(
    fixture.records.contains { $0.event == .clockStep(milliseconds: -back * 1_000) })
  fixture.pass(seconds: 590)
  #expect(rings(fixture) == 1)
  fixture.pass(seconds: 20)
  #expect(rings(fixture) == 2)
}

@Test func `an acknowledgement expires in quiet hours, too, on a clock that was set back`() throws {
  var fixture = CoreFixture()
  var form = PersonForm()
  form.quietHours = "09:12-12:00"
  form.quietPolicy = .hold
  try fixture.handle(.command(.changePerson(.patient, ifVersion: nil, form), CoreFixture.anna))
  try fixture.add {
    $0.schedule = "every day 09:05"
    $0.rings = 1
    $0.completeBySeconds = 600
    $0.delayLimit = 1
  }
  fixture.pass(seconds: 360)
  try fixture.answer(.acknowledge)
  fixture.pass(seconds: 660)
  #expect(fixture.records.last?.event.type == "held")
  fixture.stepClock(seconds: -900)
  fixture.pass(seconds: 500)
  try fixture.answer(.acknowledge)
  fixture.pass(seconds: 60)
  #expect(throws: Refusal.self) { try fixture.answer(.acknowledge) }
}

@Test
func `an answer without an id is for the last calling prompt, also after the clock was set back`()
  throws
{
  var fixture = CoreFixture()
  try fixture.add("Pills") {
    $0.schedule = "every day 09:05"
    $0.rings = 1
    $0.lateWindowSeconds = 7_200
  }
  fixture.pass(seconds: 600)
  fixture.stepClock(seconds: -3_600)
  let drops = try fixture.add("Drops") {
    $0.schedule = "every day 08:20"
    $0.rings = 1
  }
  fixture.pass(seconds: 660)
  #expect(rings(fixture) == 2)
  #expect(try fixture.answer(.complete).prompt.id.alarm == drops.id)
}

@Test func `rings of a clock that was ahead do not count again when that hour comes`() throws {
  var fixture = CoreFixture(limits: HomeLimits(alarms: 10, tones: 1, ringsPerHour: 2))
  try fixture.add {
    $0.schedule = "in 10 minutes"
    $0.rings = 2
  }
  fixture.pass(seconds: 700)
  #expect(rings(fixture) == 2)
  fixture.crash(clockBackSeconds: 5_000)
  try fixture.add {
    $0.schedule = "in 70 minutes"
    $0.rings = 1
  }
  // The new ring sounds more than an hour after the first two rings. Because the clock was set
  // back, the three rings are less than an hour apart by the times in the record. The hourly limit
  // must not count the first two rings.
  fixture.pass(seconds: 4_300)
  #expect(rings(fixture) == 3)
}

@Test func `a clock that is set back past a completed prompt does not ring it again`() throws {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "every day 09:05"
    $0.rings = 2
  }
  fixture.pass(seconds: 400)
  try fixture.answer(.complete)
  #expect(rings(fixture) == 2)
  fixture.stepClock(seconds: -380)
  fixture.pass(seconds: 7_200)
  #expect(rings(fixture) == 2)
  #expect(fixture.records.contains { $0.event.type == "clock_step" })
  fixture.pass(seconds: 86_400)
  #expect(rings(fixture) == 4)
}

/// Makes a home with one completed prompt on each of three days. Then purges all events except
/// those of the last hour.
private func purgedHome() throws -> CoreFixture {
  var fixture = CoreFixture()
  let began = fixture.now.wall
  try fixture.add {
    $0.schedule = "every day 09:05"
    $0.rings = 2
  }
  for _ in 1...3 {
    fixture.pass(seconds: 400)
    try fixture.answer(.complete)
    fixture.pass(seconds: 86_000)
  }
  fixture.purged = began..<fixture.now.wall.adding(seconds: -3_600)
  fixture.crash(offForSeconds: 5, newBoot: true)
  return fixture
}

@Test func `a clock that is set back past purged prompts does not ring them again`() throws {
  var fixture = try purgedHome()
  #expect(rings(fixture) == 6)
  fixture.stepClock(seconds: -2 * 86_400)
  fixture.pass(seconds: 2 * 86_400 - 3_600)
  #expect(rings(fixture) == 6)
  fixture.pass(seconds: 86_400)
  #expect(rings(fixture) == 8)
}

@Test func `a purge does not silence a time before the alarm was made`() throws {
  var fixture = try everyTenMinutes()
  let began = fixture.now.wall
  fixture.pass(seconds: 1_201)
  fixture.purged = began..<fixture.now.wall
  fixture.crash(offForSeconds: 5, newBoot: true)
  #expect(rings(fixture) == 2)
  fixture.stepClock(seconds: -365 * 86_400)
  fixture.pass(seconds: 3_600)
  #expect(rings(fixture) == 8)
}

@Test func `a prompt whose late window a clock step skips is missed because of the clock`() throws {
  var fixture = CoreFixture()
  try fixture.add { $0.schedule = "every day 09:05" }
  fixture.stepClock(seconds: 86_400 + 7_200)
  #expect(rings(fixture) == 0)
  #expect(fixture.outcomes.last == .missedClockInvalid)
}

@Test func `a clock step does not change how long a delay lasts`() throws {
  for stepSeconds: Int64 in [-3_600, 3_600] {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "in 10 seconds"
      $0.rings = 1
      $0.delaySeconds = 300
    }
    fixture.pass(seconds: 20)
    try fixture.answer(.delay(seconds: nil))
    fixture.stepClock(seconds: stepSeconds)
    fixture.pass(seconds: 290)
    #expect(rings(fixture) == 1)
    fixture.pass(seconds: 20)
    #expect(rings(fixture) == 2)
  }
}

/// Quiet hours held two prompts back. At their end, one prompt rings, and the other prompt waits in
/// the speaker queue. Then somebody sets the clock back to a time in the quiet hours.
@Test func `a queued prompt rings at the end of quiet hours that a clock step repeats`() throws {
  var fixture = CoreFixture()
  fixture.environment.mergesRings = false
  try fixture.person {
    $0.quietHours = "09:02-09:20"
    $0.quietPolicy = .hold
  }
  for (label, time) in [("Pills", "09:05"), ("Tea", "09:06")] {
    try fixture.add(label) {
      $0.schedule = "every day \(time)"
      $0.rings = 1
    }
  }
  try fixture.pass(to: "2027-01-15T09:20:00")
  #expect(rings(fixture) == 1)
  fixture.stepClock(seconds: -360)
  fixture.pass(seconds: 60)
  #expect(rings(fixture) == 1 && fixture.sounding == nil)
  let end = fixture.now.wall.adding(seconds: 300)
  #expect(fixture.home.nextWake == end)
  fixture.pass(seconds: 300)
  #expect(rings(fixture) == 2)
}

@Test func `a clock set back by a year does not silence elapsed schedules`() throws {
  var fixture = try everyTenMinutes()
  fixture.pass(seconds: 601)
  fixture.stepClock(seconds: -365 * 86_400)
  fixture.pass(seconds: 3_600)
  #expect(rings(fixture) == 7)
}

@Test func `an edit keeps the planned prompt if the new schedule still has it`() throws {
  var fixture = CoreFixture()
  let alarm = try fixture.add { $0.schedule = "every day 09:05" }
  var form = AlarmForm()
  form.label = "Evening pills"
  try fixture.handle(.command(.edit(alarm.id, ifVersion: 1, form), CoreFixture.anna))
  #expect(fixture.outcomes.isEmpty)
  #expect(fixture.home.openPrompts.map(\.alarmVersion) == [2])
  form.schedule = "every day 10:00"
  try fixture.handle(.command(.edit(alarm.id, ifVersion: 2, form), CoreFixture.anna))
  #expect(fixture.outcomes == [.supersededByEdit])
  #expect(fixture.home.openPrompts.count == 1)
  #expect(throws: Refusal.self) {
    try fixture.handle(.command(.edit(alarm.id, ifVersion: 1, form), CoreFixture.anna))
  }
}

@Test func `an alarm that is removed while it rings is silent at once and for ever`() throws {
  var fixture = CoreFixture()
  fixture.ringSeconds = 25
  let alarm = try fixture.add { $0.schedule = "every 20 minutes" }
  fixture.pass(seconds: 1_201)
  #expect(fixture.sounding != nil)
  try fixture.handle(.command(.remove(alarm.id, ifVersion: nil), CoreFixture.anna))
  #expect(fixture.sounding == nil)
  #expect(fixture.outcomes == [.cancelledBeforeDue, .cancelledWhileRinging].reversed())
  fixture.pass(seconds: 86_400)
  #expect(rings(fixture) == 1)
  #expect(fixture.home.nextWake == nil)
}

@Test func `a thousand prompts due at once are all handled, and one speaks at a time`() throws {
  var fixture = CoreFixture(limits: HomeLimits(alarms: 2_000, tones: 1, ringsPerHour: 20))
  for number in 0..<1_000 {
    try fixture.add("Task \(number)") {
      $0.schedule = "in 60 seconds"
      $0.rings = 1
    }
  }
  fixture.pass(seconds: 61)
  #expect(fixture.records.filter { $0.event.type == "due" }.count == 1_000)
  fixture.pass(seconds: 3_600)
  #expect(fixture.outcomes.count == 1_000)
}

@Test func `a replay of all events gives the state of the home`() throws {
  var fixture = try everyTenMinutes()
  fixture.pass(seconds: 3_000)
  try fixture.answer(.complete)
  fixture.crash(offForSeconds: 2_000)
  fixture.stepClock(seconds: -500)
  fixture.pass(seconds: 5_000)
  let open = fixture.replay.prompts.values.filter(\.state.isOpen)
  #expect(Set(open) == Set(fixture.home.openPrompts))
}
