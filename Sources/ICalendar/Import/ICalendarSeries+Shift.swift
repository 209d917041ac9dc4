import CivilTime

// Moves all times of a series by the same offset. The import moves a series, for example, if a
// trigger of an event becomes a separate alarm.
extension ICalendarSeries {
  /// Returns the series with each time moved by `days` days, and then by `seconds` seconds of local
  /// time.
  ///
  /// - Returns: nil if no rule of RFC 5545 describes the moved times. Example: no rule describes
  ///   the days before the first Monday of each month.
  func movedRules(days: Int, seconds: Int64) -> ICalendarSeries? {
    var moved = self
    let offset = Int64(days) * 86_400 + seconds
    func move(_ time: CivilDateTime) -> CivilDateTime {
      CivilDateTime(localSeconds: time.localSeconds + offset)
    }
    moved.pieces = []
    for piece in pieces {
      let start = move(piece.start)
      guard let rule = RuleParts(piece.rule).moved(from: piece.start, to: start, zone),
        let new = try? Piece(rule, start, zone),
        new.recurrence.warnings.allSatisfy({ !$0.isMisfit })
      else { return nil }
      moved.pieces.append(new)
    }
    moved.dates = Set(dates.map(move))
    moved.excluded = Set(excluded.map(move))
    moved.movedAway = Set(movedAway.map(move))
    moved.added = Set(added.map(move))
    return moved
  }
}

extension RecurrenceWarning {
  fileprivate var isMisfit: Bool {
    if case .startNotInRule = self { return true }
    return false
  }
}

/// The parts of a rule as texts, in the order of the rule.
struct RuleParts {
  private var parts: [(name: String, value: String)] = []
  private let rule: RecurrenceRule

  init(_ rule: RecurrenceRule) {
    self.rule = rule
    for part in rule.description.split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      if pair.count == 2 { parts.append((pair[0], pair[1])) }
    }
  }

  private subscript(name: String) -> String? {
    get { parts.first { $0.name == name }?.value }
    set {
      parts.removeAll { $0.name == name }
      if let newValue { parts.append((name, newValue)) }
    }
  }

  private var read: RecurrenceRule? {
    try? RecurrenceRule(parsing: parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";"))
  }

  /// Returns the rule without the times at `instant` or later.
  func ending(before instant: Instant) -> RecurrenceRule? {
    var changed = self
    changed["COUNT"] = nil
    let last = Zone.utc.civil(at: instant.adding(seconds: -1)).dateTime
    changed["UNTIL"] = last.calendarText + "Z"
    return changed.read
  }

  /// Returns the rule with the COUNT `count`.
  func counting(_ count: Int) -> RecurrenceRule? {
    var changed = self
    changed["UNTIL"] = nil
    changed["COUNT"] = String(count)
    return changed.read
  }

  /// Returns the rule with all times moved by the difference between `old` and `new`; nil if no
  /// rule describes the moved times.
  func moved(from old: CivilDateTime, to new: CivilDateTime, _ zone: Zone) -> RecurrenceRule? {
    var changed = self
    let offset = new.localSeconds - old.localSeconds
    let days = new.date.dayNumber - old.date.dayNumber
    switch rule.end {
    case .untilDate(let date): changed["UNTIL"] = date.adding(days: days).calendarText
    case .untilLocal(let local):
      changed["UNTIL"] = CivilDateTime(localSeconds: local.localSeconds + offset).calendarText
    case .untilInstant(let instant):
      let local = zone.civil(at: instant).dateTime
      changed["UNTIL"] = CivilDateTime(localSeconds: local.localSeconds + offset).calendarText
    case .never, .count: break
    }
    if rule.frequency < .daily {
      return rule.hasOnlyInterval ? changed.read : nil
    }
    if new.time != old.time {
      let named = [(rule.hours, old.time.hour), (rule.minutes, old.time.minute)]
      guard named.allSatisfy({ $0.0.isEmpty || $0.0 == [$0.1] }),
        rule.seconds.isEmpty || rule.seconds == [old.time.second]
      else { return nil }
      for name in ["BYHOUR", "BYMINUTE", "BYSECOND"] { changed[name] = nil }
    }
    if days != 0, !changed.moveDays(days, rule, old.date, new.date) { return nil }
    return changed.read
  }

  /// Moves the days of the rule. The result is false if no rule describes the moved days.
  private mutating func moveDays(
    _ days: Int, _ rule: RecurrenceRule, _ old: CivilDate, _ new: CivilDate
  ) -> Bool {
    guard rule.setPositions.isEmpty, rule.yearDays.isEmpty, rule.weekNumbers.isEmpty,
      rule.skip == .omit
    else { return false }
    guard rule.weekdays.allSatisfy({ $0.ordinal == 0 }) else { return moveNumbered(days, rule) }
    func weekday(_ day: Weekday) -> String { Self.name(day, movedBy: days) }
    switch rule.frequency {
    case .daily, .weekly:
      guard rule.months.isEmpty, rule.monthDays.isEmpty else { return false }
      if !rule.weekdays.isEmpty {
        self["BYDAY"] = rule.weekdays.map { weekday($0.weekday) }.joined(separator: ",")
      }
      // The weeks of a rule with an interval begin at WKST. If WKST moves together with the days,
      // all days of a week stay in the same week.
      if rule.frequency == .weekly { self["WKST"] = weekday(rule.weekStart) }
      return true
    case .monthly:
      guard rule.months.isEmpty, rule.weekdays.isEmpty else { return false }
      let monthDays = rule.monthDays.isEmpty ? [old.day] : rule.monthDays
      let moved = monthDays.compactMap { Self.monthDay($0, movedBy: days, rule) }
      guard moved.count == monthDays.count else { return false }
      self["BYMONTHDAY"] = moved.map { String($0) }.joined(separator: ",")
      return true
    case .yearly:
      guard rule.weekdays.isEmpty, rule.monthDays.isEmpty || rule.monthDays == [old.day],
        rule.months.isEmpty || rule.months == [old.month],
        rule.months.isEmpty == rule.monthDays.isEmpty || rule.monthDays.isEmpty,
        // In every year, the moved day must have the same month and the same day of the month.
        // Check a leap year and a year that is not a leap year.
        [2_023, 2_024].allSatisfy({ year in
          (try? CivilDate(year: year, month: old.month, day: old.day)).map {
            let moved = $0.adding(days: days)
            return moved.month == new.month && moved.day == new.day
          } ?? false
        })
      else { return false }
      (self["BYMONTH"], self["BYMONTHDAY"]) = (String(new.month), String(new.day))
      return true
    case .secondly, .minutely, .hourly: return false
    }
  }

  private static func name(_ day: Weekday, movedBy days: Int) -> String {
    let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    return names[((day.rawValue - 1 + days) % 7 + 7) % 7]
  }

  /// Returns a moved day of the month. The result is nil if the number of the moved day depends on
  /// the length of the month. Example of a possible move: the day after the last day of each month
  /// is the first day of each month.
  private static func monthDay(_ day: Int, movedBy days: Int, _ rule: RecurrenceRule) -> Int? {
    guard (1...28).contains(abs(day)) else { return nil }
    let moved = day + days
    let isSameMonth = day > 0 ? moved > 0 : moved < 0
    if isSameMonth { return abs(moved) <= 28 ? moved : nil }
    // If a rule has an interval of several months, the neighbouring month is not a month of the
    // rule.
    guard rule.interval == 1 else { return nil }
    let other = day > 0 ? moved - 1 : moved + 1
    return abs(other) <= 28 ? other : nil
  }

  /// Moves the days of a rule such as "the second Monday of the month". For example, the day after
  /// the second Monday is the Tuesday from the 9th to the 15th. The result is false if no rule
  /// describes the moved days.
  private mutating func moveNumbered(_ days: Int, _ rule: RecurrenceRule) -> Bool {
    let isInMonth =
      rule.frequency == .monthly || rule.frequency == .yearly && !rule.months.isEmpty
    let numbers = Set(rule.weekdays.map(\.ordinal))
    guard isInMonth, rule.monthDays.isEmpty, numbers.count == 1, let number = numbers.first else {
      return false
    }
    let first = number > 0 ? number * 7 - 6 + days : number * 7 + days
    let range = first...(first + 6)
    guard
      (1...28).contains(range.lowerBound) && range.upperBound <= 28
        || (-28 ... -1).contains(range.lowerBound) && range.upperBound < 0
    else { return false }
    self["BYDAY"] = rule.weekdays.map { Self.name($0.weekday, movedBy: days) }
      .joined(separator: ",")
    self["BYMONTHDAY"] = range.map { String($0) }.joined(separator: ",")
    return true
  }
}

extension RecurrenceRule {
  /// True if the rule has only a frequency, an interval and an end.
  fileprivate var hasOnlyInterval: Bool {
    [seconds, minutes, hours, monthDays, yearDays, weekNumbers, months, setPositions]
      .allSatisfy(\.isEmpty) && weekdays.isEmpty
  }
}
