import CivilTime

extension Transition {
  /// Returns true if a pause of the alarm or of its person suppresses the rings of a due prompt.
  ///
  /// An early reminder is silent if a pause silences its main occurrence, or if the person is
  /// paused at the due time of the early reminder.
  func isSilenced(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    if isPersonPaused(prompt, of: alarm) { return true }
    if alarm.pauses == .none { return false }
    if !alarm.earlyReminders.isEmpty,
      let due = plan(of: alarm)?.due(after: prompt.dueAt.adding(milliseconds: -1)),
      due.occurrence.nominal == prompt.id.nominal
    {
      return alarm.pauses.interruptions(due.main.nominal, fold: due.main.fold)
    }
    return alarm.pauses.interruptions(prompt.id.nominal, fold: prompt.id.fold)
  }
}

// The pause of a person silences all alarms of the person, except announcements.
extension Transition {
  /// Returns true if the person of an alarm is paused at the due time of a prompt.
  ///
  /// The result is false for an announcement, because the caretaker wants Prompter to speak the
  /// announcement now.
  func isPersonPaused(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    !alarm.isAnnouncement && personState(alarm.person)?.pause(at: prompt.dueAt) != nil
  }

  /// Pauses one person or everybody. The new pause replaces an earlier pause of the person.
  ///
  /// Like the pause of an alarm, the pause of a person ends the open prompts. A person who is
  /// paused is not inactive, so the pause also ends a period of inactivity.
  mutating func pause(_ whom: PausedPeople, until text: String?) throws(Refusal) {
    var pauses: [(id: PersonID, pause: PersonPause)] = []
    for person in try people(whom) {
      let until = try text.map { (text) throws(Refusal) in
        try pauseEnd(text, zone: zone(of: person), field: "until").instant
      }
      pauses.append((person.id, PersonPause(until: until)))
    }
    var ended: [AnsweredPrompt] = []
    for (id, pause) in pauses {
      if personState(id)?.pause != pause { emit(.personPaused(id, pause)) }
      ended += endPrompts(of: id)
    }
    endInactivityOnHold()
    reply = .paused(pauseReply(about: pauses.map(\.id), ended))
  }

  /// Ends the pause of one person or of everybody. The pauses of single alarms do not end.
  mutating func resume(_ whom: PausedPeople) throws(Refusal) {
    let people = try people(whom)
    for person in people where personState(person.id)?.pause(at: wall) != nil {
      emit(.personResumed(person.id))
    }
    reply = .paused(pauseReply(about: people.map(\.id), []))
  }

  private func pauseReply(about people: [PersonID], _ ended: [AnsweredPrompt]) -> PauseReply {
    var first: [PersonID: PauseReply.FirstRing] = [:]
    for alarm in home.alarms where people.contains(alarm.person) && !alarm.isAnnouncement {
      guard let next = nextOccurrences(of: alarm, count: 1).first else { continue }
      let known = first[alarm.person]
      if let known,
        (known.occurrence.instant, known.alarm.id) < (next.instant, alarm.id)
      {
        continue
      }
      first[alarm.person] = PauseReply.FirstRing(alarm: alarm, occurrence: next)
    }
    return PauseReply(
      people: people.compactMap { personState($0) }, firstRings: people.compactMap { first[$0] },
      ended: ended)
  }

  private func people(_ whom: PausedPeople) throws(Refusal) -> [Person] {
    switch whom {
    case .one(let id):
      let fitting = Person.fitting(id.text, in: livingPeople())
      return [fitting.count == 1 ? fitting[0] : try livingPerson(id)]
    case .everybody:
      let living = livingPeople()
      let used = Set(home.inUse(living).map(\.id))
      return living.filter {
        used.contains($0.id) || personState($0.id)?.pause(at: wall) != nil
      }
    }
  }

  /// Ends the open prompts that the pause of a person silences.
  private mutating func endPrompts(of id: PersonID) -> [AnsweredPrompt] {
    var ended: [AnsweredPrompt] = []
    for prompt in activePrompts() {
      guard let alarm = alarm(prompt.id.alarm), alarm.person == id,
        isPersonPaused(prompt, of: alarm)
      else { continue }
      let stopped = stopping(prompt)
      endByPause(prompt)
      if let closed = self.prompt(prompt.id) {
        ended.append(AnsweredPrompt(prompt: closed, stopped: stopped))
      }
    }
    return ended
  }

  /// Closes an open prompt of a paused person.
  ///
  /// If the daemon recorded a ring intent, it is possible that the prompt sounded. In this case,
  /// the outcome is "cancelled" and not "suppressed".
  mutating func endByPause(_ prompt: Prompt) {
    if prompt.ringsIntended == 0 {
      close(prompt, .suppressedPaused, .none)
    } else {
      close(prompt, .cancelledWhileRinging, .caretakerOverride)
    }
  }
}

extension PersonState {
  /// Returns the instant after which the alarms of the person can ring. If the person is not paused
  /// at the instant `wall`, the result is `wall`. If the person is paused without an end, the
  /// result is nil.
  func ringsAfter(_ wall: Instant) -> Instant? {
    guard let pause = pause(at: wall) else { return wall }
    return pause.until?.adding(milliseconds: -1)
  }
}

extension SchedulePlan {
  /// The maximum number of due times that `rings` checks. The function reaches this limit only if a
  /// caretaker pauses an alarm for years and the alarm is due every few minutes.
  private static let mostLookedThrough = 200_000

  /// Creates the plan of an alarm, including its early reminders and its random times.
  init(_ alarm: Alarm, zone: Zone) throws(CivilTimeError) {
    try self.init(
      alarm.schedule, earlyReminders: alarm.earlyReminders, zone: zone,
      seed: randomSeed(person: alarm.person, alarm: alarm.id))
  }

  /// Returns the next occurrences after `instant`, at most `count` occurrences. The result contains
  /// no occurrence that a caretaker paused or skipped, and no occurrence for which `isWanted` is
  /// false.
  func rings(
    after instant: Instant, count: Int, pauses: Pauses, where isWanted: (Occurrence) -> Bool
  ) -> [Occurrence] {
    var occurrences: [Occurrence] = []
    var from = instant
    for _ in 0..<Self.mostLookedThrough {
      guard occurrences.count < count, let next = due(after: from) else { break }
      from = next.occurrence.instant
      if !pauses.interruptions(next.main.nominal, fold: next.main.fold), isWanted(next.occurrence) {
        occurrences.append(next.occurrence)
      }
    }
    return occurrences
  }
}
