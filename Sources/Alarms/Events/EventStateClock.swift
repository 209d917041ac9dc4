import CivilTime

// What a step of the wall clock moves: it does not change how long anybody has been waiting. Civil due times stay
// where the wall says.
extension EventState {
  mutating func shiftActive(by milliseconds: Int64) {
    for var prompt in activePrompts() {
      prompt.shift(by: milliseconds)
      put(prompt)
    }
  }
}

extension Prompt {
  /// Also since it sounded and since the first "on my way", whatever the prompt waits for now.
  fileprivate mutating func shift(by milliseconds: Int64) {
    lastSoundedAt = lastSoundedAt?.adding(milliseconds: milliseconds)
    acknowledgedAt = acknowledgedAt?.adding(milliseconds: milliseconds)
    if phase.goesWithTheClock {
      notifyProgress.shift(by: milliseconds)
      phase = phase.shifted(by: milliseconds)
    }
    guard let answer = lastAnswer else { return }
    lastAnswer?.at = answer.at.adding(milliseconds: milliseconds)
    lastAnswer?.before?.shift(by: milliseconds)
  }
}

extension LastAnswer.Before {
  fileprivate mutating func shift(by milliseconds: Int64) {
    acknowledgedAt = acknowledgedAt?.adding(milliseconds: milliseconds)
    guard phase.goesWithTheClock else { return }
    notifyProgress.shift(by: milliseconds)
    phase = phase.shifted(by: milliseconds)
  }
}

extension NotifyProgress {
  /// Elapsed time moves with the clock.
  mutating func shift(by milliseconds: Int64) {
    nextAt = nextAt?.adding(milliseconds: milliseconds)
    lastAt = lastAt?.adding(milliseconds: milliseconds)
  }
}

extension PromptState {
  /// Whether a step of the clock moves anything of a prompt in this phase. Civil due times, quiet hours
  /// and control phases begin and end when the wall says so.
  var goesWithTheClock: Bool {
    switch self {
    case .held(let held): held.why != .quietHours && held.why != .controlPhase
    case .planned, .closed: false
    default: true
    }
  }

  /// The phase with what is counted in elapsed time moved along with the clock. Civil due times stay
  /// where the wall says, and so do the ends of quiet hours and of a control phase.
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
    case .held(var held):
      guard held.why == .cap || held.why == .capRest else { return self }
      held.until = held.until.adding(milliseconds: milliseconds)
      held.since = held.since.adding(milliseconds: milliseconds)
      return .held(held)
    case .planned, .closed: return self
    }
  }
}
