import Testing

@testable import Alarms

@Test func `unanswered, a burst rings out and the prompt is missed when its window is over`() throws
{
  var bench = try pills()
  #expect(try bench.timeline("----------------") == "-1--2--3--------")
  #expect(bench.outcomes == [.missedNoResponse])
  #expect(bench.home.nextWake == nil)
}

@Test func `done between two rings cancels the rest of the burst`() throws {
  var bench = try pills()
  #expect(try bench.timeline("---c----------") == "-1------------")
  #expect(bench.outcomes == [.completed])
  #expect(bench.home.nextWake == nil)
}

@Test func `done while it sounds cuts the sound`() throws {
  var bench = try pills()
  bench.ringSeconds = 25
  #expect(try bench.timeline("---c----------") == "-1-x----------")
  #expect(bench.outcomes == [.completed])
  #expect(bench.records.last?.event.type == "ring_ended")
}

@Test func `a delay silences the burst and brings a whole new one`() throws {
  var bench = try pills()
  #expect(try bench.timeline("---s------------------") == "-1------2--3--4-------")
  #expect(bench.outcomes == [.missedNoResponse])
}

@Test func `on my way holds for ten minutes, then the burst comes back`() throws {
  var bench = try pills()
  let line = try bench.timeline("--a" + String(repeating: "-", count: 60) + "c-----")
  #expect(line == "-1" + String(repeating: "-", count: 59) + "2-------")
  #expect(bench.outcomes == [.completedOutOfWindow])
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
  var bench = try pills()
  bench.ringSeconds = 25
  #expect(try bench.timeline("--k-----------") == "-1--2--3------")
  #expect(bench.outcomes == [.missedNoResponse])
  #expect(bench.records.contains { $0.event.type == "ring_uncertain" })
}

@Test func `a fourth delay is refused in a sentence and changes nothing`() throws {
  var bench = try pills()
  _ = try bench.timeline("--s")
  for _ in 0..<2 {
    bench.pass(seconds: 60)
    try bench.answer(.delay(seconds: nil))
  }
  bench.pass(seconds: 60)
  let before = bench.records.count
  #expect(throws: Refusal.self) { try bench.answer(.delay(seconds: nil)) }
  #expect(bench.records.count == before)
  #expect(bench.outcomes.isEmpty)
}

@Test func `two alarms with one label are answered one by one`() throws {
  var bench = Bench()
  for _ in 0..<2 {
    try bench.add("Pills") {
      $0.schedule = "in 10 seconds"
      $0.rings = 2
      $0.spacingSeconds = 30
    }
  }
  bench.pass(seconds: 20)
  let first = try bench.answer(.complete)
  #expect(bench.outcomes == [.completed])
  bench.pass(seconds: 60)
  let second = try bench.answer(.complete)
  #expect(first.prompt.id.alarm != second.prompt.id.alarm)
  #expect(bench.outcomes == [.completed, .completed])
  #expect(second.prompt.ringsSounded > 0)
}

@Test func `with no speaker the prompt goes on and is missed for that reason`() throws {
  var bench = try pills()
  bench.isSpeakerBroken = true
  _ = try bench.timeline("----------------")
  #expect(bench.outcomes == [.missedAudioFailed])
  #expect(bench.records.filter { $0.event.type == "ring_failed" }.count == 3)
  #expect(!bench.records.contains { $0.event.type == "ring_started" })
}
