import CivilTime

// Warnings about schedules that ring at an unexpected time of day after a clock change.
extension ScheduleWarning {
  /// Half a day, in seconds. If an interval is a multiple of half a day, people expect that the
  /// alarm rings at the same times of day on each day.
  private static let halfDay: Int64 = 43_200

  /// The warning that the next clock change moves the rings of a schedule such as "every 24 hours"
  /// to a different time of day.
  static func elapsedMoves(
    _ schedule: Schedule, _ plan: SchedulePlan, zone: Zone, from: Instant, horizon: Instant
  ) -> [ScheduleWarning] {
    guard let seconds = schedule.elapsedSeconds, seconds % halfDay == 0,
      let first = plan.main(after: from),
      let change = zone.nextOffsetChange(after: first.instant), change < horizon,
      let after = plan.main(after: change)
    else { return [] }
    let usual = zone.civil(at: first.instant).dateTime
    let moved = zone.civil(at: after.instant).dateTime
    // `before` is the local time that the wall clock would show at the instant of `after` if the
    // clocks did not change.
    let last = change.adding(milliseconds: -1)
    let offset = zone.civil(at: last).dateTime.localSeconds - last.seconds
    let before = CivilDateTime(localSeconds: after.instant.seconds + offset)
    guard before.time != moved.time else { return [] }
    var text =
      "the clocks change on \(zone.civil(at: change).dateTime.date): from then on it rings at "
      + "\(moved.time) instead of \(before.time), because it counts \(Schedule.words(seconds: seconds))"
    if let phrase = sameTimePhrase(usual, halfDays: seconds / halfDay) {
      text += "; to keep the time of day, write \"\(phrase)\""
    }
    return [ScheduleWarning(.elapsedMoves, text)]
  }

  /// The phrase that the warning suggests: it has the same interval, but rings at the same time of
  /// day before and after a clock change. The result is nil if the function knows no such phrase.
  private static func sameTimePhrase(_ first: CivilDateTime, halfDays: Int64) -> String? {
    if halfDays == 1 {
      let other = CivilDateTime(localSeconds: first.localSeconds + Int64(halfDay)).time
      let times = [first.time, other].sorted()
      return "every day \(times[0]) and \(times[1])"
    }
    guard halfDays % 2 == 0 else { return nil }
    let days = halfDays / 2
    if days == 1 { return "every day \(first.time)" }
    return "every \(days) days \(first.time) starting \(first.date)"
  }

  /// The warning that Prompter converted a start in UTC to the zone of the alarm.
  static func startInUTC(_ phrase: String, zone: Zone) -> [ScheduleWarning] {
    guard let start = RuleText.startInUTC(phrase, zone: zone) else { return [] }
    return [
      ScheduleWarning(
        .startInUTC,
        "\(start.typed) is a time in UTC: the alarm uses the local time \(start.local.date) "
          + "\(start.local.time) of \(zone.name), and keeps this local time after a clock change")
    ]
  }
}

extension Schedule {
  /// The interval of a schedule that counts elapsed time and is not limited to certain days or
  /// hours; nil for any other schedule.
  fileprivate var elapsedSeconds: Int64? {
    switch self {
    case .every(let seconds, _): return seconds
    case .recurring(let rule, _):
      guard rule.frequency == .hourly, rule.hours.isEmpty, rule.weekdays.isEmpty,
        rule.monthDays.isEmpty, rule.months.isEmpty
      else { return nil }
      return Int64(rule.interval) * 3_600
    case .at, .once, .several, .within, .random, .after: return nil
    }
  }
}
