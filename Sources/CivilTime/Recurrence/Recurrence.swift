/// A recurrence rule with its start and zone. A recurrence computes all due times of the rule.
///
/// The initializer prepares all data for queries. Therefore a query for the next due time takes
/// only nanoseconds and allocates no memory, even if the start is many years ago.
///
/// A rule with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY uses wall-clock time ("every day at 08:00"). A
/// rule with FREQ=HOURLY, MINUTELY or SECONDLY uses elapsed time ("every 6 hours"). Exception: if
/// the interval of an hourly, minutely or secondly rule is 1, and if the rule has BYHOUR or
/// BYMINUTE, the rule uses wall-clock time.
public struct Recurrence: Sendable {
  /// The origin of a rule. If the start is not an occurrence of the rule, the origin decides what
  /// the initializer does.
  public enum Reading: Sendable {
    /// The rule was created in Prompter. The initializer refuses a start that is not an occurrence
    /// of the rule.
    case native
    /// Another program created the rule. If the start is not an occurrence of the rule, the alarm
    /// does not ring at the start, and the caretaker gets a warning.
    case imported
  }

  /// The data of a recurrence. All copies of the recurrence share this object.
  ///
  /// When code copies a recurrence, Swift only increases the reference count of this object.
  private final class Core: Sendable {
    let rule: RecurrenceRule
    let start: CivilDateTime
    let zone: Zone
    let schedule: Schedule
    let untilSecond: Int64
    let warnings: [RecurrenceWarning]

    init(
      rule: RecurrenceRule, start: CivilDateTime, zone: Zone, schedule: Schedule,
      warnings: [RecurrenceWarning]
    ) {
      self.rule = rule
      self.start = start
      self.zone = zone
      self.schedule = schedule
      self.warnings = warnings
      untilSecond = Recurrence.untilSecond(rule, zone: zone)
    }
  }

  enum Schedule: Sendable {
    case civil(CivilSchedule)
    case elapsed(ElapsedSchedule)
  }

  private var core: Core

  /// The recurrence rule.
  public var rule: RecurrenceRule { core.rule }
  /// The start of the rule (DTSTART). The start supplies the values that the rule does not contain.
  /// Example: if the rule contains no time of day, the rule uses the time of day of the start.
  public var start: CivilDateTime { core.start }
  /// The zone of the dates and times of the rule.
  public var zone: Zone { core.zone }
  /// The warnings about the rule.
  public var warnings: [RecurrenceWarning] { core.warnings }
  @inline(__always)
  var schedule: Schedule { core.schedule }
  /// The last second at which UNTIL permits an occurrence.
  @inline(__always)
  var untilSecond: Int64 { core.untilSecond }

  /// The maximum COUNT of a rule whose occurrences the code must count one by one.
  public static let mostCountedOut = 100_000
  /// The maximum number of steps in a search for a due time. This limit applies to rules of elapsed
  /// time that permit only some days or some times of day.
  ///
  /// If the search finds no due time within this number of steps, the initializer refuses the rule.
  private static let maximumTurns = 20_000

  /// Prepares a rule.
  ///
  /// The initializer throws one of these errors:
  /// - `neverOccurs` if the rule has no occurrence before the year 10000,
  /// - `startNotInRule` if the rule is `native` and the start is not an occurrence of the rule,
  /// - `unsupportedRule` if COUNT is above `mostCountedOut` and the code must count the occurrences
  ///   one by one. Example 1: a rule with BYSETPOS and several times of day. Example 2: an elapsed
  ///   schedule that is due only on some days or at some times of day.
  public init(
    rule: RecurrenceRule, start: CivilDateTime, zone: Zone, reading: Reading = .imported
  ) throws(CivilTimeError) {
    let schedule = try Recurrence.schedule(rule: rule, start: start, zone: zone)
    core = Core(rule: rule, start: start, zone: zone, schedule: schedule, warnings: [])
    let warnings = try check(reading)
    if warnings.isEmpty { return }
    core = Core(rule: rule, start: start, zone: zone, schedule: schedule, warnings: warnings)
  }

  private static func schedule(
    rule: RecurrenceRule, start: CivilDateTime, zone: Zone
  ) throws(CivilTimeError) -> Schedule {
    let ruleTimes = RuleTimes(rule, start: start.time)
    if ruleTimes.isCivil {
      let made = CivilSchedule(
        rule: ruleTimes.dayRule, start: start, times: ruleTimes.times, table: zone.table)
      guard let civil = made, !civil.nominal(atOrAfter: civil.start).isNever else {
        throw Recurrence.never(rule)
      }
      return .civil(try limited(civil, rule: rule))
    }
    let made = ElapsedSchedule(rule: rule, start: start, times: ruleTimes.times, zone: zone)
    guard let made else { throw never(rule) }
    switch made.prospect(maximumTurns: maximumTurns) {
    case .ready(let elapsed):
      return .elapsed(try limited(elapsed, rule: rule, zone: zone))
    case .nothing(let reached):
      let end = zone.civil(atSecond: reached).dateTime.date
      throw .neverOccurs(
        rule: rule.description, reason: "no time fits all of its parts (searched until \(end))")
    }
  }

  private static func never(_ rule: RecurrenceRule) -> CivilTimeError {
    .neverOccurs(
      rule: rule.description,
      reason: "no date up to the year 9999 fits all of its parts")
  }

  /// Checks the start and the first occurrence, and returns the warnings.
  private func check(_ reading: Reading) throws(CivilTimeError) -> [RecurrenceWarning] {
    var warnings: [RecurrenceWarning] = []
    guard let first = next(after: Instant(milliseconds: .min)) else {
      throw .neverOccurs(
        rule: rule.description, reason: "it starts at \(start) and ends before its first time")
    }
    let hasStart: Bool
    switch schedule {
    case .civil:
      hasStart =
        first.nominal == start
        || identities(at: first.instant).contains {
          $0.nominal == start
        }
    case .elapsed(let elapsed): hasStart = first.instant.seconds == elapsed.start
    }
    if !hasStart {
      if reading == .native {
        throw .startNotInRule(
          rule: rule.description, start: start, nearest: first.nominal)
      }
      warnings.append(.startNotInRule(start: start, first: first.nominal))
    }
    switch rule.end {
    case .untilDate, .untilLocal: warnings.append(.untilNotUTC)
    case .never, .count, .untilInstant: break
    }
    let missed = missedMonths
    if !missed.isEmpty { warnings.append(.missesMonths(missed)) }
    return warnings
  }

  /// The first occurrence strictly after an instant; nil if no occurrence follows before the year
  /// 10000.
  public func next(after instant: Instant) -> Occurrence? {
    let second = instant.seconds
    switch schedule {
    case .civil(let civil):
      guard let due = civil.next(after: second), due.second <= untilSecond else { return nil }
      return Occurrence(
        nominal: due.nominal.dateTime, fold: 0,
        instant: Instant(seconds: due.second), moved: due.change)
    case .elapsed(let elapsed):
      let due = elapsed.next(after: second)
      guard due <= untilSecond, due != ElapsedSchedule.never else { return nil }
      return occurrence(atElapsed: due)
    }
  }

  @inline(__always)
  private func occurrence(atElapsed second: Int64) -> Occurrence {
    let reading = zone.civil(atSecond: second)
    return Occurrence(
      nominal: reading.dateTime, fold: reading.fold, instant: Instant(seconds: second), moved: nil)
  }

  /// All occurrences that are due at exactly this instant, in the order of their nominal times.
  ///
  /// If the clocks skip local times, two occurrences can be due at the same instant. For example,
  /// if the clocks skip 02:30, the occurrences of 02:30 and of 03:30 are both due at 03:30. These
  /// two occurrences cause only one ring, and one answer applies to both occurrences.
  public func identities(at instant: Instant) -> [Occurrence] {
    guard instant.milliseconds % 1000 == 0, instant.seconds <= untilSecond else { return [] }
    switch schedule {
    case .civil(let civil):
      return civil.nominals(at: instant.seconds).map {
        Occurrence(
          nominal: $0.nominal.dateTime, fold: 0, instant: instant,
          moved: $0.change)
      }
    case .elapsed(let elapsed):
      let found = elapsed.next(after: instant.seconds - 1)
      return found == instant.seconds ? [occurrence(atElapsed: found)] : []
    }
  }
}
