import CivilTime

extension AlarmRules {
  public static let schedule = TextRule(0...16_384, bytes: 16_384, hasLines: true)
  public static let earlyReminders = 0...8
  static let leadSeconds: ClosedRange<Int64> = 60...(60 * 86_400)
  static let skipNext: ClosedRange<Int64> = 0...100
  static let excludedRanges = 0...366
}

extension Transition {
  /// Reads the schedule and the early reminders of an alarm from a form.
  func setting(
    _ form: AlarmForm, basedOn old: Alarm?, id: AlarmID, zone: Zone
  ) throws(Refusal) -> (schedule: Schedule, phrase: String, earlyReminders: [EarlyReminder]) {
    var setting: (schedule: Schedule, phrase: String, earlyReminders: [EarlyReminder])
    if let old, form.schedule ?? old.phrase == old.phrase {
      setting = (old.schedule, old.phrase, old.earlyReminders)
    } else if let typed = form.schedule {
      let phrase = try plain(typed)
      let parsed = try SchedulePhrase(
        phrase, now: wall, zone: zone,
        findAlarm: { (name) throws(Refusal) in try self.alarmNamed(name) },
        findHolidays: { (name) throws(Refusal) in try self.home.holidays(named: name) }
      ).parsed()
      setting = (parsed.schedule, parsed.phrase, parsed.earlyReminders)
    } else {
      throw Refusal(
        .invalidField, field: "schedule", "it is missing; write for example \"every day 08:00\"")
    }
    if setting.schedule.anchorAlarm == id {
      throw Refusal(
        .invalidField, field: "schedule",
        "an alarm cannot follow itself; write \"… after the last completion\"")
    }
    if let texts = form.earlyReminders {
      setting.earlyReminders = []
      for text in texts {
        let earlyReminder = try SchedulePhrase.earlyReminder(text, now: wall, zone: zone)
        if !setting.earlyReminders.contains(earlyReminder) {
          setting.earlyReminders.append(earlyReminder)
        }
      }
    }
    try check(setting.earlyReminders, before: setting.schedule)
    return setting
  }

  /// Returns the typed schedule, with a space instead of each tab and each CR.
  ///
  /// A caretaker can copy a rule from a calendar file. The copied rule can contain tabs and CRs.
  ///
  /// - Throws: a refusal if the schedule contains a forbidden character. The function does not
  ///   check the length of the schedule, because the parser checks the length.
  private func plain(_ typed: String) throws(Refusal) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in typed.unicodeScalars {
      plain.append(scalar == "\t" || scalar == "\r" ? " " : scalar)
    }
    let text = String(plain)
    if text.utf8.count > AlarmRules.schedule.bytes { return text }
    return try AlarmRules.schedule.check(text, field: "schedule")
  }

  private func check(_ earlyReminders: [EarlyReminder], before schedule: Schedule) throws(Refusal) {
    guard AlarmRules.earlyReminders.contains(earlyReminders.count) else {
      throw Refusal(
        .invalidField, field: "leads", "at most \(AlarmRules.earlyReminders.upperBound) are allowed"
      )
    }
    for case .elapsed(let seconds) in earlyReminders {
      try check(seconds, in: AlarmRules.leadSeconds, field: "leads")
    }
    switch schedule {
    case .random, .after:
      if earlyReminders.isEmpty { return }
      throw Refusal(
        .invalidField, field: "leads", "an early reminder needs a time that is known in advance")
    default: return
    }
  }

  /// Returns the alarm whose id is `name`. If no alarm has this id, returns the only alarm whose
  /// label is `name`.
  private func alarmNamed(_ name: String) throws(Refusal) -> AlarmID {
    if let alarm = alarm(AlarmID(name.lowercased())) { return alarm.id }
    let found = home.alarms.filter { $0.label.lowercased() == name.lowercased() }.map(\.id).sorted()
    if found.count == 1 { return found[0] }
    let ids = found.prefix(5).map(\.text).joined(separator: ", ")
    throw Refusal(
      .invalidField, field: "schedule",
      found.isEmpty
        ? "there is no alarm \"\(name)\"; use its id or its label"
        : "\(found.count) alarms have the label \"\(name)\"; use one of their ids: \(ids)")
  }

  /// Refuses to remove an alarm if the due times of a second alarm depend on this alarm. Without
  /// the refusal, the second alarm would never ring again.
  func refuseOrphans(of id: AlarmID) throws(Refusal) {
    let waiting = (home.followers[id] ?? []).compactMap { alarm($0) }.map { "\"\($0.label)\"" }
    guard let first = waiting.sorted().first else { return }
    throw Refusal(
      .inUse,
      waiting.count > 1
        ? "cannot remove the alarm: without it, \(first) and others would never ring again; first "
          + "change their schedules"
        : "cannot remove the alarm: without it, \(first) would never ring again; first change its "
          + "schedule")
  }

  // MARK: Pauses

  func pauses(
    _ form: AlarmForm, of alarm: Alarm, basedOn old: Pauses, zone: Zone
  ) throws(Refusal) -> Pauses {
    var pauses = old
    if let text = form.pausedUntil {
      pauses.until =
        text.isEmpty ? nil : try pauseEnd(text, zone: zone, field: "paused_until").local
    }
    if let texts = form.exclude {
      guard AlarmRules.excludedRanges.contains(texts.count) else {
        throw Refusal(
          .invalidField, field: "exclude",
          "at most \(AlarmRules.excludedRanges.upperBound) dates or ranges are allowed")
      }
      var days: [ClosedRange<CivilDate>] = []
      for text in texts { days.append(try excluded(text)) }
      pauses = Pauses(until: pauses.until, occurrences: pauses.occurrences, days: days)
    }
    if let count = form.skipNext {
      try check(Int64(count), in: AlarmRules.skipNext, field: "skip_next", unit: "times")
      pauses.occurrences = []
      let skipped = try next(count, of: alarm, besides: pauses, zone: zone)
      pauses = Pauses(until: pauses.until, occurrences: skipped, days: pauses.days)
    }
    return pauses
  }

  /// Reads the end of a pause: the first time after the pause.
  ///
  /// If the text is a date without a time, the pause includes this whole day. Example: for
  /// `2026-12-27`, the pause ends on 2026-12-28 at 00:00. If the text contains a time, the pause
  /// ends at this time.
  func pauseEnd(
    _ text: String, zone: Zone, field: String
  ) throws(Refusal) -> (local: CivilDateTime, instant: Instant) {
    var until: (local: CivilDateTime, instant: Instant)
    if text.isEmpty {
      throw Refusal(
        .invalidField, field: field, "it is empty; write a date, for example 2026-12-24")
    }
    if let day = try? CivilDate(parsing: text) {
      until = zone.start(of: day.adding(days: 1))
    } else if let midnight = day(text, zone: zone) {
      // The text is a day without a time, for example `tomorrow`.
      until = zone.start(of: midnight.local.date.adding(days: 1))
    } else {
      do throws(Refusal) {
        until = try reading(text, zone: zone)
      } catch {
        throw Refusal(.invalidField, field: field, error.detail)
      }
    }
    if until.instant <= wall {
      throw Refusal(
        .invalidField, field: field,
        "\(until.local.pauseEndWords) is in the past; choose a later time")
    }
    return until
  }

  /// Reads a day without a time, for example `tomorrow` or `friday`; returns nil for any other
  /// text.
  private func day(_ text: String, zone: Zone) -> (local: CivilDateTime, instant: Instant)? {
    // A text such as "in 2 days" means an instant, and not a whole day. Therefore the result is
    // nil.
    if text.lowercased().hasPrefix("in ") { return nil }
    return (try? reading("\(text) 00:00", zone: zone))
      ?? (try? reading("next \(text) 00:00", zone: zone))
  }

  /// Reads a date and time, for example `tomorrow 08:00`, `in 2 days` or `2026-12-24 08:00`.
  private func reading(
    _ text: String, zone: Zone
  ) throws(Refusal) -> (local: CivilDateTime, instant: Instant) {
    switch try SchedulePhrase(text, now: wall, zone: zone).parsed().schedule {
    case .once(let dateTime): return (dateTime, zone.resolve(dateTime).instant)
    case .at(let instant): return (zone.civil(at: instant).dateTime, instant)
    default: throw Refusal(.invalidField, "expected a date, for example 2026-12-24")
    }
  }

  /// Reads a day or a range of days, for example `2026-12-24` or `2026-12-24/2026-12-26`.
  private func excluded(_ text: String) throws(Refusal) -> ClosedRange<CivilDate> {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    do {
      let first = try CivilDate(parsing: parts[0])
      let last = parts.count > 1 ? try CivilDate(parsing: parts[1]) : first
      guard parts.count <= 2 else { throw notDates(text) }
      guard first <= last else {
        throw Refusal(.invalidField, field: "exclude", "\"\(text)\" ends before it begins")
      }
      return first...last
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw notDates(text)
    }
  }

  private func notDates(_ text: String) -> Refusal {
    Refusal(
      .invalidField, field: "exclude",
      "\"\(text)\" is neither a date like 2026-12-24 nor a range like 2026-12-24/2026-12-26")
  }

  /// The keys (`PromptID.nominalKey`) of the next `count` occurrences. The function skips
  /// occurrences that are already paused.
  private func next(
    _ count: Int, of alarm: Alarm, besides pauses: Pauses, zone: Zone
  ) throws(Refusal) -> [Int64] {
    if count == 0 { return [] }
    if case .after = alarm.schedule {
      let planned = openPrompts(of: alarm.id).filter { $0.state == .planned }
      if planned.count >= count { return planned.prefix(count).map(\.id.nominalKey) }
      throw Refusal(
        .invalidField, field: "skip_next",
        "the number of planned times is \(planned.count); later times are not known yet")
    }
    guard let plan = try? SchedulePlan(alarm, zone: zone) else { return [] }
    var keys: [Int64] = []
    var from = wall
    while keys.count < count, let next = plan.main(after: from) {
      from = next.instant
      if !pauses.interruptions(next.nominal, fold: next.fold), let name = name(of: next, of: alarm)
      {
        keys.append(name.nominalKey)
      }
    }
    return keys
  }
}

extension Zone {
  /// The midnight at the start of a day.
  fileprivate func start(of day: CivilDate) -> (local: CivilDateTime, instant: Instant) {
    let midnight = CivilDateTime(date: day, time: .midnight)
    return (midnight, resolve(midnight).instant)
  }
}
