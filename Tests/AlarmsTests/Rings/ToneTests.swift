import CivilTime
import Testing

@testable import Alarms

private let caretaker = Actor(role: .caretaker, id: "uid:1000", source: "socket")

/// Makes a home with two recordings and an alarm. The alarm uses the first recording, "dad".
private func voiced() throws -> CoreFixture {
  var fixture = CoreFixture()
  for (name, digit) in [("dad", "a"), ("mum", "b")] {
    let tone = Tone(
      name: name, sha256: String(repeating: digit, count: 64), durationMilliseconds: 1_000,
      loudnessLUFS: -16)
    try fixture.handle(.command(.addTone(tone, replacing: true), caretaker))
  }
  try fixture.add {
    $0.schedule = "every day 08:00"
    $0.tone = "dad"
  }
  return fixture
}

@Test func `a recording that an alarm uses is removed only if another one replaces it`() throws {
  var fixture = try voiced()
  #expect(throws: Refusal.self) {
    try fixture.handle(.command(.removeTone("dad", replaceWith: nil), caretaker))
  }
  for wrong in ["dad", "nobody"] {
    #expect(throws: Refusal.self) {
      try fixture.handle(.command(.removeTone("dad", replaceWith: wrong), caretaker))
    }
  }
  let before = try #require(fixture.home.alarms.first)
  try fixture.handle(.command(.removeTone("dad", replaceWith: "mum"), caretaker))
  let after = try #require(fixture.home.alarms.first)
  #expect(after.tone == "mum" && after.version == before.version + 1)
  #expect(fixture.home.tones.keys.sorted() == ["mum"])
  #expect(fixture.home.openPrompts.map(\.alarmVersion) == [after.version])
}

@Test func `a recording that gets another name keeps its sound and its alarms`() throws {
  var fixture = try voiced()
  #expect(throws: Refusal.self) {
    try fixture.handle(.command(.renameTone("dad", to: "mum"), caretaker))
  }
  try fixture.handle(.command(.renameTone("dad", to: "father"), caretaker))
  #expect(fixture.home.alarms.first?.tone == "father")
  #expect(fixture.home.tones["father"]?.sha256.hasPrefix("aaaa") == true)
  #expect(fixture.home.tones["dad"] == nil)
}

@Test func `a test ring is recorded before it sounds, and refused while the speaker is needed`()
  throws
{
  var fixture = try voiced()
  try fixture.handle(.command(.testRing(tone: "dad"), caretaker))
  try fixture.handle(.command(.testRing(tone: nil), caretaker))
  #expect(fixture.records.count { $0.event.type == "test_ring" } == 2)
  #expect(throws: Refusal.self) { try fixture.handle(.command(.testRing(tone: "x"), caretaker)) }
  try fixture.add { $0.schedule = "in 1 seconds" }
  fixture.pass(seconds: 2)
  #expect(throws: Refusal.self) { try fixture.handle(.command(.testRing(tone: nil), caretaker)) }
}

@Test(arguments: [nil, "dad"], [nil, [-12.0, -6, 0]])
func `the first ring of an alarm as a test is the sound that its first ring has`(
  tone: String?, gains: [Double]?
) throws {
  var fixture = try voiced()
  try fixture.add("Tea") {
    $0.schedule = "in 60 seconds"
    $0.tone = tone
    $0.instructions = "With milk."
    $0.gainsDecibels = gains
    $0.rings = 3
  }
  let alarm = try #require(fixture.home.alarms.first { $0.label == "Tea" })
  let nominal = try CivilDateTime(parsing: "2000-01-01T00:00:00")
  let rehearsed = fixture.home.firstRing(of: alarm, at: nominal)
  #expect(fixture.played.isEmpty)
  fixture.pass(seconds: 61)
  var real = try #require(fixture.played.first)
  (real.prompt, real.ring) = (rehearsed.prompt, rehearsed.ring)
  #expect(rehearsed == real)
}

@Test(arguments: [true, false])
func `an alarm whose recording is lost rings with that of its person, or with a voice`(
  personHasRecording: Bool
) throws {
  var fixture = try voiced()
  if personHasRecording {
    var form = PersonForm()
    form.tone = "mum"
    try fixture.handle(.command(.changePerson(.patient, ifVersion: nil, form), caretaker))
  }
  fixture.home.tones["dad"] = nil
  fixture.pass(seconds: 86_400)
  let fallbacks = fixture.records.compactMap { record -> [String]? in
    guard case .audioFallback(_, let from, let to, let reason) = record.event else { return nil }
    return [from, to, reason]
  }
  let other = personHasRecording ? "tone" : "voice"
  #expect(fallbacks.first == ["dad", other, "this recording does not exist"])
  #expect(
    fixture.played.first?.tones.count == (personHasRecording ? 1 : 0)
      && fixture.played.first?.words != nil)
}

@Test func `an announcement rings once, ends when it is acknowledged, and leaves no alarm`()
  throws
{
  var fixture = CoreFixture()
  try fixture.say()
  #expect(fixture.home.alarms.count == 1)
  fixture.pass(seconds: 3)
  try fixture.handle(.command(.answer(nil, .acknowledge), caretaker))
  #expect(fixture.outcomes == [.completed])
  fixture.pass(seconds: LastAnswer.undoMilliseconds / 1_000 + 1)
  #expect(fixture.home.alarms.isEmpty)

  try fixture.say()
  fixture.pass(seconds: 300)
  #expect(fixture.outcomes == [.completed, .missedNoResponse])
  #expect(fixture.records.count { $0.event.type == "ring_started" } == 2)
  #expect(fixture.home.alarms.isEmpty && fixture.home.openPrompts.isEmpty)
}
