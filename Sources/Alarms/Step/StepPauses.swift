import CivilTime

extension Transition {
  /// Whether a prompt that is due stays silent, because its occurrence, or the one that it leads up
  /// to, does.
  func isSilenced(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    if alarm.pauses == .none { return false }
    if !alarm.earlyReminders.isEmpty,
      let due = plan(of: alarm)?.due(after: prompt.dueAt.adding(milliseconds: -1)),
      due.occurrence.nominal == prompt.id.nominal
    {
      return alarm.pauses.silences(due.main.nominal, fold: due.main.fold)
    }
    return alarm.pauses.silences(prompt.id.nominal, fold: prompt.id.fold)
  }
}

extension SchedulePlan {
  /// A pause of years over a schedule of minutes is looked through this far.
  private static let mostLookedThrough = 200_000

  /// The plan of an alarm, its leads and its own random times included.
  init(_ alarm: Alarm, zone: Zone) throws(CivilTimeError) {
    try self.init(
      alarm.schedule, earlyReminders: alarm.earlyReminders, zone: zone,
      seed: randomSeed(person: alarm.person, alarm: alarm.id))
  }

  /// The next due times that are not silent.
  func rings(
    after instant: Instant, count: Int, pauses: Pauses, where isWanted: (Occurrence) -> Bool
  ) -> [Occurrence] {
    var occurrences: [Occurrence] = []
    var from = instant
    for _ in 0..<Self.mostLookedThrough {
      guard occurrences.count < count, let next = due(after: from) else { break }
      from = next.occurrence.instant
      if !pauses.silences(next.main.nominal, fold: next.main.fold), isWanted(next.occurrence) {
        occurrences.append(next.occurrence)
      }
    }
    return occurrences
  }
}
