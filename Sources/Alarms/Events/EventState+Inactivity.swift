import CivilTime

// Applies the events about inactivity to the state of a person.
extension EventState {
  mutating func applyInactivity(
    _ id: PersonID, _ inactivityChange: InactivityChange, at wall: Instant
  ) {
    switch inactivityChange {
    case .begun: change(id) { if $0.inactivity == nil { $0.inactivity = Inactivity(since: wall) } }
    case .ended(let answered):
      change(id) { state in
        state.endedInactivity = answered.flatMap { answered in
          state.inactivity.map { EndedInactivity(answered: answered, inactivity: $0) }
        }
        state.inactivity = nil
      }
    case .resumed:
      change(id) {
        guard let ended = $0.endedInactivity else { return }
        $0.inactivity = ended.inactivity
        $0.endedInactivity = nil
      }
    case .notifying(let position, _, _, _):
      let notifySteps = personState(id)?.person?.inactivity?.notifySteps ?? []
      change(id) { $0.inactivity?.notifyProgress.begin(position, of: notifySteps, at: wall) }
    case .notified(let position, _, _):
      change(id) {
        $0.inactivity?.notifyProgress.pending.removeAll { $0 == position }
        // The command of the contact succeeded, perhaps after an answer had already ended the
        // inactivity. If the person undoes this answer, the daemon must not notify the contact
        // again.
        $0.endedInactivity?.inactivity.notifyProgress.pending.removeAll { $0 == position }
      }
    case .failed(let position, _, _, let isLast, _):
      if isLast { change(id) { $0.inactivity?.notifyProgress.giveUp(position, at: wall) } }
    case .stopUntilLater:
      change(id) {
        $0.inactivity = nil
        $0.endedInactivity = nil
      }
    }
  }

  mutating func shiftInactivity(by milliseconds: Int64) {
    for state in allPeople() where state.inactivity != nil || state.endedInactivity != nil {
      change(state.id) {
        $0.inactivity?.shift(by: milliseconds)
        $0.endedInactivity?.inactivity.shift(by: milliseconds)
      }
    }
  }
}

extension PersonState {
  /// Replaces the settings of a person. If the new settings contain no inactivity rule, the
  /// function also removes the person's present period of inactivity.
  mutating func become(_ new: Person?) {
    person = new
    if new == nil { pause = nil }
    guard let rule = new?.inactivity else {
      inactivity = nil
      endedInactivity = nil
      return
    }
    inactivity?.notifyProgress.follow(rule.notifySteps)
    endedInactivity?.inactivity.notifyProgress.follow(rule.notifySteps)
  }
}
