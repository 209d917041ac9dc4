import CivilTime
import Testing

@testable import Alarms

private let caretaker = Actor(role: .caretaker, id: "uid:1000", source: "socket")

/// Two recordings, and an alarm that speaks with the first.
private func voiced() throws -> Bench {
  var bench = Bench()
  for (name, digit) in [("dad", "a"), ("mum", "b")] {
    let tone = Tone(
      name: name, sha256: String(repeating: digit, count: 64), durationMilliseconds: 1_000,
      loudnessLUFS: -16)
    try bench.take(.command(.addTone(tone), caretaker))
  }
  try bench.add {
    $0.schedule = "every day 08:00"
    $0.tone = "dad"
  }
  return bench
}

@Test func `a recording that an alarm uses is removed only where another takes its place`() throws {
  var bench = try voiced()
  #expect(throws: Refusal.self) {
    try bench.take(.command(.removeTone("dad", replaceWith: nil), caretaker))
  }
  for wrong in ["dad", "nobody"] {
    #expect(throws: Refusal.self) {
      try bench.take(.command(.removeTone("dad", replaceWith: wrong), caretaker))
    }
  }
  let before = try #require(bench.home.alarms.first)
  try bench.take(.command(.removeTone("dad", replaceWith: "mum"), caretaker))
  let after = try #require(bench.home.alarms.first)
  #expect(after.tone == "mum" && after.version == before.version + 1)
  #expect(bench.home.tones.keys.sorted() == ["mum"])
  #expect(bench.home.openPrompts.map(\.alarmVersion) == [after.version])
}

@Test func `a recording that gets another name keeps its sound and its alarms`() throws {
  var bench = try voiced()
  #expect(throws: Refusal.self) {
    try bench.take(.command(.renameTone("dad", to: "mum"), caretaker))
  }
  try bench.take(.command(.renameTone("dad", to: "father"), caretaker))
  #expect(bench.home.alarms.first?.tone == "father")
  #expect(bench.home.tones["father"]?.sha256.hasPrefix("aaaa") == true)
  #expect(bench.home.tones["dad"] == nil)
}

@Test func `a try of the speaker is recorded before it sounds, and refused while it is needed`()
  throws
{
  var bench = try voiced()
  try bench.take(.command(.testRing(tone: "dad"), caretaker))
  try bench.take(.command(.testRing(tone: nil), caretaker))
  #expect(bench.records.count { $0.event.type == "test_ring" } == 2)
  #expect(throws: Refusal.self) { try bench.take(.command(.testRing(tone: "x"), caretaker)) }
  try bench.add { $0.schedule = "in 1 seconds" }
  bench.pass(seconds: 2)
  #expect(throws: Refusal.self) { try bench.take(.command(.testRing(tone: nil), caretaker)) }
}

@Test func `an announcement rings once, is heard when it is acknowledged, and is no alarm after`()
  throws
{
  var bench = Bench()
  try bench.say()
  #expect(bench.home.alarms.count == 1)
  bench.pass(seconds: 3)
  try bench.take(.command(.answer(nil, .acknowledge), caretaker))
  #expect(bench.outcomes == [.completed])
  #expect(bench.home.alarms.isEmpty)

  try bench.say()
  bench.pass(seconds: 300)
  #expect(bench.outcomes == [.completed, .missedNoResponse])
  #expect(bench.records.count { $0.event.type == "ring_started" } == 2)
  #expect(bench.home.alarms.isEmpty && bench.home.openPrompts.isEmpty)
}
