import CivilTime

/// The rule that says when an alarm is due.
///
/// "Every day at 08:00" (civil) and "every 8 hours" (elapsed) are different kinds of schedules. On
/// a day with a clock change, a civil schedule keeps the local time, and an elapsed schedule keeps
/// the interval between two due times.
public enum Schedule: Hashable, Sendable {
  /// The alarm is due once, at an instant: "in 20 minutes".
  case at(Instant)
  /// The alarm is due once, at a civil time in its zone. If a clock change skips this local time,
  /// the alarm is due at the instant that the offset before the clock change gives (02:30 becomes
  /// 03:30). If the local time exists twice on this day, the alarm is due at the earlier of the two
  /// instants.
  case once(CivilDateTime)
  /// An RFC 5545 rule in the zone of the alarm, from `start` on.
  case recurring(RecurrenceRule, start: CivilDateTime)
  /// Several rules together, with additional dates and excluded dates.
  indirect case several(RecurringDates)
  /// The alarm is due every `seconds` seconds of elapsed time. The first due time is one interval
  /// after `from`.
  case every(seconds: Int64, from: Instant)
  /// The alarm is due every `seconds` seconds of elapsed time within a daily window. In each
  /// window, the first due time is the start of the window.
  indirect case within(seconds: Int64, DayWindow)
  /// The alarm is due at random times within a daily window.
  ///
  /// The person cannot predict the times. The times are computed from a seed, so that each
  /// computation gives the same times.
  indirect case random(RandomTimes)
  /// The alarm is due a fixed time after an answer. Before the answer, the due time is unknown, so
  /// `step` plans the prompt when the person answers.
  indirect case after(AfterAnswer)

  /// The name of the kind in the API and the record.
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

/// The recurrence rules of one schedule, with its additional dates and its excluded dates.
///
/// As in RFC 5545 section 3.8.5, the schedule is (rules ∪ dates) − exclusions. If two rules give
/// the same instant, the alarm rings once.
public struct RecurringDates: Hashable, Sendable {
  /// A recurrence rule and the start time of the rule (DTSTART).
  public struct Rule: Hashable, Sendable {
    public var rule: RecurrenceRule
    public var start: CivilDateTime

    public init(rule: RecurrenceRule, start: CivilDateTime) {
      self.rule = rule
      self.start = start
    }
  }

  public var rules: [Rule]
  /// The RDATE values, sorted, in the zone of the alarm.
  public var dates: [CivilDateTime]
  /// The EXDATE values, sorted, in the zone of the alarm.
  ///
  /// Prompter excludes an occurrence if its scheduled local time is equal to one of the values.
  /// Therefore the occurrence stays excluded, even if a zone change moves its instant.
  public var excluded: [CivilDateTime]
  /// The EXDATE values without a time. Each value excludes the whole day.
  public var excludedDays: [CivilDate]
  /// The holidays on which the schedule is not due; nil if the schedule uses no list of holidays.
  public var holidays: HolidayExclusion?

  public init(
    rules: [Rule], dates: [CivilDateTime] = [], excluded: [CivilDateTime] = [],
    excludedDays: [CivilDate] = [], holidays: HolidayExclusion? = nil
  ) {
    self.rules = rules
    self.dates = Set(dates).sorted()
    self.excluded = Set(excluded).sorted()
    self.excludedDays = Set(excludedDays).sorted()
    self.holidays = holidays
  }
}

/// A period of the day in the zone of the alarm. The period applies on every day or on some
/// weekdays.
public struct DayWindow: Hashable, Sendable {
  public var from: ClockTime
  /// The end of the window. If `to` is not later than `from`, the window ends on the next day.
  ///
  /// The end is inclusive in `Schedule.within` and exclusive in `Schedule.random`.
  public var to: ClockTime
  /// The weekdays on which a window begins, sorted; empty for every day.
  public var weekdays: [Weekday]
  /// The first day on which a window begins.
  public var firstDay: CivilDate
  /// The last day on which a window begins; nil for no end.
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

  /// The length of the window on a day without a clock change, in seconds: 1 to 86,400.
  public var seconds: Int64 {
    let length = Int64(to.secondOfDay - from.secondOfDay)
    return length > 0 ? length : length + 86_400
  }

  /// Returns true if a window begins on this day.
  func contains(_ day: CivilDate) -> Bool {
    day >= firstDay && day <= lastDay ?? day
      && (weekdays.isEmpty || weekdays.contains(day.weekday))
  }
}

/// Random times within a daily window. A study can ask questions at random times of the day
/// (signal-contingent sampling).
public struct RandomTimes: Hashable, Sendable {
  /// The number of random times on each day: 1 to 24.
  public var perDay: Int
  /// The daily window, end exclusive.
  public var window: DayWindow
  /// The minimum interval between two occurrences in one window, in seconds.
  public var minimumDistanceSeconds: Int64

  public init(perDay: Int, window: DayWindow, minimumDistanceSeconds: Int64) {
    self.perDay = perDay
    self.window = window
    self.minimumDistanceSeconds = minimumDistanceSeconds
  }
}

/// A due time at a fixed interval after an answer.
public struct AfterAnswer: Hashable, Sendable {
  /// The event at which the interval `seconds` starts.
  public enum Anchor: Hashable, Sendable {
    /// The completion of a prompt of another alarm.
    case alarm(AlarmID)
    /// The end of a prompt of this alarm, with any outcome.
    ///
    /// The interval also starts at the end of a missed prompt. Otherwise the alarm would never ring
    /// again after one missed prompt.
    case itself
  }

  public var anchor: Anchor
  /// The elapsed time from the anchor to the due time, in seconds.
  public var seconds: Int64
  /// The latest time of day for a prompt; nil if there is no latest time.
  ///
  /// If the alarm was not due before `latest` on a day, the alarm is due at `latest`, even without
  /// an answer.
  public var latest: ClockTime?
  /// The instant of the first due time. This due time does not depend on an earlier answer. The
  /// value is nil if the anchor is not `itself`.
  public var first: Instant?

  public init(anchor: Anchor, seconds: Int64, latest: ClockTime?, first: Instant?) {
    self.anchor = anchor
    self.seconds = seconds
    self.latest = latest
    self.first = first
  }
}

/// A reminder before the main prompt of an occurrence, for example "and one hour before" or "and
/// the evening before at 19:00".
public enum EarlyReminder: Hashable, Sendable {
  /// A number of seconds before the due time of the main prompt.
  case elapsed(seconds: Int64)
  /// A number of calendar days before the due time of the main prompt, at a time of day. If `at` is
  /// nil, the reminder rings at the same time of day as the main prompt.
  case days(Int, at: ClockTime?)
}
