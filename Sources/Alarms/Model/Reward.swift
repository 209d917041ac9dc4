import CivilTime

/// What whoever has done everything gets for it.
extension Transition {
  /// Records, once a day, that a person has done everything that was planned for it.
  ///
  /// Whether it may be heard is decided here: not in their quiet hours, not in a control phase, and not
  /// while something rings.
  ///
  /// - Parameter isSounding: whether the home wants to hear it at all.
  mutating func reward(_ id: PersonID, on date: CivilDate, isSounding: Bool) {
    let state = personState(id)
    guard state?.rewardedOn.map({ $0 < date }) ?? true else {
      reply = .reward(isHeard: false)
      return
    }
    // A ring that was just answered is on its way out.
    let isFree = activeRing.map { prompt($0.prompt)?.phase.isOpen != true } ?? true
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
