/// A recurrence rule of RFC 5545 section 3.3.10.
///
/// The rule can also contain the part SKIP of RFC 7529, for the Gregorian calendar. The lists of a
/// rule are sorted and have no duplicates. Therefore, if two RRULE texts differ only in the order
/// of their parts or values, their rules are equal. A rule alone does not determine dates, because
/// it has no start. `Recurrence` combines a rule with a start and a zone, and computes the dates.
public struct RecurrenceRule: Hashable, Sendable {
  /// The frequency (FREQ) of the rule. The cases are ordered from the shortest period to the
  /// longest period.
  public enum Frequency: Int, Hashable, Comparable, CaseIterable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    public static func < (first: Frequency, second: Frequency) -> Bool {
      first.rawValue < second.rawValue
    }
  }

  /// The end of a rule.
  public enum End: Hashable, Sendable {
    /// The rule has no end.
    case never
    /// The rule ends after this number of occurrences (COUNT).
    case count(Int)
    /// The rule ends at the end of this day (UNTIL).
    case untilDate(CivilDate)
    /// The rule ends at this local time in the zone of the start (UNTIL), inclusive.
    case untilLocal(CivilDateTime)
    /// The rule ends at this instant (UNTIL), inclusive.
    case untilInstant(Instant)
  }

  /// A weekday of BYDAY, such as `FR` or `-1FR`.
  public struct OrdinalWeekday: Hashable, Comparable, Sendable {
    /// The index of the weekday within its month or year. A positive index counts from the start (1
    /// is the first), and a negative index counts from the end. Examples for Fridays: 2 is the
    /// second Friday, -1 is the last Friday, and 0 is every Friday.
    public var ordinal: Int
    /// The day of the week.
    public var weekday: Weekday

    public static func < (first: OrdinalWeekday, second: OrdinalWeekday) -> Bool {
      (first.ordinal, first.weekday.rawValue) < (second.ordinal, second.weekday.rawValue)
    }
  }

  /// The part SKIP. This part says what the rule does if a date does not exist, for example April
  /// 31.
  public enum Skip: String, Hashable, Sendable {
    /// The rule omits the date, as in RFC 5545.
    case omit = "OMIT"
    /// The rule uses the last day of the month, for example April 30 instead of April 31.
    case backward = "BACKWARD"
    /// The rule uses the first day of the next month, for example May 1 instead of April 31.
    case forward = "FORWARD"
  }

  /// All parts of a rule.
  struct Parts: Hashable, Sendable {
    var frequency = Frequency.daily
    var interval = 1
    var end = End.never
    var seconds: [Int] = []
    var minutes: [Int] = []
    var hours: [Int] = []
    var weekdays: [OrdinalWeekday] = []
    var monthDays: [Int] = []
    var yearDays: [Int] = []
    var weekNumbers: [Int] = []
    var months: [Int] = []
    var setPositions: [Int] = []
    var weekStart = Weekday.monday
    var skip = Skip.omit
  }

  /// The parts of a rule. All copies of the rule share this object.
  ///
  /// The shared object saves memory, because thousands of alarms use the same few rules.
  private final class Shared: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  private var shared: Shared

  /// The frequency (FREQ).
  public var frequency: Frequency { shared.parts.frequency }
  /// The interval (INTERVAL), 1 or more.
  public var interval: Int { shared.parts.interval }
  /// The end of the rule (COUNT or UNTIL).
  public var end: End { shared.parts.end }
  /// The seconds (BYSECOND), 0…59. The parser replaces the value 60, a leap second, by 59.
  public var seconds: [Int] { shared.parts.seconds }
  /// The minutes (BYMINUTE), 0…59.
  public var minutes: [Int] { shared.parts.minutes }
  /// The hours (BYHOUR), 0…23.
  public var hours: [Int] { shared.parts.hours }
  /// The weekdays (BYDAY).
  public var weekdays: [OrdinalWeekday] { shared.parts.weekdays }
  /// The days of the month (BYMONTHDAY), 1…31 and -31…-1.
  public var monthDays: [Int] { shared.parts.monthDays }
  /// The days of the year (BYYEARDAY), 1…366 and -366…-1.
  public var yearDays: [Int] { shared.parts.yearDays }
  /// The week numbers (BYWEEKNO), 1…53 and -53…-1.
  public var weekNumbers: [Int] { shared.parts.weekNumbers }
  /// The months (BYMONTH), 1…12.
  public var months: [Int] { shared.parts.months }
  /// The chosen positions (BYSETPOS). The other parts of a rule can select several times in one
  /// period, for example in a month. The position 1 chooses the earliest of these times, and -1
  /// chooses the latest. Valid values are 1…366 and -366…-1.
  public var setPositions: [Int] { shared.parts.setPositions }
  /// The first day of the week (WKST).
  public var weekStart: Weekday { shared.parts.weekStart }
  /// The part SKIP. If a date of the rule does not exist, for example April 31, this part says
  /// whether the rule omits the date or uses the date before or after it.
  public var skip: Skip { shared.parts.skip }

  /// Reads a rule such as `FREQ=MONTHLY;BYDAY=-1FR`. Letters can be upper or lower case, and the
  /// parts can be in any order.
  ///
  /// The initializer throws `malformed`, `outOfRange`, `invalidRule` or `unsupportedRule`. Each
  /// error contains the position of the fault in the text. If the parser does not know a part of
  /// the text, it throws an error. If the text contains SKIP without RSCALE, the parser assumes
  /// RSCALE=GREGORIAN.
  public init(parsing text: String) throws(CivilTimeError) {
    var parser = RecurrenceRuleParser(text)
    self = try parser.parse()
  }

  init(_ parts: Parts) { shared = Shared(parts) }

  /// Returns a copy of the rule after the closure `change` has changed the parts of the copy.
  func with(_ change: (inout Parts) -> Void) -> RecurrenceRule {
    var parts = shared.parts
    change(&parts)
    return RecurrenceRule(parts)
  }

  public static func == (first: RecurrenceRule, second: RecurrenceRule) -> Bool {
    first.shared === second.shared || first.shared.parts == second.shared.parts
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(shared.parts) }
}

extension RecurrenceRule {
  /// Returns a copy of the rule in which the missing parts have the values of the start (DTSTART,
  /// RFC 5545).
  ///
  /// If the rule has no time of day, the rule gets the time of day of the start. If the rule has no
  /// days, the rule gets its days from the start date: a weekly rule gets the weekday, a monthly
  /// rule gets the day of the month, and a yearly rule gets the date. If the rule is hourly,
  /// minutely or secondly, the result equals the rule.
  public func spelledOut(from start: CivilDateTime) -> RecurrenceRule {
    guard frequency >= .daily else { return self }
    return with { $0.spellOut(from: start) }
  }
}

extension RecurrenceRule.Parts {
  fileprivate mutating func spellOut(from start: CivilDateTime) {
    if hours.isEmpty { hours = [start.time.hour] }
    if minutes.isEmpty { minutes = [start.time.minute] }
    if seconds.isEmpty { seconds = [start.time.second] }
    let namesDays =
      !(weekdays.isEmpty && monthDays.isEmpty && yearDays.isEmpty && weekNumbers.isEmpty)
    if namesDays { return }
    switch frequency {
    case .weekly: weekdays = [.init(ordinal: 0, weekday: start.date.weekday)]
    case .monthly: monthDays = [start.date.day]
    case .yearly:
      monthDays = [start.date.day]
      if months.isEmpty { months = [start.date.month] }
    default: break
    }
  }
}

extension RecurrenceRule: CustomStringConvertible {
  /// The rule as canonical RRULE text. If a program parses this text, it gets an equal rule.
  public var description: String {
    var parts = ["FREQ=\(frequency.text)"]
    switch end {
    case .never: break
    case .count(let count): parts.append("COUNT=\(count)")
    case .untilDate(let date): parts.append("UNTIL=\(date.basicText)")
    case .untilLocal(let local): parts.append("UNTIL=\(local.basicText)")
    case .untilInstant(let instant):
      parts.append("UNTIL=\(CivilDateTime(localSeconds: instant.seconds).basicText)Z")
    }
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    func add(_ name: String, _ values: [Int]) {
      if values.isEmpty { return }
      parts.append("\(name)=\(values.map(String.init).joined(separator: ","))")
    }
    add("BYSECOND", seconds)
    add("BYMINUTE", minutes)
    add("BYHOUR", hours)
    if !weekdays.isEmpty {
      parts.append("BYDAY=\(weekdays.map(\.text).joined(separator: ","))")
    }
    add("BYMONTHDAY", monthDays)
    add("BYYEARDAY", yearDays)
    add("BYWEEKNO", weekNumbers)
    add("BYMONTH", months)
    add("BYSETPOS", setPositions)
    if weekStart != .monday { parts.append("WKST=\(weekStart.text)") }
    if skip != .omit { parts.append("RSCALE=GREGORIAN;SKIP=\(skip.rawValue)") }
    return parts.joined(separator: ";")
  }
}

extension RecurrenceRule.Frequency {
  /// The name of the frequency in RFC 5545, for example `DAILY`.
  var text: String {
    switch self {
    case .secondly: "SECONDLY"
    case .minutely: "MINUTELY"
    case .hourly: "HOURLY"
    case .daily: "DAILY"
    case .weekly: "WEEKLY"
    case .monthly: "MONTHLY"
    case .yearly: "YEARLY"
    }
  }
}

extension RecurrenceRule.OrdinalWeekday {
  /// The weekday in the notation of RFC 5545. Example: `-1FR`, the last Friday.
  var text: String { (ordinal == 0 ? "" : String(ordinal)) + weekday.text }
}

extension Weekday {
  /// The two letters for the weekday in RFC 5545, for example `MO`.
  var text: String { ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][rawValue - 1] }
}

extension CivilDate {
  /// The date in the notation of RFC 5545, such as `19970902`.
  var basicText: String {
    let (year, month, day) = parts
    return padded(year, 4) + padded(month, 2) + padded(day, 2)
  }
}

extension CivilDateTime {
  /// The date-time in the notation of RFC 5545, such as `19970902T090000`.
  var basicText: String {
    "\(date.basicText)T\(padded(time.hour, 2))\(padded(time.minute, 2))\(padded(time.second, 2))"
  }
}
