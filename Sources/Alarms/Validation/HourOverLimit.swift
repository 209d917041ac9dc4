import CivilTime

/// An hour in which the repetitions of one person's alarms exceed the hourly limit.
///
/// The computation assumes that nobody answers.
public struct HourOverLimit: Hashable, Sendable {
  public var person: PersonID
  /// The start of the hour: the instant of its first repetition.
  public var from: Instant
  /// The number of repetitions in the hour.
  public var repetitions: Int
  /// The hourly limit of the person: the maximum number of repetitions in an hour.
  public var limit: Int
  /// The labels of the alarms that have repetitions in this hour, in the order of their first
  /// repetitions. The list contains at most 5 labels.
  public var labels: [String]
}

/// An alarm, and one of its due times.
struct Call {
  var alarm: Alarm
  var at: Instant
}

extension Transition {
  /// If a home has at most this number of alarms, the check of the hourly limit reads all due
  /// times. If a home has more alarms, the check reads only the next prompt of each alarm.
  private static let mostWalked = 200
  /// The maximum number of due times that the check reads for one person.
  private static let mostCalls = 300
  /// The maximum number of alarms that a warning names.
  private static let mostNamed = 5
  /// The maximum number of due times that the check reads for one alarm.
  private static let mostOccurrences = 64

  /// A warning that this alarm and the other alarms of its person together exceed the hourly limit
  /// in at least one hour. The result is empty if no hour exceeds the limit.
  func hourOverLimitWarnings(of alarm: Alarm, _ next: [Occurrence]) -> [ScheduleWarning] {
    let hour = RecentRings.hourMilliseconds
    let length = alarm.escalation.steps.offsetsSeconds.last ?? 0
    for occurrence in home.entries.count > Self.mostWalked ? next.prefix(1) : next[...] {
      let from = occurrence.instant.adding(milliseconds: -hour)
      let to = occurrence.instant.adding(seconds: length).adding(milliseconds: hour)
      let calls = calls(in: from..<to, of: alarm.person)[alarm.person] ?? []
      if let found = hourOverLimit(of: alarm.person, calls, touching: alarm.id) {
        return [ScheduleWarning(.hourOverLimit, words(found))]
      }
    }
    return []
  }

  /// The warning about an hour as a sentence without a full stop.
  func words(_ hour: HourOverLimit) -> String {
    let person = personState(hour.person)?.person
    let local = person.map { zone(of: $0) } ?? environment.homeZone
    let time = local.civil(at: hour.from).dateTime
    let names = hour.labels.map { "\"\($0)\"" }.joined(separator: ", ")
    return
      "if nobody answers, the alarms of \(hour.person) (\(names)) would repeat their rings "
      + "\(hour.repetitions) times in the hour from \(time.date) \(time.time); at most \(hour.limit) "
      + "repetitions sound in one hour, and the alarm that rang first loses its repetitions first; "
      + "each alarm still rings once, and urgent steps always ring"
  }

  /// The hour with the most repetitions; nil if no hour exceeds the hourly limit.
  ///
  /// - Parameter id: if not nil, the function considers only hours in which the alarm with this id
  ///   rings.
  func hourOverLimit(
    of person: PersonID, _ calls: [Call], touching id: AlarmID? = nil
  ) -> HourOverLimit? {
    guard let limit = calls.first.map({ ringsPerHour(of: $0.alarm) }) else { return nil }
    var rings: [(at: Int64, call: Int, isWanted: Bool)] = []
    for (index, call) in calls.enumerated() {
      let isWanted = id == nil || call.alarm.id == id
      for offset in call.alarm.repetitionOffsetsSeconds {
        rings.append((call.at.seconds + offset, index, isWanted))
      }
    }
    rings.sort { ($0.at, $0.call) < ($1.at, $1.call) }
    var (first, wanted) = (0, 0)
    var most = limit
    var fullest: Range<Int>?
    for (index, ring) in rings.enumerated() {
      if ring.isWanted { wanted += 1 }
      while ring.at - rings[first].at >= 3_600 {
        if rings[first].isWanted { wanted -= 1 }
        first += 1
      }
      let hour = first..<index + 1
      if wanted > 0, hour.count > most { (most, fullest) = (hour.count, hour) }
    }
    guard let fullest else { return nil }
    var labels: [String] = []
    for ring in rings[fullest] {
      let label = calls[ring.call].alarm.label
      if !labels.contains(label) { labels.append(label) }
      if labels.count == Self.mostNamed { break }
    }
    return HourOverLimit(
      person: person, from: Instant(seconds: rings[fullest.lowerBound].at),
      repetitions: fullest.count, limit: limit, labels: labels)
  }

  /// For each person, the due times of the person's alarms in a period. The result does not contain
  /// due times at which the alarm is silent because of a pause, quiet hours or a control phase.
  /// Exception: if the home has more than `mostWalked` alarms, the function does not make this
  /// check for the alarms outside `changes`. It adds the next prompt of each of these alarms.
  ///
  /// - Parameter only: the person whose alarms the function reads; nil for the alarms of all
  ///   people.
  func calls(in time: Range<Instant>, of only: PersonID?) -> [PersonID: [Call]] {
    var found: [PersonID: [Call]] = [:]
    func add(_ calls: [Call], of alarm: Alarm) {
      guard !alarm.isAnnouncement, only == nil || alarm.person == only, !calls.isEmpty else {
        return
      }
      let room = Self.mostCalls - found[alarm.person, default: []].count
      found[alarm.person, default: []] += calls.prefix(room)
    }
    let isLarge = home.entries.count > Self.mostWalked
    for alarm in changes.alarms.values { add(calls(of: alarm, in: time), of: alarm) }
    if isLarge {
      let due = max(time.lowerBound, wall)..<max(time.upperBound, wall)
      for prompt in home.openPrompts
      where due.contains(prompt.dueAt) && prompt.state == .planned
        && changes.alarms[prompt.id.alarm] == nil
      {
        guard let alarm = alarm(prompt.id.alarm) else { continue }
        add([Call(alarm: alarm, at: prompt.dueAt)], of: alarm)
      }
    } else {
      for (id, entry) in home.entries
      where changes.alarms[id] == nil && !changes.deletedAlarms.contains(id) {
        add(calls(of: entry.alarm, in: time), of: entry.alarm)
      }
    }
    return found.mapValues { calls in
      calls.sorted { ($0.at, $0.alarm.id) < ($1.at, $1.alarm.id) }
    }
  }

  private func calls(of alarm: Alarm, in time: Range<Instant>) -> [Call] {
    // If an alarm is due shortly before the period `time`, later rings of its bursts can be in
    // `time`. Therefore the search begins before `time`.
    let length = alarm.escalation.steps.offsetsSeconds.last ?? 0
    let from = max(time.lowerBound.adding(seconds: -length - 1), wall)
    var found: [Call] = []
    var at = from
    guard let plan = plan(of: alarm) else { return [] }
    for _ in 0..<Self.mostOccurrences {
      guard let next = plan.next(after: at), next.instant < time.upperBound else { break }
      at = next.instant
      if isHeard(alarm, next) { found.append(Call(alarm: alarm, at: at)) }
    }
    return found
  }

  private func isHeard(_ alarm: Alarm, _ next: Occurrence) -> Bool {
    !isSilenced(newPrompt(of: alarm, next), of: alarm)
      && expectedSuppression(of: alarm, at: next.instant) == nil
  }
}

extension HomeState {
  /// For each person, finds the hour with the most repetitions within the next 24 hours.
  ///
  /// The result contains an hour only if its repetitions exceed the hourly limit of the person.
  ///
  /// - Parameter only: the person to check; nil for all people.
  public func hoursOverLimit(
    of only: PersonID? = nil, at reading: ClockReading, _ environment: Environment
  ) -> [(hour: HourOverLimit, words: String)] {
    let transition = Transition(self, reading, .daemon("status"), environment)
    let day = reading.wall..<reading.wall.adding(seconds: 86_400)
    return transition.calls(in: day, of: only).sorted { $0.key.text < $1.key.text }
      .compactMap { id, calls in
        transition.hourOverLimit(of: id, calls).map { ($0, transition.words($0)) }
      }
  }
}

extension Alarm {
  /// The start of each repetition that counts for the hourly limit, in seconds from the first ring.
  fileprivate var repetitionOffsetsSeconds: [Int64] {
    let steps = escalation.steps
    return steps.offsetsSeconds.enumerated().compactMap { index, offset in
      index > 0 && !steps[steps.place(of: index).step].isUrgent ? offset : nil
    }
  }
}
