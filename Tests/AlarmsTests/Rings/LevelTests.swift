import CivilTime
import Testing

@testable import Alarms

private let caretaker = Actor(role: .caretaker, id: "uid:1000", source: "socket")

/// Makes a home in which a test of the speaker found one sound device with this level.
private func tested(_ percent: Int, muted: Bool = false) throws -> CoreFixture {
  var fixture = CoreFixture()
  try fixture.test(percent, muted: muted)
  return fixture
}

extension CoreFixture {
  fileprivate mutating func test(_ percent: Int, muted: Bool = false) throws {
    let level = SoundLevel(foundPercent: percent, wasMuted: muted, setPercent: nil)
    try handle(.sound(.tested([DeviceTest(device: "hw:Box", trouble: nil, level: level)])))
  }

  fileprivate var volumes: [VolumeChange] {
    records.compactMap {
      if case .volumeChanged("hw:Box", let change) = $0.event { change } else { nil }
    }
  }
}

@Suite struct LevelTests {
  @Test func `a level that a person sets is recorded, applied, restored, and can be removed`()
    throws
  {
    var fixture = try tested(30)
    try fixture.handle(.command(.setLevel(device: "hw:Box", percent: 65), caretaker))
    // A second command with the same level records nothing.
    try fixture.handle(.command(.setLevel(device: "hw:Box", percent: 65), caretaker))
    #expect(fixture.volumes == [.calibrated(percent: 65)])
    #expect(fixture.levels == ["hw:Box": 65] && fixture.home.levels == ["hw:Box": 65])
    #expect(fixture.snapshot().levels == ["hw:Box": 65])
    // A caretaker can remove the level of a device that is no longer connected.
    try fixture.handle(.sound(.tested([])))
    try fixture.handle(.command(.setLevel(device: "hw:Box", percent: nil), caretaker))
    #expect(fixture.volumes.last == .calibrated(percent: nil))
    #expect(fixture.home.levels.isEmpty && fixture.snapshot().levels.isEmpty)
    #expect(fixture.levels.count == 1 && fixture.levels.values.allSatisfy { $0 == nil })
  }

  @Test(arguments: [("hw:Box", 0, "percent"), ("hw:Box", 101, "percent"), ("hw:7", 50, "device")])
  func `a wrong level or an unknown device is refused by name`(
    device: String, percent: Int, field: String
  ) throws {
    var fixture = try tested(30)
    let before = fixture.records.count
    for command in [
      Command.setLevel(device: device, percent: percent),
      .testRing(tone: nil, device: device, percent: percent),
    ] {
      let refusal = #expect(throws: Refusal.self) {
        try fixture.handle(.command(command, caretaker))
      }
      #expect(refusal?.field == field)
    }
    #expect(fixture.records.count == before && fixture.levels.isEmpty)
  }

  @Test func `a level that another program changed is recorded once, by a test or by a ring`()
    throws
  {
    var fixture = try tested(30)
    try fixture.test(30)
    #expect(fixture.volumes.isEmpty)
    try fixture.test(10, muted: true)
    try fixture.test(10, muted: true)
    let first = VolumeChange.found(
      percent: 10, muted: true, formerPercent: 30, formerMuted: false)
    #expect(fixture.volumes == [first])

    fixture.isPlayerSilent = true
    try fixture.add { $0.schedule = "in 10 seconds" }
    fixture.pass(seconds: 11)
    let id = try #require(fixture.home.sounding)
    let level = SoundLevel(foundPercent: 50, wasMuted: false, setPercent: 80)
    try fixture.handle(.sound(.started(id, ring: 1, device: "hw:Box", level: level)))
    #expect(
      fixture.volumes == [
        first, .found(percent: 50, muted: false, formerPercent: 10, formerMuted: true),
      ])
    // The next test of the speaker does not set a level. The daemon still knows the level that the
    // ring set.
    try fixture.test(50)
    #expect(fixture.home.speaker.devices["hw:Box"]?.level == level)
    #expect(fixture.volumes.count == 2)
  }

  @Test func `an alarm is spoken in the language of its person`() throws {
    var fixture = CoreFixture()
    var form = PersonForm()
    form.language = "de"
    try fixture.handle(.command(.addPerson(PersonID("oma"), form), caretaker))
    let alarm = try fixture.add("Tabletten") {
      $0.schedule = "in 10 seconds"
      $0.person = "oma"
    }
    #expect(fixture.rehearsed == [SpokenWords("Tabletten", language: "de")])
    #expect(fixture.home.unrecordedWords == [SpokenWords("Tabletten", language: "de")])
    fixture.pass(seconds: 11)
    #expect(fixture.played.last?.words == SpokenWords("Tabletten", language: "de"))
    form.language = "de-AT"
    try fixture.handle(.command(.changePerson(PersonID("oma"), ifVersion: nil, form), caretaker))
    #expect(fixture.rehearsed.last == SpokenWords("Tabletten", language: "de-AT"))
    try fixture.edit(alarm.id) {
      $0.label = "Tropfen"
      $0.schedule = "in 10 seconds"
    }
    #expect(fixture.rehearsed.last == SpokenWords("Tropfen", language: "de-AT"))
    #expect(fixture.home.words("Essen", for: PersonID("oma")).language == "de-AT")
    #expect(fixture.home.words("Essen", for: .patient).language == nil)
  }
}
