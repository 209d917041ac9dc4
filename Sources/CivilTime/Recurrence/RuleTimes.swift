/// The times of day of a rule, and whether it means wall-clock or elapsed time.
struct RuleTimes {
  /// Whether the rule has days and wall-clock times.
  ///
  /// Frequencies shorter than a day count elapsed time, so that "every 6 hours" stays 6 hours
  /// apart. The exception is every hour, minute or second with BYHOUR or BYMINUTE, because these
  /// name times of day. In elapsed time, BYHOUR=2 would be lost in a gap, and BYHOUR=1 would ring
  /// twice in a fold.
  let isCivil: Bool
  let times: TimesOfDay
  /// The rule that gives the days. For a short frequency of wall-clock times it is FREQ=DAILY.
  let dayRule: RecurrenceRule

  init(_ rule: RecurrenceRule, start: ClockTime) {
    let frequency = rule.frequency
    let namesTimes = !(rule.hours.isEmpty && rule.minutes.isEmpty)
    isCivil = frequency >= .daily || (rule.interval == 1 && namesTimes)
    var dayRule = rule
    if frequency < .daily, isCivil {
      dayRule = rule.with { ($0.frequency, $0.interval, $0.setPositions) = (.daily, 1, []) }
    }
    self.dayRule = dayRule

    func mask(_ values: [Int], or other: UInt64) -> UInt64 {
      values.isEmpty ? other : values.reduce(0) { $0 | 1 << UInt64($1) }
    }
    let every = TimesOfDay.everyMinute
    // A part that is not named comes from the start if the frequency is longer than the part. In
    // elapsed time, the steps keep the start's position in the hour, unless a named part adds
    // positions (see the windows of ElapsedSchedule).
    let takesMinute = frequency >= .daily || (frequency == .hourly && isCivil)
    let takesSecond =
      frequency >= .daily || (frequency >= .minutely && isCivil)
      || (frequency == .hourly && !rule.minutes.isEmpty)
    let hours = mask(
      rule.hours, or: frequency >= .daily ? 1 << UInt64(start.hour) : TimesOfDay.everyHour)
    let minutes = mask(rule.minutes, or: takesMinute ? 1 << UInt64(start.minute) : every)
    let seconds = mask(rule.seconds, or: takesSecond ? 1 << UInt64(start.second) : every)
    let all = TimesOfDay(hours: hours, minutes: minutes, seconds: seconds)

    let positions = rule.setPositions
    if positions.isEmpty || frequency >= .weekly {
      times = all
      return
    }
    // BYSETPOS within a day, an hour or a minute is applied here, once. A window with more than one
    // time has them because of the parts that are named within it.
    let isHour = frequency == .hourly && !rule.minutes.isEmpty
    let isMinute = frequency >= .minutely && frequency < .daily && !rule.seconds.isEmpty
    let window =
      switch frequency {
      case .daily: all
      default:
        TimesOfDay(
          hours: 1, minutes: isHour ? minutes : 1, seconds: isHour || isMinute ? seconds : 1)
      }
    let size = frequency == .daily ? 86_400 : isHour ? 3600 : 60
    times = RuleTimes.choosing(window, positions, times: all, size: size)
  }

  /// The chosen times of a list, in seconds.
  private static func choose(_ times: TimesOfDay, _ positions: [Int]) -> [Int32] {
    let places = positions.map { $0 > 0 ? $0 - 1 : times.count + $0 }
    let valid = Set(places.filter { (0..<times.count).contains($0) })
    return valid.sorted().map { Int32(times.time(rank: $0)) }
  }

  /// The times of a day whose position in their hour or minute is chosen.
  private static func choosing(
    _ window: TimesOfDay, _ positions: [Int], times: TimesOfDay, size: Int
  ) -> TimesOfDay {
    let chosen = Set(choose(window, positions).map(Int.init))
    // A window of one time: all times or none.
    if window.count == 1 { return chosen.isEmpty ? TimesOfDay(list: []) : times }
    var list: [Int32] = []
    for rank in 0..<times.count {
      let time = times.time(rank: rank)
      if chosen.contains(time % size) { list.append(Int32(time)) }
    }
    return TimesOfDay(list: list)
  }
}
