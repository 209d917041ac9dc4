/// A rule joined to its start and zone: the engine that knows every time it is due.
public struct Recurrence: Sendable {
  /// The rule.
  public let rule: RecurrenceRule
  /// DTSTART: where the rule begins and what it takes unnamed parts from.
  public let start: CivilDateTime
  /// The zone whose calendar and clocks the rule speaks of.
  public let zone: Zone

  /// Compiles a rule.
  public init(rule: RecurrenceRule, start: CivilDateTime, zone: Zone) throws(CivilTimeError) {
    self.rule = rule
    self.start = start
    self.zone = zone
    guard rule.frequency == .daily || rule.frequency == .weekly else {
      throw .unsupportedRule(text: rule.description, position: 1, reason: "not built yet")
    }
  }

  /// The first occurrence strictly later than an instant; nil after the last.
  public func next(after instant: Instant) -> Occurrence? {
    let hours = rule.hours.isEmpty ? [start.time.hour] : rule.hours
    let minutes = rule.minutes.isEmpty ? [start.time.minute] : rule.minutes
    let weekdays =
      rule.weekdays.isEmpty
      ? (rule.frequency == .weekly ? [start.date.weekday] : Weekday.allCases)
      : rule.weekdays.map(\.weekday)
    let first = max(zone.civil(at: instant).dateTime.date.dayNumber - 1, start.date.dayNumber)
    for day in first..<(first + 800) {
      let date = CivilDate(dayNumber: day)
      guard weekdays.contains(date.weekday) else { continue }
      if rule.frequency == .daily, (day - start.date.dayNumber) % rule.interval != 0 { continue }
      let week = floorDivide(day + 3, 7) - floorDivide(start.date.dayNumber + 3, 7)
      if rule.frequency == .weekly, week % rule.interval != 0 { continue }
      for hour in hours {
        for minute in minutes {
          let time = ClockTime(secondOfDay: hour * 3600 + minute * 60 + start.time.second)
          let nominal = CivilDateTime(date: date, time: time)
          let place = zone.table.resolve(local: nominal.localSeconds)
          let due = Instant(seconds: place.second)
          if due > instant, nominal >= start {
            let moved: ClockChange? =
              switch place.kind {
              case .unique: nil
              case .gap: .gap
              case .fold: .fold
              }
            return Occurrence(nominal: nominal, fold: 0, instant: due, moved: moved)
          }
        }
      }
    }
    return nil
  }
}
