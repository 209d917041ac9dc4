import CivilTime

// Effect of answers, corrections and suppressions on a prompt.
extension EventState {
  mutating func applyAnswer(_ event: Event, at wall: Instant) {
    switch event {
    case .acknowledged(let id, let until, _):
      change(id) {
        $0.noteHeard()
        $0.noteAnswer(at: wall)
        $0.phase = .acknowledged(until: until)
        if $0.acknowledgedAt == nil { $0.acknowledgedAt = wall }
        $0.notifyProgress.abort()
      }
      awaitNotification(id, from: until)
    case .delayed(let id, let until, _):
      change(id) {
        $0.noteHeard()
        $0.noteAnswer(at: wall)
        $0.phase = .delayed(until: until)
        $0.delays += 1
        $0.notifyProgress.abort()
      }
      awaitNotification(id, from: until)
    case .closed(let id, let outcome, let reason, _):
      change(id) {
        if outcome.isPatients { $0.noteHeard() }
        if outcome.isAnswer { $0.noteAnswer(at: wall) } else { $0.dropUndo() }
        $0.phase = .closed(outcome, reason: reason, at: wall)
        $0.notifyProgress.nextAt = nil
        $0.notifyProgress.pending = []
      }
    case .corrected(let id, let correction):
      change(id) { $0.undo(correction, at: wall) }
      awaitNobodyInControl(id)
    case .held(let id, let held):
      change(id) {
        $0.dropUndo()
        $0.phase = .held(held)
      }
      if held.why == .quietHours { awaitNotification(id, from: held.until) }
    default: break
    }
  }
}
