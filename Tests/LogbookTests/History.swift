import Alarms
import CivilTime
import TestRandom

@testable import Logbook

/// A simulated home with alarms, rings and answers, from one seed.
///
/// The home makes events in a possible order. It does not decide like a real home, because the
/// logbook makes no decisions. The home applies each event to a replay. The changes of a batch are
/// the values that the replay contains after the batch.
struct History {
  private var random: SeededGenerator
  private(set) var replay = Replay()
  private var wall = Instant(milliseconds: 1_796_000_000_000)
  private var boot: Int64 = 1_000_000_000
  private var made = 0
  /// The alarms in the order of their creation. Because this order is fixed, a random choice
  /// depends only on the seed.
  private var living: [AlarmID] = []
  private var open: [PromptID] = []
  /// The word at the beginning of every text.
  var word = "pills"
  private var texts = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns the records of the next few events, and the changes that these events cause.
  mutating func batch() throws -> ([Record], StateDelta) {
    var records: [Record] = []
    for _ in 0...random.next(upperBound: 3 as UInt64) {
      for event in try next() { records.append(record(event)) }
    }
    return (records, changes(by: records))
  }

  /// Records this number of batches, each batch in its own transaction.
  mutating func play(_ count: Int, into logbook: Logbook) throws {
    for _ in 0..<count {
      let (records, changes) = try batch()
      try logbook.record(records, changes)
    }
  }

  /// Records this number of batches in one transaction. The events are the same as with `play`, but
  /// the test takes less time. Adds batches until the history contains two prompts.
  mutating func playAtOnce(_ count: Int, into logbook: Logbook) throws {
    var records: [Record] = []
    var batches = 0
    while batches < count || replay.prompts.count < 2 {
      records += try batch().0
      batches += 1
    }
    try logbook.record(records, changes(by: records))
  }

  /// Returns the record of an event at the next instant, and applies the event to the replay.
  mutating func record(_ event: Event) -> Record {
    let pause = Int64(random.next(upperBound: 600_000 as UInt64))
    wall = wall.adding(milliseconds: pause)
    boot += pause * 1_000_000
    let alarm = event.promptID.flatMap { replay.alarms[$0.alarm] }
    let reading = ClockReading(
      wall: wall, bootNanoseconds: boot, bootID: "0f1e2d3c", clockState: .synced,
      clockErrorMilliseconds: random.next().isMultiple(of: 2) ? 3 : nil)
    replay.apply(event, at: reading)
    switch event {
    case .alarmCreated(let alarm): living.append(alarm.id)
    case .alarmDeleted(let id, _): living.removeAll { $0 == id }
    case .planned(let prompt): if !open.contains(prompt.id) { open.append(prompt.id) }
    case .closed(let id, _, _, _): open.removeAll { $0 == id }
    default: break
    }
    return Record(
      event: event, actor: Actor(role: .caretaker, id: "uid:1000", source: "socket"),
      reading: reading,
      person: event.person ?? alarm?.person, alarmVersion: alarm?.version,
      zoneName: "Europe/Berlin",
      utcOffsetSeconds: 3600, tzdataVersion: "2026c")
  }

  private mutating func next() throws -> [Event] {
    switch random.next(upperBound: 14 as UInt64) {
    case 0: return [.alarmCreated(try alarm())]
    case 1:
      guard var alarm = drawAlarm() else { return [.heartbeat] }
      alarm.version += 1
      alarm.label = text()
      return [.alarmEdited(alarm)]
    case 2:
      guard living.count > 3, let alarm = drawAlarm() else {
        return [.heartbeat]
      }
      return [.alarmDeleted(alarm.id, version: alarm.version)]
    case 3: return [.toneAdded(tone())]
    case 4:
      guard let tone = replay.tones.values.sorted(by: { $0.name < $1.name }).first else {
        return [.audioLost(reason: text())]
      }
      return [.toneRemoved(tone)]
    case 5, 6, 7:
      guard let alarm = drawAlarm() else { return [.heartbeat] }
      return [.planned(prompt(alarm))]
    case 8: return device()
    default:
      guard let id = open.randomElement(using: &random), let prompt = replay.prompts[id] else {
        return [.heartbeat]
      }
      return life(prompt)
    }
  }

  private mutating func drawAlarm() -> Alarm? {
    living.randomElement(using: &random).flatMap { replay.alarms[$0] }
  }

  private mutating func life(_ prompt: Prompt) -> [Event] {
    let id = prompt.id
    let later = wall.adding(seconds: 300)
    switch prompt.state {
    case .planned:
      if random.next().isMultiple(of: 4) { return [close(id)] }
      return [.due(id, lateMilliseconds: 12)]
    case .waiting(let index, _):
      let number = prompt.ringsIntended + 1
      let ring = Ring(
        number: number, index: index, gainDecibels: -6, toneSHA256: nil, dueAt: wall,
        intendedAt: wall)
      if random.next().isMultiple(of: 4) {
        return [
          .ringIntent(id, ring, deadline: later), .ringFailed(id, number: number, reason: text()),
        ]
      }
      return [
        .ringIntent(id, ring, deadline: later), .ringStarted(id, number: number, device: text()),
      ]
    case .ringing(let ring, _):
      if random.next().isMultiple(of: 4) { return [close(id)] }
      return [
        .ringEnded(
          id, number: ring.number, device: text(), frames: 48_000, xruns: 0, stopped: false)
      ]
    default:
      switch random.next(upperBound: 4 as UInt64) {
      case 0: return [.delayed(id, until: later, .nothing)]
      case 1: return [.acknowledged(id, until: later, .nothing)]
      case 2: return [.response(id, response())]
      default: return [close(id)]
      }
    }
  }

  private mutating func close(_ id: PromptID) -> Event {
    .closed(
      id, Outcome.allCases.randomElement(using: &random)!,
      reason: ReasonCode.allCases.randomElement(using: &random)!,
      Stopped(pending: 3, sounding: true, sounded: 2))
  }

  private mutating func device() -> [Event] {
    let shown = picture()
    let nobody = PromptID(alarm: AlarmID("k3v9zz0"), nominalKey: 0)
    return [
      [.heartbeat], [.clockStep(milliseconds: -5_000)],
      [.volumeChanged(device: "card", .calibrated(percent: texts.isMultiple(of: 3) ? nil : 70))],
      [.gap(from: wall, to: wall.adding(seconds: 60), cause: .crash)],
      [.serviceStarted(version: "0.1.0"), .audioRestored(device: text())],
      [.serviceStopped(reason: text()), .boot(previousBootID: "0f1e2d3c")],
      [
        .exportMade(
          profile: "safe_harbor", layout: "frictionless", throughSequence: 3, sha256: "00")
      ],
      [.audioFallback(nil, from: text(), to: text(), reason: text())],
      [.personAdded(person()), .phaseChanged(person().id, phases())],
      [.personRemoved(person().id, version: 3)],
      inactivity(),
      [.enrolled(person().id, enrolment())],
      [.enrolled(person().id, enrolment()), .withdrawn(person().id, Withdrawal(reason: text()))],
      [
        .rewarded(
          person().id, CivilDate(dayNumber: 20_000 + Int(random.next(upperBound: 9 as UInt64))),
          isHeard: true, hasPicture: false)
      ],
      [.imageAdded(picture())],
      [.imageAdded(shown), .photographed(open.first ?? nobody, sha256: shown.sha256)],
      [.imageAdded(shown), .imageRemoved(shown)],
      [.denied(uid: 1_001, count: 3, method: "GET", path: text())],
    ].randomElement(using: &random)!
  }

  private mutating func person() -> Person {
    Person(
      id: random.next().isMultiple(of: 3) ? .patient : PersonID("\(word) person"), version: 1,
      name: text(), ringsPerHour: random.next().isMultiple(of: 2) ? 12 : nil)
  }

  /// Returns a random number of events about inactivity, in their fixed order.
  private mutating func inactivity() -> [Event] {
    var silent = person()
    silent.inactivity = InactivityRule(
      hours: 6, notifySteps: [NotifyStep(contact: text(), afterSeconds: 0)])
    let changes: [InactivityChange] = [
      .begun, .notifying(position: 0, contact: text(), since: wall, hours: 6),
      .failed(position: 0, contact: text(), attempt: 1, isLast: false, reason: text()),
      .ended(answered: open.first), .resumed, .notified(position: 0, contact: text(), attempt: 2),
      .ended(answered: nil), .begun, .stopUntilLater,
    ]
    let count = 1 + Int(random.next(upperBound: UInt64(changes.count)))
    return [.personChanged(silent)] + changes.prefix(count).map { .inactivity(silent.id, $0) }
  }

  private mutating func enrolment() -> Enrolment {
    Enrolment(study: "trial", pseudonym: text(), arm: "AB", from: wall)
  }

  private mutating func response() -> Response {
    texts += 1
    return [
      Response(question: "pain", number: texts, value: .number(7)),
      Response(question: "note", number: texts, value: .text("\(word) \(texts)")),
      Response(question: "weight", number: texts, value: .number(61.5), unit: "kg"),
    ].randomElement(using: &random)!
  }

  private func checkIn() -> CheckIn {
    CheckIn(
      questions: [
        Question(name: "pain", text: "\(word)?", kind: .scale(0...10), isRequired: true),
        Question(name: "note", text: "\(word)", kind: .text, isRequired: false),
        Question(
          name: "weight", text: "\(word)", kind: .number(unit: .kilogram, 30...200),
          isRequired: false),
      ], holdsCompletion: false)
  }

  private func phases() -> [StudyPhase] {
    [StudyPhase(kind: .control, from: wall, to: wall.adding(seconds: 86_400))]
  }

  /// Returns a text that occurs only once.
  mutating func text() -> String {
    texts += 1
    return "\(word) \(texts)"
  }

  mutating func alarm() throws -> Alarm {
    made += 1
    let frequency = made.isMultiple(of: 3) ? "HOURLY" : "DAILY"
    var alarm = Alarm(
      id: AlarmID("k3v9zz\(made)"), version: 1,
      person: PersonID(made.isMultiple(of: 3) ? "\(word) person" : "patient"), label: text(),
      instructions: text(),
      schedule: .recurring(
        try RecurrenceRule(parsing: "FREQ=\(frequency);UNTIL=20301231T235959Z"),
        start: CivilDateTime(localSeconds: 1_796_028_400)), phrase: text(),
      zoneName: "Europe/Berlin", tone: text(), burst: .standard, lateWindowSeconds: 1800,
      delaySeconds: 300, delayLimit: 3)
    if made.isMultiple(of: 2) { alarm.checkIn = checkIn() }
    return alarm
  }

  mutating func tone() -> Tone {
    made += 1
    return Tone(
      name: "\(word)-\(made)", sha256: "cd\(made)", durationMilliseconds: 2_000,
      loudnessLUFS: -16.5)
  }

  mutating func picture() -> Picture {
    made += 1
    return Picture(
      sha256: "ef\(made)", mediaType: "image/jpeg", width: 40, height: 30, bytes: 1_234)
  }

  mutating func prompt(_ alarm: Alarm) -> Prompt {
    made += 1
    let local = wall.seconds + 3600 + Int64(made) * 60
    return Prompt(
      id: PromptID(
        alarm: alarm.id, nominal: CivilDateTime(localSeconds: local), fold: made & 1),
      alarmVersion: alarm.version, dueAt: Instant(seconds: local - 3600),
      zoneName: alarm.zoneName, utcOffsetSeconds: 3600)
  }

  /// Returns the changes that these records made. No other records may follow these records.
  func changes(by records: [Record]) -> StateDelta {
    var changes = StateDelta()
    for record in records {
      switch record.event {
      case .alarmCreated(let alarm), .alarmEdited(let alarm):
        changes.alarms[alarm.id] = replay.alarms[alarm.id]
      case .alarmDeleted(let id, _): changes.deletedAlarms.insert(id)
      case .toneAdded(let tone), .toneRemoved(let tone):
        changes.tones[tone.name] = replay.tones[tone.name]
        if replay.tones[tone.name] == nil { changes.removedTones.insert(tone.name) }
      case .volumeChanged(let device, _):
        changes.levels.updateValue(replay.levels[device], forKey: device)
      case .imageAdded(let picture), .imageRemoved(let picture):
        changes.pictures[picture.sha256] = replay.pictures[picture.sha256]
        if replay.pictures[picture.sha256] == nil {
          changes.removedPictures.insert(picture.sha256)
        }
      case .photographed(_, let sha256):
        changes.pictures[sha256] = replay.pictures[sha256]
      case .supply(let id, _):
        changes.supplies[id] = replay.supplies[id]
        if replay.supplies[id] == nil { changes.removedSupplies.insert(id) }
      case .clockStep:
        for id in open { changes.prompts[id] = replay.prompts[id] }
        for (id, state) in replay.people
        where state.inactivity != nil || state.endedInactivity != nil {
          changes.people[id] = state
        }
      case .personAdded, .personChanged, .personRemoved, .personPaused, .personResumed,
        .phaseChanged, .enrolled, .withdrawn, .unblinded,
        .rewarded, .inactivity:
        if let id = record.event.person { changes.people[id] = replay.people[id] }
      default: if let id = record.event.promptID { changes.prompts[id] = replay.prompts[id] }
      }
    }
    return changes
  }
}
