import Alarms

// Checks the actions of the daemon after a failed or interrupted notification. If the simulation
// kills the daemon during a notification about a missed prompt, the daemon must send this
// notification again after its restart.
extension Audit {
  /// A notification without a recorded result.
  struct UnconfirmedNotification {
    var contact: String
    /// True if the notification reported the end of a prompt.
    var isOfEnd: Bool
    /// The number of crashes of the daemon before the notification.
    var crashes: Int
  }

  /// Checks a notification about a prompt. The notification can be the first one to this contact or
  /// a repetition.
  mutating func checkEscalation(
    _ id: PromptID, _ position: Int, _ contact: String, _ reason: NotifyReason
  ) {
    expectedNotifications.insert(ExpectedNotification(subject: .prompt(id), position: position))
    if isMissed(id) {
      checkRepeatedNotification(id, position, contact)
    } else {
      if reason.isOutcome { notifiedAsMissed[id] = reason }
      checkNotification(id, position, contact, reason)
    }
  }

  /// Returns true if a prompt ended, and its outcome is of the kind `missed`.
  private func isMissed(_ id: PromptID) -> Bool {
    guard case .closed(let outcome, _, _) = replay.prompts[id]?.state else { return false }
    return outcome.kind == .missed
  }

  /// Updates `unconfirmed` for an event. The audit must call this function before the audit applies
  /// the event to `replay`.
  mutating func watchNotification(_ event: Event) {
    switch event {
    case .escalated(let id, let position, let contact, let reason):
      unconfirmed[ExpectedNotification(subject: .prompt(id), position: position)] =
        UnconfirmedNotification(
          contact: contact, isOfEnd: reason.isOutcome, crashes: crashes)
    case .notified(let id, let position, _, _):
      unconfirmed[ExpectedNotification(subject: .prompt(id), position: position)] = nil
      noteLateSuccess(id, position)
    case .notificationFailed(let id, let position, _, _, true, _):
      let owed = ExpectedNotification(subject: .prompt(id), position: position)
      if unconfirmed.removeValue(forKey: owed)?.isOfEnd == true, isMissed(id) {
        unreached.insert(owed)
      }
    case .closed(let id, let outcome, _, _):
      if outcome.kind != .missed { forgetNotifications(of: id) }
    case .acknowledged(let id, _, _), .delayed(let id, _, _): forgetNotifications(of: id)
    case .planned(let prompt): forgetNotifications(of: prompt.id)
    case .serviceStarted: forgetFormerContacts()
    default: break
    }
  }

  /// Checks a notification that begins after its prompt has ended as missed.
  ///
  /// The daemon may begin such a notification only in two cases: the notification of the previous
  /// contact failed, or a crash interrupted an earlier notification of the same contact.
  private mutating func checkRepeatedNotification(
    _ id: PromptID, _ position: Int, _ contact: String
  ) {
    // If the notification of the previous contact failed, this notification is the first
    // notification of the next contact. It is not a repeated notification.
    if unreached.remove(ExpectedNotification(subject: .prompt(id), position: position - 1)) != nil,
      replay.alarms[id.alarm]?.escalation.notifySteps[position].contact == contact
    {
      return
    }
    let before = unconfirmed[ExpectedNotification(subject: .prompt(id), position: position)]
    guard let before, before.contact == contact, before.crashes < crashes else {
      fail("I12", "\(contact) is notified again about the missed \(id) without need")
      return
    }
  }

  /// Checks that the daemon notified the next contact after a failed notification. If the batch
  /// contains a heartbeat, the function also checks that no notification was lost in a crash.
  mutating func checkUnconfirmed(_ records: [Record]) {
    for owed in unreached {
      guard case .prompt(let id) = owed.subject, isMissed(id), let alarm = replay.alarms[id.alarm],
        owed.position + 1 < alarm.escalation.notifySteps.count
      else { continue }
      fail(
        "I12",
        "contact \(owed.position) in the chain of \(id) was not reached, but the next contact was "
          + "not notified"
      )
    }
    unreached = []
    guard records.contains(where: \.isHeartbeat) else { return }
    for (owed, unconfirmed) in unconfirmed where unconfirmed.crashes < crashes {
      guard case .prompt(let id) = owed.subject, let phase = replay.prompts[id]?.state else {
        continue
      }
      guard phase.isOpen || isMissed(id) else { continue }
      fail("I12", "\(unconfirmed.contact) is not notified again about \(id)")
    }
  }

  /// Handles an answer "on my way" or "later": removes the notifications in progress from
  /// `expectedPrompts`. In the next burst, the daemon notifies the contacts of these notifications
  /// again.
  mutating func abortNotifications(of id: PromptID) {
    guard let notified = expectedPrompts[id]?.notified else { return }
    for position in notified.keys.sorted(by: >) {
      guard unconfirmed[ExpectedNotification(subject: .prompt(id), position: position)] != nil
      else { return }
      expectedPrompts[id]?.notified[position] = nil
    }
  }

  /// If an attempt of a notification succeeds after the answer of the person, stores the success in
  /// `expectedPrompts`. An answer stops further attempts of a notification, but an attempt in
  /// progress can still succeed.
  private mutating func noteLateSuccess(_ id: PromptID, _ position: Int) {
    guard let course = expectedPrompts[id], course.delays > 0 || course.isOnTheWay,
      course.notified.count == position
    else { return }
    expectedPrompts[id]?.notified[position] = crashes
  }

  private mutating func forgetNotifications(of id: PromptID) {
    for owed in unconfirmed.keys where owed.subject == .prompt(id) { unconfirmed[owed] = nil }
  }

  /// Removes from `unconfirmed` the notifications of each contact that an edit moved in the
  /// escalation or removed from it. The daemon does not repeat these notifications.
  private mutating func forgetFormerContacts() {
    unconfirmed = unconfirmed.filter { owed, unconfirmed in
      guard case .prompt(let id) = owed.subject, let alarm = replay.alarms[id.alarm] else {
        return false
      }
      let notifySteps = alarm.escalation.notifySteps
      return owed.position < notifySteps.count
        && notifySteps[owed.position].contact == unconfirmed.contact
    }
  }
}

extension Record {
  /// True if the event is a heartbeat. A check of the enum case is much faster than a comparison of
  /// two events.
  var isHeartbeat: Bool { if case .heartbeat = event { true } else { false } }
}
