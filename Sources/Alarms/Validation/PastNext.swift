import CivilTime

// Some parts of a prompt begin after its due time: the escalation steps, a new burst after "later",
// and the deadline after "on my way". If the next prompt of the alarm is due before such a part
// begins, the next prompt replaces the present prompt, and the part does not happen. The functions
// of this file find such parts. The functions refuse an alarm only if a part can never happen. In
// every case, the next prompt itself rings.

/// The shortest and the longest interval between two consecutive due times of an alarm, in seconds.
private struct DueDistances {
  var shortest: Int64
  var longest: Int64
  /// True if the check found as many due times as it searches for (`checkedDueTimes`). In this
  /// case, the check assumes that each prompt has a next prompt. If the value is false, the last
  /// prompt of the alarm has no next prompt. Therefore all parts of this last prompt can happen.
  var isEndless: Bool

  /// - Returns: nil if the alarm is due only once.
  init?(_ occurrences: [Instant], isEndless: Bool) {
    let distances = zip(occurrences, occurrences.dropFirst()).map { $1.seconds - $0.seconds }
    guard let shortest = distances.min(), let longest = distances.max() else { return nil }
    self.shortest = shortest
    self.longest = longest
    self.isEndless = isEndless
  }

  /// Returns true if a part of a prompt never happens, because the next prompt is always due before
  /// this part begins.
  ///
  /// - Parameter seconds: the time from the due time of the prompt to the start of this part of the
  ///   prompt.
  func isNever(_ seconds: Int64) -> Bool { isEndless && seconds >= longest }
}

extension Transition {
  private static let checkedDueTimes = 50

  /// Returns a refusal if an escalation step or the deadline after "on my way" can never happen,
  /// because the next prompt of the alarm is always due earlier than this step or deadline. The
  /// result is nil if each escalation step and the deadline can happen at least sometimes.
  func neverReached(_ alarm: Alarm, zone: Zone) -> Refusal? {
    guard let distances = distances(of: alarm, zone: zone) else { return nil }
    let longest = Schedule.words(seconds: distances.longest)
    let starts = alarm.escalation.steps.startsSeconds
    if let step = starts.indices.dropFirst().first(where: { distances.isNever(starts[$0]) }) {
      return Refusal(
        .invalidField, field: "steps",
        "step \(step + 1) would begin \(Schedule.words(seconds: starts[step])) after a prompt begins to "
          + "ring, but the next prompt is due at most \(longest) later and ends this one, so step "
          + "\(step + 1) would never ring; choose a shorter time, or leave the step out")
    }
    let limit = alarm.escalation.completeBySeconds
    if alarm.escalation.hasSecondPhase, distances.isNever(limit) {
      return Refusal(
        .invalidField, field: "complete_by",
        "after \"on my way\", the prompt would ring again \(Schedule.words(seconds: limit)) later, but "
          + "the next prompt is due at most \(longest) later and ends this one, so it would never "
          + "ring again; choose a shorter time")
    }
    return nil
  }

  /// Warnings about parts of a prompt that happen only sometimes. Such a part does not happen if
  /// the next prompt is due before the part begins.
  func pastNextWarnings(of alarm: Alarm, zone: Zone) -> [ScheduleWarning] {
    guard let distances = distances(of: alarm, zone: zone) else { return [] }
    let next = "the next prompt can be due \(Schedule.words(seconds: distances.shortest)) later"
    var warnings: [ScheduleWarning] = []
    let rings = alarm.escalation.steps.offsetsSeconds
    if let ring = rings.indices.first(where: { rings[$0] >= distances.shortest }) {
      let place = alarm.escalation.steps.place(of: ring)
      warnings.append(
        ScheduleWarning(
          .stepPastNext,
          "ring \(place.ring + 1) of step \(place.step + 1) would begin "
            + "\(Schedule.words(seconds: rings[ring])) after a prompt begins to ring, but \(next): "
            + "then the next prompt ends this one, and this ring does not sound"))
    }
    let limit = alarm.escalation.completeBySeconds
    if limit >= distances.shortest {
      warnings.append(
        ScheduleWarning(
          .completeByPastNext,
          "after \"on my way\", the prompt would ring again \(Schedule.words(seconds: limit)) later, "
            + "but \(next): then the next prompt ends this one, and this one does not ring again"))
    }
    if let warning = delayPastNext(alarm, distances, next) { warnings.append(warning) }
    return warnings
  }

  private func delayPastNext(
    _ alarm: Alarm, _ distances: DueDistances, _ next: String
  ) -> ScheduleWarning? {
    let (delay, limit) = (alarm.delaySeconds, Int64(alarm.delayLimit))
    guard limit > 0, delay * limit >= distances.shortest else { return nil }
    // The number of answers that together reach the next prompt, rounded up. Two due times can be
    // in the same second.
    let count = max(1, (distances.shortest + delay - 1) / delay)
    let answers =
      count == 1
      ? "after the answer \"later\", the prompt would ring again \(Schedule.words(seconds: delay)) later"
      : "after \(count) answers \"later\", the prompt would ring again "
        + "\(Schedule.words(seconds: delay * count)) after it was due, or later"
    return ScheduleWarning(
      .delayPastNext,
      "\(answers), but \(next): then the next prompt replaces this one, and this one is missed")
  }

  private func distances(of alarm: Alarm, zone: Zone) -> DueDistances? {
    guard let plan = try? SchedulePlan(alarm, zone: zone) else { return nil }
    let found = denserInstants(of: alarm, zone: zone).map {
      plan.occurrences(Self.checkedDueTimes, after: $0)
    }
    let all = found.compactMap {
      DueDistances($0, isEndless: $0.count == Self.checkedDueTimes)
    }
    guard var distances = all.first else { return nil }
    for other in all.dropFirst() {
      distances.shortest = min(distances.shortest, other.shortest)
      distances.longest = max(distances.longest, other.longest)
      distances.isEndless = distances.isEndless && other.isEndless
    }
    return distances
  }

  /// The report about an alarm, including the warnings about the words that a caretaker typed.
  func report(on alarm: Alarm, typed form: AlarmForm) -> ScheduleReport {
    var report = report(on: alarm)
    if let phrase = form.schedule, let zone = environment.zone(of: alarm) {
      report.warnings += ScheduleWarning.startInUTC(phrase, zone: zone)
    }
    return report
  }

  /// A warning for each contact that an alarm names more than once.
  func contactTwiceWarnings(of alarm: Alarm) -> [ScheduleWarning] {
    var seen: Set<String> = []
    var named: [String] = []
    for step in alarm.escalation.notifySteps where !seen.insert(step.contact).inserted {
      if !named.contains(step.contact) { named.append(step.contact) }
    }
    return named.map { contact in
      let count = alarm.escalation.notifySteps.filter { $0.contact == contact }.count
      return ScheduleWarning(
        .contactTwice,
        "\"\(contact)\" is named \(count) times: if nobody answers, \"\(contact)\" gets \(count) messages "
          + "about each prompt; name another contact if you want to reach somebody else")
    }
  }
}

extension [EscalationStep] {
  /// For each step, the time from the first ring of the prompt to the first ring of the step, in
  /// seconds.
  fileprivate var startsSeconds: [Int64] {
    var ring = 0
    return map { step in
      defer { ring += step.burst.rings }
      return seconds(to: ring)
    }
  }
}
