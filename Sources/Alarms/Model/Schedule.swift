import CivilTime

/// When an alarm is due.
///
/// "Every day at 08:00" (civil) and "every 8 hours" (elapsed) are different schedules on purpose.
/// On a day of a clock change the first keeps the local time, and the second keeps the time between
/// doses.
public enum Schedule: Hashable, Sendable {
  /// Once, at an instant: "in 20 minutes".
  case at(Instant)
  /// Once, at a civil time in the alarm's zone. In a gap: after the gap. In a fold: the first pass.
  case once(CivilDateTime)
  /// An RFC 5545 rule in the alarm's zone, from `start` on.
  case recurring(RecurrenceRule, start: CivilDateTime)
  /// Several rules together, with single dates added and removed.
  indirect case several(RecurringDates)
  /// Every `seconds` of elapsed time. The first due time is one interval after `from`.
  case every(seconds: Int64, from: Instant)
  /// Every `seconds` of elapsed time within a daily window, starting again in each window.
  indirect case within(seconds: Int64, DayWindow)
  /// At random times within a daily window.
  ///
  /// Nobody can predict the times, but every calculation gives the same times.
  indirect case random(RandomTimes)
  /// Some time after an answer. It is planned when that answer comes.
  indirect case after(AfterAnswer)

  /// Stable name of the kind, as the API and the record spell it.
  public var kind: String {
    switch self {
    case .at: "at"
    case .once: "once"
    case .recurring: "recurring"
    case .several: "several"
    case .every: "every"
    case .within: "every_within"
    case .random: "random"
    case .after: "after"
    }
  }
}

/// Rules and dates that make up one schedule.
///
/// As in RFC 5545 section 3.8.5: (rules ∪ dates) − exclusions. Equal instants ring once.
public struct RecurringDates: Hashable, Sendable {
  /// A rule with its DTSTART.
  public struct Rule: Hashable, Sendable {
    public var rule: RecurrenceRule
    public var start: CivilDateTime

    public init(rule: RecurrenceRule, start: CivilDateTime) {
      self.rule = rule
      self.start = start
    }
  }

  public var rules: [Rule]
  /// RDATE: sorted, in the alarm's zone.
  public var dates: [CivilDateTime]
  /// EXDATE: sorted, in the alarm's zone.
  ///
  /// It matches the nominal time, so it still applies if an instant moves.
  public var excluded: [CivilDateTime]
  /// EXDATE without a time: the whole day.
  public var excludedDays: [CivilDate]

  public init(
    rules: [Rule], dates: [CivilDateTime] = [], excluded: [CivilDateTime] = [],
    excludedDays: [CivilDate] = []
  ) {
    self.rules = rules
    self.dates = Set(dates).sorted()
    self.excluded = Set(excluded).sorted()
    self.excludedDays = Set(excludedDays).sorted()
  }
}

/// A part of the day, on some days, in the alarm's zone.
public struct DayWindow: Hashable, Sendable {
  public var from: ClockTime
  /// End of the window. It belongs to the next day if it is not later than `from`.
  ///
  /// The kind of schedule decides whether the end is included.
  public var to: ClockTime
  /// Weekdays on which a window begins, sorted; empty for every day.
  public var weekdays: [Weekday]
  /// First day on which a window begins.
  public var firstDay: CivilDate
  /// Last day on which a window begins; nil for no end.
  public var lastDay: CivilDate?

  public init(
    from: ClockTime, to: ClockTime, weekdays: [Weekday] = [], firstDay: CivilDate,
    lastDay: CivilDate? = nil
  ) {
    self.from = from
    self.to = to
    let days = Set(weekdays).sorted { $0.rawValue < $1.rawValue }
    self.weekdays = days.count == 7 ? [] : days
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  /// Length of the window on a day without a clock change, in seconds: 1 to 86,400.
  public var seconds: Int64 {
    let length = Int64(to.secondOfDay - from.secondOfDay)
    return length > 0 ? length : length + 86_400
  }

  /// Whether a window begins on this day.
  func contains(_ day: CivilDate) -> Bool {
    day >= firstDay && day <= lastDay ?? day
      && (weekdays.isEmpty || weekdays.contains(day.weekday))
  }
}

/// Random times within a daily window, for signal-contingent sampling.
public struct RandomTimes: Hashable, Sendable {
  /// Number of times a day: 1 to 24.
  public var perDay: Int
  /// The daily window, its end excluded.
  public var window: DayWindow
  /// Minimum time between two times of one window, in seconds.
  public var minimumDistanceSeconds: Int64

  public init(perDay: Int, window: DayWindow, minimumDistanceSeconds: Int64) {
    self.perDay = perDay
    self.window = window
    self.minimumDistanceSeconds = minimumDistanceSeconds
  }
}

/// A time after an answer.
public struct AfterAnswer: Hashable, Sendable {
  /// The answer from which the time counts.
  public enum Anchor: Hashable, Sendable {
    /// A prompt of another alarm is completed.
    case alarm(AlarmID)
    /// This alarm's own prompt ends, in any way.
    ///
    /// A missed dose ends a prompt, too. It must not be the last dose.
    case itself
  }

  public var anchor: Anchor
  /// Elapsed time after that answer, in seconds.
  public var seconds: Int64
  /// Latest time of day; nil for none.
  ///
  /// The alarm is due at this time on every day on which it was not due before, with or without an
  /// answer.
  public var latest: ClockTime?
  /// First due time without any answer (`itself` only); nil for never.
  public var first: Instant?

  public init(anchor: Anchor, seconds: Int64, latest: ClockTime?, first: Instant?) {
    self.anchor = anchor
    self.seconds = seconds
    self.latest = latest
    self.first = first
  }
}

/// A prompt before an occurrence: "and one hour before", "and the evening before at 19:00".
public enum EarlyReminder: Hashable, Sendable {
  /// Elapsed time before the due time, in seconds.
  case elapsed(seconds: Int64)
  /// Calendar days before the due time, at a time of day; nil for the due time's own time of day.
  case days(Int, at: ClockTime?)
}
