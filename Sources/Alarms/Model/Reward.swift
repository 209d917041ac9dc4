import CivilTime

/// The reward for a person who has completed all planned tasks of a day.
extension Transition {
  /// Records that a person has completed all planned tasks of a day. For each day, the function
  /// records at most one reward.
  ///
  /// A screen may show the reward picture of the person, except in a control phase. In quiet hours
  /// the picture is permitted, because the picture makes no sound.
  ///
  /// This function decides if the reward sounds. The reward is silent in the person's quiet hours,
  /// in a control phase, and while a prompt rings.
  ///
  /// - Parameter isSounding: true if the settings of the home allow the reward to sound.
  mutating func reward(_ id: PersonID, on date: CivilDate, isSounding: Bool) {
    let state = personState(id)
    guard state?.rewardedOn.map({ $0 < date }) ?? true else {
      reply = .reward(isHeard: false)
      return
    }
    // If a prompt of the active ring has just ended, the ring stops now. Therefore the function
    // treats the speaker as free.
    let isFree =
      activeRing?.members.contains { prompt($0.prompt)?.state.isOpen != true } ?? true
    let isHeard = isSounding && isFree && mayHear(id, state)
    let hasPicture =
      state?.person?.rewardImage != nil && state?.phase(at: wall)?.kind != .control
    emit(.rewarded(id, date, isHeard: isHeard, hasPicture: hasPicture))
    reply = .reward(isHeard: isHeard)
  }

  private func mayHear(_ id: PersonID, _ state: PersonState?) -> Bool {
    if state?.phase(at: wall)?.kind == .control { return false }
    guard let person = state?.person, let rule = person.quiet else { return true }
    return rule.hours.stretch(around: wall, zone: zone(of: person)) == nil
  }
}
