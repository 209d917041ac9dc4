import CivilTime

/// A version of an alarm, with the time and the actor of the edit.
public struct SetAlarm: Sendable, Hashable {
  public var alarm: Alarm
  public var actor: Actor
  public var at: Instant

  public init(alarm: Alarm, actor: Actor, at: Instant) {
    self.alarm = alarm
    self.actor = actor
    self.at = at
  }
}

/// Explains why an alarm has no prompt at an instant.
///
/// - Parameters:
///   - versions: all versions of the alarm, oldest first. The list contains at least one version.
///   - removal: the event that removed the alarm; nil if the alarm was not removed.
///   - before: the last prompt of the alarm before `instant`; nil if no earlier prompt exists.
///   - interruptions: the monitoring gaps shortly before and after `instant`.
///   - userName: a function that returns the name of the user with the given actor id. The function
///     returns nil if the machine does not know the name.
public func whyNot(
  at instant: Instant, versions: [SetAlarm], removal: HistoryEvent?, before: Prompt?,
  interruptions: [HistoryEvent], now: ClockReading, in home: HomeState, _ around: Environment,
  userName: @escaping @Sendable (_ actor: String) -> String?
) -> Why {
  let set = versions.last { $0.at <= instant } ?? versions[0]
  let alarm = set.alarm
  let zone = around.zone(of: alarm) ?? around.homeZone
  let words = WhyWords(zone: zone, userName: userName)
  let minute = Instant(seconds: instant.seconds - modulo(instant.seconds, 60))
  let plan = around.plan(for: alarm)
  let due = plan?.next(after: minute.adding(milliseconds: -1)).flatMap {
    $0.instant < minute.adding(seconds: 60) ? $0 : nil
  }
  var why: Why
  if let removal, removal.at <= instant {
    why = Why(
      .notDue,
      "\(words.who(removal.actor).capitalizedFirst) removed the alarm at \(words.time(removal.at))."
    )
  } else if instant < versions[0].at {
    why = Why(
      .notDue,
      "The alarm did not exist yet: \(words.who(set.actor)) set it at \(words.time(set.at)).")
  } else if let due, due.instant > now.wall, removal == nil {
    why = forecast(due, of: alarm, at: now, in: home, around)
    why.dueAt = due.instant
  } else if let due {
    why = Why(
      .stayedSilent,
      "It was due at \(words.time(due.instant)) and did not ring. The record has no prompt for it, "
        + "because the time was not monitored.")
    why.dueAt = due.instant
    why.reasons = interruptions.compactMap { entry in
      words.sentence(entry.event).map {
        Why.Reason(at: entry.at, actor: entry.actor, type: entry.event.type, text: $0)
      }
    }
  } else {
    why = Why(.notDue, "It is not due at \(words.time(instant)): ")
    why.summary +=
      holiday(of: alarm, at: minute, zone: zone, in: home)
      ?? exclusion(of: alarm, plan, at: minute, zone: zone, words)
  }
  let schedule = alarm.schedule.spelledOut.words(in: zone, typedAt: set.at) {
    home.alarm($0)?.label
  }
  why.rule = "\(schedule), \(zone.name), as set by \(words.who(set.actor)) at \(words.time(set.at))"
  why.before = before?.occurrence
  guard removal == nil else { return why }
  // The record contains only past rings. If `minute` is in the future, the function also searches
  // the plan for the last ring before `minute`.
  if minute > now.wall, let ring = home.lastRing(of: alarm.id, before: minute, after: now.wall) {
    why.before = ring
  }
  why.after =
    home.nextOccurrences(of: alarm.id, after: minute.adding(milliseconds: 59_999), count: 1).first
    ?? plan?.next(after: minute.adding(milliseconds: 59_999))
  return why
}

extension HomeState {
  /// Returns the last ring of an alarm between two instants; nil if the alarm does not ring between
  /// these instants.
  ///
  /// A plan can only search forward. Therefore the function searches from an instant shortly before
  /// the end. If the function finds no ring, the function searches again from an instant that is
  /// twice as far from the end.
  func lastRing(of id: AlarmID, before end: Instant, after start: Instant) -> Occurrence? {
    var distance: Int64 = 60
    while true {
      let from = max(end.adding(seconds: -distance), start)
      var last: Occurrence?
      var at = from
      while let next = nextOccurrences(of: id, after: at, count: 1).first, next.instant < end {
        last = next
        at = next.instant
      }
      if last != nil || from <= start { return last }
      distance *= 2
    }
  }
}

private func modulo(_ value: Int64, _ by: Int64) -> Int64 { ((value % by) + by) % by }

/// Returns the reason why an alarm is not due in the minute that starts at `minute`, in words.
private func exclusion(
  of alarm: Alarm, _ plan: SchedulePlan?, at minute: Instant, zone: Zone, _ words: WhyWords
) -> String {
  guard let plan else { return "this device does not know its zone, \(alarm.zoneName)." }
  let local = zone.civil(at: minute).dateTime
  if case .after(let after) = alarm.schedule {
    return "it follows an answer, and there was no answer \(words.span(after.seconds)) before."
  }
  if case .several(let dates) = alarm.schedule, isTakenOut(minute, of: dates, zone: zone) {
    return "this time is excluded from its schedule."
  }
  // A repeated local time has two instants, but a civil schedule is due at only one of these
  // instants. If `minute` is the other instant, the loop finds the occurrence with this local time.
  // The loop searches up to one day before and after `minute`.
  var from = minute.adding(seconds: -86_400)
  while let near = plan.next(after: from), near.instant < minute.adding(seconds: 86_400) {
    if near.nominal.date == local.date, near.nominal.time == local.time, near.moved != nil {
      return "the clocks go back and \(local.time) comes twice: it rings the first time only."
    }
    from = near.instant
  }
  guard plan.next(after: minute) != nil else { return "its schedule has ended." }
  let day = zone.resolve(CivilDateTime(date: local.date, time: .midnight)).instant
  let most = 5
  var times: [String] = []
  from = day.adding(milliseconds: -1)
  while times.count <= most, let next = plan.next(after: from), next.nominal.date <= local.date {
    if next.nominal.date == local.date { times.append("\(next.nominal.time)") }
    from = next.instant
  }
  let name = "\(local.date.weekday.name) \(local.date)"
  if times.isEmpty { return "it has no time on \(name)." }
  return "on \(name) its times are \(times.prefix(most).joined(separator: ", "))"
    + (times.count > most ? " and more." : ".")
}

/// Returns the holiday on which the alarm is not due, in words; nil if no holiday is the reason.
private func holiday(
  of alarm: Alarm, at minute: Instant, zone: Zone, in home: HomeState
) -> String? {
  let date = zone.civil(at: minute).dateTime.date
  guard case .several(let dates) = alarm.schedule, let holidays = dates.holidays,
    holidays.days.contains(date), isTakenOut(minute, of: dates, zone: zone)
  else { return nil }
  let label = home.holidays[holidays.list]?.holiday(on: date)?.label ?? ""
  return "\(date) is a holiday\(label.isEmpty ? "" : " (\(label))") of \(holidays.list)."
}

private func isTakenOut(_ minute: Instant, of dates: RecurringDates, zone: Zone) -> Bool {
  var whole = dates
  whole.excluded = []
  whole.excludedDays = []
  whole.holidays = nil
  let plan = try? SchedulePlan(.several(whole), zone: zone, seed: 0)
  return plan?.next(after: minute.adding(milliseconds: -1)).map {
    $0.instant < minute.adding(seconds: 60)
  } ?? false
}

/// Reads the end of a period as a user typed it. Returns the first instant after the period.
///
/// If the text is a date without a time, the period includes this whole day and ends at the
/// following midnight. The other accepted forms are the same as in `typedInstant`.
func typedEnd(
  _ text: String, zone: Zone, now: Instant, field: String
) throws(Refusal) -> Instant {
  if let date = try? CivilDate(parsing: text) {
    return zone.resolve(CivilDateTime(date: date.adding(days: 1), time: .midnight)).instant
  }
  return try typedInstant(text, zone: zone, now: now, field: field)
}

/// Reads a typed time as an instant.
///
/// The accepted forms are `08:00`, `yesterday 08:00`, `2026-12-01 08:00`, `2026-12-01`, `now`, and
/// RFC 3339 in UTC.
///
/// - Throws: `.invalidField` with `field` if the text has a different form.
public func typedInstant(
  _ text: String, zone: Zone, now: Instant, field: String
) throws(Refusal) -> Instant {
  if text == "now" { return now }
  if let instant = try? Instant(parsing: text) { return instant }
  let typed = String(text.map { $0 == " " ? "T" : $0 })
  if let dateTime = try? CivilDateTime(parsing: typed) { return zone.resolve(dateTime).instant }
  if let date = try? CivilDate(parsing: text) {
    return zone.resolve(CivilDateTime(date: date, time: .midnight)).instant
  }
  let today = zone.civil(at: now).dateTime.date
  let words = text.split(separator: " ").map(String.init)
  if let last = words.last, words.count <= 2, let time = try? ClockTime(parsing: last) {
    let days = words.count == 1 ? 0 : ["yesterday": -1, "today": 0, "tomorrow": 1][words[0]]
    if let days {
      return zone.resolve(CivilDateTime(date: today.adding(days: days), time: time)).instant
    }
  }
  throw Refusal(
    .invalidField, field: field,
    "\"\(text)\" is not a time; write for example 2026-12-01, \"2026-12-01 08:00\" or "
      + "\"yesterday 08:00\"")
}
