import Alarms
import CivilTime
import GRDB

@testable import Logbook

/// A record whose events have exact times, users and people.
struct Timeline {
  static let patient = Actor(role: .patient, id: "uid:1001", source: "screen")
  static let caretaker = Actor(role: .caretaker, id: "uid:1000", source: "socket")

  let logbook: Logbook
  /// The instant 0 of the timeline.
  let start = Instant(milliseconds: 1_800_000_000_000)
  private(set) var replay = Replay()

  init(in directory: TemporaryDirectory) throws { logbook = try Logbook.open(directory) }

  /// Returns the instant that is this number of milliseconds after the start.
  func at(_ milliseconds: Int64) -> Instant { start.adding(milliseconds: milliseconds) }

  /// Records one event.
  ///
  /// - Parameter milliseconds: the time of the event after the start; a negative number is a time
  ///   before the start.
  /// - Returns: the sequence number of the event.
  @discardableResult
  mutating func add(
    _ milliseconds: Int64, _ event: Event, by actor: Actor = caretaker,
    clock: ClockState = .synced, errorMilliseconds: Int? = nil, phase: StudyPhase.Kind? = nil,
    study: String? = nil
  ) throws -> Int64 {
    let reading = ClockReading(
      wall: at(milliseconds), bootNanoseconds: at(milliseconds).milliseconds * 1_000_000,
      bootID: "boot", clockState: clock, clockErrorMilliseconds: errorMilliseconds)
    replay.apply(event, at: reading)
    let alarm = event.promptID.flatMap { replay.alarms[$0.alarm] }
    let record = Record(
      event: event, actor: actor, reading: reading, person: event.person ?? alarm?.person,
      alarmVersion: alarm?.version, zoneName: "UTC", utcOffsetSeconds: 0, tzdataVersion: "2026c",
      phase: phase, study: study)
    var changes = StateDelta()
    switch event {
    case .alarmCreated(let alarm), .alarmEdited(let alarm): changes.alarms[alarm.id] = alarm
    case .alarmDeleted(let id, _): changes.deletedAlarms.insert(id)
    default: break
    }
    changes.prompts = replay.prompts
    changes.people = replay.people
    changes.tones = replay.tones
    changes.pictures = replay.pictures
    try logbook.record([record], changes)
    return logbook.head.sequence
  }

  /// Returns an alarm that is due once, an hour after the start.
  func alarm(_ id: String, of person: String = "anna", label: String = "Pills") -> Alarm {
    Alarm(
      id: AlarmID(id), version: 1, person: PersonID(person), label: label, instructions: "",
      schedule: .once(CivilDateTime(localSeconds: start.seconds + 3_600)), phrase: "",
      zoneName: "UTC", tone: nil, burst: .standard, lateWindowSeconds: 1_800, delaySeconds: 300,
      delayLimit: 3)
  }

  /// Returns a prompt that is due this number of seconds after the start.
  func prompt(_ alarm: Alarm, due seconds: Int64) -> Prompt {
    let due = start.adding(seconds: seconds)
    return Prompt(
      id: PromptID(
        alarm: alarm.id, nominal: CivilDateTime(localSeconds: due.seconds), fold: 0),
      alarmVersion: 1, dueAt: due, zoneName: "UTC", utcOffsetSeconds: 0)
  }

  /// Deletes the texts of an event, as an erasure does.
  func eraseWords(of sequence: Int64) throws {
    try logbook.pool.write { db in
      try db.execute(sql: "DELETE FROM contents WHERE seq = ?", arguments: [sequence])
    }
  }
}
