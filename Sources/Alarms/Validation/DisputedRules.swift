import CivilTime

extension RecurrenceRule {
  /// The part of the rule about which calendar programs disagree, in words; nil if the rule has no
  /// such part.
  ///
  /// For a rule with such a part, the libraries dateutil, libical and ical.js do not all compute
  /// the same times. Calendar programs use these libraries. Prompter follows RFC 5545 section
  /// 3.3.10.
  var disputedPart: String? {
    if !weekNumbers.isEmpty, interval > 1 { return "BYWEEKNO with INTERVAL" }
    if frequency == .yearly, !monthDays.isEmpty, months.isEmpty {
      return "FREQ=YEARLY with BYMONTHDAY and without BYMONTH"
    }
    guard case .count = end else { return nil }
    func areMixed(_ values: [Int]) -> Bool {
      values.contains { $0 < 0 } && values.contains { $0 > 0 }
    }
    if areMixed(setPositions) { return "COUNT with positions that can be the same time" }
    if areMixed(monthDays) || areMixed(yearDays) {
      return "COUNT with days that can be the same day"
    }
    return nil
  }
}

extension ScheduleWarning {
  /// The number of due times that a warning about a disputed rule contains.
  private static let shownTimes = 3

  /// A warning that calendar programs do not all compute the same times for a rule of the schedule.
  /// The warning contains the next due times. The result is nil if no rule has a disputed part.
  public static func disputed(
    _ schedule: Schedule, _ plan: SchedulePlan, zone: Zone, from: Instant
  ) -> ScheduleWarning? {
    let rules: [RecurrenceRule] =
      switch schedule {
      case .recurring(let rule, _): [rule]
      case .several(let parts): parts.rules.map(\.rule)
      case .at, .once, .every, .within, .random, .after: []
      }
    guard let part = rules.lazy.compactMap(\.disputedPart).first else { return nil }
    var times: [String] = []
    var at = from
    while times.count < shownTimes, let next = plan.main(after: at) {
      let local = zone.civil(at: next.instant).dateTime
      times.append("\(local.date) \(local.time)")
      at = next.instant
    }
    return ScheduleWarning(
      .disputedRule,
      "calendar programs disagree about \(part); Prompter follows RFC 5545, and the next times are "
        + (times.isEmpty ? "none" : times.joined(separator: ", ")))
  }
}
