import Alarms
import CivilTime
import Foundation
import TestRandom

@testable import Logbook

/// A simulated home in Berlin. Each event of the home has a time of the wall clock.
///
/// Two homes with the same seed and different first days differ only in their dates. For example,
/// the same person answers after the same number of milliseconds. As on a real device, times have a
/// resolution of one millisecond.
struct DatedHome {
  static let berlin = try! Zone(
    name: "Europe/Berlin",
    tzif: Array(Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))))
  static let anna = PersonID("anna")

  let firstDay: Int
  let days: Int
  private var random: SeededGenerator
  private var inputs: [(at: Instant, event: Event)] = []
  private var alarms: [Alarm] = []

  init(seed: UInt64, firstDay: CivilDate, days: Int) throws {
    random = SeededGenerator(seed: seed)
    self.firstDay = firstDay.dayNumber
    self.days = days
    try setUp()
    for day in 1..<days { try play(day) }
    for minutes in stride(from: 0, to: days * 1_440, by: 15) {
      add(wall(0, 60).adding(seconds: Int64(minutes) * 60 + 7), .heartbeat)
    }
  }

  /// Returns the instant of a minute of a day, in local time. Day 0 is `firstDay`.
  private func wall(_ day: Int, _ minute: Int, milliseconds: Int64 = 0) -> Instant {
    let local = CivilDateTime(localSeconds: Int64(firstDay + day) * 86_400 + Int64(minute) * 60)
    return Self.berlin.resolve(local).instant.adding(milliseconds: milliseconds)
  }

  private mutating func add(_ at: Instant, _ event: Event) {
    inputs.append((at, event))
  }

  private mutating func milliseconds(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  /// Returns a random id. Homes with the same seed have the same ids.
  private mutating func code(_ length: Int) -> String {
    String((0..<length).map { _ in "0123456789abcdef".randomElement(using: &random)! })
  }

  private mutating func setUp() throws {
    let start = wall(0, 600)
    add(wall(0, 590), .serviceStarted(version: "1"))
    add(start, .personAdded(Person(id: Self.anna, version: 1)))
    add(
      start,
      .toneAdded(
        Tone(
          name: "bell", sha256: code(64), durationMilliseconds: Int(milliseconds(2_000...9_999)),
          loudnessLUFS: -16.5 - Double(milliseconds(1...9_999)) / 100_000)))
    add(
      start,
      .enrolled(
        Self.anna, Enrolment(study: "trial-1", pseudonym: "A-017", arm: "AB", from: wall(1, 0))))
    add(
      start,
      .phaseChanged(
        Self.anna,
        [
          StudyPhase(kind: .prompted, from: wall(1, 0), to: wall(days / 2, 0)),
          StudyPhase(kind: .control, from: wall(days / 2, 0), to: wall(days + 60, 0)),
        ]))
    let pain = Question(
      name: "annas-pain", text: "?", kind: .scale(0...10), isRequired: false)
    for minute in [150, 480, 725, 900, 1_110, 1_290] {
      var alarm = Alarm(
        id: AlarmID("k\(code(11))"), version: 1, person: Self.anna, label: "", instructions: "",
        schedule: .recurring(
          try RecurrenceRule(parsing: "FREQ=DAILY"),
          start: CivilDateTime(localSeconds: Int64(firstDay) * 86_400 + Int64(minute) * 60)),
        phrase: "", zoneName: "Europe/Berlin", tone: nil, burst: .standard,
        lateWindowSeconds: 1_800, delaySeconds: 300, delayLimit: 3)
      alarm.checkIn = CheckIn(questions: [pain], holdsCompletion: false)
      alarms.append(alarm)
      add(start, .alarmCreated(alarm))
    }
  }

  private mutating func play(_ day: Int) throws {
    // In every second night, the person turns the device off at bedtime and turns it on in the
    // morning.
    let isOff = day.isMultiple(of: 2)
    let off = wall(day - 1, 1_350, milliseconds: milliseconds(0...6_000_000))
    let on = wall(day, 420, milliseconds: milliseconds(0...3_000_000))
    if isOff {
      add(on, .boot(previousBootID: "boot-\(day - 1)"))
      add(on, .gap(from: off, to: on, cause: .deviceOff))
      add(on, .clockSync(gained: true))
    }
    for alarm in alarms {
      guard case .recurring(_, let start) = alarm.schedule else { continue }
      let minute = Int(start.localSeconds % 86_400) / 60
      let nominal = CivilDateTime(
        localSeconds: Int64(firstDay + day) * 86_400 + Int64(minute) * 60)
      let due = Self.berlin.resolve(nominal).instant
      let prompt = Prompt(
        id: PromptID(alarm: alarm.id, nominal: nominal, fold: 0), alarmVersion: 1, dueAt: due,
        zoneName: "Europe/Berlin",
        utcOffsetSeconds: Self.berlin.offsetSeconds(at: due))
      add(wall(day - 1, 1_320), .planned(prompt))
      if isOff, minute < 420 {
        add(on, close(prompt.id, .missedDeviceOff, rings: 0))
      } else {
        ring(prompt)
      }
    }
  }

  private mutating func ring(_ prompt: Prompt) {
    let (id, due) = (prompt.id, prompt.dueAt)
    let late = milliseconds(1...40)
    var at = due.adding(milliseconds: late)
    add(at, .due(id, lateMilliseconds: late))
    // Most answers come in the first minutes. The latest answer comes after about seven minutes.
    let latency =
      Int64(exp(Double(milliseconds(0...1_000)) / 1_000 * 3) * 20_000)
      + milliseconds(0...999)
    for number in 1...5 where at < due.adding(milliseconds: latency) {
      let ring = Ring(
        number: number, index: number - 1, gainDecibels: -6, toneSHA256: nil, dueAt: at,
        intendedAt: at)
      add(at, .ringIntent(id, ring, deadline: at.adding(seconds: 300)))
      let start = at.adding(milliseconds: milliseconds(9...30))
      add(start, .ringStarted(id, number: number, device: "card"))
      add(
        start.adding(milliseconds: 2_000),
        .ringEnded(
          id, number: number, device: "card", frames: Int(milliseconds(90_000...480_000)), xruns: 0,
          stopped: true))
      at = at.adding(seconds: 60)
    }
    let answered = due.adding(milliseconds: latency)
    add(
      answered,
      .response(
        id,
        Response(question: "annas-pain", number: 1, value: .number(Double(milliseconds(0...10)))))
    )
    add(answered.adding(milliseconds: 3), close(id, .completed, rings: 1))
  }

  private func close(_ id: PromptID, _ outcome: Outcome, rings: Int) -> Event {
    .closed(id, outcome, reason: .none, Stopped(pending: 0, sounding: false, sounded: rings))
  }

  /// Writes the whole record in one transaction.
  func record(into logbook: Logbook) throws {
    var replay = Replay()
    var records: [Record] = []
    var boot = "boot-0"
    let sorted = inputs.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    for (_, input) in sorted {
      if case .boot(let previous) = input.event { boot = previous + "-next" }
      let reading = ClockReading(
        wall: input.at, bootNanoseconds: input.at.milliseconds * 1_000_000,
        bootID: boot, clockState: .synced, clockErrorMilliseconds: 3)
      let alarm = input.event.promptID.flatMap { replay.alarms[$0.alarm] }
      records.append(
        Record(
          event: input.event,
          actor: Actor(role: .patient, id: "uid:1001", source: "screen"), reading: reading,
          person: input.event.person ?? alarm?.person, alarmVersion: alarm?.version,
          zoneName: "Europe/Berlin",
          utcOffsetSeconds: Self.berlin.offsetSeconds(at: input.at),
          tzdataVersion: "2026c"))
      replay.apply(input.event, at: reading)
    }
    var changes = StateDelta()
    changes.alarms = replay.alarms
    changes.prompts = replay.prompts
    changes.people = replay.people
    changes.tones = replay.tones
    try logbook.record(records, changes)
  }
}
