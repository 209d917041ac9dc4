import CivilTime

extension Transition {
  /// Whether a due prompt stays silent because of a pause.
  ///
  /// An early reminder stays silent if its main occurrence does.
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
  /// The number of due times that are searched. It limits a pause of years over a schedule of
  /// minutes.
  private static let mostLookedThrough = 200_000

  /// The plan of an alarm, with its early reminders and its own random times.
  init(_ alarm: Alarm, zone: Zone) throws(CivilTimeError) {
    try self.init(
      alarm.schedule, earlyReminders: alarm.earlyReminders, zone: zone,
      seed: randomSeed(person: alarm.person, alarm: alarm.id))
  }

  /// The next due times that no pause silences.
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
