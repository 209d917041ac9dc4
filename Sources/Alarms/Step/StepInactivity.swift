import CivilTime

// Inactivity: if a person answers no prompt for a configured number of hours, the daemon notifies
// each contact of the inactivity rule once. The daemon computes the time of the notification from
// the start of the inactivity and the settings of the person. The daemon does not store the time of
// the notification. Therefore, a change of the settings takes effect at once.
extension Transition {
  /// For each inactive person, notifies the next contact if this notification is due.
  mutating func notifyOfInactivity() {
    let isAsItWas = changes.people.isEmpty && !hasPlansToRenew
    if isAsItWas, home.inactivitySteps.values.allSatisfy({ $0 > wall }) { return }
    for state in allPeople() {
      guard let inactivity = state.inactivity, let at = inactivityStep(of: state), at <= wall else {
        continue
      }
      notify(state, inactivity, position: inactivity.notifyProgress.begun)
    }
  }

  /// Records the start or the end of a period of inactivity if an event causes this change.
  mutating func followInactivity(_ event: Event) {
    guard let id = event.promptID, let alarm = alarm(id.alarm),
      let change = inactivityChange(event, of: id, alarm)
    else { return }
    emit(.inactivity(alarm.person, change))
  }

  /// Returns the way in which an event changes the inactivity of a person: a period of inactivity
  /// starts, ends, or continues after an undo. The result is nil if nothing changes.
  ///
  /// - An announcement never begins a period of inactivity.
  /// - If the player reports the start of a ring after a person has answered, this ring does not
  ///   begin a period of inactivity.
  /// - Every answer of the patient ends the inactivity, because the patient was able to answer.
  /// - The cancellation of a prompt does not end the inactivity, because a caretaker can cancel a
  ///   prompt from outside the home.
  private func inactivityChange(_ event: Event, of id: PromptID, _ alarm: Alarm)
    -> InactivityChange?
  {
    guard let state = personState(alarm.person), state.person?.inactivity != nil else { return nil }
    switch event {
    case .ringStarted(_, let number, _, _):
      guard !alarm.isAnnouncement, state.inactivity == nil,
        case .ringing(let ring, _) = prompt(id)?.state, ring.number == number
      else { return nil }
      return .begun
    case .closed(_, let outcome, _, _) where !outcome.isPatients: return nil
    case .acknowledged, .delayed, .closed, .response:
      if state.inactivity == nil && state.endedInactivity == nil { return nil }
      // If an undo of this answer must resume the inactivity, the change contains the id of the
      // prompt. A response to a question cannot be undone.
      let canBeTakenBack = event.type != "response" && state.inactivity != nil
      return .ended(answered: canBeTakenBack ? id : nil)
    case .corrected(_, let correction):
      return correction.undone != .cancelled && state.endedInactivity?.answered == id
        ? .resumed : nil
    default: return nil
    }
  }

  /// Ends the inactivity of a person if no alarm of the person can ring now. This happens if a
  /// caretaker has paused the person, or if each alarm of the person is paused or removed.
  ///
  /// The caretaker knows that the person gets no alarms, so the daemon sends no all-clear.
  mutating func endInactivityOnHold() {
    if changes.people.isEmpty, home.people.values.allSatisfy({ $0.inactivity == nil }) { return }
    for state in allPeople() where state.inactivity != nil && isSetAside(state.id) {
      emit(.inactivity(state.id, .stopUntilLater))
    }
  }

  /// Repeats all pending notifications about inactivity after a restart. A notification is pending
  /// if the daemon has begun the notification and does not know the result.
  mutating func resumeInactivityNotifications() {
    for state in allPeople() { resumeNotifying(ofInactivity: state.id) }
  }

  /// Repeats the pending notifications about the inactivity of one person.
  mutating func resumeNotifying(ofInactivity id: PersonID) {
    guard let state = personState(id), let inactivity = state.inactivity else { return }
    for position in inactivity.notifyProgress.pending where personState(id)?.inactivity != nil {
      notify(state, inactivity, position: position)
    }
  }

  /// Cancels the pending notifications about each period of inactivity that has ended.
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
          person: state.id, personName: state.displayName,
          text: NoticeText.inactive(state.displayName, hours: rule.hours).capitalizedFirst,
          reason: .inactivity,
          inactiveHours: rule.hours)))
  }

  /// Returns the instant at which the daemon notifies the next contact about a person's inactivity.
  private func inactivityStep(of state: PersonState) -> Instant? {
    if changes.people[state.id] == nil, !hasPlansToRenew { return home.inactivitySteps[state.id] }
    return state.inactivityStep(in: environment)
  }

  /// Returns true if no alarm of the person can ring now (see `endInactivityOnHold`). There are
  /// three cases:
  ///
  /// - The person is paused.
  /// - The person has no alarms.
  /// - The person has alarms with an open prompt, and each of these alarms is paused now.
  ///
  /// Announcements do not count as alarms here.
  private func isSetAside(_ id: PersonID) -> Bool {
    if personState(id)?.pause(at: wall) != nil { return true }
    var (hasAny, hasAhead) = (false, false)
    /// Returns true if the alarm is for the person, has an open prompt, and is not paused now. The
    /// function also sets `hasAny` and `hasAhead`.
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
  /// Returns the time at which the daemon notifies the next contact; nil if the person is not
  /// inactive or if all contacts were notified.
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
