import Alarms

// Notifications of missed prompts that were in progress when the daemon was killed are sent again.
extension Audit {
  /// An attempt to notify a contact, without a recorded result.
  struct UnconfirmedNotification {
    var contact: String
    /// Whether it was about the end of a prompt.
    var isOfEnd: Bool
    /// The number of crashes at that time.
    var crashes: Int
  }

  /// Checks a notification about a prompt, the first one or a repeated one.
  func checkEscalation(_ id: PromptID, _ position: Int, _ contact: String, _ reason: NotifyReason) {
    expectedNotifications.insert(ExpectedNotification(subject: .prompt(id), position: position))
    if isMissed(id) {
      checkRepeatedNotification(id, position, contact)
    } else {
      if reason.isOutcome { notifiedAsMissed[id] = reason }
      checkNotification(id, position, contact, reason)
    }
  }

  /// Whether a prompt ended as missed.
  private func isMissed(_ id: PromptID) -> Bool {
    guard case .closed(let outcome, _, _) = replay.prompts[id]?.state else { return false }
    return outcome.kind == .missed
  }

  /// Follows one event, before it takes effect.
  func watchNotification(_ event: Event) {
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

  /// Checks a repeated notification about a missed prompt.
  private func checkRepeatedNotification(_ id: PromptID, _ position: Int, _ contact: String) {
    // The contact follows a contact that could not be notified.
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

  /// Checks a batch with a heartbeat: no notification was lost in a crash.
  func checkUnconfirmed(_ records: [Record]) {
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

  /// Stops the notifications in progress after "on my way" or "later". The new burst notifies these
  /// contacts.
  func abortNotifications(of id: PromptID) {
    guard let notified = expectedPrompts[id]?.notified else { return }
    for position in notified.keys.sorted(by: >) {
      guard unconfirmed[ExpectedNotification(subject: .prompt(id), position: position)] != nil
      else { return }
      expectedPrompts[id]?.notified[position] = nil
    }
  }

  /// Notes a notification that succeeded although it was stopped.
  private func noteLateSuccess(_ id: PromptID, _ position: Int) {
    guard let course = expectedPrompts[id], course.delays > 0 || course.isOnTheWay,
      course.notified.count == position
    else { return }
    expectedPrompts[id]?.notified[position] = crashes
  }

  private func forgetNotifications(of id: PromptID) {
    for owed in unconfirmed.keys where owed.subject == .prompt(id) { unconfirmed[owed] = nil }
  }

  /// Removes notifications whose contact has left its position in the chain. These contacts are not
  /// notified again.
  private func forgetFormerContacts() {
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
  /// Whether this is a heartbeat. This check is much faster than comparing events.
  var isHeartbeat: Bool { if case .heartbeat = event { true } else { false } }
}
