import CivilTime
import Testing

@testable import Alarms

private let caretaker = Actor(role: .caretaker, id: "uid:1000", source: "socket")

/// A home whose self-test found one card, at this level.
private func tested(_ percent: Int, muted: Bool = false) throws -> Bench {
  var bench = Bench()
  try bench.test(percent, muted: muted)
  return bench
}

extension Bench {
  fileprivate mutating func test(_ percent: Int, muted: Bool = false) throws {
    let level = SoundLevel(foundPercent: percent, wasMuted: muted, setPercent: nil)
    try take(.sound(.tested([DeviceTest(device: "hw:Box", trouble: nil, level: level)])))
  }

  fileprivate var volumes: [VolumeChange] {
    records.compactMap {
      if case .volumeChanged("hw:Box", let change) = $0.event { change } else { nil }
    }
  }
}

@Suite struct LevelTests {
  @Test func `what a listener settles is recorded, obeyed, restored, and can be taken back`() throws
  {
    var bench = try tested(30)
    try bench.take(.command(.setLevel(device: "hw:Box", percent: 65), caretaker))
    // The same again is no news.
    try bench.take(.command(.setLevel(device: "hw:Box", percent: 65), caretaker))
    #expect(bench.volumes == [.calibrated(percent: 65)])
    #expect(bench.levels == ["hw:Box": 65] && bench.home.levels == ["hw:Box": 65])
    #expect(bench.snapshot().levels == ["hw:Box": 65])
    // Also when the device is gone by then.
    try bench.take(.sound(.tested([])))
    try bench.take(.command(.setLevel(device: "hw:Box", percent: nil), caretaker))
    #expect(bench.volumes.last == .calibrated(percent: nil))
    #expect(bench.home.levels.isEmpty && bench.snapshot().levels.isEmpty)
    #expect(bench.levels.count == 1 && bench.levels.values.allSatisfy { $0 == nil })
  }

  @Test(arguments: [("hw:Box", 0, "percent"), ("hw:Box", 101, "percent"), ("hw:7", 50, "device")])
  func `what is no level, or no device, is refused by name`(
    device: String, percent: Int, field: String
  ) throws {
    var bench = try tested(30)
    let before = bench.records.count
    for command in [
      Command.setLevel(device: device, percent: percent),
      .testRing(tone: nil, device: device, percent: percent),
    ] {
      let refusal = #expect(throws: Refusal.self) { try bench.take(.command(command, caretaker)) }
      #expect(refusal?.field == field)
    }
    #expect(bench.records.count == before && bench.levels.isEmpty)
  }

  @Test func `a level that was changed behind our back is told once, by a test or by a ring`()
    throws
  {
    var bench = try tested(30)
    try bench.test(30)
    #expect(bench.volumes.isEmpty)
    try bench.test(10, muted: true)
    try bench.test(10, muted: true)
    let first = VolumeChange.found(
      percent: 10, muted: true, formerPercent: 30, formerMuted: false)
    #expect(bench.volumes == [first])

    bench.isPlayerSilent = true
    try bench.add { $0.schedule = "in 10 seconds" }
    bench.pass(seconds: 11)
    let id = try #require(bench.home.sounding)
    let level = SoundLevel(foundPercent: 50, wasMuted: false, setPercent: 80)
    try bench.take(.sound(.started(id, ring: 1, device: "hw:Box", level: level)))
    #expect(
      bench.volumes == [
        first, .found(percent: 50, muted: false, formerPercent: 10, formerMuted: true),
      ])
    // What the ring set is still known after the next test, which sets nothing.
    try bench.test(50)
    #expect(bench.home.speaker.devices["hw:Box"]?.level == level)
    #expect(bench.volumes.count == 2)
  }

  @Test func `the words of an alarm are wanted in the language of whom they are for`() throws {
    var bench = Bench()
    var form = PersonForm()
    form.language = "de"
    try bench.take(.command(.addPerson(PersonID("oma"), form), caretaker))
    try bench.add("Tabletten") {
      $0.schedule = "in 10 seconds"
      $0.person = "oma"
    }
    #expect(bench.rehearsed == [SpokenWords("Tabletten", language: "de")])
    #expect(bench.home.unrecordedWords == [SpokenWords("Tabletten", language: "de")])
    bench.pass(seconds: 11)
    #expect(bench.played.last?.words == SpokenWords("Tabletten", language: "de"))
    form.language = "de-AT"
    try bench.take(.command(.changePerson(PersonID("oma"), ifVersion: nil, form), caretaker))
    #expect(bench.rehearsed.last == SpokenWords("Tabletten", language: "de-AT"))
    #expect(bench.home.words("Essen", for: PersonID("oma")).language == "de-AT")
    #expect(bench.home.words("Essen", for: .patient).language == nil)
  }
}
