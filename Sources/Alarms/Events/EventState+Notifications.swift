import CivilTime

// The changes that notification events make to a prompt.
extension EventState {
  /// The period in which a person can still answer the prompt after the daemon has notified the
  /// last contact: 300 s.
  ///
  /// The contact needs this time to help the person before the prompt is missed.
  private static var answerSeconds: Int64 { 300 }

  /// Sets the instant at which the daemon notifies the next contact about a prompt.
  ///
  /// `base` is the start of a burst. The delay before this notification (`NotifyStep.afterSeconds`)
  /// begins at `base`.
  ///
  /// In a control phase, no burst begins, so the function plans no notification. If a notification
  /// has already begun, the daemon continues this notification.
  mutating func awaitNotification(_ id: PromptID, from base: Instant) {
    let notifySteps = alarm(id.alarm)?.escalation.notifySteps ?? []
    change(id) {
      $0.notifyProgress.nextAt =
        $0.notifyProgress.begun < notifySteps.count
        ? base.adding(seconds: notifySteps[$0.notifyProgress.begun].afterSeconds) : nil
    }
    awaitNobodyInControl(id)
  }

  /// Checks the due prompts of the person. If the due time of such a prompt is in a control phase,
  /// the function cancels the next notification about the prompt.
  ///
  /// The function is called after a change of the person's phases. A phase cannot begin in the
  /// past. But it is possible that the clock is ahead of the real time when a prompt becomes due.
  /// If somebody then sets the clock back, a new control phase can contain the due time of this
  /// prompt.
  mutating func awaitNobodyInControl(of person: PersonID) {
    for prompt in activePrompts() where alarm(prompt.id.alarm)?.person == person {
      awaitNobodyInControl(prompt.id)
    }
  }

  mutating func awaitNobodyInControl(_ id: PromptID) {
    guard let prompt = prompt(id), let person = alarm(id.alarm)?.person,
      personState(person)?.phase(at: prompt.dueAt)?.kind == .control
    else { return }
    change(id) { $0.notifyProgress.nextAt = nil }
  }

  mutating func applyNotification(_ event: Event, at wall: Instant) {
    switch event {
    case .escalated(let id, let position, _, _):
      let notifySteps = alarm(id.alarm)?.escalation.notifySteps ?? []
      // The state of a closed prompt does not contain the progress of notifications.
      guard prompt(id)?.state.isOpen == true else { return }
      change(id) { $0.notifyProgress.begin(position, of: notifySteps, at: wall) }
    case .notified(let id, let position, _, _):
      change(id) { $0.noteNotified(position, at: wall) }
      noteLateNotification(id, position)
    case .notificationFailed(let id, let position, _, _, let isLast, _):
      if isLast { change(id) { $0.giveUpNotification(position, at: wall) } }
    default: break
    }
  }

  /// Handles a notification that succeeded although the answer "on my way" or "later" had already
  /// stopped this notification.
  ///
  /// Without this function, the daemon would notify the same contact again during the new burst.
  /// With this function, the daemon notifies the next contact during the new burst.
  private mutating func noteLateNotification(_ id: PromptID, _ position: Int) {
    let notifySteps = alarm(id.alarm)?.escalation.notifySteps ?? []
    guard let prompt = prompt(id), prompt.acknowledgedAt != nil || prompt.delays > 0,
      prompt.state.isOpen, prompt.notifyProgress.begun == position, position < notifySteps.count
    else { return }
    change(id) {
      $0.notifyProgress.begun = position + 1
      guard let next = $0.notifyProgress.nextAt else { return }
      let base = next.adding(seconds: -notifySteps[position].afterSeconds)
      $0.notifyProgress.nextAt =
        position + 1 < notifySteps.count
        ? base.adding(seconds: notifySteps[position + 1].afterSeconds) : nil
    }
  }

  /// Returns the instant until which the prompt stays open, so that the notified contacts have time
  /// to help. The result is nil if no contact was notified and no notification is planned.
  func answerableUntil(_ prompt: Prompt, of alarm: Alarm) -> Instant? {
    let notifyProgress = prompt.notifyProgress
    guard let next = notifyProgress.nextAt else {
      return notifyProgress.lastAt?.adding(seconds: Self.answerSeconds)
    }
    let others = alarm.escalation.notifySteps.dropFirst(notifyProgress.begun + 1)
    return next.adding(seconds: others.reduce(Self.answerSeconds) { $0 + $1.afterSeconds })
  }
}

extension NotifyProgress {
  /// Begins the notification of the contact at the index `position` of `notifySteps`.
  mutating func begin(_ position: Int, of notifySteps: [NotifyStep], at wall: Instant) {
    if !pending.contains(position) { pending = (pending + [position]).sorted() }
    // If the notification of this contact had already begun, the daemon now repeats this
    // notification after a restart. The repetition must not change the time of the next
    // notification.
    guard position >= begun else { return }
    begun = position + 1
    lastAt = wall
    nextAt =
      position + 1 < notifySteps.count
      ? wall.adding(seconds: notifySteps[position + 1].afterSeconds) : nil
  }

  /// Stops the notifications that are in progress, because somebody answered.
  ///
  /// If a new burst rings later, the daemon notifies these contacts again. Exception: sometimes the
  /// command of a contact still succeeds after the stop. The daemon does not notify this contact
  /// again.
  mutating func abort() {
    while let last = pending.last, last == begun - 1 {
      pending.removeLast()
      begun = last
    }
    pending = []
  }

  /// Ends the attempts to notify the contact at the index `position`. The daemon then notifies the
  /// next contact without the usual delay.
  mutating func giveUp(_ position: Int, at wall: Instant) {
    guard pending.contains(position) else { return }
    pending.removeAll { $0 == position }
    guard position + 1 == begun, let next = nextAt else { return }
    nextAt = min(next, wall)
  }

  /// Adapts the progress of the notifications after a caretaker has changed the list of contacts.
  ///
  /// The function sets `nextAt` to the start of the last notification plus `afterSeconds` of the
  /// next contact in the new list. To find the next contact, the function uses the number of
  /// contacts whose notification has begun. The function cannot compare names, because an erasure
  /// can already have removed the names.
  mutating func follow(_ notifySteps: [NotifyStep]) {
    guard begun > 0, let lastAt else { return }
    nextAt =
      begun < notifySteps.count ? lastAt.adding(seconds: notifySteps[begun].afterSeconds) : nil
    // The new list of contacts can be shorter. Remove each pending notification whose position is
    // after the end of the new list.
    pending.removeAll { $0 >= notifySteps.count }
  }
}

extension Prompt {
  /// Ends the attempts to notify one contact.
  ///
  /// The notification of the next contact is then due at once. Exception: if quiet hours hold the
  /// prompt back, the planned time of the next notification does not change.
  fileprivate mutating func giveUpNotification(_ position: Int, at wall: Instant) {
    let next = notifyProgress.nextAt
    notifyProgress.giveUp(position, at: wall)
    if case .held(let suppression) = state, suppression.reason == .quietHours {
      notifyProgress.nextAt = next
    }
  }

  /// Records that a contact was notified.
  ///
  /// An answer stops the notifications in progress, and an undo of the answer repeats these
  /// notifications. But a stopped notification can still succeed. In this case, an undo must not
  /// repeat the notification. Therefore, the function also removes the notification from the undo
  /// data. If the answer is too old for an undo, the function does not change the undo data,
  /// because it is possible that the prompt is no longer in memory.
  fileprivate mutating func noteNotified(_ position: Int, at wall: Instant) {
    notifyProgress.pending.removeAll { $0 == position }
    guard let answer = lastAnswer, answer.isRecent(at: wall), var before = answer.before else {
      return
    }
    before.notifyProgress.pending.removeAll { $0 == position }
    lastAnswer?.before = before
  }
}
