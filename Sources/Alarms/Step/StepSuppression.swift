import CivilTime

// Four reasons can keep a due prompt silent: a pause of the person, a control phase, quiet hours,
// and the hourly limit. `step` checks these four reasons when the prompt becomes due, and again
// before each ring.
extension Transition {
  /// Suppresses or closes the prompt if the prompt must be silent now, and records the reason.
  ///
  /// - Returns: true if the prompt was suppressed or closed.
  mutating func suppressIfNeeded(_ prompt: Prompt) -> Bool {
    guard let alarm = alarm(prompt.id.alarm) else { return false }
    if isPersonPaused(prompt, of: alarm) {
      endByPause(prompt)
      return true
    }
    if personState(alarm.person)?.phase(at: prompt.dueAt)?.kind == .control {
      let end = prompt.dueAt.adding(seconds: alarm.lateWindowSeconds)
      hold(prompt, until: max(end, wall), .controlPhase)
      return true
    }
    if let quiet = quiet(for: alarm, at: wall) {
      rest(prompt, of: alarm, quiet)
      return true
    }
    guard let room = earliestUnderHourlyLimit(for: prompt, of: alarm) else { return false }
    let since = suppressedSince(prompt)
    let end = since.adding(seconds: alarm.lateWindowSeconds)
    if room <= end {
      hold(prompt, until: room, .cap)
    } else {
      hold(prompt, until: restEnd(prompt, of: alarm, window: end), .capRest)
    }
    return true
  }

  private mutating func rest(_ prompt: Prompt, of alarm: Alarm, _ quiet: ActiveQuiet) {
    switch quiet.policy {
    case .refuse, .hold: hold(prompt, until: quiet.end, .quietHours)
    // If quiet hours already hold the prompt back until their end, a change of the policy to
    // `suppress` does not end the prompt.
    case .suppress where prompt.isHeldByQuietHours:
      hold(prompt, until: quiet.end, .quietHours)
    case .suppress where prompt.ringsIntended == 0: close(prompt, .suppressedQuietHours, .none)
    case .suppress:
      let end = suppressedSince(prompt).adding(seconds: alarm.lateWindowSeconds)
      hold(prompt, until: restEnd(prompt, of: alarm, window: end), .quietRest)
    }
  }

  /// Returns the instant until which a person can answer a suppressed prompt that does not ring
  /// again.
  ///
  /// Usually, the result is the end of the late window. If the daemon still notifies contacts after
  /// the late window, the person can also answer until 5 minutes after the last notification.
  private func restEnd(_ prompt: Prompt, of alarm: Alarm, window end: Instant) -> Instant {
    max(end, answerableUntil(prompt, of: alarm) ?? end, wall)
  }

  private mutating func hold(_ prompt: Prompt, until: Instant, _ reason: Suppression.Reason) {
    // After quiet hours, the prompt begins again with the first ring of its first burst.
    let ring = reason == .quietHours ? 0 : prompt.nextRing
    emit(
      .held(
        prompt.id,
        Suppression(until: until, since: suppressedSince(prompt), ring: ring, reason: reason)))
    readied.remove(prompt.id)
  }

  /// Returns the instant at which the prompt should have rung.
  ///
  /// If the hourly limit suppresses the same ring several times, this instant does not change.
  private func suppressedSince(_ prompt: Prompt) -> Instant {
    if case .held(let suppression) = prompt.state, suppression.reason == .cap {
      return suppression.since
    }
    return prompt.nextStepAt ?? prompt.dueAt
  }

  /// The policy and the end of the quiet hours that apply at one instant.
  struct ActiveQuiet {
    var policy: QuietPolicy
    var end: Instant
  }

  /// Returns the quiet hours that suppress an alarm at an instant; nil if the alarm may sound.
  func quiet(for alarm: Alarm, at instant: Instant) -> ActiveQuiet? {
    guard let person = person(of: alarm), let rule = person.quiet,
      let stretch = rule.hours.stretch(around: instant, zone: zone(of: person))
    else { return nil }
    switch alarm.quiet {
    case .ring: return nil
    case .hold: return ActiveQuiet(policy: .hold, end: stretch.upperBound)
    case .suppress: return ActiveQuiet(policy: .suppress, end: stretch.upperBound)
    case nil: return ActiveQuiet(policy: rule.policy, end: stretch.upperBound)
    }
  }

  // MARK: Release

  /// Ends the suppression of the prompts of one person, if quiet hours hold these prompts back. The
  /// daemon calls this function after a change of the person's settings.
  mutating func release(of id: PersonID) {
    for (prompt, suppression) in heldByQuietHours() where alarm(prompt.id.alarm)?.person == id {
      release(prompt, suppression)
    }
  }

  /// Ends the suppression of the prompts of one alarm, if quiet hours hold these prompts back. The
  /// daemon calls this function after a change of the alarm's policy for quiet hours.
  mutating func release(ofAlarm id: AlarmID) {
    for (prompt, suppression) in heldByQuietHours() where prompt.id.alarm == id {
      release(prompt, suppression)
    }
  }

  /// Checks each prompt that quiet hours hold back. The function ends the suppression of a prompt
  /// in two cases: no quiet hours apply to the prompt now, or the quiet hours end before the stored
  /// end of the suppression.
  ///
  /// The two cases are possible if the clock was set back to a time before the quiet hours, or if
  /// the zone has changed.
  mutating func releaseMoved() {
    for (prompt, suppression) in heldByQuietHours() {
      guard let alarm = alarm(prompt.id.alarm) else { continue }
      let at = max(prompt.dueAt, wall)
      if quiet(for: alarm, at: at)?.end ?? at < suppression.until { release(prompt, suppression) }
    }
  }

  private func heldByQuietHours() -> [(Prompt, Suppression)] {
    activePrompts().compactMap {
      if case .held(let suppression) = $0.state, suppression.reason == .quietHours {
        ($0, suppression)
      } else {
        nil
      }
    }
  }

  /// Ends a suppression now: sets its end to the present time. If the clock was set back to a time
  /// before the due time of the prompt, the suppression ends at the due time.
  private mutating func release(_ prompt: Prompt, _ suppression: Suppression) {
    var suppression = suppression
    suppression.until = min(suppression.until, max(prompt.dueAt, wall))
    emit(.held(prompt.id, suppression))
  }

  // MARK: When an alarm or a person is saved

  /// Refuses an alarm that is due in quiet hours, if the policy of these hours is `refuse`.
  func refuseQuietHoursConflict(_ alarm: Alarm, _ plan: SchedulePlan) throws(Refusal) {
    guard let at = firstInQuietHours(alarm, plan), let person = person(of: alarm),
      let rule = person.quiet
    else { return }
    let local = zone(of: person).civil(at: at).dateTime
    throw Refusal(
      .invalidField, field: "schedule",
      "\"\(alarm.label)\" is due on \(local.date) at \(local.time), in the quiet hours of "
        + "\(alarm.person) (\(rule.hours.text)), in which no alarm may ring; choose another time, "
        + "or set the alarm's quiet_hours to ring, hold or suppress")
  }

  /// Refuses new quiet hours with the policy `refuse` if an existing alarm is due in these hours.
  func refuseQuietHoursConflict(_ person: Person) throws(Refusal) {
    guard person.quiet?.policy == .refuse else { return }
    let mine = home.alarms.filter { $0.person == person.id }.sorted { $0.id < $1.id }
    for alarm in mine {
      guard let plan = plan(of: alarm), firstInQuietHours(alarm, plan) != nil else { continue }
      throw Refusal(
        .conflict, field: "quiet_hours",
        "\"\(alarm.label)\" (\(alarm.id)) is due in these hours; change this alarm first, "
          + "or choose the policy hold or suppress")
    }
  }

  /// The maximum number of due times that `firstInQuietHours` checks. For an alarm that is due once
  /// a day, these due times cover more than a year.
  private static let checkedDueTimes = 400

  private func firstInQuietHours(_ alarm: Alarm, _ plan: SchedulePlan) -> Instant? {
    guard alarm.quiet == nil, let person = person(of: alarm), let rule = person.quiet,
      rule.policy == .refuse
    else { return nil }
    let zone = zone(of: person)
    var from = wall
    for _ in 0..<Self.checkedDueTimes {
      guard let next = plan.next(after: from) else { return nil }
      from = next.instant
      if rule.hours.stretch(around: from, zone: zone) != nil { return from }
    }
    return nil
  }
}

extension Prompt {
  /// True if the prompt waits for the end of quiet hours, and rings then.
  var isHeldByQuietHours: Bool {
    if case .held(let suppression) = state { suppression.reason == .quietHours } else { false }
  }
}
