import CivilTime

// Who is told, when nobody answers. Told once for each prompt; a restart tells again only whom it
// cannot know to have been told.
extension Transition {
  /// Tells the next person of the chain.
  mutating func notify(_ prompt: Prompt, _ reason: NotifyReason) {
    guard let alarm = alarm(prompt.id.alarm) else { return }
    let position = prompt.notifyProgress.begun
    guard position < alarm.escalation.notifySteps.count else { return }
    notify(prompt.id, position: position, of: alarm, reason)
    // What has its place in the line for the voice keeps it.
    if home.speakerQueue.contains(prompt.id), isReadyToRing(prompt) { readied.insert(prompt.id) }
  }

  private mutating func notify(
    _ prompt: PromptID, position: Int, of alarm: Alarm, _ reason: NotifyReason
  ) {
    let contact = alarm.escalation.notifySteps[position].contact
    emit(.escalated(prompt, position: position, contact: contact, reason: reason))
    effects.append(
      .notify(
        ContactNotification(
          subject: .prompt(prompt), position: position, contact: contact, label: alarm.label,
          person: alarm.person, reason: reason)))
  }

  /// A first ring that waits for longer than this is late, and not about to sound. 60 s.
  private static let firstRingMilliseconds: Int64 = 60_000

  /// Why the people of an open prompt are told. Nobody is said not to have answered what did not sound.
  func notifyReason(_ prompt: Prompt) -> NotifyReason {
    if prompt.acknowledgedAt != nil { return .notCompleted }
    if prompt.isDelivered || prompt.isSounding { return .noAnswer }
    var isFirst = prompt.ringsIntended == 0
    if case .ringing(let ring, _) = prompt.phase { isFirst = ring.number == 1 }
    return isFirst
      && wall.milliseconds(since: prompt.phaseStepAt ?? wall) < Self.firstRingMilliseconds
      ? .due : .notHeard
  }

  /// Tells somebody of a prompt that is about to be closed as missed.
  ///
  /// Only of an alarm's newest: after a week without power one message says what thirty would. But what
  /// rang, and was put off until the next one took its place, is told of each time: of a task that somebody
  /// goes on putting off nobody would hear else.
  mutating func notifyOfMissed(_ prompt: Prompt, _ outcome: Outcome) {
    guard let reason = NotifyReason(rawValue: outcome.rawValue), let alarm = alarm(prompt.id.alarm),
      !alarm.escalation.notifySteps.isEmpty, !isControl(prompt, of: alarm)
    else { return }
    let isUnheardOf = outcome == .missedNoResponse && prompt.notifyProgress.begun == 0
    if !isUnheardOf, hasNewerToNotify(prompt, of: alarm) { return }
    notify(prompt, reason)
  }

  /// Whether a newer prompt of the alarm is due, and is not kept silent on purpose: then nobody would
  /// hear of either.
  private func hasNewerToNotify(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    var newer = successor(of: prompt, of: alarm)
    while let next = newer, next.dueAt <= wall {
      if !isSilenced(next, of: alarm), !isControl(next, of: alarm), !isSuppressed(next, of: alarm) {
        return true
      }
      newer = successor(of: next, of: alarm)
    }
    return false
  }

  func isControl(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    personState(alarm.person)?.phase(at: prompt.dueAt)?.kind == .control
  }

  /// Whether quiet hours end a prompt that is due.
  private func isSuppressed(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    quiet(for: alarm, at: wall)?.policy == .suppress
      && wall <= prompt.dueAt.adding(seconds: alarm.lateWindowSeconds)
  }

  /// Of what was missed nobody waits for an answer any more: whoever cannot be told of it is followed by the
  /// next at once.
  private mutating func notifyNext(after report: NotifyResult, of id: PromptID) {
    let position = report.position + 1
    guard report.reason.isOutcome, prompt(id)?.phase.isOpen != true, let alarm = alarm(id.alarm),
      position < alarm.escalation.notifySteps.count
    else { return }
    notify(id, position: position, of: alarm, report.reason)
  }

  /// After a restart: whoever was being told is told again, for nobody knows how it went.
  mutating func resumeNotifying() {
    for prompt in activePrompts() {
      guard let alarm = alarm(prompt.id.alarm) else { continue }
      resumeNotifying(of: prompt, alarm)
    }
    for unconfirmed in home.unconfirmed { notifyAgain(unconfirmed) }
  }

  /// Tells somebody again of what was missed, where that is who would be told now. What a clock put back has
  /// planned anew is not missed: if it is yet, they are told then.
  private mutating func notifyAgain(_ unconfirmed: UnconfirmedNotification) {
    guard prompt(unconfirmed.prompt)?.phase.isOpen != true,
      let alarm = alarm(unconfirmed.prompt.alarm),
      unconfirmed.position < alarm.escalation.notifySteps.count,
      alarm.escalation.notifySteps[unconfirmed.position].contact == unconfirmed.contact
    else { return }
    notify(unconfirmed.prompt, position: unconfirmed.position, of: alarm, unconfirmed.reason)
  }

  /// Tells those again of whom it is not known how it went.
  mutating func resumeNotifying(of prompt: Prompt, _ alarm: Alarm) {
    for position in prompt.notifyProgress.pending
    where position < alarm.escalation.notifySteps.count {
      notify(prompt.id, position: position, of: alarm, notifyReason(prompt))
    }
  }

  /// Records how telling somebody went.
  mutating func handle(_ report: NotifyResult) {
    switch report.subject {
    case .prompt(let id): handle(report, of: id)
    case .inactivity(let id): handle(report, of: id)
    }
  }

  private mutating func handle(_ report: NotifyResult, of id: PromptID) {
    switch report.result {
    case .notified:
      emit(
        .notified(id, position: report.position, contact: report.contact, attempt: report.attempt))
    case .failed(let reason, let isLast):
      emit(
        .notificationFailed(
          id, position: report.position, contact: report.contact, attempt: report.attempt,
          isLast: isLast, reason: reason))
      if isLast { notifyNext(after: report, of: id) }
    }
    if home.speakerQueue.contains(id), let prompt = prompt(id), isReadyToRing(prompt) {
      readied.insert(id)
    }
  }

  private mutating func handle(_ report: NotifyResult, of id: PersonID) {
    // Nobody knows any more who was erased.
    if personState(id) == nil { return }
    let news: InactivityChange =
      switch report.result {
      case .notified:
        .notified(position: report.position, contact: report.contact, attempt: report.attempt)
      case .failed(let reason, let isLast):
        .failed(
          position: report.position, contact: report.contact, attempt: report.attempt,
          isLast: isLast,
          reason: reason)
      }
    emit(.inactivity(id, news))
  }
}
