import CivilTime

// Alarms that follow an answer. Each is planned in the decision that records the answer, so it is
// planned exactly once, and a restart finds it in the record.
extension Transition {
  /// Plans what follows the prompts that this decision has closed.
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

  /// Plans the next prompt of an alarm that follows its own: whatever ended the last one, it must not
  /// have been the last one ever.
  mutating func continueChain(of id: AlarmID) {
    guard let alarm = alarm(id), case .after(let after) = alarm.schedule, after.anchor == .itself,
      openPrompts(of: id).isEmpty
    else { return }
    plan(alarm)
  }

  /// Plans an alarm so long after now as it says, or at its latest time of day.
  private mutating func plan(_ alarm: Alarm) {
    guard case .after(let after) = alarm.schedule, let zone = environment.zone(of: alarm) else {
      return
    }
    // Whole seconds, not before the time is up: a prompt's name has no fraction of a second.
    var occurrence = zone.occurrence(at: Instant(seconds: wall.secondsRoundedUp + after.seconds))
    if let latest = plan(of: alarm)?.main(after: wall), latest.instant < occurrence.instant {
      occurrence = latest
    }
    let new = newPrompt(of: alarm, occurrence)
    if isClosed(new.id) { return }
    if prompt(new.id) == nil { emit(.planned(new)) }
    // The day has been served: its latest time is not needed any more.
    for other in openPrompts(of: alarm.id)
    where other.phase == .planned && other.dueAt > new.dueAt
      && other.id.nominal.date == new.id.nominal.date
    {
      close(other, .cancelledBeforeDue, .none)
    }
  }

  /// When a prompt that was planned after an answer is due by a changed alarm, which no plan knows: so long
  /// after that answer as the alarm says now, at once where that is over; nil where it followed none, and
  /// where the change says when to begin.
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

  /// Whether somebody has said when an alarm that follows its own prompts is to begin, and that is yet
  /// to come. Unless somebody says so, it would begin its own distance from now.
  private func beginsAnew(_ after: AfterAnswer) -> Bool {
    guard let first = after.first, first > wall else { return false }
    return first != Instant(seconds: wall.seconds + after.seconds)
  }

  /// The next prompt of an alarm that follows an answer: planned already, its first one, or the
  /// latest time of a day on which it was not due before.
  func nextAfterAnswer(of alarm: Alarm, _ plan: SchedulePlan, after instant: Instant) -> Prompt? {
    let open = openPrompts(of: alarm.id)
    var best = open.first { $0.phase == .planned && $0.dueAt > instant }
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

  /// Whether a prompt of this alarm has a name on this day.
  private func wasDue(_ id: AlarmID, on date: CivilDate) -> Bool {
    let day = Int64(date.dayNumber) * 86_400 * 2..<Int64(date.dayNumber + 1) * 86_400 * 2
    return openPrompts(of: id).contains { day.contains($0.id.nominalKey) }
      || changedPrompts(of: id).contains { day.contains($0.nominalKey) }
      || home.entries[id]?.closedNominals.contains { day.contains($0) } ?? false
  }
}

extension Schedule {
  /// The other alarm whose answers this one follows.
  var anchorAlarm: AlarmID? {
    if case .after(let after) = self, case .alarm(let id) = after.anchor { return id }
    return nil
  }
}

extension Prompt {
  /// The occurrence that this is the prompt of.
  public var occurrence: Occurrence {
    Occurrence(nominal: id.nominal, fold: id.fold, instant: dueAt, moved: nil)
  }
}
