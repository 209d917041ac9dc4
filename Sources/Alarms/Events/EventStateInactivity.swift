import CivilTime

// What the events about silences make of a person.
extension EventState {
  mutating func applySilence(_ id: PersonID, _ news: SilenceNews, at wall: Instant) {
    switch news {
    case .begun: change(id) { if $0.silence == nil { $0.silence = Silence(since: wall) } }
    case .ended(let answered):
      change(id) { state in
        state.endedSilence = answered.flatMap { answered in
          state.silence.map { EndedSilence(answered: answered, silence: $0) }
        }
        state.silence = nil
      }
    case .resumed:
      change(id) {
        guard let ended = $0.endedSilence else { return }
        $0.silence = ended.silence
        $0.endedSilence = nil
      }
    case .notifyProgress(let position, _, _, _):
      let notifySteps = personState(id)?.person?.silence?.notifySteps ?? []
      change(id) { $0.silence?.notifyProgress.begin(position, of: notifySteps, at: wall) }
    case .notified(let position, _, _):
      change(id) {
        $0.silence?.notifyProgress.pending.removeAll { $0 == position }
        // Whoever was told knows of it, whether or not the answer meanwhile is taken back.
        $0.endedSilence?.silence.notifyProgress.pending.removeAll { $0 == position }
      }
    case .failed(let position, _, _, let isLast, _):
      if isLast { change(id) { $0.silence?.notifyProgress.giveUp(position, at: wall) } }
    case .setAside:
      change(id) {
        $0.silence = nil
        $0.endedSilence = nil
      }
    }
  }

  mutating func shiftSilences(by milliseconds: Int64) {
    for state in everybody() where state.silence != nil || state.endedSilence != nil {
      change(state.id) {
        $0.silence?.shift(by: milliseconds)
        $0.endedSilence?.silence.shift(by: milliseconds)
      }
    }
  }
}

extension PersonState {
  /// Nobody waits for the answer of whom nobody is told of.
  mutating func become(_ new: Person?) {
    person = new
    guard let rule = new?.silence else {
      silence = nil
      endedSilence = nil
      return
    }
    silence?.notifyProgress.follow(rule.notifySteps)
    endedSilence?.silence.notifyProgress.follow(rule.notifySteps)
  }
}
