import CivilTime
import Testing

@testable import Alarms

@Test func `each kind of schedule has its name`() throws {
  let day = try CivilDate(parsing: "2026-12-01")
  let eight = try ClockTime(parsing: "08:00")
  let start = CivilDateTime(date: day, time: eight)
  let window = DayWindow(from: eight, to: try ClockTime(parsing: "20:00"), firstDay: day)
  let daily = try RecurrenceRule(parsing: "FREQ=DAILY")
  let kinds: [(Schedule, String)] = [
    (.at(Instant(seconds: 0)), "at"), (.once(start), "once"),
    (.recurring(daily, start: start), "recurring"),
    (.several(RecurringDates(rules: [.init(rule: daily, start: start)])), "several"),
    (.every(seconds: 60, from: Instant(seconds: 0)), "every"),
    (.within(seconds: 60, window), "every_within"),
    (.random(RandomTimes(perDay: 2, window: window, minimumDistanceSeconds: 60)), "random"),
    (.after(AfterAnswer(anchor: .itself, seconds: 60, latest: nil, first: nil)), "after"),
  ]
  #expect(kinds.map(\.0.kind) == kinds.map(\.1))
}

@Test func `the kinds and units of questions have their names`() {
  let kinds: [(Question.Kind, String, String?)] = [
    (.number(unit: .kilogram, 0...300), "number", "kg"), (.scale(0...10), "scale", nil),
    (.temperature(.celsius), "temperature", "Cel"),
    (.temperature(.fahrenheit), "temperature", "[degF]"), (.choices([]), "choices", nil),
    (.mood, "mood", nil), (.yesNo, "yes_no", nil), (.text, "text", nil),
  ]
  #expect(kinds.map(\.0.name) == kinds.map(\.1))
  #expect(kinds.map(\.0.unitCode) == kinds.map(\.2))
  #expect(
    Question.Kind.names
      == ["number", "scale", "temperature", "choices", "mood", "yes_no", "text"])
  #expect(Temperature.celsius.bounds == 30...45)
  #expect(Temperature.fahrenheit.bounds == 86...113)
}

@Test func `the level of a response is its number, and a text has none`() {
  let levels: [(Response.Value, Double?)] = [
    (.number(36.5), 36.5), (.mood(.bad), 0), (.mood(.fair), 1), (.mood(.good), 2),
    (.flag(true), 1), (.flag(false), 0), (.choices([]), 0), (.choices(["a", "b"]), 2),
    (.text("fine"), nil),
  ]
  #expect(levels.map(\.0.level) == levels.map(\.1))
}

@Test func `an erasure has a scope, and a person unless it erases an alarm`() {
  let cases: [(Erasure, String, PersonID?)] = [
    (.alarm(AlarmID("a")), "alarm", nil), (.words(.patient), "words", .patient),
    (.identity(PersonID("eva")), "identity", PersonID("eva")),
  ]
  #expect(cases.map(\.0.scope) == cases.map(\.1))
  #expect(cases.map(\.0.person) == cases.map(\.2))
}

@Test func `the changes of inactivity and of holidays have stable types`() {
  let changes: [(InactivityChange, String)] = [
    (.begun, "inactivity_begun"), (.ended(answered: nil), "inactivity_ended"),
    (.resumed, "inactivity_resumed"),
    (
      .notifying(position: 0, contact: "anna", since: Instant(seconds: 0), hours: 1),
      "inactivity_escalated"
    ),
    (.notified(position: 0, contact: "anna", attempt: 1), "inactivity_notified"),
    (
      .failed(position: 0, contact: "anna", attempt: 1, isLast: true, reason: "no network"),
      "inactivity_notification_failed"
    ),
    (.stopUntilLater, "inactivity_suspended"),
  ]
  #expect(changes.map(\.0.type) == changes.map(\.1))
  #expect(HolidayChange.removed("DE-BE").type == "holidays_removed")
  #expect(HolidayChange.imported(HolidayList(name: "x", days: [])).type == "holidays_imported")
}

@Test func `a version condition names the versions that it permits`() {
  let two = VersionCondition(versions: [3, 1])
  #expect((0...4).map(two.permits) == [false, true, false, true, false])
  #expect(
    two.reason(current: 2) == "is at version 2, not 1 or 3: somebody has changed it")
  #expect(
    VersionCondition(7).reason(current: 2) == "is at version 2, not 7: somebody has changed it")
  #expect((7 as VersionCondition).versions == [7])
  #expect(
    VersionCondition(versions: []).reason(current: 2)
      == "is at version 2, and If-Match names no version; a weak tag never matches")
}

@Test func `only outcomes are reasons that say how a prompt ended`() {
  let outcomes = NotifyReason.allCases.filter(\.isOutcome)
  #expect(
    outcomes == [
      .missedNoResponse, .missedAudioFailed, .missedDeviceOff, .missedSuspended,
      .missedClockInvalid, .unknownCrash,
    ])
}

@Test func `a prompt id is written as text and read again`() throws {
  let alarm = AlarmID("a@b")
  let nominal = try CivilDateTime(parsing: "2026-10-25T02:30:00")
  for (fold, text) in [(0, "a@b@2026-10-25T02:30:00"), (1, "a@b@2026-10-25T02:30:00~2")] {
    let id = PromptID(alarm: alarm, nominal: nominal, fold: fold)
    #expect(id.description == text)
    #expect(PromptID(text) == id)
    #expect(id.nominal == nominal && id.fold == fold)
    #expect(id.nominalKey == nominal.localSeconds * 2 + Int64(fold))
    // On 25 October 2026, the hour from 02:00 to 03:00 exists twice in Berlin: first in summer
    // time, then in standard time.
    #expect(id.instant(in: CoreFixture.berlin).seconds == 1_792_888_200 + Int64(fold) * 3_600)
  }
  for text in [
    "", "a", "@2026-10-25T02:30:00", "a@", "a@2026-10-25", "a@2026-13-25T02:30:00",
    "a@2026-10-25T02:30:00~1", "a@~2", "a@2026-10-25T02:30:00~2~2",
  ] {
    #expect(PromptID(text) == nil, "\(text)")
  }
  #expect(PromptID("a@2026-10-25T02:30:00")?.alarm == AlarmID("a"))
}

@Test func `prompts are ordered by time, and then by alarm`() throws {
  func id(_ alarm: String, _ minute: Int, _ fold: Int) throws -> PromptID {
    let time = try CivilDateTime(parsing: "2026-10-25T02:1\(minute):00")
    return PromptID(alarm: AlarmID(alarm), nominal: time, fold: fold)
  }
  let ordered = [
    try id("b", 0, 0), try id("a", 0, 1), try id("b", 0, 1), try id("a", 1, 0), try id("c", 1, 0),
  ]
  #expect(ordered.reversed().sorted() == ordered)
  #expect(ordered.shuffled().sorted() == ordered)
  #expect(
    Role.allCases.sorted().map(\.rawValue)
      == [
        "admin", "analyst", "caretaker", "courier", "monitor", "patient", "researcher", "system",
      ])
  #expect(Actor.daemon("why") == Actor(role: .system, id: "daemon", source: "why"))
  #expect(Refusal(.limit, field: "rings", "too many").description == "rings: too many")
  #expect(Refusal(.limit, "too many").description == "too many")
}

@Test func `the speaker keeps the eight newest fallbacks`() {
  var health = SpeakerHealth()
  for number in 1...10 {
    health.note(
      SpeakerHealth.Fallback(
        at: Instant(seconds: Int64(number)), from: "a", to: "b", reason: "unplugged"))
    #expect(health.fallbacks.count == min(number, 8))
  }
  #expect(health.fallbacks.map(\.at.seconds) == Array(3...10))
}

@Test func `the volume of each ring comes from the last gains`() {
  func burst(_ rings: Int, _ gains: [Double]) -> Burst {
    Burst(rings: rings, spacingSeconds: 60, gainsDecibels: gains)
  }
  let cases: [(Burst, [Double])] = [
    (burst(0, []), [0, 0]), (burst(3, []), [0, 0, 0]), (burst(0, [-9, -6]), [-6, -6]),
    (burst(1, [-9, -6]), [-6, -6]), (burst(2, [-9, -6, -3]), [-6, -3, -3]),
    (burst(5, [-9, -6]), [-9, -6, -6, -6, -6]), (.standard, [-12, -9, -6, -3, 0, 0]),
  ]
  for (burst, gains) in cases {
    #expect(gains.indices.map { burst.gainDecibels(ring: $0) } == gains, "\(burst)")
  }
  let standard: [Int: [Double]] = [
    0: [], 1: [0], 2: [-3, 0], 4: [-9, -6, -3, 0], 5: [-12, -9, -6, -3, 0],
    6: [-12, -12, -9, -6, -3, 0], 8: [-12, -12, -12, -12, -9, -6, -3, 0],
  ]
  for (rings, gains) in standard {
    #expect(Burst.standardGains(rings: rings) == gains, "\(rings)")
  }
}

@Test func `the place and the time of each ring come from its step`() {
  func step(_ rings: Int, _ spacing: Int64, pause: Int64) -> EscalationStep {
    EscalationStep(
      burst: Burst(rings: rings, spacingSeconds: spacing, gainsDecibels: []), pauseSeconds: pause)
  }
  let steps = [step(2, 30, pause: 0), step(1, 45, pause: 100), step(2, 20, pause: 200)]
  #expect(steps.ringCount == 5)
  let places = (0...6).map { steps.place(of: $0) }
  #expect(places.map(\.step) == [0, 0, 1, 2, 2, 2, 2])
  #expect(places.map(\.ring) == [0, 1, 0, 0, 1, 2, 3])
  #expect((0...5).map { steps.secondsAfter($0) } == [30, 100, 200, 20, 20, 20])
  #expect(steps.offsetsSeconds == [0, 30, 130, 330, 350])
  #expect((0...6).map { steps.seconds(to: $0) } == [0, 30, 130, 330, 350, 350, 350])
  let none: [EscalationStep] = []
  #expect(none.offsetsSeconds == [0] && none.place(of: 3) == (0, 3))
}

@Test func `a tone is exchanged in every step of an alarm`() throws {
  var fixture = CoreFixture()
  var alarm = try fixture.add { $0.schedule = "every day 08:00" }
  let step = EscalationStep(burst: .standard, tone: "bell")
  let other = EscalationStep(burst: .standard, tone: "gong")
  let plain = EscalationStep(burst: .standard)
  alarm.tone = "bell"
  alarm.escalation = Escalation(first: step, later: [other, step, plain], completion: step)
  #expect(alarm.tones == ["bell", "bell", "gong", "bell", "bell"])
  alarm.exchangeTone("bell", for: "Bell")
  #expect(alarm.tones == ["Bell", "Bell", "gong", "Bell", "Bell"])
  #expect(alarm.escalation.later.map(\.tone) == ["gong", "Bell", nil])
  #expect(alarm.escalation.completion?.tone == "Bell" && alarm.tone == "Bell")
  alarm.escalation = Escalation(.standard)
  alarm.tone = nil
  alarm.exchangeTone("Bell", for: "bell")
  #expect(alarm.tones == [] && alarm.escalation == Escalation(.standard))
}

@Test func `an escalation has a second phase only with settings for it`() {
  #expect(!Escalation(.standard).hasSecondPhase)
  #expect(Escalation.standardCompleteBySeconds == 600)
  let step = EscalationStep(burst: .standard)
  #expect(!Escalation(first: step, completeBySeconds: 600).hasSecondPhase)
  #expect(Escalation(first: step, completeBySeconds: 599).hasSecondPhase)
  #expect(Escalation(first: step, completeBySeconds: 601).hasSecondPhase)
  #expect(Escalation(first: step, completion: step).hasSecondPhase)
}

@Test func `only letters A and B are the order of an arm`() {
  for (arm, order) in [
    ("AB", "AB"), ("BABA", "BABA"), ("A", nil), ("", nil), ("ABC", nil), ("ab", nil), (nil, nil),
  ] as [(String?, String?)] {
    #expect(Enrolment.order(ofArm: arm) == order, "\(arm ?? "nil")")
  }
  let letters = StudyPhase.Kind.allCases.map(\.letter)
  #expect(letters == ["A", "B", nil, nil, nil])
}
