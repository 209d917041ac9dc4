import Alarms
import CivilTime

/// The local times at which the occurrences of an event begin.
///
/// The times of an all-day event are midnights. The triggers of the event later move these times to
/// the times of day at which the alarm rings.
struct ICalendarSeries {
  /// A rule with its start. The start is also an occurrence of the rule.
  struct Piece {
    var rule: RecurrenceRule
    var start: CivilDateTime
    var recurrence: Recurrence

    init(_ rule: RecurrenceRule, _ start: CivilDateTime, _ zone: Zone) throws(CivilTimeError) {
      (self.rule, self.start) = (rule, start)
      recurrence = try Recurrence(rule: rule, start: start, zone: zone)
    }
  }

  var zone: Zone
  /// The offsets that the file defines, if no tzdata zone has these offsets; otherwise nil. If the
  /// value is not nil, all times of the series are local times with these offsets. In this case,
  /// `zone` is the tzdata zone whose offsets are most similar.
  var offsets: ICalendarOffsets?
  /// The first time of the series that is missing from its list of single times. The value is nil
  /// if a rule describes the times, or if the list is complete.
  var listedUntil: CivilDateTime?
  /// From this time on, some times can be an hour early or late; nil if all times are exact.
  var exactUntil: CivilDateTime?
  var pieces: [Piece] = []
  /// The single times. They are the times of RDATE, and the start if the start is not a time of the
  /// rules.
  var dates: Set<CivilDateTime> = []
  /// The times in EXDATE.
  var excluded: Set<CivilDateTime> = []
  /// The old times of the occurrences that a component with a RECURRENCE-ID moves or cancels.
  var movedAway: Set<CivilDateTime> = []
  /// The new times of moved occurrences. The alarm rings at each new time, even if the file also
  /// excludes an occurrence at this time.
  var added: Set<CivilDateTime> = []
  /// The new times of moved occurrences of an all-day event. The set contains only new times with a
  /// time of day. An alarm rings exactly at such a new time, without the offset of a trigger.
  var timed: Set<CivilDateTime> = []

  var isRecurring: Bool { !pieces.isEmpty || dates.count + added.count + timed.count > 1 }

  /// Adds the rules of an event. If the start is not a time of the rules, the start becomes a
  /// single time; see `CountedStart`.
  mutating func add(_ rules: [RecurrenceRule], from start: CivilDateTime) throws(CivilTimeError) {
    for counted in try CountedStart.all(rules, start: start, zone: zone) {
      if let rest = counted.rule { pieces.append(try Piece(rest, counted.start, zone)) }
      if let single = counted.single { dates.insert(single) }
    }
  }

  /// Returns true if an occurrence begins at this local time. The function ignores all exclusions.
  func contains(_ time: CivilDateTime) -> Bool {
    if dates.contains(time) { return true }
    let instant = zone.resolve(time).instant
    return pieces.contains {
      $0.recurrence.identities(at: instant).contains { $0.nominal == time }
    }
  }

  /// Returns the times of all occurrences on a day, in order. The function ignores all exclusions.
  func times(on day: CivilDate) -> [CivilDateTime] {
    var found = dates.filter { $0.date == day }
    let midnight = zone.resolve(CivilDateTime(date: day, time: .midnight)).instant
    for piece in pieces {
      var from = midnight.adding(seconds: -7_201)
      while let next = piece.recurrence.next(after: from), next.nominal.date <= day {
        if next.nominal.date == day { found.insert(next.nominal) }
        from = next.instant
      }
    }
    return found.sorted()
  }

  /// Returns the day that a value of EXDATE, UNTIL or RECURRENCE-ID means for an all-day event.
  ///
  /// Some programs write a time instead of a date. The time is the local midnight, midnight in UTC,
  /// or the local midnight converted to UTC. After a conversion to UTC, the date of the time can be
  /// the previous day.
  func day(_ time: ICalendarTime, in own: Zone) -> CivilDate {
    let days = Self.days(time, in: own, at: zone)
    return days.first { !times(on: $0).isEmpty } ?? days[0]
  }

  /// Returns the days that a value can mean for an all-day event, the most probable day first.
  static func days(_ time: ICalendarTime, in own: Zone, at zone: Zone) -> [CivilDate] {
    switch time {
    case .date(let date): return [date]
    case .local(let local):
      return [local.date, zone.civil(at: own.resolve(local).instant).dateTime.date]
    case .utc(let utc):
      let local = zone.civil(at: Zone.utc.resolve(utc).instant).dateTime.date
      let isMidnight = [0, 86_399].contains(utc.time.secondOfDay)
      let next = utc.time.hour >= 12 ? [utc.date.adding(days: 1)] : []
      return isMidnight ? [utc.date, local] : [local, utc.date] + next
    }
  }

  /// The single times and the exclusions as the schedule of an alarm contains them.
  ///
  /// In an alarm, an exclusion also removes a single time. But the alarm must always ring at the
  /// new time of a moved occurrence. Therefore the exclusions do not contain these new times.
  var resolved: (dates: Set<CivilDateTime>, excluded: Set<CivilDateTime>) {
    let removed = excluded.union(movedAway)
    let new = added.union(timed)
    return (dates.subtracting(removed).union(new), removed.subtracting(new))
  }
}

extension ICalendarSeries {
  /// The maximum size of a schedule with exclusions, in bytes. An alarm accepts 200 bytes more.
  private static let longest = AlarmRules.schedule.bytes - 200
  /// The maximum number of single times in one schedule.
  private static let mostDates = 400

  /// Returns the times as schedules of alarms. Nearly all events need one schedule. An event with
  /// very many single times needs several schedules.
  ///
  /// - Parameter now: the present instant. The schedules contain no single times and no exclusions
  ///   before this instant.
  /// - Returns: the schedules, and the first exclusion that does not fit into the maximum size of a
  ///   schedule.
  func schedules(now: Instant) -> (texts: [String], leftOut: CivilDateTime?) {
    let recent = zone.civil(at: now.adding(seconds: -86_400)).dateTime
    let (allDates, allExcluded) = resolved
    let upcoming = allDates.filter { $0 >= recent }
    var dates = (upcoming.isEmpty ? allDates : upcoming).sorted()
    if pieces.isEmpty, dates.count == 1 { return (["\(dates[0].date) \(dates[0].time)"], nil) }
    let rules = pieces.flatMap { ["DTSTART:\($0.start.calendarText)", "RRULE:\($0.rule)"] }
    var texts: [String] = []
    while dates.count > Self.mostDates {
      texts.append(Self.list("RDATE", dates.suffix(Self.mostDates)))
      dates.removeLast(Self.mostDates)
    }
    var words = rules
    if !dates.isEmpty { words.append(Self.list("RDATE", dates[...])) }
    let excluded = allExcluded.filter { $0 >= recent }.sorted()
    let length = words.reduce(0) { $0 + $1.utf8.count + 1 }
    let kept = min(excluded.count, max(0, (Self.longest - length - 8) / 16))
    // Without a rule, the schedule contains only the single dates in `dates`. No exclusion removes
    // one of these dates, so the schedule needs no EXDATE.
    if kept > 0, !rules.isEmpty { words.append(Self.list("EXDATE", excluded.prefix(kept))) }
    if !words.isEmpty { texts.insert(words.joined(separator: " "), at: 0) }
    return (texts, excluded.count > kept ? excluded[kept] : nil)
  }

  private static func list(_ name: String, _ times: ArraySlice<CivilDateTime>) -> String {
    "\(name):\(times.map(\.calendarText).joined(separator: ","))"
  }
}
