import CivilTime

// Handles a clock step. If an instant depends on elapsed time, `shiftActive` moves this
// instant by the size of the clock step. Therefore the waiting time until a ring does not change.
// `shiftActive` does not move an instant that depends on a civil time.
extension EventState {
  mutating func shiftActive(by milliseconds: Int64) {
    for prompt in activePrompts() {
      advance(prompt.id, by: .clockStepped(milliseconds: milliseconds)) {
        $0.shiftTimes(by: milliseconds)
      }
    }
  }
}

extension Prompt {
  /// Moves some instants of the prompt by the size of a clock step. After this change, the wall
  /// time minus each of these instants is still the real elapsed time. `PromptState.shifted` moves
  /// the instants in the state of the prompt.
  ///
  /// The function moves four instants: the last sound, the first presentation on a screen, the
  /// first answer "on my way", and the newest answer. If `goesWithTheClock` is true for the state,
  /// the function also moves the instants of the notifications. The function also moves the
  /// instants that an undo of the newest answer would restore.
  fileprivate mutating func shiftTimes(by milliseconds: Int64) {
    lastSoundedAt = lastSoundedAt?.adding(milliseconds: milliseconds)
    presentedAt = presentedAt?.adding(milliseconds: milliseconds)
    acknowledgedAt = acknowledgedAt?.adding(milliseconds: milliseconds)
    if state.goesWithTheClock { notifyProgress.shift(by: milliseconds) }
    guard let answer = lastAnswer else { return }
    lastAnswer?.at = answer.at.adding(milliseconds: milliseconds)
    lastAnswer?.before?.shift(by: milliseconds)
  }
}

extension LastAnswer.Before {
  fileprivate mutating func shift(by milliseconds: Int64) {
    acknowledgedAt = acknowledgedAt?.adding(milliseconds: milliseconds)
    guard state.goesWithTheClock else { return }
    notifyProgress.shift(by: milliseconds)
    state = state.shifted(by: milliseconds)
  }
}

extension NotifyProgress {
  /// Moves the instants of notifications by the size of a clock step. Therefore the daemon notifies
  /// a contact after the same elapsed time as without the clock step.
  mutating func shift(by milliseconds: Int64) {
    nextAt = nextAt?.adding(milliseconds: milliseconds)
    lastAt = lastAt?.adding(milliseconds: milliseconds)
  }
}

extension PromptState {
  /// True if the state contains an instant that the daemon must move after a clock step.
  ///
  /// Civil due times do not move. The ends of quiet hours and control phases also do not move.
  var goesWithTheClock: Bool {
    switch self {
    case .held(let suppression):
      suppression.reason != .quietHours && suppression.reason != .controlPhase
    case .planned, .closed: false
    default: true
    }
  }

  /// Returns the state of a prompt after a clock step of `milliseconds`.
  ///
  /// Some instants in the state depend on elapsed time, for example the end of a delay. The
  /// function adds `milliseconds` to these instants. Civil due times do not move. The ends of quiet
  /// hours and control phases also stay the same.
  func shifted(by milliseconds: Int64) -> PromptState {
    switch self {
    case .waiting(let ring, let at):
      return .waiting(ring: ring, at: at.adding(milliseconds: milliseconds))
    case .expiring(let at): return .expiring(at: at.adding(milliseconds: milliseconds))
    case .ringing(var ring, let deadline):
      ring.dueAt = ring.dueAt.adding(milliseconds: milliseconds)
      ring.intendedAt = ring.intendedAt.adding(milliseconds: milliseconds)
      return .ringing(ring, deadline: deadline.adding(milliseconds: milliseconds))
    case .delayed(let until): return .delayed(until: until.adding(milliseconds: milliseconds))
    case .acknowledged(let until):
      return .acknowledged(until: until.adding(milliseconds: milliseconds))
    case .held(var suppression):
      guard suppression.reason == .cap || suppression.reason == .capRest else { return self }
      suppression.until = suppression.until.adding(milliseconds: milliseconds)
      suppression.since = suppression.since.adding(milliseconds: milliseconds)
      return .held(suppression)
    case .planned, .closed: return self
    }
  }
}
