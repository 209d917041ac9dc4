/// The times of day of a rule, and the clock that the rule follows: wall-clock time or elapsed
/// time.
struct RuleTimes {
  /// True if the rule uses wall-clock time; false if the rule uses elapsed time.
  ///
  /// A rule with a frequency shorter than a day uses elapsed time, so that the interval of "every 6
  /// hours" is always 6 hours. One exception: an hourly, minutely or secondly rule with the
  /// interval 1 uses wall-clock time if it has BYHOUR or BYMINUTE. Reason: BYHOUR and BYMINUTE are
  /// times of day. Example: a rule has BYHOUR=2. If this rule used elapsed time, the alarm would
  /// not ring on a day on which the clocks skip the hour from 02:00 to 03:00. On a day on which the
  /// clocks show this hour twice, the alarm would ring twice.
  let isCivil: Bool
  let times: TimesOfDay
  /// The rule that determines the days. If the original rule uses wall-clock time and has a
  /// frequency shorter than a day, `dayRule` is a copy with FREQ=DAILY.
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
    // Consider a rule without BYMINUTE. If `takesMinute` is true, the set `minutes` contains only
    // the minute of the start. If `takesMinute` is false, the set contains all minutes. The same is
    // true for BYSECOND, `takesSecond` and the set `seconds`. If the rule uses elapsed time,
    // `ElapsedSchedule` later computes the minute and the second from the start. Exception: for an
    // hourly rule with BYMINUTE, `ElapsedSchedule` does not compute the second. Therefore
    // `takesSecond` is true for such a rule.
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
    // BYSETPOS chooses from all times of day within one window. Depending on the frequency of the
    // rule, the window is a day, an hour or a minute. A window can contain several times only if
    // the rule has a part for a unit that is shorter than the window. Example: the window is an
    // hour, and the rule has BYMINUTE.
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

  /// The times of day at the positions that BYSETPOS chooses, as seconds after midnight.
  private static func choose(_ times: TimesOfDay, _ positions: [Int]) -> [Int32] {
    let places = positions.map { $0 > 0 ? $0 - 1 : times.count + $0 }
    let valid = Set(places.filter { (0..<times.count).contains($0) })
    return valid.sorted().map { Int32(times.time(rank: $0)) }
  }

  /// Applies BYSETPOS to the times of each period, and returns all chosen times of the day. A
  /// period is a day, an hour or a minute. `size` is the length of a period in seconds.
  private static func choosing(
    _ window: TimesOfDay, _ positions: [Int], times: TimesOfDay, size: Int
  ) -> TimesOfDay {
    let chosen = Set(choose(window, positions).map(Int.init))
    // `window` contains the times of one period (a day, an hour or a minute). If each period
    // contains only one time, BYSETPOS chooses either all times or no time.
    if window.count == 1 { return chosen.isEmpty ? TimesOfDay(list: []) : times }
    var list: [Int32] = []
    for rank in 0..<times.count {
      let time = times.time(rank: rank)
      if chosen.contains(time % size) { list.append(Int32(time)) }
    }
    return TimesOfDay(list: list)
  }
}
