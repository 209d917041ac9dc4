import CivilTime

/// When an alarm is due.
///
/// "Every day at 08:00" (civil) and "every 8 hours" (elapsed) are different schedules on purpose: on
/// the days the clocks change, one keeps the wall's time and the other the distance between doses.
public enum Schedule: Hashable, Sendable {
  /// Once, at an instant: "in 20 minutes".
  case at(Instant)
  /// Once, at a civil time in the alarm's zone. In a gap: after it; in a fold: the first pass.
  case once(CivilDateTime)
  /// An RFC 5545 rule in the alarm's zone, from `start` on.
  case recurring(RecurrenceRule, start: CivilDateTime)
  /// Every `seconds` of elapsed time from an instant on, the first time one interval after it.
  case every(seconds: Int64, from: Instant)

  /// The stable name of the kind, as the API and the record spell it.
  public var kind: String {
    switch self {
    case .at: "at"
    case .once: "once"
    case .recurring: "recurring"
    case .every: "every"
    }
  }
}

/// A schedule made ready to be asked for its next occurrence.
public struct SchedulePlan: Sendable {
  private enum Form: Sendable {
    case single(Occurrence)
    case recurring(Recurrence)
    case every(seconds: Int64, from: Int64)
  }

  private let form: Form
  private let zone: Zone

  /// - Parameter zone: the zone in which the schedule's civil times are read.
  /// - Throws: what `Recurrence` finds wrong with the rule.
  public init(_ schedule: Schedule, zone: Zone) throws(CivilTimeError) {
    self.zone = zone
    switch schedule {
    case .at(let instant):
      form = .single(Self.occurrence(at: instant, zone: zone))
    case .once(let dateTime):
      let found = zone.resolve(dateTime)
      let moved: ClockChange? =
        switch found.kind {
        case .unique: nil
        case .gap: .gap
        case .fold: .fold
        }
      form = .single(
        Occurrence(nominal: dateTime, fold: 0, instant: found.instant, moved: moved))
    case .recurring(let rule, let start):
      form = .recurring(try Recurrence(rule: rule, start: start, zone: zone))
    case .every(let seconds, let from):
      form = .every(seconds: seconds, from: from.seconds)
    }
  }

  /// The first occurrence strictly after `instant`; nil where there is none any more.
  public func next(after instant: Instant) -> Occurrence? {
    switch form {
    case .single(let occurrence):
      return occurrence.instant > instant ? occurrence : nil
    case .recurring(let recurrence):
      return recurrence.next(after: instant)
    case .every(let seconds, let from):
      let elapsed = max(instant.seconds - from, 0)
      return Self.occurrence(
        at: Instant(seconds: from + (elapsed / seconds + 1) * seconds), zone: zone)
    }
  }

  private static func occurrence(at instant: Instant, zone: Zone) -> Occurrence {
    let local = zone.civil(at: instant)
    return Occurrence(nominal: local.dateTime, fold: local.fold, instant: instant, moved: nil)
  }
}
