import Alarms
import CivilTime

/// A model that decides whether a prompt may sound. The model uses the recorded rules (for example
/// quiet hours) and the recorded rings.
///
/// The model uses only recorded events, and never asks the daemon. The model uses the local time of
/// day for quiet hours, the dates of a phase for control phases, and elapsed time for the hourly
/// limit.
struct SuppressionModel {
  /// The default hourly limit. A caretaker can set a different limit for a person.
  private static let standardRingsPerHour = 20

  private(set) var people: [PersonID: Person] = [:]
  private var phases: [PersonID: [StudyPhase]] = [:]
  /// The newest pause of each person. If a caretaker ended this pause, the dictionary does not
  /// contain it.
  private(set) var pauses: [PersonID: PersonPause] = [:]
  /// For each person, the start times of the repetitions in the previous hour, oldest first. Each
  /// start time is a value of `elapsed`.
  private var starts: [PersonID: [Int64]] = [:]
  /// For each alarm, true if the newest ring of the alarm is a repetition. Only repetitions count
  /// for the hourly limit.
  private var isRepetition: [AlarmID: Bool] = [:]
  /// The person of each alarm.
  private var persons: [AlarmID: PersonID] = [:]
  /// The elapsed time since the first row of the record, in milliseconds. Between two rows with the
  /// same boot id, the model uses the boot time. Between two rows with different boot ids, the
  /// model uses the wall clock, because the record contains no better measure. If the wall clock
  /// went back between the two rows, the elapsed time does not change.
  private(set) var elapsed: Int64 = 0
  private var last: ClockReading?

  mutating func apply(_ record: Record) {
    pass(to: record.reading)
    switch record.event {
    case .personAdded(let person), .personChanged(let person): people[person.id] = person
    case .personRemoved(let id, _):
      people[id] = nil
      pauses[id] = nil
    case .personPaused(let id, let pause): pauses[id] = pause
    case .personResumed(let id): pauses[id] = nil
    case .phaseChanged(let id, let all): phases[id] = all
    case .alarmCreated(let alarm), .alarmEdited(let alarm): persons[alarm.id] = alarm.person
    case .ringIntent(let id, let ring, _): isRepetition[id.alarm] = ring.isRepetition
    case .ringStarted(let id, _, _, _):
      guard isRepetition[id.alarm] == true, let person = persons[id.alarm] else { return }
      starts[person, default: []].append(elapsed)
    default: break
    }
  }

  private mutating func pass(to reading: ClockReading) {
    defer { last = reading }
    guard let last else { return }
    if last.bootID == reading.bootID {
      elapsed += (reading.bootNanoseconds - last.bootNanoseconds) / 1_000_000
    } else {
      elapsed += max(0, reading.wall.milliseconds - last.wall.milliseconds)
    }
  }

  /// Returns the number of repetitions that a person heard in the previous hour.
  mutating func repetitionsInHour(of person: PersonID) -> Int {
    guard let all = starts[person] else { return 0 }
    let old = all.prefix { elapsed - $0 >= 3_600_000 }.count
    if old > 0 { starts[person] = Array(all.dropFirst(old)) }
    return all.count - old
  }

  func ringsAllowed(_ person: PersonID) -> Int {
    people[person]?.ringsPerHour ?? Self.standardRingsPerHour
  }

  func isControl(_ person: PersonID, at instant: Instant) -> Bool {
    phases[person]?.contains {
      $0.kind == .control && $0.from <= instant && $0.to.map { instant < $0 } ?? true
    } ?? false
  }

  /// Returns true if the person is paused at an instant. During a pause of a person, every alarm of
  /// the person is silent.
  func isPaused(_ person: PersonID, at instant: Instant) -> Bool {
    guard let pause = pauses[person] else { return false }
    guard let until = pause.until else { return true }
    return instant.milliseconds < until.milliseconds
  }

  /// Returns the total length of the control phases of a person within a time range, in
  /// milliseconds.
  func controlMilliseconds(_ person: PersonID, _ time: Range<Int64>) -> Int64 {
    (phases[person] ?? []).filter { $0.kind == .control }.reduce(0) { sum, phase in
      let from = max(phase.from.milliseconds, time.lowerBound)
      let to = min(phase.to?.milliseconds ?? .max, time.upperBound)
      return sum + max(0, to - from)
    }
  }

  /// Returns true if the local time is in the quiet hours of a person.
  ///
  /// - Returns: nil if the person has no quiet hours. The result is also nil within 26 hours before
  ///   or after a change of the UTC offset, because the change can skip or repeat a local time.
  func isQuiet(_ person: PersonID, at wall: Instant, in environment: Environment) -> Bool? {
    guard let person = people[person], let hours = person.quiet?.hours else { return nil }
    let zone = person.zoneName.flatMap { environment.zone($0) } ?? environment.homeZone
    let offset = zone.offsetSeconds(at: wall)
    for days: Int64 in [-1, 1]
    where zone.offsetSeconds(at: wall.adding(seconds: days * 93_600)) != offset { return nil }
    // `wall.seconds` can be negative, because a person can set the clock to a time before 1970. In
    // this case, the first remainder can be negative. The addition of 86,400 makes the value
    // positive.
    let second = ((wall.seconds + Int64(offset)) % 86_400 + 86_400) % 86_400
    let (from, to) = (Int64(hours.from.secondOfDay), Int64(hours.to.secondOfDay))
    return from < to ? from <= second && second < to : second >= from || second < to
  }
}

extension Alarm {
  /// Returns true if a caretaker paused the occurrence of a prompt. If the alarm has early
  /// reminders, the result is nil, because the function cannot know which prompt is an early
  /// reminder.
  func isPaused(_ id: PromptID) -> Bool? {
    guard earlyReminders.isEmpty else { return nil }
    if let until = pauses.until, id.nominal < until { return true }
    if pauses.occurrences.contains(id.nominalKey) { return true }
    return pauses.days.contains {
      $0.lowerBound <= id.nominal.date && id.nominal.date <= $0.upperBound
    }
  }
}
