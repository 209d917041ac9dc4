import Testing

@testable import Alarms

@Test func `without an answer the burst ends and the prompt is missed after its late window`()
  throws
{
  var fixture = try pills()
  #expect(try fixture.timeline("----------------") == "-1--2--3--------")
  #expect(fixture.outcomes == [.missedNoResponse])
  #expect(fixture.home.nextWake == nil)
}

@Test func `done between two rings cancels the rest of the burst`() throws {
  var fixture = try pills()
  #expect(try fixture.timeline("---c----------") == "-1------------")
  #expect(fixture.outcomes == [.completed])
  #expect(fixture.home.nextWake == nil)
}

@Test func `done while it sounds cuts the sound`() throws {
  var fixture = try pills()
  fixture.ringSeconds = 25
  #expect(try fixture.timeline("---c----------") == "-1-x----------")
  #expect(fixture.outcomes == [.completed])
  #expect(fixture.records.last?.event.type == "ring_ended")
}

@Test func `a delay stops the burst and starts a whole new one`() throws {
  var fixture = try pills()
  #expect(try fixture.timeline("---s------------------") == "-1------2--3--4-------")
  #expect(fixture.outcomes == [.missedNoResponse])
}

@Test func `on my way holds for ten minutes, then the burst comes back`() throws {
  var fixture = try pills()
  let line = try fixture.timeline("--a" + String(repeating: "-", count: 60) + "c-----")
  #expect(line == "-1" + String(repeating: "-", count: 59) + "2-------")
  #expect(fixture.outcomes == [.completedOutOfWindow])
}

@Test func `declined and cancelled prompts stay silent`() throws {
  var declined = try pills()
  #expect(try declined.timeline("--n-------") == "-1--------")
  #expect(declined.outcomes == [.declined])
  var cancelled = try pills()
  #expect(try cancelled.timeline("--x-------") == "-1--------")
  #expect(cancelled.outcomes == [.cancelledWhileRinging])
}

@Test func `a kill while a ring sounds neither loses the burst nor repeats the ring`() throws {
  var fixture = try pills()
  fixture.ringSeconds = 25
  #expect(try fixture.timeline("--k-----------") == "-1--2--3------")
  #expect(fixture.outcomes == [.missedNoResponse])
  #expect(fixture.records.contains { $0.event.type == "ring_uncertain" })
}

@Test func `a fourth delay is refused in a sentence and changes nothing`() throws {
  var fixture = try pills()
  _ = try fixture.timeline("--s")
  for _ in 0..<2 {
    fixture.pass(seconds: 60)
    try fixture.answer(.delay(seconds: nil))
  }
  fixture.pass(seconds: 60)
  let before = fixture.records.count
  #expect(throws: Refusal.self) { try fixture.answer(.delay(seconds: nil)) }
  #expect(fixture.records.count == before)
  #expect(fixture.outcomes.isEmpty)
}

@Test func `two alarms with one label are answered one by one`() throws {
  var fixture = CoreFixture()
  for _ in 0..<2 {
    try fixture.add("Pills") {
      $0.schedule = "in 10 seconds"
      $0.rings = 2
      $0.spacingSeconds = 30
    }
  }
  fixture.pass(seconds: 20)
  let first = try fixture.answer(.complete)
  #expect(fixture.outcomes == [.completed])
  fixture.pass(seconds: 60)
  let second = try fixture.answer(.complete)
  #expect(first.prompt.id.alarm != second.prompt.id.alarm)
  #expect(fixture.outcomes == [.completed, .completed])
  #expect(second.prompt.ringsSounded > 0)
}

@Test func `without a speaker the prompt goes on and is missed for that reason`() throws {
  var fixture = try pills()
  fixture.isSpeakerBroken = true
  _ = try fixture.timeline("----------------")
  #expect(fixture.outcomes == [.missedAudioFailed])
  #expect(fixture.records.filter { $0.event.type == "ring_failed" }.count == 3)
  #expect(!fixture.records.contains { $0.event.type == "ring_started" })
}
