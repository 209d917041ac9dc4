import CivilTime

/// One due time of a plan: an occurrence of the schedule, or an early reminder.
public struct DueTime: Hashable, Sendable {
  /// The occurrence at this due time. The prompt id contains the scheduled local time and the fold
  /// of the occurrence.
  public var occurrence: Occurrence
  /// The occurrence that the early reminder announces; nil if the due time is not an early
  /// reminder.
  public var leadsTo: Occurrence?
  /// The other scheduled local times of the alarm that have the same instant as this due time.
  /// Because of a clock change, several local times can have the same instant. The list is always
  /// empty, except in a preview.
  public var alsoNominal: [CivilDateTime] = []

  /// The main occurrence. For an early reminder, the value is `leadsTo`. For any other due time,
  /// the value is `occurrence`.
  public var main: Occurrence { leadsTo ?? occurrence }
}

/// Computes the due times of a schedule.
public struct SchedulePlan: Sendable {
  private enum Form: Sendable {
    indirect case single(Occurrence)
    case recurring(Recurrence)
    indirect case several(RecurrenceSet)
    case every(seconds: Int64, from: Int64)
    indirect case within(seconds: Int64, DayWindow)
    indirect case random(RandomTimes, seed: UInt64)
    /// The alarm is due every day at this time of day. Exception: if the alarm was already due on a
    /// day because of an answer, the alarm is not due at this time on that day.
    case daily(ClockTime)
    case never
  }

  private let form: Form
  private let earlyReminders: [EarlyReminder]
  private let zone: Zone

  /// - Parameters:
  ///   - earlyReminders: the early reminders before each occurrence.
  ///   - zone: the zone for the civil times of the schedule.
  ///   - seed: the seed of the random times; see `randomSeed`.
  /// - Throws: the error that `Recurrence` finds in a rule.
  public init(
    _ schedule: Schedule, earlyReminders: [EarlyReminder] = [], zone: Zone, seed: UInt64
  ) throws(CivilTimeError) {
    self.zone = zone
    self.earlyReminders = earlyReminders
    switch schedule {
    case .at(let instant): form = .single(zone.occurrence(at: instant))
    case .once(let dateTime): form = .single(zone.occurrence(of: dateTime))
    case .recurring(let rule, let start):
      form = .recurring(try Recurrence(rule: rule, start: start, zone: zone))
    case .several(let dates): form = try Self.several(dates, zone: zone)
    case .every(let seconds, let from): form = .every(seconds: seconds, from: from.seconds)
    case .within(let seconds, let window): form = .within(seconds: seconds, window)
    case .random(let times): form = .random(times, seed: seed)
    case .after(let after): form = after.latest.map(Form.daily) ?? .never
    }
  }

  private static func several(
    _ dates: RecurringDates, zone: Zone
  ) throws(CivilTimeError) -> Form {
    do {
      return .several(try RecurrenceSet(dates, zone: zone))
    } catch {
      // If a schedule has an end, a new list of holidays can exclude all its remaining times.
      // The alarm of such a schedule never rings again.
      guard case .neverOccurs = error, dates.holidays != nil else { throw error }
      return .never
    }
  }

  /// Returns the first due time after `instant`, including early reminders; nil if no due time
  /// follows. `instant` is exclusive.
  public func next(after instant: Instant) -> Occurrence? { due(after: instant)?.occurrence }

  /// Returns the first due time after `instant`, including early reminders; nil if no due time
  /// follows. `instant` is exclusive. If the result is an early reminder, its `leadsTo` is not nil.
  public func due(after instant: Instant) -> DueTime? {
    var best = main(after: instant).map { DueTime(occurrence: $0, leadsTo: nil) }
    for earlyReminder in earlyReminders {
      guard let found = self.earlyReminder(earlyReminder, after: instant) else { continue }
      // If an early reminder and an occurrence have the same instant, the result is the occurrence.
      if let known = best, known.occurrence.instant <= found.occurrence.instant { continue }
      best = found
    }
    return best
  }

  /// Returns the first occurrence after `instant`, without early reminders; nil if no occurrence
  /// follows. `instant` is exclusive.
  public func main(after instant: Instant) -> Occurrence? {
    switch form {
    case .never: return nil
    case .single(let occurrence): return occurrence.instant > instant ? occurrence : nil
    case .recurring(let recurrence): return recurrence.next(after: instant)
    case .several(let dates): return dates.next(after: instant)
    case .every(let seconds, let from):
      return zone.occurrence(
        at: Instant(seconds: Self.next(after: instant.seconds, every: seconds, from: from)))
    case .within(let seconds, let window):
      return zone.firstTime(after: instant, in: window) { bounds, _ in
        let elapsed = instant.seconds - bounds.start
        let place = elapsed < 0 ? 0 : elapsed / seconds + 1
        let second = bounds.start + place * seconds
        return second <= bounds.end ? second : nil
      }
    case .random(let times, let seed):
      return zone.firstTime(after: instant, in: times.window) { bounds, day in
        times.seconds(of: day, in: bounds, seed: seed).first { $0 > instant.seconds }
      }
    case .daily(let time):
      var day = zone.civil(at: instant).dateTime.date
      while true {
        let found = zone.occurrence(of: CivilDateTime(date: day, time: time))
        if found.instant > instant { return found }
        day = day.adding(days: 1)
      }
    }
  }

  /// Returns the scheduled times of all other occurrences that have the same instant as
  /// `occurrence`, in order.
  public func nominals(beside occurrence: Occurrence) -> [CivilDateTime] {
    let identities: [Occurrence] =
      switch form {
      case .recurring(let recurrence): recurrence.identities(at: occurrence.instant)
      case .several(let dates): dates.identities(at: occurrence.instant)
      case .single, .every, .within, .random, .daily, .never: []
      }
    return identities.map(\.nominal).filter { $0 != occurrence.nominal }
  }

  /// Returns the next due time after `second`. Each due time is `from` plus a whole number of
  /// intervals.
  ///
  /// The first due time is one interval after `from`. Exception: if somebody sets the clock back to
  /// a time that is more than one interval before `from`, the alarm is also due before `from`, at
  /// the same intervals. Without this exception, the alarm would be silent until the clock reached
  /// `from` again.
  private static func next(after second: Int64, every seconds: Int64, from: Int64) -> Int64 {
    let elapsed = second - from
    if (-seconds..<seconds).contains(elapsed) { return from + seconds }
    let whole = elapsed / seconds - (elapsed % seconds < 0 ? 1 : 0)
    return from + (whole + 1) * seconds
  }

  private func earlyReminder(_ earlyReminder: EarlyReminder, after instant: Instant) -> DueTime? {
    switch earlyReminder {
    case .elapsed(let seconds):
      guard let main = main(after: instant.adding(seconds: seconds)) else { return nil }
      let at = Instant(milliseconds: main.instant.milliseconds - seconds * 1_000)
      return DueTime(occurrence: zone.occurrence(at: at), leadsTo: main)
    case .days(let days, let time):
      // An early reminder is due `days` days before its occurrence. The function searches for the
      // first early reminder after `instant`. The occurrence of this reminder has a date that is at
      // least `days` days after the date of `instant`. The search starts one day earlier, so the
      // search cannot miss the occurrence.
      let day = zone.civil(at: instant).dateTime.date.adding(days: days - 1)
      var from = zone.resolve(CivilDateTime(date: day, time: .midnight)).instant
        .adding(milliseconds: -1)
      from = max(from, instant)
      while let main = main(after: from) {
        let nominal = CivilDateTime(
          date: main.nominal.date.adding(days: -days), time: time ?? main.nominal.time)
        let found = zone.occurrence(of: nominal)
        if found.instant > instant, found.instant < main.instant {
          return DueTime(occurrence: found, leadsTo: main)
        }
        from = main.instant
      }
      return nil
    }
  }
}

extension RecurrenceSet {
  init(_ parts: RecurringDates, zone: Zone) throws(CivilTimeError) {
    var rules: [Recurrence] = []
    for rule in parts.rules {
      rules.append(try Recurrence(rule: rule.rule, start: rule.start, zone: zone))
    }
    let holidays = parts.holidayParts
    try self.init(
      rules: rules, dates: parts.dates + holidays.dates,
      exclusions: parts.excluded.map { .dateTime($0) }
        + (parts.excludedDays + holidays.excludedDays).map { .day($0) },
      zone: zone)
  }
}

extension Zone {
  /// Returns the occurrence at an instant. The scheduled time of the occurrence is the local time
  /// at that instant.
  func occurrence(at instant: Instant) -> Occurrence {
    let local = civil(at: instant)
    return Occurrence(nominal: local.dateTime, fold: local.fold, instant: instant, moved: nil)
  }

  /// Returns the occurrence at a civil time. If the local time is skipped, the function uses the
  /// offset before the clock change: if the clocks skip 02:30, the instant of 02:30 is the instant
  /// of 03:30. If the local time is repeated, the function uses the first of its two instants.
  func occurrence(of dateTime: CivilDateTime) -> Occurrence {
    let found = resolve(dateTime)
    let moved: ClockChange? =
      switch found.kind {
      case .unique: nil
      case .gap: .gap
      case .fold: .fold
      }
    return Occurrence(nominal: dateTime, fold: 0, instant: found.instant, moved: moved)
  }

  /// The start and the end of the window of one day, in seconds since 1970.
  typealias WindowBounds = (start: Int64, end: Int64)

  /// Finds the first due time after an instant. The function searches the windows of the days in
  /// order.
  ///
  /// - Parameter time: a function that returns the first due time after `instant` in one window, as
  ///   seconds since 1970; nil if the window has no due time after `instant`.
  func firstTime(
    after instant: Instant, in window: DayWindow, time: (WindowBounds, CivilDate) -> Int64?
  ) -> Occurrence? {
    // The search begins with the day before `instant`, because the window of that day can end after
    // midnight.
    let yesterday = civil(at: instant).dateTime.date.adding(days: -1)
    var day = max(yesterday, window.firstDay)
    // The due times in the windows of yesterday and today can already have passed. The next window
    // after today begins at most eight days after `day`, and every window contains a due time.
    // Therefore, a search of 16 days always finds a due time.
    for _ in 0..<16 {
      if let last = window.lastDay, day > last { return nil }
      if window.contains(day) {
        let endDay = window.to > window.from ? day : day.adding(days: 1)
        let start = resolve(CivilDateTime(date: day, time: window.from)).instant.seconds
        let end = resolve(CivilDateTime(date: endDay, time: window.to)).instant.seconds
        if let second = time((start, end), day) {
          return occurrence(at: Instant(seconds: second))
        }
      }
      day = day.adding(days: 1)
    }
    return nil
  }
}
