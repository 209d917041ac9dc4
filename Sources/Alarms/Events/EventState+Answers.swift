import CivilTime

// Applies the events of answers, corrections, suppressions and screens to the state of a prompt.
extension EventState {
  mutating func applyAnswer(_ event: Event, at wall: Instant) {
    switch event {
    case .acknowledged(let id, let until, _):
      advance(id, by: .acknowledged(until: until)) {
        $0.noteHeard()
        $0.noteAnswer(at: wall)
        if $0.acknowledgedAt == nil { $0.acknowledgedAt = wall }
        $0.notifyProgress.abort()
      }
      awaitNotification(id, from: until)
    case .delayed(let id, let until, _):
      advance(id, by: .delayed(until: until)) {
        $0.noteHeard()
        $0.noteAnswer(at: wall)
        $0.delays += 1
        $0.notifyProgress.abort()
      }
      awaitNotification(id, from: until)
    case .closed(let id, let outcome, let reason, _):
      advance(id, by: .closed(outcome, reason: reason, at: wall)) {
        if outcome.isPatients { $0.noteHeard() }
        if outcome.isAnswer { $0.noteAnswer(at: wall) } else { $0.dropUndo() }
        $0.notifyProgress.nextAt = nil
        $0.notifyProgress.pending = []
      }
    case .corrected(let id, let correction):
      advance(id, by: .corrected(correction.state)) { $0.undoAnswer(at: wall) }
      awaitNobodyInControl(id)
    case .held(let id, let suppression):
      advance(id, by: .suppressed(suppression)) { $0.dropUndo() }
      if suppression.reason == .quietHours { awaitNotification(id, from: suppression.until) }
    case .revised(let id, let version): advance(id, by: .revised) { $0.alarmVersion = version }
    case .presented(let id): change(id) { if $0.presentedAt == nil { $0.presentedAt = wall } }
    default: break
    }
  }
}
