import Alarms

// Whoever was being told of what was missed while the daemon was killed is told again.
extension Audit {
  /// An attempt to tell somebody of which the record does not know how it went.
  struct UnconfirmedNotification {
    var contact: String
    /// Whether it was of how a prompt ended.
    var isOfEnd: Bool
    /// How many crashes there had been by then.
    var crashes: Int
  }

  /// Somebody is told of a prompt, for the first time or once more.
  func checkEscalation(_ id: PromptID, _ position: Int, _ contact: String, _ reason: NotifyReason) {
    expectedNotifications.insert(ExpectedNotification(subject: .prompt(id), position: position))
    if isMissed(id) {
      checkToldAgain(id, position, contact)
    } else {
      if reason.isOutcome { toldAsMissed[id] = reason }
      checkNotification(id, position, contact, reason)
    }
  }

  /// Whether a prompt has ended as missed.
  private func isMissed(_ id: PromptID) -> Bool {
    guard case .closed(let outcome, _, _) = replay.prompts[id]?.phase else { return false }
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
      noteToldAfterAll(id, position)
    case .notificationFailed(let id, let position, _, _, true, _):
      let owed = ExpectedNotification(subject: .prompt(id), position: position)
      if unconfirmed.removeValue(forKey: owed)?.isOfEnd == true, isMissed(id) {
        unreached.insert(owed)
      }
    case .closed(let id, let outcome, _, _):
      if outcome.kind != .missed { forgetNotifications(of: id) }
    case .acknowledged(let id, _, _), .delayed(let id, _, _): forgetNotifications(of: id)
    case .planned(let prompt): forgetNotifications(of: prompt.id)
    case .serviceStarted: forgetStrangers()
    default: break
    }
  }

  /// Somebody is told once more of what was missed.
  private func checkToldAgain(_ id: PromptID, _ position: Int, _ contact: String) {
    // Whoever comes after somebody who could not be told.
    if unreached.remove(ExpectedNotification(subject: .prompt(id), position: position - 1)) != nil,
      replay.alarms[id.alarm]?.escalation.notifySteps[position].contact == contact
    {
      return
    }
    let before = unconfirmed[ExpectedNotification(subject: .prompt(id), position: position)]
    guard let before, before.contact == contact, before.crashes < crashes else {
      fail("I12", "\(contact) is told of \(id), which was missed, and need not be")
      return
    }
  }

  /// Once a batch with a heartbeat is looked through: a crash has kept nobody from being told.
  func checkUnconfirmed(_ records: [Record]) {
    for owed in unreached {
      guard case .prompt(let id) = owed.subject, isMissed(id), let alarm = replay.alarms[id.alarm],
        owed.position + 1 < alarm.escalation.notifySteps.count
      else { continue }
      fail(
        "I12", "place \(owed.position) of the chain of \(id) is not reached, and none after it told"
      )
    }
    unreached = []
    guard records.contains(where: \.isHeartbeat) else { return }
    for (owed, unconfirmed) in unconfirmed where unconfirmed.crashes < crashes {
      guard case .prompt(let id) = owed.subject, let phase = replay.prompts[id]?.phase else {
        continue
      }
      guard phase.isOpen || isMissed(id) else { continue }
      fail("I12", "\(unconfirmed.contact) is not told again of \(id)")
    }
  }

  /// "On my way" and "later" stop whoever is being told: the new burst tells them.
  func abortNotifications(of id: PromptID) {
    guard let notified = courses[id]?.notified else { return }
    for position in notified.keys.sorted(by: >) {
      guard unconfirmed[ExpectedNotification(subject: .prompt(id), position: position)] != nil
      else { return }
      courses[id]?.notified[position] = nil
    }
  }

  /// A message that was on its way when it was stopped.
  private func noteToldAfterAll(_ id: PromptID, _ position: Int) {
    guard let course = courses[id], course.delays > 0 || course.isOnTheWay,
      course.notified.count == position
    else { return }
    courses[id]?.notified[position] = crashes
  }

  private func forgetNotifications(of id: PromptID) {
    for owed in unconfirmed.keys where owed.subject == .prompt(id) { unconfirmed[owed] = nil }
  }

  /// Whoever is not in that place of a chain any more is told no more.
  private func forgetStrangers() {
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
  /// Whether this is a heartbeat: much faster than comparing events.
  var isHeartbeat: Bool { if case .heartbeat = event { true } else { false } }
}
