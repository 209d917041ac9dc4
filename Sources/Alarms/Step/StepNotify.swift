import CivilTime

// The notifications that contacts get if nobody answers a prompt. The daemon notifies each contact
// once about each prompt. After a restart, the daemon repeats a notification only if the result of
// the first attempt is unknown.
extension Transition {
  /// Notifies the next contact in the escalation of a prompt.
  mutating func notify(_ prompt: Prompt, _ reason: NotifyReason) {
    guard let alarm = alarm(prompt.id.alarm) else { return }
    let position = prompt.notifyProgress.begun
    guard position < alarm.escalation.notifySteps.count else { return }
    notify(prompt.id, position: position, of: alarm, reason)
    // The notification changes the prompt, and a changed prompt leaves the speaker queue. If this
    // prompt was in the queue, the code puts the prompt back into its old position.
    if home.speakerQueue.contains(prompt.id), isReadyToRing(prompt) { readied.insert(prompt.id) }
  }

  private mutating func notify(
    _ prompt: PromptID, position: Int, of alarm: Alarm, _ reason: NotifyReason
  ) {
    let contact = alarm.escalation.notifySteps[position].contact
    emit(.escalated(prompt, position: position, contact: contact, reason: reason))
    let task = task(of: prompt)
    effects.append(
      .notify(
        ContactNotification(
          subject: .prompt(prompt), position: position, contact: contact, label: alarm.label,
          person: alarm.person, personName: task.person,
          text: NoticeText.sentence(reason, task)?.capitalizedFirst ?? alarm.label, reason: reason))
    )
  }

  /// The longest normal wait for the first ring of a prompt, in milliseconds: 60 s.
  ///
  /// If no ring has sounded after this time, the daemon notifies contacts with the reason
  /// `notHeard` instead of `due`.
  private static let firstRingMilliseconds: Int64 = 60_000

  /// Returns the reason that the daemon states in a notification about an open prompt.
  ///
  /// If nobody could hear a ring, the reason is never `noAnswer`.
  func notifyReason(_ prompt: Prompt) -> NotifyReason {
    if prompt.acknowledgedAt != nil { return .notCompleted }
    if prompt.isDelivered || prompt.isSounding { return .noAnswer }
    var isFirst = prompt.ringsIntended == 0
    if case .ringing(let ring, _) = prompt.state { isFirst = ring.number == 1 }
    return isFirst
      && wall.milliseconds(since: prompt.stateStepAt ?? wall) < Self.firstRingMilliseconds
      ? .due : .notHeard
  }

  /// Notifies a contact before a prompt is closed as missed.
  ///
  /// The daemon notifies contacts only about the newest prompt of an alarm, because one message
  /// after a week without power is as useful as thirty messages. There is one exception. If a
  /// prompt rang, and a person delayed this prompt until the next prompt of the alarm was due, the
  /// daemon also notifies contacts about the delayed prompt. Without this exception, contacts would
  /// never learn that a person delays a task again and again.
  mutating func notifyOfMissed(_ prompt: Prompt, _ outcome: Outcome) {
    guard let reason = NotifyReason(rawValue: outcome.rawValue), let alarm = alarm(prompt.id.alarm),
      !alarm.escalation.notifySteps.isEmpty, !isControl(prompt, of: alarm)
    else { return }
    let isUnheardOf = outcome == .missedNoResponse && prompt.notifyProgress.begun == 0
    if !isUnheardOf, hasNewerToNotify(prompt, of: alarm) { return }
    notify(prompt, reason)
  }

  /// Returns true if the alarm has a later prompt than `prompt`, and this later prompt is already
  /// due and can cause a notification.
  ///
  /// If the result is true, the daemon usually sends no notification about `prompt`: see
  /// `notifyOfMissed`. A pause, a control phase or quiet hours can keep the later prompt silent. A
  /// silent prompt causes no notification. In this case, the daemon notifies contacts about
  /// `prompt`.
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

  /// Returns true if quiet hours end a due prompt without a ring.
  private func isSuppressed(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    quiet(for: alarm, at: wall)?.policy == .suppress
      && wall <= prompt.dueAt.adding(seconds: alarm.lateWindowSeconds)
  }

  /// Notifies the next contact at once after a notification about a missed prompt has failed.
  ///
  /// Nobody can answer a missed prompt any more. Therefore the daemon does not wait for an answer
  /// before it notifies the next contact.
  private mutating func notifyNext(after report: NotifyResult, of id: PromptID) {
    let position = report.position + 1
    guard report.reason.isOutcome, prompt(id)?.state.isOpen != true, let alarm = alarm(id.alarm),
      position < alarm.escalation.notifySteps.count
    else { return }
    notify(id, position: position, of: alarm, report.reason)
  }

  /// Repeats all pending notifications about prompts after a restart. A notification is pending if
  /// the daemon has begun the notification and does not know the result.
  mutating func resumeNotifying() {
    for prompt in activePrompts() {
      guard let alarm = alarm(prompt.id.alarm) else { continue }
      resumeNotifying(of: prompt, alarm)
    }
    for unconfirmed in home.unconfirmed { notifyAgain(unconfirmed) }
  }

  /// Repeats a notification about a missed prompt.
  ///
  /// The daemon repeats the notification only if the contact still has the same position in the
  /// escalation. If somebody set the clock back, the prompt can be open again. In this case, the
  /// daemon does not repeat the notification. If nobody answers the open prompt, the daemon
  /// notifies the contacts of the escalation.
  private mutating func notifyAgain(_ unconfirmed: UnconfirmedNotification) {
    guard prompt(unconfirmed.prompt)?.state.isOpen != true,
      let alarm = alarm(unconfirmed.prompt.alarm),
      unconfirmed.position < alarm.escalation.notifySteps.count,
      alarm.escalation.notifySteps[unconfirmed.position].contact == unconfirmed.contact
    else { return }
    notify(unconfirmed.prompt, position: unconfirmed.position, of: alarm, unconfirmed.reason)
  }

  /// Repeats the pending notifications about one open prompt.
  mutating func resumeNotifying(of prompt: Prompt, _ alarm: Alarm) {
    for position in prompt.notifyProgress.pending
    where position < alarm.escalation.notifySteps.count {
      notify(prompt.id, position: position, of: alarm, notifyReason(prompt))
    }
  }

  /// Records the result of a notification.
  mutating func handle(_ report: NotifyResult) {
    switch report.subject {
    case .prompt(let id): handle(report, of: id)
    case .inactivity(let id): handle(report, of: id)
    case .notice(let number): handle(report, ofNotice: number)
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
    // The person was erased, so the function does not record the result.
    if personState(id) == nil { return }
    let change: InactivityChange =
      switch report.result {
      case .notified:
        .notified(position: report.position, contact: report.contact, attempt: report.attempt)
      case .failed(let reason, let isLast):
        .failed(
          position: report.position, contact: report.contact, attempt: report.attempt,
          isLast: isLast,
          reason: reason)
      }
    emit(.inactivity(id, change))
  }
}
