import CivilTime

// Early reminders: prompts that ring before a main occurrence. In this file, "event" means the main
// occurrence.
extension Transition {
  /// Returns the main occurrence of an early reminder; nil if `occurrence` is not an early
  /// reminder.
  func event(of occurrence: Occurrence, of alarm: Alarm) -> Occurrence? {
    guard !alarm.earlyReminders.isEmpty,
      let due = plan(of: alarm)?.due(after: occurrence.instant.adding(milliseconds: -1)),
      due.occurrence.nominal == occurrence.nominal
    else { return nil }
    return due.leadsTo
  }

  /// Closes an early reminder if the due time of its main prompt has come. From this due time on,
  /// the main prompt rings instead.
  ///
  /// - Returns: true if the prompt was closed.
  mutating func endIfEventBegan(_ prompt: Prompt) -> Bool {
    guard prompt.state != .planned, let event = prompt.leadsToAt, event <= wall else {
      return false
    }
    close(prompt, unansweredOutcome(prompt), .none)
    return true
  }

  /// Returns the end of a period that starts now and is `seconds` seconds long. The period is a
  /// delay, or the time until the completion deadline. For an early reminder, the result is never
  /// later than the due time of the main prompt. If this due time has already passed, the result is
  /// the present time.
  func end(of seconds: Int64, for prompt: Prompt) -> Instant {
    let end = wall.adding(seconds: seconds)
    guard let event = prompt.leadsToAt else { return end }
    return max(min(end, event), wall)
  }

  /// Returns the words of an early reminder for a ring at `instant`. The words say when the main
  /// occurrence is due. The result is nil if the prompt is not an early reminder.
  func leadWords(of prompt: Prompt, at instant: Instant) -> SpokenWords? {
    guard let event = prompt.leadsToAt, let alarm = alarm(prompt.id.alarm) else { return nil }
    let person = person(of: alarm)
    let zone = person.map { self.zone(of: $0) } ?? environment.homeZone
    return LeadWords(now: instant, event: event, zone: zone)
      .spoken(in: [person?.language, environment.language].compactMap { $0 })
  }

  /// Lets the speech program prepare the words for the next ring of each early reminder that this
  /// decision changed.
  ///
  /// The words must be ready before the ring, because a ring does not wait for the speech program.
  mutating func rehearseLeads() {
    let leads = changes.prompts.values.filter { $0.leadsToAt != nil }.sorted { $0.id < $1.id }
    for prompt in leads {
      guard let at = prompt.nextRingAt, let words = leadWords(of: prompt, at: max(at, wall)) else {
        continue
      }
      effects.append(.rehearse(words))
    }
  }
}

extension Prompt {
  /// The expected instant of the next ring; nil if no ring follows, or if a ring sounds now.
  fileprivate var nextRingAt: Instant? {
    switch state {
    case .planned, .waiting, .delayed, .acknowledged: stateStepAt
    case .held(let suppression): suppression.ringsAfterwards ? suppression.until : nil
    case .ringing, .expiring, .closed: nil
    }
  }
}

extension HomeState {
  /// Returns all words for which the daemon must store speech before a ring. The result contains
  /// the words of all alarms without a recording, and the first words of merged rings. The next
  /// ring of an early reminder also says when the main prompt is due, so the result also contains
  /// these words.
  public func wantedWords(at reading: ClockReading, in environment: Environment) -> Set<SpokenWords>
  {
    let transition = Transition(self, reading, .daemon("speech"), environment)
    let leads = openPrompts.lazy.filter { $0.leadsToAt != nil }.compactMap { prompt in
      prompt.nextRingAt.flatMap { transition.leadWords(of: prompt, at: max($0, reading.wall)) }
    }
    return unrecordedWords.union(leads).union(transition.wantedOpenings())
  }
}
