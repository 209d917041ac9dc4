import Alarms

// Whoever was being told of what was missed while the daemon was killed is told again.
extension Audit {
  /// An attempt to tell somebody of which the record does not know how it went.
  struct Untold {
    var contact: String
    /// Whether it was of how a prompt ended.
    var isOfEnd: Bool
    /// How many crashes there had been by then.
    var crashes: Int
  }

  /// Somebody is told of a prompt, for the first time or once more.
  func checkEscalation(_ id: PromptID, _ grade: Int, _ contact: String, _ reason: TellReason) {
    owedTells.insert(Owed(subject: .prompt(id), grade: grade))
    if isMissed(id) {
      checkToldAgain(id, grade, contact)
    } else {
      if reason.isOutcome { toldAsMissed[id] = reason }
      checkTelling(id, grade, contact, reason)
    }
  }

  /// Whether a prompt has ended as missed.
  private func isMissed(_ id: PromptID) -> Bool {
    guard case .closed(let outcome, _, _) = replay.prompts[id]?.phase else { return false }
    return outcome.kind == .missed
  }

  /// Follows one event, before it takes effect.
  func watchTelling(_ event: Event) {
    switch event {
    case .escalated(let id, let grade, let contact, let reason):
      untold[Owed(subject: .prompt(id), grade: grade)] = Untold(
        contact: contact, isOfEnd: reason.isOutcome, crashes: crashes)
    case .told(let id, let grade, _, _):
      untold[Owed(subject: .prompt(id), grade: grade)] = nil
      noteToldAfterAll(id, grade)
    case .tellingFailed(let id, let grade, _, _, true, _):
      let owed = Owed(subject: .prompt(id), grade: grade)
      if untold.removeValue(forKey: owed)?.isOfEnd == true, isMissed(id) { unreached.insert(owed) }
    case .closed(let id, let outcome, _, _):
      if outcome.kind != .missed { forgetTellings(of: id) }
    case .acknowledged(let id, _, _), .delayed(let id, _, _): forgetTellings(of: id)
    case .planned(let prompt): forgetTellings(of: prompt.id)
    case .serviceStarted: forgetStrangers()
    default: break
    }
  }

  /// Somebody is told once more of what was missed.
  private func checkToldAgain(_ id: PromptID, _ grade: Int, _ contact: String) {
    // Whoever comes after somebody who could not be told.
    if unreached.remove(Owed(subject: .prompt(id), grade: grade - 1)) != nil,
      replay.alarms[id.alarm]?.escalation.tells[grade].contact == contact
    {
      return
    }
    let before = untold[Owed(subject: .prompt(id), grade: grade)]
    guard let before, before.contact == contact, before.crashes < crashes else {
      fail("I12", "\(contact) is told of \(id), which was missed, and need not be")
      return
    }
  }

  /// Once a batch with a heartbeat is looked through: a crash has kept nobody from being told.
  func checkUntold(_ records: [Record]) {
    for owed in unreached {
      guard case .prompt(let id) = owed.subject, isMissed(id), let alarm = replay.alarms[id.alarm],
        owed.grade + 1 < alarm.escalation.tells.count
      else { continue }
      fail(
        "I12", "place \(owed.grade) of the chain of \(id) is not reached, and none after it told")
    }
    unreached = []
    guard records.contains(where: \.isHeartbeat) else { return }
    for (owed, untold) in untold where untold.crashes < crashes {
      guard case .prompt(let id) = owed.subject, let phase = replay.prompts[id]?.phase else {
        continue
      }
      guard phase.isOpen || isMissed(id) else { continue }
      fail("I12", "\(untold.contact) is not told again of \(id)")
    }
  }

  /// "On my way" and "later" stop whoever is being told: the new burst tells them.
  func breakOffTelling(of id: PromptID) {
    guard let told = courses[id]?.told else { return }
    for grade in told.keys.sorted(by: >) {
      guard untold[Owed(subject: .prompt(id), grade: grade)] != nil else { return }
      courses[id]?.told[grade] = nil
    }
  }

  /// A message that was on its way when it was stopped.
  private func noteToldAfterAll(_ id: PromptID, _ grade: Int) {
    guard let course = courses[id], course.delays > 0 || course.isOnTheWay,
      course.told.count == grade
    else { return }
    courses[id]?.told[grade] = crashes
  }

  private func forgetTellings(of id: PromptID) {
    for owed in untold.keys where owed.subject == .prompt(id) { untold[owed] = nil }
  }

  /// Whoever is not in that place of a chain any more is told no more.
  private func forgetStrangers() {
    untold = untold.filter { owed, untold in
      guard case .prompt(let id) = owed.subject, let alarm = replay.alarms[id.alarm] else {
        return false
      }
      let tells = alarm.escalation.tells
      return owed.grade < tells.count && tells[owed.grade].contact == untold.contact
    }
  }
}

extension Record {
  /// Whether this is a heartbeat: much faster than comparing events.
  var isHeartbeat: Bool { if case .heartbeat = event { true } else { false } }
}
