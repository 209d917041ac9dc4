import CivilTime

// Who answers nothing for long is told of, once. When that is follows from the silence and from what is set
// for the person, so a change of either moves it.
extension Transition {
  /// Tells the next person of each silence that has lasted long enough.
  mutating func notifyOfInactivity() {
    let isAsItWas = changes.people.isEmpty && !hasPlansToRenew
    if isAsItWas, home.inactivitySteps.values.allSatisfy({ $0 > wall }) { return }
    for state in everybody() {
      guard let inactivity = state.inactivity, let at = inactivityStep(of: state), at <= wall else {
        continue
      }
      notify(state, inactivity, position: inactivity.notifyProgress.begun)
    }
  }

  /// Records what an event of a prompt means for the silence of its person.
  mutating func followInactivity(_ event: Event) {
    guard let id = event.promptID, let alarm = alarm(id.alarm),
      let news = inactivityChange(event, of: id, alarm)
    else { return }
    emit(.inactivity(alarm.person, news))
  }

  /// What is merely said calls nobody, and a ring that was answered while it began calls nobody any more.
  /// Whoever answers anything is well enough to, and a caretaker calls off from anywhere.
  private func inactivityChange(_ event: Event, of id: PromptID, _ alarm: Alarm)
    -> InactivityChange?
  {
    guard let state = personState(alarm.person), state.person?.inactivity != nil else { return nil }
    switch event {
    case .ringStarted(_, let number, _, _):
      guard !alarm.isAnnouncement, state.inactivity == nil,
        case .ringing(let ring, _) = prompt(id)?.phase, ring.number == number
      else { return nil }
      return .begun
    case .closed(_, let outcome, _, _) where !outcome.isPatients: return nil
    case .acknowledged, .delayed, .closed, .response:
      if state.inactivity == nil && state.endedInactivity == nil { return nil }
      // An answer to a question is never taken back.
      let canBeTakenBack = event.type != "response" && state.inactivity != nil
      return .ended(answered: canBeTakenBack ? id : nil)
    case .corrected(_, let correction):
      return correction.undone != .cancelled && state.endedInactivity?.answered == id
        ? .resumed : nil
    default: return nil
    }
  }

  /// Ends the silences of those for whom a caretaker has paused or removed everything: that caretaker knows.
  mutating func endInactivityOnHold() {
    if changes.people.isEmpty, home.people.values.allSatisfy({ $0.inactivity == nil }) { return }
    for state in everybody() where state.inactivity != nil && isSetAside(state.id) {
      emit(.inactivity(state.id, .stopUntilLater))
    }
  }

  /// After a restart: whoever was being told is told again, for nobody knows how it went.
  mutating func resumeInactivityNotifications() {
    for state in everybody() { resumeNotifying(ofInactivity: state.id) }
  }

  /// Tells those again of whom it is not known how it went.
  mutating func resumeNotifying(ofInactivity id: PersonID) {
    guard let state = personState(id), let inactivity = state.inactivity else { return }
    for position in inactivity.notifyProgress.pending where personState(id)?.inactivity != nil {
      notify(state, inactivity, position: position)
    }
  }

  /// Nobody need hear any more of a silence that has ended.
  mutating func cancelInactivityNotifications() {
    for (id, state) in changes.people where state.inactivity == nil {
      guard home.people[id]?.inactivity?.notifyProgress.pending.isEmpty == false else { continue }
      effects.append(.cancelNotification(.inactivity(id)))
    }
  }

  private mutating func notify(_ state: PersonState, _ inactivity: Inactivity, position: Int) {
    guard let rule = state.person?.inactivity, position < rule.notifySteps.count else { return }
    if isSetAside(state.id) {
      emit(.inactivity(state.id, .stopUntilLater))
      return
    }
    let contact = rule.notifySteps[position].contact
    emit(
      .inactivity(
        state.id,
        .notifying(
          position: position, contact: contact, since: inactivity.since, hours: rule.hours)))
    effects.append(
      .notify(
        ContactNotification(
          subject: .inactivity(state.id), position: position, contact: contact,
          label: "no answer for \(rule.hours) \(rule.hours == 1 ? "hour" : "hours")",
          person: state.id, reason: .inactivity, inactiveHours: rule.hours)))
  }

  /// When the next person is told of a silence.
  private func inactivityStep(of state: PersonState) -> Instant? {
    if changes.people[state.id] == nil, !hasPlansToRenew { return home.inactivitySteps[state.id] }
    return state.inactivityStep(in: environment)
  }

  /// Whether whatever was to ring for a person is paused now or removed. What never rings again anyhow
  /// says nothing about that.
  private func isSetAside(_ id: PersonID) -> Bool {
    var (hasAny, hasAhead) = (false, false)
    /// Whether it is one of theirs, and to ring.
    func isToRing(_ alarm: Alarm) -> Bool {
      guard alarm.person == id, !alarm.isAnnouncement else { return false }
      hasAny = true
      guard isAnythingOpen(of: alarm.id) else { return false }
      hasAhead = true
      guard let zone = environment.zone(of: alarm) else { return true }
      return !alarm.pauses.holds(at: zone.civil(at: wall).dateTime)
    }
    for known in home.entries.keys where changes.alarms[known] == nil {
      if let alarm = alarm(known), isToRing(alarm) { return false }
    }
    if changes.alarms.values.contains(where: isToRing) { return false }
    return hasAhead || !hasAny
  }
}

extension PersonState {
  /// When the next person is told of the silence; nil where there is none, or nobody is left.
  func inactivityStep(in environment: Environment) -> Instant? {
    guard let inactivity, let rule = person?.inactivity,
      inactivity.notifyProgress.begun < rule.notifySteps.count
    else { return nil }
    if inactivity.notifyProgress.begun > 0 { return inactivity.notifyProgress.nextAt }
    let zone = person?.zoneName.flatMap { environment.zone($0) } ?? environment.homeZone
    let end = rule.end(
      since: inactivity.since, quiet: person?.quiet?.hours, phases: phases, zone: zone)
    return end?.adding(seconds: rule.notifySteps.first?.afterSeconds ?? 0)
  }
}
