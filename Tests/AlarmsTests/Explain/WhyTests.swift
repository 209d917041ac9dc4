import CivilTime
import Testing

@testable import Alarms

extension CoreFixture {
  /// Explains one prompt with the events of the record.
  fileprivate func why(_ prompt: Prompt) -> Why {
    let notified = records.enumerated().map { index, record in
      HistoryEvent(
        sequence: Int64(index + 1), event: record.event, actor: record.actor,
        at: record.reading.wall
      )
    }
    let alarm = replay.alarms[prompt.id.alarm]
    return Why(
      prompt, history: notified.filter { $0.event.promptID == prompt.id },
      interruptions: notified.filter { $0.event.promptID == nil },
      forecast: alarm.map {
        forecast(prompt.occurrence, of: $0, at: now, in: home, environment)
      },
      in: WhyWords(zone: Self.berlin, person: "Hilde", ringsPerHour: 20) {
        $0 == "uid:0" ? "root" : nil
      })
  }

  /// Explains the typed time `text`, at which the only alarm has no prompt.
  fileprivate func whyNot(_ text: String) throws -> Why {
    let sets = records.compactMap { record -> SetAlarm? in
      switch record.event {
      case .alarmCreated(let alarm), .alarmEdited(let alarm):
        SetAlarm(alarm: alarm, actor: record.actor, at: record.reading.wall)
      default: nil
      }
    }
    let removal = records.enumerated().first {
      if case .alarmDeleted = $0.element.event { true } else { false }
    }.map {
      HistoryEvent(
        sequence: Int64($0.offset + 1), event: $0.element.event, actor: $0.element.actor,
        at: $0.element.reading.wall)
    }
    let at = try typedInstant(text, zone: Self.berlin, now: now.wall, field: "at")
    return Alarms.whyNot(
      at: at, versions: sets, removal: removal, before: nil, interruptions: [], now: now, in: home,
      environment, userName: { $0 == "uid:1000" ? "anna" : nil })
  }

  fileprivate var first: Prompt {
    get throws {
      try #require(replay.prompts.values.min { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) })
    }
  }
}

/// A name, the verdict and some words of the explanation, and the actions before it.
private typealias Story = (
  name: String, verdict: Why.Verdict, words: [String],
  happens: @Sendable (inout CoreFixture) throws -> Void
)

private let examples: [Story] = [
  ("to come", .willRing, ["will ring", "up to 3 times within 1 minute"], { _ in }),
  ("ringing", .rang, ["rang once, at", "ring 2 of its burst"], { $0.pass(seconds: 20) }),
  (
    "done", .rang, ["rang once, at", "The caretaker uid:1000 completed it at"],
    { fixture in
      fixture.pass(seconds: 20)
      try fixture.answer(.complete)
    }
  ),
  (
    "done before", .stayedSilent, ["did not ring", "completed it at"],
    { fixture in try fixture.answer(.complete, to: try fixture.first.id) }
  ),
  (
    "called off", .stayedSilent, ["did not ring", "cancelled it", "caretaker override"],
    { fixture in try fixture.answer(.cancel(.caretakerOverride), to: try fixture.first.id) }
  ),
  (
    "put off", .rang, ["was put off and rings again at"],
    { fixture in
      fixture.pass(seconds: 20)
      try fixture.answer(.delay(seconds: nil))
    }
  ),
  ("nobody", .rang, ["rang 3 times", "Nobody answered"], { $0.pass(seconds: 300) }),
  (
    "no speaker", .stayedSilent, ["did not ring", "there is no speaker"],
    { fixture in
      fixture.isSpeakerBroken = true
      fixture.pass(seconds: 300)
    }
  ),
  (
    "off", .stayedSilent, ["the device was off, from", "later it was too late to ring"],
    { $0.crash(offForSeconds: 900, newBoot: true) }
  ),
  (
    "asleep", .stayedSilent, ["the device was asleep", "later it was too late to ring"],
    { fixture in
      fixture.move(to: fixture.now.wall.adding(seconds: 1_200))
      try fixture.handle(.woke)
    }
  ),
  (
    "clock", .stayedSilent, ["the clock was set forward past its due time, by 1 hour"],
    { $0.stepClock(seconds: 3_600) }
  ),
  (
    "edit", .stayedSilent, ["did not ring", "caretaker uid:1000 changed the alarm"],
    { fixture in
      var form = AlarmForm()
      form.schedule = "every day 08:00"
      try fixture.handle(
        .command(.edit(try fixture.first.id.alarm, ifVersion: nil, form), CoreFixture.anna))
    }
  ),
  (
    "control", .underWay, ["can be answered until", "the study keeps reminders silent"],
    { fixture in
      try fixture.handle(.command(.setPhase(.patient, PhaseForm(kind: .control)), CoreFixture.anna))
      fixture.pass(seconds: 30)
    }
  ),
  (
    "taken back", .rang, ["ring 2 of its burst sounds"],
    { fixture in
      fixture.pass(seconds: 20)
      try fixture.answer(.complete)
      try fixture.handle(.command(.undo(nil), CoreFixture.anna))
    }
  ),
]

@Test(arguments: examples.indices)
func `the outcome of a prompt is explained from the record`(index: Int) throws {
  let example = examples[index]
  var fixture = try pills()
  try example.happens(&fixture)
  let why = fixture.why(try fixture.first)
  #expect(why.verdict == example.verdict, "\(example.name): \(why.summary)")
  for word in example.words {
    #expect(why.summary.contains(word), "\(example.name): \(why.summary)")
  }
  #expect(!why.reasons.isEmpty && why.prompt != nil)
  #expect(why.reasons.allSatisfy { !$0.text.isEmpty })
}

@Test func `a future silence of an alarm is explained beforehand`() throws {
  var fixture = try pills { $0.schedule = "every day 08:00" }
  let alarm = try fixture.first.id.alarm
  func expect(_ verdict: Why.Verdict, _ word: String, _ fixture: CoreFixture) throws {
    let prompt = try #require(fixture.home.openPrompts.min { $0.dueAt < $1.dueAt })
    let why = fixture.why(prompt)
    #expect(why.verdict == verdict && why.summary.contains(word), "\(why.summary)")
  }
  var paused = AlarmForm()
  paused.pausedUntil = "2099-01-01"
  var silent = fixture
  try silent.handle(.command(.edit(alarm, ifVersion: nil, paused), CoreFixture.anna))
  try expect(.willBeSilent, "paused until the end of 2099-01-01", silent)
  var person = PersonForm()
  person.quietHours = "07:00-09:00"
  person.quietPolicy = .suppress
  var quiet = fixture
  try quiet.handle(.command(.changePerson(.patient, ifVersion: nil, person), CoreFixture.anna))
  try expect(.willBeSilent, "quiet hours", quiet)
  person.quietPolicy = .hold
  try quiet.handle(.command(.changePerson(.patient, ifVersion: nil, person), CoreFixture.anna))
  try expect(.willRing, "09:00", quiet)
  try fixture.handle(.sound(.unusable(reason: "no card")))
  try expect(.willRing, "Nobody would hear it now: no card", fixture)
}

@Test func `a time without an occurrence names the rule and the times around it`() throws {
  // 2027-01-15 is a Friday.
  let fixture = try pills { $0.schedule = "weekdays 09:30" }
  let cases: [(at: String, verdict: Why.Verdict, words: [String])] = [
    ("2027-01-18 10:00", .notDue, ["on Monday 2027-01-18 its times are 09:30"]),
    ("2027-01-16 09:30", .notDue, ["no time on Saturday 2027-01-16"]),
    ("2027-01-18 09:30", .willRing, ["will ring at 2027-01-18 09:30"]),
    ("2026-12-01 09:30", .notDue, ["did not exist yet"]),
  ]
  for (at, verdict, words) in cases {
    let why = try fixture.whyNot(at)
    #expect(why.verdict == verdict, "\(at): \(why.summary)")
    for word in words { #expect(why.summary.contains(word), "\(at): \(why.summary)") }
    #expect(why.rule?.contains("09:30") == true && why.after != nil, "\(at): \(why)")
  }
}

@Test func `an alarm that was removed, has ended or was moved by the clocks says so`() throws {
  var removed = try pills { $0.schedule = "every day 08:00" }
  let alarm = try removed.first.id.alarm
  try removed.handle(.command(.remove(alarm, ifVersion: nil), CoreFixture.anna))
  #expect(try removed.whyNot("tomorrow 08:00").summary.contains("Anna removed the alarm"))
  let once = try pills()
  #expect(try once.whyNot("tomorrow 08:00").summary.contains("has ended"))
  let gap = try pills { $0.schedule = "every day 02:30" }
  #expect(try gap.whyNot("2027-03-28 01:30").summary.contains("02:30"))
}

@Test(arguments: [
  (
    "08:00, 09:00, 10:00, 11:00 and 12:00",
    "on Friday 2027-03-05 its times are 08:00, 09:00, 10:00, 11:00, 12:00."
  ),
  (
    "08:00, 09:00, 10:00, 11:00, 12:00 and 13:00",
    "on Friday 2027-03-05 its times are 08:00, 09:00, 10:00, 11:00, 12:00 and more."
  ),
])
func `an explanation names five times of a day`(times: String, sentence: String) throws {
  let fixture = try pills { $0.schedule = "every day \(times)" }
  let why = try fixture.whyNot("2027-03-05 20:00")
  #expect(why.summary.contains(sentence), "\(why.summary)")
}

@Test func `a future time names the rings before and after it`() throws {
  // 2027-01-15 is a Friday.
  var fixture = try pills { $0.schedule = "weekdays 09:30" }
  let alarm = try fixture.first.id.alarm
  let why = try fixture.whyNot("2027-03-03 12:00")
  #expect(why.before?.nominal.description == "2027-03-03T09:30:00", "\(why)")
  #expect(why.after?.nominal.description == "2027-03-04T09:30:00", "\(why)")
  #expect(why.rule?.contains("as set by anna at") == true, "\(why)")
  // On an excluded day, the alarm is not due.
  var form = AlarmForm()
  form.exclude = ["2027-03-03/2027-03-05"]
  try fixture.handle(.command(.edit(alarm, ifVersion: nil, form), CoreFixture.anna))
  let around = try fixture.whyNot("2027-03-04 12:00")
  #expect(around.before?.nominal.description == "2027-03-02T09:30:00", "\(around)")
  #expect(around.after?.nominal.description == "2027-03-08T09:30:00", "\(around)")
  let first = try fixture.whyNot("2027-01-17 12:00")
  #expect(first.after?.nominal.description == "2027-01-18T09:30:00", "\(first)")
}

@Test func `the hourly limit is explained with the name of the person and the number`() {
  let words = WhyWords(zone: .utc, person: "Hilde", ringsPerHour: 20) { _ in nil }
  #expect(words.words(.cap) == "Hilde has already heard 20 rings this hour")
  let unknown = WhyWords(zone: .utc) { _ in nil }
  #expect(unknown.words(.cap).contains("the most rings allowed"))
}

@Test func `a time that cannot be read is refused with its field`() {
  #expect(throws: Refusal.self) {
    try typedInstant("noonish", zone: .utc, now: Instant(seconds: 0), field: "at")
  }
}
