import CivilTime

// Converts schedules to words. `SchedulePhrase` converts the words back to the same schedule.
extension Schedule {
  /// The schedule in words, without relative words such as "tomorrow".
  var words: String { words(in: .utc, typedAt: .distantPast) }

  /// Returns the schedule in words.
  ///
  /// - Parameters:
  ///   - zone: the zone of the alarm.
  ///   - typedAt: the instant for which the words are valid. A person who types the words at this
  ///     instant gets the same schedule.
  ///   - label: a function that returns the label of another alarm. If `label` returns nil, the
  ///     words contain the id of the other alarm.
  public func words(
    in zone: Zone, typedAt now: Instant, label: (AlarmID) -> String? = { _ in nil }
  ) -> String {
    switch self {
    case .at(let instant): return "at \(instant)"
    case .once(let dateTime): return "once on \(dateTime.date) at \(dateTime.time)"
    case .recurring(let rule, let start):
      return Self.words([.init(rule: rule, start: start)], zone, now) ?? RuleText.text(self) ?? kind
    case .several(let set):
      let holidays = set.holidays.map { " " + $0.words } ?? ""
      guard set.dates.isEmpty, set.excluded.isEmpty, set.excludedDays.isEmpty,
        let words = Self.words(set.rules, zone, now, from: set.holidays?.workingDaysFrom)
      else { return (RuleText.text(self) ?? kind) + holidays }
      return words + holidays
    case .every(let seconds, let from):
      return "every \(Self.words(seconds: seconds))"
        + Self.starting(at: from.adding(seconds: seconds), zone)
    case .within(let seconds, let window):
      return "every \(Self.words(seconds: seconds)) from \(window.from) to \(window.to)"
        + window.tail(zone, now)
    case .random(let times):
      return "\(times.perDay == 1 ? "once" : "\(times.perDay) times") a day at random between "
        + "\(times.window.from) and \(times.window.to)"
        + (times.perDay == 1
          ? "" : " at least \(Self.words(seconds: times.minimumDistanceSeconds)) apart")
        + times.window.tail(zone, now)
    case .after(let after):
      var words = "\(Self.words(seconds: after.seconds)) after "
      switch after.anchor {
      case .alarm(let id):
        words += (label(id).map { "\"\($0)\"" } ?? "alarm \(id)") + " is completed"
      case .itself: words += "the last completion"
      }
      if let latest = after.latest { words += " at the latest \(latest)" }
      if let first = after.first { words += Self.starting(at: first, zone) }
      return words
    }
  }

  /// Returns a duration in words, for example `8 hours`, `90 minutes` or `1 hour`.
  static func words(seconds: Int64) -> String {
    let units: [(name: String, seconds: Int64)] = [("hour", 3_600), ("minute", 60)]
    let (unit, length) =
      units.first { seconds >= $0.seconds && seconds % $0.seconds == 0 } ?? ("second", 1)
    return "\(seconds / length) \(unit)\(seconds == length ? "" : "s")"
  }

  /// This schedule, with a rule that contains all values explicitly.
  ///
  /// In RFC 5545, DTSTART gives the values that a rule does not contain, for example the hour. This
  /// property copies the values from DTSTART into the rule, so that Prompter can write the rule in
  /// words.
  var spelledOut: Schedule {
    guard case .recurring(let rule, let start) = self else { return self }
    return .recurring(rule.spelledOut(from: start), start: start)
  }

  private static func starting(at instant: Instant, _ zone: Zone) -> String {
    let local = zone.civil(at: instant).dateTime
    return " starting \(local.date) \(local.time)"
  }

  /// Returns the words for a schedule with several rules; nil if words cannot express the schedule.
  ///
  /// Words can express several rules only if all rules have the same days and the same end. The
  /// times of day can differ. If all rules have COUNT, the values of COUNT can differ.
  ///
  /// - Parameter from: the first day of a schedule of working days with holidays.
  private static func words(
    _ rules: [RecurringDates.Rule], _ zone: Zone, _ now: Instant, from: CivilDate? = nil
  ) -> String? {
    guard let first = rules.min(by: { $0.start < $1.start }) else { return nil }
    let rule = first.rule
    if rules.count == 1, let unit = rule.elapsedUnit {
      guard rule.isPlain else { return nil }
      return "every \(words(seconds: unit * Int64(rule.interval)))"
        + " starting \(first.start.date) \(first.start.time)" + (rule.end.words ?? "")
    }
    guard let days = rule.dayWords, rules.allSatisfy({ $0.rule.dayWords == days }) else {
      return nil
    }
    var times: [ClockTime] = []
    var count: Int?
    for other in rules.map(\.rule) {
      guard let own = other.timesOfDay else { return nil }
      times += own
      switch (other.end, rule.end) {
      case (.count(let share), .count): count = (count ?? 0) + share
      case (let own, let shared): if own != shared { return nil }
      }
    }
    let listed = Set(times).sorted()
    guard listed.count == times.count else { return nil }
    var words = "\(days) at \(listed.map(\.description).joined(separator: " and "))"
    let isBound = rule.interval > 1 || count != nil
    if let from {
      let isLater = now != .distantPast && from > zone.civil(at: now).dateTime.date
      if isBound || isLater { words += " starting \(from)" }
    } else if isBound || !startsByItself(rules, first.start, zone, now) {
      words += " starting \(first.start.date)" + (times.count > 1 ? " \(first.start.time)" : "")
    }
    if let count { return words + " for \(count) times" }
    return rule.end.words.map { words + $0 }
  }

  /// Returns true if the phrase for the rules needs no start time.
  ///
  /// In this case, a person can type the phrase now without a start time. The new schedule then has
  /// the same future occurrences as the rules.
  private static func startsByItself(
    _ rules: [RecurringDates.Rule], _ start: CivilDateTime, _ zone: Zone, _ now: Instant
  ) -> Bool {
    if now == .distantPast { return true }
    return zone.resolve(start).instant <= now
      || rules.contains { rule in
        let before = CivilDateTime(date: start.date.adding(days: -800), time: start.time)
        let earlier = try? Recurrence(rule: rule.rule, start: before, zone: zone)
        return earlier?.next(after: now)?.nominal == start
      }
  }
}

extension DayWindow {
  /// Returns the last words in the phrase of a schedule with this daily window: the weekdays, the
  /// first day and the last day.
  fileprivate func tail(_ zone: Zone, _ now: Instant) -> String {
    var words = ""
    if !weekdays.isEmpty { words += " on \(weekdays.words)" }
    if now != .distantPast, firstDay > zone.civil(at: now).dateTime.date {
      words += " starting \(firstDay)"
    }
    if let lastDay { words += " until \(lastDay)" }
    return words
  }
}

extension [Weekday] {
  /// The days in words, for example `Monday`, `weekdays` or `Monday and Friday`.
  fileprivate var words: String {
    let days = Set(self)
    if days == [.monday, .tuesday, .wednesday, .thursday, .friday] { return "weekdays" }
    if days == [.saturday, .sunday] { return "weekends" }
    return map(\.name).joined(separator: " and ")
  }
}

extension EarlyReminder {
  /// The early reminder in words, for example `1 hour before` or `1 day before at 19:00`.
  public var words: String {
    switch self {
    case .elapsed(let seconds): "\(Schedule.words(seconds: seconds)) before"
    case .days(let days, let time):
      "\(days) day\(days == 1 ? "" : "s") before" + (time.map { " at \($0)" } ?? "")
    }
  }
}

extension RecurrenceRule.End {
  fileprivate var words: String? {
    switch self {
    case .never: ""
    case .count(let count): " for \(count) times"
    case .untilDate(let date): " until \(date)"
    case .untilLocal, .untilInstant: nil
    }
  }
}

extension RecurrenceRule {
  /// The unit of the frequency in seconds: 1 for a second, 60 for a minute, and 3,600 for an hour.
  /// For any other frequency, the value is nil.
  fileprivate var elapsedUnit: Int64? {
    switch frequency {
    case .secondly: 1
    case .minutely: 60
    case .hourly: 3_600
    default: nil
    }
  }

  /// True if a phrase can describe the rule with only its start, frequency, interval and end. Such
  /// a rule contains no BY-part of RFC 5545, for example BYDAY. Its weeks start on Monday, its SKIP
  /// is OMIT, and the property `words` of its end is not nil.
  fileprivate var isPlain: Bool {
    seconds.isEmpty && minutes.isEmpty && hours.isEmpty && hasNoDays && skip == .omit
      && end.words != nil
  }

  private var hasNoDays: Bool {
    weekdays.isEmpty && monthDays.isEmpty && yearDays.isEmpty && weekNumbers.isEmpty
      && months.isEmpty && setPositions.isEmpty && weekStart == .monday
  }

  /// The times of day of the rule. The rule must contain hours, exactly one minute and exactly one
  /// second; for any other rule, the result is nil.
  var timesOfDay: [ClockTime]? {
    guard !hours.isEmpty, minutes.count == 1, seconds.count == 1 else { return nil }
    var times: [ClockTime] = []
    for hour in hours {
      guard let time = try? ClockTime(hour: hour, minute: minutes[0], second: seconds[0]) else {
        return nil
      }
      times.append(time)
    }
    return times
  }

  /// The days of the rule in words, for example `every 2 weeks on Tuesday`; nil if words cannot
  /// express the days.
  fileprivate var dayWords: String? {
    if yearDays.isEmpty, weekNumbers.isEmpty, weekStart == .monday, skip == .omit,
      let position = workingDayPosition
    {
      return workingDayWords(position)
    }
    guard yearDays.isEmpty, weekNumbers.isEmpty, setPositions.isEmpty, weekStart == .monday else {
      return nil
    }
    switch frequency {
    case .daily:
      guard hasNoDays, skip == .omit else { return nil }
      return interval == 1 ? "every day" : "every \(interval) days"
    case .weekly:
      guard months.isEmpty, skip == .omit, !weekdays.isEmpty else { return nil }
      let days = weekdays.map(\.weekday).words
      if interval > 1 { return "every \(interval) weeks on \(days)" }
      return days.hasPrefix("week") ? days : "every \(days)"
    case .monthly: return months.isEmpty ? monthWords : nil
    case .yearly: return yearWords
    case .secondly, .minutely, .hourly: return nil
    }
  }

  private func workingDayWords(_ position: Int) -> String? {
    guard position == -1 || (1...5).contains(position) else { return nil }
    let day = "the \(position == -1 ? "last" : PhraseReader.ordinal(position)) working day"
    if frequency == .monthly { return months.isEmpty ? "\(day) \(monthSpan)" : nil }
    return interval == 1 ? "\(day) of \(PhraseReader.monthNames[months[0] - 1])" : nil
  }

  private var monthSpan: String {
    interval == 1 ? "of every month" : "of every \(interval) months"
  }

  private var monthWords: String? {
    let span = monthSpan
    if !weekdays.isEmpty, monthDays.isEmpty, skip == .omit {
      return Self.ordinalWords(weekdays).map { "the \($0) \(span)" }
    }
    guard weekdays.isEmpty, let last = monthDays.last else { return nil }
    if monthDays == [-1], skip == .omit { return "the last day \(span)" }
    guard monthDays[0] > 0, skip == (last > 28 ? .backward : .omit) else { return nil }
    return "the \(monthDays.map(PhraseReader.ordinal).joined(separator: " and ")) \(span)"
  }

  /// Returns the words for certain weeks and one weekday, for example `1st and 3rd Monday`; nil if
  /// `days` contains different weekdays.
  private static func ordinalWords(_ days: [OrdinalWeekday]) -> String? {
    guard let name = days.first?.weekday, days.allSatisfy({ $0.weekday == name }) else {
      return nil
    }
    let words = days.compactMap { $0.words?.split(separator: " ").first }
    guard words.count == days.count else { return nil }
    return "\(words.joined(separator: " and ")) \(name.name)"
  }

  private var yearWords: String? {
    guard let month = months.first, months.count == 1 else { return nil }
    let name = PhraseReader.monthNames[month - 1]
    if let day = weekdays.first, weekdays.count == 1, monthDays.isEmpty, skip == .omit,
      interval == 1
    {
      return day.words.map { "the \($0) of \(name)" }
    }
    guard weekdays.isEmpty, let last = monthDays.last, monthDays[0] > 0 else { return nil }
    guard skip == (month == 2 && last == 29 ? .backward : .omit) else { return nil }
    let days = monthDays.map(String.init).joined(separator: " and ")
    return "every \(interval == 1 ? "year" : "\(interval) years") on \(days) \(name)"
  }
}

extension RecurrenceRule.OrdinalWeekday {
  /// The weekday in words, for example `last Friday` or `2nd Tuesday`.
  fileprivate var words: String? {
    guard let name = [-1: "last", 1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th"][ordinal] else {
      return nil
    }
    return "\(name) \(weekday.name)"
  }
}
