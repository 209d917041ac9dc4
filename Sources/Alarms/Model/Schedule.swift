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
  /// Several rules together, with single dates added and taken out.
  indirect case several(RecurringDates)
  /// Every `seconds` of elapsed time from an instant on, the first time one interval after it.
  case every(seconds: Int64, from: Instant)
  /// Every `seconds` of elapsed time within a daily window, anew from the start of each window.
  indirect case within(seconds: Int64, DayWindow)
  /// At times that nobody can foresee within a daily window, the same whenever they are asked for.
  indirect case random(RandomTimes)
  /// Some time after an answer: planned when that answer comes.
  indirect case after(AfterAnswer)

  /// The stable name of the kind, as the API and the record spell it.
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

/// Rules and dates that make up one schedule: (rules ∪ dates) − exclusions, as RFC 5545 section
/// 3.8.5 has it. Equal instants ring once.
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
  /// EXDATE: sorted, in the alarm's zone. Matches by the nominal time, so it holds when an instant
  /// moves.
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
  /// The end; at or before `from` it belongs to the next day. Whether it is included, the kind says.
  public var to: ClockTime
  /// The days on which a window begins, sorted; empty for every day.
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

  /// How long the window is on a day without a clock change, in seconds: 1 to 86,400.
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
  /// How many a day: 1 to 24.
  public var perDay: Int
  /// The window, its end excluded.
  public var window: DayWindow
  /// The least distance between two times of one window, in seconds.
  public var minimumDistanceSeconds: Int64

  public init(perDay: Int, window: DayWindow, minimumDistanceSeconds: Int64) {
    self.perDay = perDay
    self.window = window
    self.minimumDistanceSeconds = minimumDistanceSeconds
  }
}

/// So long after an answer.
public struct AfterAnswer: Hashable, Sendable {
  /// Whose answer.
  public enum Anchor: Hashable, Sendable {
    /// Another alarm's prompt is completed.
    case alarm(AlarmID)
    /// This alarm's own prompt ends: completed, or in any other way, for a dose that was missed must
    /// not be the last one ever.
    case itself
  }

  public var anchor: Anchor
  /// Elapsed time from that answer, in seconds.
  public var seconds: Int64
  /// The latest time of day: it rings then, on every day on which it has not been due before,
  /// whether the answer came or not.
  public var latest: ClockTime?
  /// When it is first due without any answer (`itself` only); nil for never.
  public var first: Instant?

  public init(anchor: Anchor, seconds: Int64, latest: ClockTime?, first: Instant?) {
    self.anchor = anchor
    self.seconds = seconds
    self.latest = latest
    self.first = first
  }
}

/// A prompt before the prompt: "and one hour before", "and the evening before at 19:00".
public enum EarlyReminder: Hashable, Sendable {
  /// So many seconds of elapsed time before the due time.
  case elapsed(seconds: Int64)
  /// So many days before on the calendar, at a time of day; nil for the due time's own.
  case days(Int, at: ClockTime?)
}
