import CivilTime

// The edit of an alarm by a caretaker. An edit can end the open prompts of the alarm.
extension Transition {
  mutating func edit(
    _ id: AlarmID, _ condition: VersionCondition?, _ form: AlarmForm
  ) throws(Refusal) {
    let old = try living(id, condition)
    let alarm = try checked(form, basedOn: old, id: id)
    if alarm == old {
      reply = .alarm(old, next: expectedRings(of: old), report(on: old))
      return
    }
    if !form.allowsDuplicate, !alarm.isAnnouncement, alarm.isSetElsewhere(than: old) {
      try refuseDuplicate(alarm)
    }
    try refuseHeavy(alarm, insteadOf: old)
    var new = alarm
    new.version = old.version + 1
    let open = openPrompts(of: id)
    emit(.alarmEdited(new))
    let (kept, ended) = endOrKeep(open.filter { $0.state != .planned }, of: new, insteadOf: old)
    for prompt in open where prompt.state == .planned {
      replan(prompt, for: new, from: old.schedule)
    }
    let next = nextPrompt(of: id, after: wall)
    if let next { plan(next) }
    if next == nil { continueChain(of: id) }
    if form.endsPrompt != true, let prompt = ended.first {
      try refuseLastEnd(of: prompt, new, next: next)
    }
    rehearse(new)
    if next == nil, new.schedule != old.schedule { try refuseNeverDue(new) }
    var report = report(on: new, typed: form)
    report.warnings += ended.map(self.ended) + kept.map(self.kept)
    reply = .alarm(new, next: expectedRings(of: new), report)
  }

  /// Refuses a new schedule if the alarm would never ring from now on.
  private func refuseNeverDue(_ alarm: Alarm) throws(Refusal) {
    if alarm.schedule.anchorAlarm != nil || isAnythingOpen(of: alarm.id) { return }
    throw neverDue(alarm)
  }

  /// Keeps or ends the due prompts of an alarm after a change of this alarm.
  ///
  /// A prompt that stays open uses the new version of the alarm.
  private mutating func endOrKeep(
    _ due: [Prompt], of new: Alarm, insteadOf old: Alarm
  ) -> (kept: [Prompt], ended: [Prompt]) {
    let isKept = new.keepsOpenPrompts(of: old)
    var kept: [Prompt] = []
    var ended: [Prompt] = []
    for prompt in due {
      if isKept, !isSilenced(prompt, of: new) || isSilenced(prompt, of: old) {
        emit(.revised(prompt.id, version: new.version))
        kept.append(prompt)
      } else {
        close(prompt, .supersededByEdit, .none)
        ended.append(prompt)
      }
    }
    if new.quiet != old.quiet { release(ofAlarm: new.id) }
    return (kept, ended)
  }

  /// Refuses a change if the change would end an open prompt and the alarm would then never ring
  /// again.
  ///
  /// Example: a caretaker changes an alarm while the alarm rings. Without this refusal, the change
  /// would end the prompt, and the alarm would never ring again. A caretaker would not expect a
  /// silent alarm.
  private func refuseLastEnd(of prompt: Prompt, _ alarm: Alarm, next: Prompt?) throws(Refusal) {
    if next != nil || alarm.schedule.anchorAlarm != nil || isAnythingOpen(of: alarm.id) { return }
    throw Refusal(
      .endsPrompt,
      "cannot change \"\(alarm.label)\": the change would end its prompt of "
        + "\(prompt.id.nominal.date) at \(prompt.id.nominal.time), and then the alarm would never "
        + "ring again; wait until the prompt is over, or set ends_prompt (--ends-prompt)")
  }

  /// Returns the warning that the change of the alarm has ended a prompt. `prompt` is the state of
  /// this prompt before the change.
  private func ended(_ prompt: Prompt) -> ScheduleWarning {
    let was =
      switch prompt.state {
      case .acknowledged: "somebody had answered \"on my way\""
      case .delayed: "it was delayed"
      case .held: "it was held back"
      case .planned, .waiting, .ringing, .expiring, .closed: "nobody had answered it"
      }
    return ScheduleWarning(
      .endsPrompt,
      "the change has ended the prompt of \(prompt.id.nominal.date) at \(prompt.id.nominal.time): "
        + "\(was); it does not ring again, and no contact is notified about it")
  }

  /// Returns the warning that an open prompt continues with the new version of its alarm.
  private func kept(_ prompt: Prompt) -> ScheduleWarning {
    let rings =
      switch prompt.state {
      case .expiring: "it has rung for the last time, and can still be answered"
      case .held(let suppression) where !suppression.ringsAfterwards:
        "it does not ring again, and can still be answered"
      case .planned, .waiting, .ringing, .delayed, .acknowledged, .held, .closed:
        "the change takes effect from its next ring"
      }
    return ScheduleWarning(
      .keepsPrompt,
      "the prompt of \(prompt.id.nominal.date) at \(prompt.id.nominal.time) stays open: \(rings)")
  }

  /// Keeps or closes a planned prompt after an edit of its alarm.
  ///
  /// The function keeps the prompt if the edited alarm still has an occurrence with the id of this
  /// prompt. The new due time of the prompt is the instant of this occurrence. Otherwise, the
  /// function closes the prompt.
  ///
  /// - Parameter former: the schedule before the change.
  mutating func replan(_ prompt: Prompt, for alarm: Alarm, from former: Schedule) {
    var occurrence = plan(of: alarm)?.next(after: prompt.dueAt.adding(milliseconds: -1))
    if case .after(let after) = alarm.schedule {
      occurrence = self.occurrence(of: prompt, alarm, after, from: former)
    }
    guard let occurrence else {
      close(prompt, .supersededByEdit, .none)
      return
    }
    let kept = newPrompt(of: alarm, occurrence)
    if kept.id == prompt.id {
      emit(.planned(kept))
      return
    }
    close(prompt, .supersededByEdit, .none)
    if case .after = alarm.schedule, !isClosed(kept.id) { plan(kept) }
  }
}

extension Alarm {
  /// Returns true if this version and the version `old` differ in a field that `refuseDuplicate`
  /// compares.
  fileprivate func isSetElsewhere(than old: Alarm) -> Bool {
    label != old.label || person != old.person || zoneName != old.zoneName
      || schedule != old.schedule || earlyReminders != old.earlyReminders
  }

  /// Returns true if this new version of an alarm keeps the open prompts of the previous version.
  ///
  /// An edit keeps open prompts if the edit changes only these fields: words, voice, picture,
  /// calendar event, delays, supplies, and the policy for quiet hours. These fields change only
  /// what a person hears, sees and can answer at the next ring. An edit of the due times, the
  /// person, the questions or the escalation ends the open prompts. The function ignores the
  /// pauses. The caller must check for each prompt if a pause silences the prompt.
  func keepsOpenPrompts(of old: Alarm) -> Bool {
    var same = old.withoutStepTones
    same.version = version
    same.label = label
    same.instructions = instructions
    same.phrase = phrase
    same.tone = tone
    same.image = image
    same.calendarUID = calendarUID
    same.calendarRevision = calendarRevision
    same.delaySeconds = delaySeconds
    same.delayLimit = delayLimit
    same.quiet = quiet
    same.pauses = pauses
    same.uses = uses
    return same == withoutStepTones
  }

  /// A copy of the alarm without the tones of the escalation steps.
  private var withoutStepTones: Alarm {
    var silent = self
    silent.escalation.first.tone = nil
    for index in escalation.later.indices { silent.escalation.later[index].tone = nil }
    silent.escalation.completion?.tone = nil
    return silent
  }
}
