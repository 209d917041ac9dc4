import CivilTime
import Testing

@testable import Alarms

/// Checks the memory that an alarm uses, and the limits of recordings and pictures.
@Suite struct WeightTests {
  private static let alarm = Alarm(
    id: AlarmID("a"), version: 1, person: .patient, label: "Pillé", instructions: "one",
    schedule: .at(Instant(seconds: 0)), phrase: "noon", zoneName: "UTC", tone: nil,
    burst: Burst(rings: 3, spacingSeconds: 60, gainsDecibels: [-3, 0]), lateWindowSeconds: 60,
    delaySeconds: 60, delayLimit: 1)

  /// Returns the bytes that an edit adds to the alarm.
  private func added(_ edit: (inout Alarm) throws -> Void) rethrows -> Int {
    var alarm = Self.alarm
    try edit(&alarm)
    return alarm.weight - Self.alarm.weight
  }

  @Test func `each text and each element of an alarm has its weight`() throws {
    // The label has 6 bytes, and the instructions have 3 bytes. The 4 bytes of the phrase count
    // four times. A burst counts 32, and its 2 gains count 8 each.
    #expect(Self.alarm.weight == 6 + 3 + 16 + 32 + 16)
    #expect(added { $0.label += "ab" } == 2)
    #expect(added { $0.instructions += "é" } == 2)
    #expect(added { $0.phrase += "xyz" } == 12)
    #expect(added { $0.calendarUID = "12345" } == 5)
    #expect(added { $0.calendarRevision = "1234567" } == 7)
    #expect(added { $0.pauses.occurrences = [1, 2] } == 64)
    let day = CivilDate(dayNumber: 1)
    #expect(added { $0.pauses.days = [day...day] } == 32)
    #expect(added { $0.earlyReminders = [.elapsed(seconds: 60)] } == 32)
    #expect(added { $0.uses = [SupplyUse(supply: SupplyID("s"), amount: 1)] } == 32)
    #expect(
      added { $0.escalation.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 1)] } == 36)
    let step = EscalationStep(burst: Burst(rings: 1, spacingSeconds: 1, gainsDecibels: [0]))
    #expect(added { $0.escalation.later = [step, step] } == 80)
    #expect(added { $0.escalation.completion = step } == 40)
    func question(_ kind: Question.Kind) -> CheckIn {
      CheckIn(
        questions: [Question(name: "pain", text: "How?", kind: kind, isRequired: true)],
        holdsCompletion: false)
    }
    #expect(added { $0.checkIn = question(.yesNo) } == 72)
    let choices = [Choice(name: "a", text: "bcd"), Choice(name: "ef", text: "g")]
    #expect(added { $0.checkIn = question(.choices(choices)) } == 72 + 128 + 7)
  }

  @Test func `each holiday of a schedule has its weight`() throws {
    func weight(_ dates: String...) throws -> Int {
      let days = try dates.map { Holiday(date: try CivilDate(parsing: $0), label: "") }
      let parsed = try HolidayFixture.parsed(
        "weekdays 8:00 not on holidays DE-BE", [HolidayList(name: "DE-BE", days: days)])
      return added { $0.schedule = parsed.schedule }
    }
    #expect(try weight("2027-12-24") == 8)
    #expect(try weight("2027-12-24", "2027-12-27", "2027-12-28") == 24)
  }

  @Test func `the creator of an alarm is counted, and a count of zero is removed`() {
    var holdings = Holdings()
    let weight = Self.alarm.weight
    holdings.count(Self.alarm, of: "anna", by: 1)
    holdings.count(Self.alarm, of: "anna", by: 1)
    holdings.count(Self.alarm, of: nil, by: 1)
    #expect(holdings.weight == 3 * weight && holdings.alarmCounts == ["anna": 2])
    #expect(holdings.weights == ["anna": 2 * weight])
    holdings.count(Self.alarm, of: "anna", by: -1)
    #expect(holdings.weight == 2 * weight && holdings.weights == ["anna": weight])
    holdings.count(Self.alarm, of: "anna", by: -1)
    #expect(holdings.weight == weight && holdings.weights.isEmpty && holdings.alarmCounts.isEmpty)
  }

  private func tone(_ name: String, _ milliseconds: Int) -> Tone {
    Tone(name: name, sha256: name, durationMilliseconds: milliseconds, loudnessLUFS: -16)
  }

  @Test func `recordings and pictures are limited for a user and for all users`() throws {
    let limits = HomeLimits(
      alarms: 4, tones: 4, ringsPerHour: 20, pictures: 4, pictureBytes: 4 << 20, toneBytes: 4 << 20)
    var fixture = CoreFixture(limits: limits)
    for name in ["a", "b"] {
      try fixture.handle(.command(.addTone(tone(name, 1_000), replacing: false), CoreFixture.anna))
    }
    let home = fixture.home
    #expect(tone("a", 1_000).bytes == 96_044)
    let rest = (2 << 20) - 2 * 96_044
    func refusal(_ name: String, _ bytes: Int, _ user: String) -> String? {
      home.refusesTone(named: name, bytes: bytes, by: user)?.detail
    }
    let two = "cannot add the tone: one user may have at most 2 recordings; remove some first"
    let bytes =
      "cannot add the tone: one user may have at most 2 MiB of recordings; remove some first"
    #expect(refusal("c", 1, "uid:1000") == two)
    #expect(refusal("c", 2 << 20, "uid:7") == nil && refusal("c", (2 << 20) + 1, "uid:7") == bytes)
    #expect(refusal("a", rest + 96_044, "uid:1000") == nil)
    #expect(refusal("a", rest + 96_045, "uid:1000") == bytes)
    #expect(home.refusesTone(named: "c", by: "uid:7") == nil)
    #expect(
      home.refusesName(ofTone: "A")?.kind == .conflict && home.refusesName(ofTone: "d") == nil)
    for (name, user) in [("c", "uid:7"), ("d", "uid:7")] {
      let actor = Actor(role: .caretaker, id: user, source: "socket")
      try fixture.handle(.command(.addTone(tone(name, 1_000), replacing: false), actor))
    }
    // All users together have four recordings, which is the limit. A user without a recording can
    // still add one recording, because one recording is guaranteed for each user.
    #expect(fixture.home.refusesTone(named: "e", by: "uid:8") == nil)
    #expect(fixture.home.refusesTone(named: "a", by: "uid:8") == nil)
    let third = Actor(role: .caretaker, id: "uid:8", source: "socket")
    try fixture.handle(.command(.addTone(tone("e", 1), replacing: false), third))
    let all =
      "cannot add the tone: all users together have 4 recordings, which is the limit; remove some first"
    #expect(fixture.home.refusesTone(named: "f", by: "uid:9")?.detail == all)
    for number in 0..<4 {
      try fixture.add("Task \(number)") { $0.schedule = "every day 0\(number):00" }
    }
    let alarms =
      "cannot add the alarm: one user may have at most 4 alarms; remove some first"
    #expect(fixture.home.refusesAlarm(by: "uid:1000")?.detail == alarms)
    #expect(fixture.home.refusesAlarm(by: "uid:9") == nil)
  }

  @Test func `pictures are counted for each user who uploaded them`() throws {
    let limits = HomeLimits(
      alarms: 4, tones: 4, ringsPerHour: 20, pictures: 4, pictureBytes: 4_000, toneBytes: 4 << 20)
    var fixture = CoreFixture(limits: limits)
    let picture = Picture(sha256: "p", mediaType: "image/png", width: 1, height: 1, bytes: 500)
    try fixture.handle(.command(.addPicture(picture), CoreFixture.anna))
    let home = fixture.home
    #expect(home.hasUploaded("p", "uid:1000") && !home.hasUploaded("p", "uid:7"))
    #expect(!home.hasUploaded("q", "uid:1000"))
    func isRefused(_ bytes: Int, _ user: String) -> Bool {
      home.refusesPicture(bytes: bytes, by: user) != nil
    }
    #expect(!isRefused(1_500, "uid:1000") && isRefused(1_501, "uid:1000"))
    #expect(!isRefused(2_000, "uid:7") && isRefused(2_001, "uid:7"))
    try fixture.handle(.command(.removePicture("p"), CoreFixture.anna))
    #expect(!fixture.home.hasUploaded("p", "uid:1000") && fixture.home.pictures.isEmpty)
  }
}
