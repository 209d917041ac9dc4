import CivilTime

/// Reward for a person who has completed everything.
extension Transition {
  /// Records, once a day, that a person has completed everything that was planned for that day.
  ///
  /// This function decides whether the reward sounds. It does not sound in the person's quiet
  /// hours, in a control phase, or while a prompt rings.
  ///
  /// - Parameter isSounding: whether the home wants the reward to sound at all.
  mutating func reward(_ id: PersonID, on date: CivilDate, isSounding: Bool) {
    let state = personState(id)
    guard state?.rewardedOn.map({ $0 < date }) ?? true else {
      reply = .reward(isHeard: false)
      return
    }
    // The prompt of the ring was just answered, so the ring is about to stop.
    let isFree = activeRing.map { prompt($0.prompt)?.state.isOpen != true } ?? true
    let isHeard = isSounding && isFree && mayHear(id, state)
    emit(.rewarded(id, date, isHeard: isHeard))
    reply = .reward(isHeard: isHeard)
  }

  private func mayHear(_ id: PersonID, _ state: PersonState?) -> Bool {
    if state?.phase(at: wall)?.kind == .control { return false }
    guard let person = state?.person, let rule = person.quiet else { return true }
    return rule.hours.stretch(around: wall, zone: zone(of: person)) == nil
  }
}
