import CivilTime

// Who answers nothing for long is told of, once. When that is follows from the silence and from what is set
// for the person, so a change of either moves it.
extension Transition {
  /// Tells the next person of each silence that has lasted long enough.
  mutating func notifyOfInactivity() {
    let isAsItWas = changes.people.isEmpty && !hasPlansToRenew
    if isAsItWas, home.silenceSteps.values.allSatisfy({ $0 > wall }) { return }
    for state in everybody() {
      guard let silence = state.silence, let at = silenceStep(of: state), at <= wall else {
        continue
      }
      notify(state, silence, position: silence.notifyProgress.begun)
    }
  }

  /// Records what an event of a prompt means for the silence of its person.
  mutating func followSilence(_ event: Event) {
    guard let id = event.promptID, let alarm = alarm(id.alarm),
      let news = silenceNews(event, of: id, alarm)
    else { return }
    emit(.silence(alarm.person, news))
  }

  /// What is merely said calls nobody, and a ring that was answered while it began calls nobody any more.
  /// Whoever answers anything is well enough to, and a caretaker calls off from anywhere.
  private func silenceNews(_ event: Event, of id: PromptID, _ alarm: Alarm) -> SilenceNews? {
    guard let state = personState(alarm.person), state.person?.silence != nil else { return nil }
    switch event {
    case .ringStarted(_, let number, _, _):
      guard !alarm.isAnnouncement, state.silence == nil,
        case .ringing(let ring, _) = prompt(id)?.phase, ring.number == number
      else { return nil }
      return .begun
    case .closed(_, let outcome, _, _) where !outcome.isPatients: return nil
    case .acknowledged, .delayed, .closed, .response:
      if state.silence == nil && state.endedSilence == nil { return nil }
      // An answer to a question is never taken back.
      let canBeTakenBack = event.type != "response" && state.silence != nil
      return .ended(answered: canBeTakenBack ? id : nil)
    case .corrected(_, let correction):
      return correction.undone != .cancelled && state.endedSilence?.answered == id ? .resumed : nil
    default: return nil
    }
  }

  /// Ends the silences of those for whom a caretaker has paused or removed everything: that caretaker knows.
  mutating func endSilencesSetAside() {
    if changes.people.isEmpty, home.people.values.allSatisfy({ $0.silence == nil }) { return }
    for state in everybody() where state.silence != nil && isSetAside(state.id) {
      emit(.silence(state.id, .setAside))
    }
  }

  /// After a restart: whoever was being told is told again, for nobody knows how it went.
  mutating func resumeInactivityNotifications() {
    for state in everybody() { resumeNotifying(ofSilence: state.id) }
  }

  /// Tells those again of whom it is not known how it went.
  mutating func resumeNotifying(ofSilence id: PersonID) {
    guard let state = personState(id), let silence = state.silence else { return }
    for position in silence.notifyProgress.pending where personState(id)?.silence != nil {
      notify(state, silence, position: position)
    }
  }

  /// Nobody need hear any more of a silence that has ended.
  mutating func cancelInactivityNotifications() {
    for (id, state) in changes.people where state.silence == nil {
      guard home.people[id]?.silence?.notifyProgress.pending.isEmpty == false else { continue }
      effects.append(.cancelNotification(.silence(id)))
    }
  }

  private mutating func notify(_ state: PersonState, _ silence: Silence, position: Int) {
    guard let rule = state.person?.silence, position < rule.notifySteps.count else { return }
    if isSetAside(state.id) {
      emit(.silence(state.id, .setAside))
      return
    }
    let contact = rule.notifySteps[position].contact
    emit(
      .silence(
        state.id,
        .notifyProgress(
          position: position, contact: contact, since: silence.since, hours: rule.hours)))
    effects.append(
      .notify(
        ContactNotification(
          subject: .silence(state.id), position: position, contact: contact,
          label: "no answer for \(rule.hours) \(rule.hours == 1 ? "hour" : "hours")",
          person: state.id, reason: .silence, silentHours: rule.hours)))
  }

  /// When the next person is told of a silence.
  private func silenceStep(of state: PersonState) -> Instant? {
    if changes.people[state.id] == nil, !hasPlansToRenew { return home.silenceSteps[state.id] }
    return state.silenceStep(in: environment)
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
  func silenceStep(in environment: Environment) -> Instant? {
    guard let silence, let rule = person?.silence,
      silence.notifyProgress.begun < rule.notifySteps.count
    else { return nil }
    if silence.notifyProgress.begun > 0 { return silence.notifyProgress.nextAt }
    let zone = person?.zoneName.flatMap { environment.zone($0) } ?? environment.homeZone
    let end = rule.end(
      since: silence.since, quiet: person?.quiet?.hours, phases: phases, zone: zone)
    return end?.adding(seconds: rule.notifySteps.first?.afterSeconds ?? 0)
  }
}
