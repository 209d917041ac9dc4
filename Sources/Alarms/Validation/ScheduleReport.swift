import CivilTime

/// The information about a schedule that a caretaker gets after an alarm was set or previewed.
public struct ScheduleReport: Hashable, Sendable {
  /// The schedule as Prompter understood it, for example `every 2 weeks on Tuesday at 10:00,
  /// Europe/Berlin; next: Tue 2026-12-01 10:00`.
  public var explanation: String
  public var warnings: [ScheduleWarning]

  public init(explanation: String, warnings: [ScheduleWarning]) {
    self.explanation = explanation
    self.warnings = warnings
  }
}

/// A warning about a schedule that the daemon accepts. The caretaker gets the warning in the reply
/// to a new or changed alarm, or in a preview.
public struct ScheduleWarning: Hashable, Sendable {
  /// The kind of a warning. The list of kinds is fixed, so that programs can rely on the names.
  public enum Kind: String, Sendable, CaseIterable {
    /// The local time of an occurrence does not exist, because the clocks are set forward. The
    /// alarm rings at a later local time.
    case gap = "gap"
    /// The local time of an occurrence exists twice, because the clocks are set back. The alarm
    /// rings only the first time.
    case fold = "fold"
    /// A second alarm is due at most 60 seconds before or after this alarm.
    case collision = "collision"
    /// Some months do not contain the day of the rule, for example the 31st. The alarm does not
    /// ring in these months.
    case missesMonths = "misses_months"
    /// An EXDATE value has no effect, because the schedule has no occurrence at this time.
    case excludesNothing = "excludes_nothing"
    /// Calendar programs do not all compute the same times for a rule of the schedule.
    case disputedRule = "disputed_rule"
    /// The value of UNTIL is not in UTC. Prompter reads it as a local time in the zone of the
    /// alarm.
    case untilNotUTC = "until_not_utc"
    /// The interval of the alarm starts when a prompt of a second alarm is completed. Without this
    /// completion, the alarm rings only if its schedule contains a latest time of day.
    case waitsForAnswer = "waits_for_answer"
    /// With these settings, the alarm never rings.
    case silent = "silent"
    /// The person is paused. The alarm is silent until the pause ends.
    case personPaused = "person_paused"
    /// The alarm is due in the quiet hours that the request for the preview contains. Only a
    /// preview contains this warning.
    case quietHours = "quiet_hours"
    /// In at least one hour, the alarm and the other alarms of its person together exceed the
    /// hourly limit.
    case hourOverLimit = "full_hour"
    /// The alarm alone would exceed the hourly limit. Only a preview contains this warning, because
    /// the daemon refuses such an alarm.
    case tooFrequent = "too_frequent"
    /// The caretaker's change ended a prompt that was due and waited for an answer.
    case endsPrompt = "ends_prompt"
    /// Because quiet hours hold a ring back, too little time remains until the next ring of the
    /// alarm.
    case tooClose = "too_close"
    /// A prompt that was already due stays open after the caretaker's change.
    case keepsPrompt = "keeps_prompt"
    /// The list of holidays that the alarm uses ends soon or has ended.
    case holidaysEnd = "holidays_end"
    /// The schedule counts working days, but names no list of holidays.
    case withoutHolidays = "without_holidays"
    /// The next prompt of the alarm can be due before a ring of an escalation step. In this case,
    /// the ring does not sound.
    case stepPastNext = "step_past_next"
    /// After "on my way", the next prompt of the alarm can be due before this prompt rings again.
    /// In this case, this prompt does not ring again.
    case completeByPastNext = "complete_by_past_next"
    /// After "later", the next prompt of the alarm can be due before this prompt rings again. In
    /// this case, this prompt does not ring again.
    case delayPastNext = "delay_past_next"
    /// The alarm names the same contact more than once.
    case contactTwice = "contact_twice"
    /// The value of DTSTART is in UTC. Prompter converted it to the zone of the alarm.
    case startInUTC = "start_in_utc"
    /// The alarm counts elapsed time, for example 24 hours. A clock change moves the rings to a
    /// different time of day.
    case elapsedMoves = "elapsed_moves"
  }

  public var kind: Kind
  /// The warning as a sentence.
  public var text: String

  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

extension Transition {
  /// The report for the caretaker about the present version of an alarm.
  func report(on alarm: Alarm) -> ScheduleReport {
    guard let zone = environment.zone(of: alarm), let plan = plan(of: alarm) else {
      return ScheduleReport(explanation: alarm.phrase, warnings: [])
    }
    let next = nextOccurrences(of: alarm)
    let label: (AlarmID) -> String? = { self.alarm($0)?.label }
    var warnings = ScheduleWarning.warnings(for: alarm, plan, zone: zone, from: wall, label: label)
    warnings += collisions(of: alarm, next)
    warnings += hourOverLimitWarnings(of: alarm, next)
    warnings += pastNextWarnings(of: alarm, zone: zone) + contactTwiceWarnings(of: alarm)
    if let tooClose = tooClose(alarm) { warnings.append(tooClose) }
    if let end = holidaysEnd(of: alarm) { warnings.append(end) }
    let pause = pauseWarning(of: alarm, zone: zone, next.first)
    warnings += [pause].compactMap { $0 }
    if next.isEmpty, pause == nil, alarm.schedule.anchorAlarm == nil,
      !isAnythingOpen(of: alarm.id)
    {
      warnings.append(ScheduleWarning(.silent, "with these settings it never rings"))
    }
    return ScheduleReport(
      explanation: alarm.explanation(next: next.first, zone: zone, now: wall, label: label),
      warnings: warnings)
  }

  /// The warning that the person is paused. If the first ring after the pause is known, the warning
  /// contains the time of this ring.
  private func pauseWarning(of alarm: Alarm, zone: Zone, _ first: Occurrence?) -> ScheduleWarning? {
    guard let pause = personState(alarm.person)?.pause(at: wall) else { return nil }
    guard let until = pause.until else {
      return ScheduleWarning(
        .personPaused,
        "\(alarm.person) is paused without an end: the alarm is silent until somebody ends the pause "
          + "with: prompter resume --person \(alarm.person)")
    }
    let local = first.map { zone.civil(at: $0.instant).dateTime }
    return ScheduleWarning(
      .personPaused,
      "\(alarm.person) is paused until \(pauseEndWords(until, of: alarm.person)): "
        + (local.map { "the first ring after the pause is on \($0.date) at \($0.time)" }
          ?? "no ring after the pause is known yet")
        + "; to end the pause now: prompter resume --person \(alarm.person)")
  }

  /// Describes in words the instant at which the pause of a person ends, in the person's zone.
  func pauseEndWords(_ until: Instant, of id: PersonID) -> String {
    let home = personState(id)?.person.map { zone(of: $0) } ?? environment.homeZone
    return home.civil(at: until).dateTime.pauseEndWords
  }

  /// If a home has at most this number of alarms, `collisions` computes the due times of all
  /// alarms. If a home has more alarms, `collisions` uses only the planned prompts of the existing
  /// alarms.
  private static let mostCompared = 200

  private func collisions(of alarm: Alarm, _ next: [Occurrence]) -> [ScheduleWarning] {
    var found: [ScheduleWarning] = []
    func note(_ other: Alarm, _ at: Instant, isEachTime: Bool) {
      let local = (environment.zone(of: alarm) ?? environment.homeZone).civil(at: at).dateTime
      let who = other.person == alarm.person ? "" : " (\(home.shownName(of: other.person)))"
      let day = isEachTime ? "" : "on \(local.date) "
      found.append(
        ScheduleWarning(
          .collision, "it rings together with \"\(other.label)\"\(who) \(day)at \(local.time)"))
    }
    func isNear(_ a: Instant, _ b: Instant) -> Bool { abs(a.milliseconds(since: b)) <= 60_000 }
    if home.entries.count > Self.mostCompared {
      for prompt in home.openPrompts where prompt.id.alarm != alarm.id && prompt.state == .planned {
        guard next.contains(where: { isNear($0.instant, prompt.dueAt) }) else { continue }
        if let other = self.alarm(prompt.id.alarm) {
          note(other, prompt.dueAt, isEachTime: false)
        }
        if found.count == 5 { break }
      }
      return found
    }
    for (id, entry) in home.entries.sorted(by: { $0.key < $1.key }) where id != alarm.id {
      guard let other = self.alarm(id), let plan = entry.plan else { continue }
      let near = next.compactMap { occurrence -> Instant? in
        // Search from 60 seconds before the occurrence, but never in the past, because an alarm
        // does not ring for a due time that has passed.
        let before = max(occurrence.instant.adding(milliseconds: -60_001), wall)
        return plan.next(after: before).flatMap {
          isNear($0.instant, occurrence.instant) ? $0.instant : nil
        }
      }
      if let first = near.first {
        note(other, first, isEachTime: near.count > 1 && near.count == next.count)
      }
      if found.count == 5 { break }
    }
    return found
  }
}

extension Alarm {
  /// The schedule in words, with its zone, its early reminders and its next ring.
  func explanation(
    next: Occurrence?, zone: Zone, now: Instant, label: (AlarmID) -> String?
  ) -> String {
    var words = schedule.spelledOut.words(in: zone, typedAt: now, label: label)
    for earlyReminder in earlyReminders { words += ", and \(earlyReminder.words)" }
    if let until = pauses.until { words += ", paused until \(until.pauseEndWords)" }
    let zoneWords =
      zoneName == Alarm.floating ? "always in the home's zone (\(zone.name))" : zone.name
    words += ", \(zoneWords); next: "
    guard let next else { return words + "not known yet" }
    let local = zone.civil(at: next.instant).dateTime
    return words + "\(local.date.weekday.name.prefix(3)) \(local.date) \(local.time)"
  }
}

extension ScheduleWarning {
  /// The length of the period in which `clockChanges` searches, in seconds: 400 days. The period is
  /// longer than a year, so it contains every clock change that happens once a year.
  private static let horizonSeconds: Int64 = 400 * 86_400

  static func warnings(
    for alarm: Alarm, _ plan: SchedulePlan, zone: Zone, from: Instant,
    label: (AlarmID) -> String?
  ) -> [ScheduleWarning] {
    var warnings = ruleWarnings(alarm.schedule, zone: zone)
    warnings += disputed(alarm.schedule, plan, zone: zone, from: from).map { [$0] } ?? []
    warnings += withoutHolidays(alarm.schedule)
    warnings += clockChanges(plan, zone: zone, from: from)
    warnings += elapsedMoves(
      alarm.schedule, plan, zone: zone, from: from, horizon: from.adding(seconds: horizonSeconds))
    if case .after(let after) = alarm.schedule, case .alarm(let id) = after.anchor {
      let other = label(id).map { "\"\($0)\"" } ?? "alarm \(id)"
      warnings.append(
        ScheduleWarning(
          .waitsForAnswer,
          after.latest.map {
            "it rings after \(other) is completed, and at \($0) at the latest"
          } ?? "it rings only after \(other) is completed"))
    }
    return warnings
  }

  /// Warnings about clock changes, one for each clock change. Each warning names the first
  /// occurrence that the clock change moves.
  private static func clockChanges(
    _ plan: SchedulePlan, zone: Zone, from: Instant
  ) -> [ScheduleWarning] {
    var warnings: [ScheduleWarning] = []
    var change = from
    let horizon = from.adding(seconds: horizonSeconds)
    while let next = zone.nextOffsetChange(after: change), next < horizon, warnings.count < 4 {
      change = next
      var at = max(from, next.adding(seconds: -10_800))
      // The loop checks at most 512 occurrences, from 3 hours before the clock change to 3 hours
      // after it. The limit of 512 hides no warning. Only a schedule with very short intervals has
      // more than 512 occurrences in these 6 hours, and a clock change never moves the occurrences
      // of such a schedule.
      for _ in 0..<512 {
        guard let due = plan.next(after: at), due.instant < next.adding(seconds: 10_800) else {
          break
        }
        at = due.instant
        guard let moved = due.moved else { continue }
        warnings.append(sentence(due, moved, zone))
        break
      }
    }
    return warnings
  }

  private static func sentence(
    _ due: Occurrence, _ moved: ClockChange, _ zone: Zone
  ) -> ScheduleWarning {
    let day = due.nominal.date
    let shown = zone.civil(at: due.instant).dateTime.time
    switch moved {
    case .gap:
      return ScheduleWarning(
        .gap,
        "on \(day) the clocks go forward and \(due.nominal.time) does not exist: it rings at \(shown)"
      )
    case .fold:
      return ScheduleWarning(
        .fold,
        "on \(day) the clocks go back and \(due.nominal.time) comes twice: it rings the first time only"
      )
    }
  }

  /// The warnings that `Recurrence` returned about the rules of a schedule.
  private static func ruleWarnings(_ schedule: Schedule, zone: Zone) -> [ScheduleWarning] {
    var found: [RecurrenceWarning] = []
    var ends: [RecurrenceRule.End] = []
    switch schedule {
    case .recurring(let rule, let start):
      found = (try? Recurrence(rule: rule, start: start, zone: zone))?.warnings ?? []
      ends = [rule.end]
    case .several(let parts):
      found = (try? RecurrenceSet(parts, zone: zone))?.warnings ?? []
      ends = parts.rules.map(\.rule.end)
    default: return []
    }
    // An end without a time, for example "until 2026-12-31", includes the whole last day and needs
    // no warning.
    let isUntilLocal = ends.contains { if case .untilLocal = $0 { true } else { false } }
    var warnings: [ScheduleWarning] = []
    for warning in found {
      let kind: Kind? =
        switch warning {
        case .missesMonths: .missesMonths
        case .untilNotUTC: isUntilLocal ? .untilNotUTC : nil
        case .excludesNothing: .excludesNothing
        case .startNotInRule, .excludesWholeDay: nil
        }
      guard let kind else { continue }
      let new = ScheduleWarning(kind, warning.description)
      if !warnings.contains(new) { warnings.append(new) }
    }
    return warnings
  }
}
