import Alarms
import CivilTime

/// What people and caretakers have said must not sound, and what sounded, as it was recorded.
///
/// Worked out from single events and from nothing that the daemon has worked out: quiet hours from the
/// clock's face, an hour from the time that the device was up or off, a phase from its dates.
struct SuppressionModel {
  /// DESIGN's default; a home may say otherwise for one person.
  private static let standardRingsPerHour = 20

  private(set) var people: [PersonID: Person] = [:]
  private var phases: [PersonID: [StudyPhase]] = [:]
  /// When repetitions of the last hour began, in milliseconds of elapsed time, oldest first.
  private var starts: [PersonID: [Int64]] = [:]
  /// Whether the newest ring of each alarm counts for the hourly limit.
  private var isRepetition: [AlarmID: Bool] = [:]
  /// Whose each living alarm is.
  private var persons: [AlarmID: PersonID] = [:]
  /// Milliseconds since the first row: boot time within a boot, and from one boot to the next what the
  /// wall clock shows, for nothing else is known; nothing where it was put back.
  private(set) var elapsed: Int64 = 0
  private var last: ClockReading?

  mutating func take(_ record: Record) {
    pass(to: record.reading)
    switch record.event {
    case .personAdded(let person), .personChanged(let person): people[person.id] = person
    case .personRemoved(let id, _): people[id] = nil
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

  /// How many repetitions for a person began within the last hour.
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

  /// How much of a time is in control phases of a person.
  func controlMilliseconds(_ person: PersonID, _ time: Range<Int64>) -> Int64 {
    (phases[person] ?? []).filter { $0.kind == .control }.reduce(0) { sum, phase in
      let from = max(phase.from.milliseconds, time.lowerBound)
      let to = min(phase.to?.milliseconds ?? .max, time.upperBound)
      return sum + max(0, to - from)
    }
  }

  /// Whether the clock's face is in the quiet hours of a person; nil near a change of the offset,
  /// where a face can be seen twice, and for somebody who has none.
  func isQuiet(_ person: PersonID, at wall: Instant, in environment: Environment) -> Bool? {
    guard let person = people[person], let hours = person.quiet?.hours else { return nil }
    let zone = person.zoneName.flatMap { environment.zone($0) } ?? environment.homeZone
    let offset = zone.offsetSeconds(at: wall)
    for days: Int64 in [-1, 1]
    where zone.offsetSeconds(at: wall.adding(seconds: days * 93_600)) != offset { return nil }
    // A clock may be set before 1970.
    let second = ((wall.seconds + Int64(offset)) % 86_400 + 86_400) % 86_400
    let (from, to) = (Int64(hours.from.secondOfDay), Int64(hours.to.secondOfDay))
    return from < to ? from <= second && second < to : second >= from || second < to
  }
}

extension Alarm {
  /// Whether a caretaker has silenced this occurrence; nil where it may only lead up to one.
  func isPaused(_ id: PromptID) -> Bool? {
    guard earlyReminders.isEmpty else { return nil }
    if let until = pauses.until, id.nominal < until { return true }
    if pauses.occurrences.contains(id.nominalKey) { return true }
    return pauses.days.contains {
      $0.lowerBound <= id.nominal.date && id.nominal.date <= $0.upperBound
    }
  }
}
