import CivilTime

// Alarms that follow an answer. The decision that records the answer also plans the prompt. So each
// prompt is planned exactly once, and a restart finds it in the record.
extension Transition {
  /// Plans the alarms that follow the prompts that this decision has closed.
  mutating func planFollowers() {
    for record in records {
      guard case .closed(let id, let outcome, _, _) = record.event else { continue }
      continueChain(of: id.alarm)
      guard outcome.isCompletion else { continue }
      for follower in (home.followers[id.alarm] ?? []).sorted() {
        if let alarm = alarm(follower), alarm.schedule.anchorAlarm == id.alarm { plan(alarm) }
      }
    }
  }

  /// Plans the next prompt of an alarm that follows its own prompts.
  ///
  /// The alarm continues after every outcome, so that no prompt is the last one by accident.
  mutating func continueChain(of id: AlarmID) {
    guard let alarm = alarm(id), case .after(let after) = alarm.schedule, after.anchor == .itself,
      openPrompts(of: id).isEmpty
    else { return }
    plan(alarm)
  }

  /// Plans an alarm that follows an answer which comes now.
  ///
  /// It is due at its distance from now, or at its latest time of day if that is earlier.
  private mutating func plan(_ alarm: Alarm) {
    guard case .after(let after) = alarm.schedule, let zone = environment.zone(of: alarm) else {
      return
    }
    // Round up to whole seconds: the id of a prompt has no fraction, and it must not be due too
    // early.
    var occurrence = zone.occurrence(at: Instant(seconds: wall.secondsRoundedUp + after.seconds))
    if let latest = plan(of: alarm)?.main(after: wall), latest.instant < occurrence.instant {
      occurrence = latest
    }
    let new = newPrompt(of: alarm, occurrence)
    if isClosed(new.id) { return }
    if prompt(new.id) == nil { emit(.planned(new)) }
    // The alarm is due on this day already, so the latest time of the day is not needed.
    for other in openPrompts(of: alarm.id)
    where other.state == .planned && other.dueAt > new.dueAt
      && other.id.nominal.date == new.id.nominal.date
    {
      close(other, .cancelledBeforeDue, .none)
    }
  }

  /// The due time of a prompt that followed an answer, for a changed alarm.
  ///
  /// No plan knows this time. It is the alarm's new distance after that answer, or now if that time
  /// has passed. The result is nil if the prompt followed no answer, or if the change says when to
  /// begin.
  func occurrence(
    of prompt: Prompt, _ alarm: Alarm, _ after: AfterAnswer, from former: Schedule
  ) -> Occurrence? {
    if alarm.schedule == former { return prompt.occurrence }
    guard case .after(let old) = former, old.anchor == after.anchor, old.first != prompt.dueAt,
      old.latest != prompt.id.nominal.time, !beginsAnew(after),
      let zone = environment.zone(of: alarm)
    else { return nil }
    let answer = prompt.dueAt.adding(seconds: -old.seconds)
    let due = max(
      answer.adding(seconds: after.seconds), Instant(seconds: wall.secondsRoundedUp))
    if let latest = plan(of: alarm)?.main(after: max(answer, wall)), latest.instant < due {
      return latest
    }
    return zone.occurrence(at: due)
  }

  /// Whether the typed beginning of an alarm that follows itself is still to come.
  ///
  /// Without a typed beginning, the alarm would begin its own distance from now.
  private func beginsAnew(_ after: AfterAnswer) -> Bool {
    guard let first = after.first, first > wall else { return false }
    return first != Instant(seconds: wall.seconds + after.seconds)
  }

  /// The next prompt of an alarm that follows an answer.
  ///
  /// It is the earliest of these: a planned prompt, the alarm's first prompt, or the latest time of
  /// a day on which the alarm was not due before.
  func nextAfterAnswer(of alarm: Alarm, _ plan: SchedulePlan, after instant: Instant) -> Prompt? {
    let open = openPrompts(of: alarm.id)
    var best = open.first { $0.state == .planned && $0.dueAt > instant }
    if case .after(let after) = alarm.schedule, let first = after.first, first > instant,
      open.isEmpty, let zone = environment.zone(of: alarm)
    {
      let occurrence = zone.occurrence(at: first)
      if let name = name(of: occurrence, of: alarm) {
        best = newPrompt(of: alarm, occurrence, named: name)
      }
    }
    var from = instant
    while let latest = plan.main(after: from) {
      from = latest.instant
      if let best, best.dueAt <= latest.instant { return best }
      let new = newPrompt(of: alarm, latest)
      if isClosed(new.id) || isPast(new.id, dueAt: latest.instant, of: alarm)
        || wasDue(alarm.id, on: latest.nominal.date)
      {
        continue
      }
      return new
    }
    return best
  }

  /// Whether a prompt of this alarm has a nominal time on this day.
  private func wasDue(_ id: AlarmID, on date: CivilDate) -> Bool {
    let day = Int64(date.dayNumber) * 86_400 * 2..<Int64(date.dayNumber + 1) * 86_400 * 2
    return openPrompts(of: id).contains { day.contains($0.id.nominalKey) }
      || changedPrompts(of: id).contains { day.contains($0.nominalKey) }
      || home.entries[id]?.closedNominals.contains { day.contains($0) } ?? false
  }
}

extension Schedule {
  /// The other alarm whose answers this schedule follows; nil if there is none.
  var anchorAlarm: AlarmID? {
    if case .after(let after) = self, case .alarm(let id) = after.anchor { return id }
    return nil
  }
}

extension Prompt {
  /// The occurrence that belongs to this prompt.
  public var occurrence: Occurrence {
    Occurrence(nominal: id.nominal, fold: id.fold, instant: dueAt, moved: nil)
  }
}
