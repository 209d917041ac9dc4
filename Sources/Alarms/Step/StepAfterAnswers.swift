import CivilTime

// Alarms that are due a fixed time after an answer. The decision that records the answer also plans
// the next prompt of these alarms. Therefore each prompt is planned exactly once, and after a
// restart the daemon finds the prompt in the record.
extension Transition {
  /// Plans the next prompt of each alarm whose next due time depends on a prompt that this decision
  /// has closed.
  mutating func planFollowers() {
    for record in records {
      guard case .closed(let id, let outcome, _, _) = record.event else { continue }
      continueChain(of: id.alarm)
      guard outcome.isCompletion else { continue }
      for follower in (home.followers[id.alarm] ?? []).sorted() {
        guard let alarm = alarm(follower), alarm.schedule.anchorAlarm == id.alarm else { continue }
        if let anchor = prompt(id), hasRungInstead(alarm, of: anchor) { continue }
        plan(alarm)
      }
    }
  }

  /// Returns true if the alarm was already due at the latest time of day in its schedule, because
  /// nobody completed the anchor in time. In this case, the alarm must not ring a second time for
  /// the same anchor, because the person could take a medicine twice.
  ///
  /// If the device was off or asleep at the latest time, the prompt never rang, and the result is
  /// false.
  ///
  /// - Parameter anchor: the prompt that the person has just completed.
  private func hasRungInstead(_ alarm: Alarm, of anchor: Prompt) -> Bool {
    guard case .after(let after) = alarm.schedule, after.latest != nil, let plan = plan(of: alarm)
    else { return false }
    var from = anchor.dueAt.adding(milliseconds: -1)
    while let latest = plan.main(after: from), latest.instant <= wall {
      let id = newPrompt(of: alarm, latest).id
      let isDue = prompt(id).map { $0.state.isOpen && $0.state != .planned } ?? false
      if isDue || isClosed(id) && !isUnheard(id) { return true }
      from = latest.instant
    }
    return false
  }

  /// Plans the next prompt of an alarm that is due a fixed time after the end of its own previous
  /// prompt.
  ///
  /// The function plans the next prompt after every outcome, also after a missed prompt. Otherwise
  /// the alarm would never ring again after one missed prompt.
  mutating func continueChain(of id: AlarmID) {
    guard let alarm = alarm(id), case .after(let after) = alarm.schedule, after.anchor == .itself,
      openPrompts(of: id).isEmpty
    else { return }
    plan(alarm)
  }

  /// Plans the next prompt of an alarm that is due a fixed time after an answer.
  ///
  /// The caller must call the function at the time of the answer, when the interval of the schedule
  /// starts. Therefore the prompt is due `after.seconds` seconds from now. If the schedule contains
  /// a latest time of day and this time of day comes earlier, the prompt is due at this time of
  /// day.
  private mutating func plan(_ alarm: Alarm) {
    guard case .after(let after) = alarm.schedule, let zone = environment.zone(of: alarm) else {
      return
    }
    // A prompt id contains whole seconds only, so the due time must be a whole second. The code
    // rounds the present time up, so that the prompt is not due before the interval ends.
    var occurrence = zone.occurrence(at: Instant(seconds: wall.secondsRoundedUp + after.seconds))
    if let latest = plan(of: alarm)?.main(after: wall), latest.instant < occurrence.instant {
      occurrence = latest
    }
    let new = newPrompt(of: alarm, occurrence)
    if isClosed(new.id) { return }
    if prompt(new.id) == nil { emit(.planned(new)) }
    // The new prompt replaces each planned prompt of this alarm that is due later than the new
    // prompt on the same day.
    for other in openPrompts(of: alarm.id)
    where other.state == .planned && other.dueAt > new.dueAt
      && other.id.nominal.date == new.id.nominal.date
    {
      close(other, .cancelledBeforeDue, .none)
    }
  }

  /// Returns the new due time of a prompt after an edit of its alarm, if the due time depends on an
  /// answer.
  ///
  /// The plan of the alarm does not contain this due time, because the time of an answer is not
  /// known in advance. If the edit does not change the schedule, the due time stays the same.
  /// Otherwise, the new due time is the time of the answer plus `after.seconds`. If the new due
  /// time has passed, the prompt is due now. If the time of day `latest` of the new schedule comes
  /// earlier than this due time, the prompt is due at `latest`.
  ///
  /// The result is nil if the old due time does not depend on an answer, if the edit changes the
  /// anchor, or if the caretaker typed a new start time.
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

  /// Returns true if the caretaker typed a start time, and the start time is in the future.
  ///
  /// If the caretaker typed no start time, `PhraseReader` sets `after.first` to the present time
  /// plus `after.seconds` seconds. If the anchor is another alarm, `after.first` is nil. In both
  /// cases, the result is false.
  private func beginsAnew(_ after: AfterAnswer) -> Bool {
    guard let first = after.first, first > wall else { return false }
    return first != Instant(seconds: wall.seconds + after.seconds)
  }

  /// For one alarm, returns the first prompt that is due after `instant`. The schedule of the alarm
  /// must be `Schedule.after`: each prompt is due a fixed time after an answer.
  ///
  /// The result is the earliest of these three prompts:
  ///
  /// - the planned prompt,
  /// - if the alarm has no open prompt, the prompt at the first due time of the schedule
  ///   (`AfterAnswer.first`),
  /// - the prompt at the time of day `AfterAnswer.latest`. If the alarm was already due on a day,
  ///   the function does not use the prompt at `latest` of this day.
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

  /// Returns true if the alarm has an open or closed prompt whose scheduled time is on this day.
  private func wasDue(_ id: AlarmID, on date: CivilDate) -> Bool {
    let day = Int64(date.dayNumber) * 86_400 * 2..<Int64(date.dayNumber + 1) * 86_400 * 2
    return openPrompts(of: id).contains { day.contains($0.id.nominalKey) }
      || changedPrompts(of: id).contains { day.contains($0.nominalKey) }
      || home.entries[id]?.closedNominals.contains { day.contains($0) } ?? false
  }
}

extension Schedule {
  /// The other alarm whose completed prompt starts the interval of this schedule; nil if the
  /// schedule does not depend on another alarm.
  var anchorAlarm: AlarmID? {
    if case .after(let after) = self, case .alarm(let id) = after.anchor { return id }
    return nil
  }
}

extension Prompt {
  /// The occurrence for which this prompt was planned.
  public var occurrence: Occurrence {
    Occurrence(nominal: id.nominal, fold: id.fold, instant: dueAt, moved: nil)
  }
}
