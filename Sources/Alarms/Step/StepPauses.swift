import CivilTime

extension Transition {
  /// Returns true if a pause suppresses the rings of a due prompt.
  ///
  /// An early reminder is silent if the occurrence that it announces is silent.
  func isSilenced(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    if alarm.pauses == .none { return false }
    if !alarm.earlyReminders.isEmpty,
      let due = plan(of: alarm)?.due(after: prompt.dueAt.adding(milliseconds: -1)),
      due.occurrence.nominal == prompt.id.nominal
    {
      return alarm.pauses.interruptions(due.main.nominal, fold: due.main.fold)
    }
    return alarm.pauses.interruptions(prompt.id.nominal, fold: prompt.id.fold)
  }
}

extension SchedulePlan {
  /// The maximum number of due times that a search checks. A search reaches this limit only if an
  /// alarm that is due every few minutes is paused for years.
  private static let mostLookedThrough = 200_000

  /// Creates the plan of an alarm, including its early reminders and its random times.
  init(_ alarm: Alarm, zone: Zone) throws(CivilTimeError) {
    try self.init(
      alarm.schedule, earlyReminders: alarm.earlyReminders, zone: zone,
      seed: randomSeed(person: alarm.person, alarm: alarm.id))
  }

  /// The next occurrences that are not paused.
  func rings(
    after instant: Instant, count: Int, pauses: Pauses, where isWanted: (Occurrence) -> Bool
  ) -> [Occurrence] {
    var occurrences: [Occurrence] = []
    var from = instant
    for _ in 0..<Self.mostLookedThrough {
      guard occurrences.count < count, let next = due(after: from) else { break }
      from = next.occurrence.instant
      if !pauses.interruptions(next.main.nominal, fold: next.main.fold), isWanted(next.occurrence) {
        occurrences.append(next.occurrence)
      }
    }
    return occurrences
  }
}
