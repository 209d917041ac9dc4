import CivilTime

// The hourly limit: the maximum number of repetitions that a person hears in an hour.
//
// The hourly limit never suppresses these rings:
// - the first ring of a prompt, also the first ring after "later" or "on my way",
// - each ring of a prompt until the prompt is delivered,
// - each ring of an urgent step.
//
// If the number of repetitions is near the limit, the prompts with the earliest due times are
// suppressed first.
extension Transition {
  /// The minimum wait, in seconds, until `step` checks a suppressed repetition again.
  ///
  /// A repetition must wait if the remaining repetitions of the hour are reserved for prompts with
  /// later due times. Each check adds a row to the record. Therefore `step` waits at least 5
  /// minutes until the next check.
  private static let lookAgainSeconds: Int64 = 300

  /// Returns true if the next ring of a prompt is a repetition. The hourly limit counts only
  /// repetitions.
  func isRepetition(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    let chain = alarm.chain(of: prompt)
    let index = prompt.nextRing
    return index > 0 && prompt.isDelivered && !chain[chain.place(of: index).step].isUrgent
  }

  /// Returns the earliest time at which the hourly limit can allow the next ring of a prompt. At
  /// this time, `step` checks the limit again.
  ///
  /// The result is nil if the limit allows the ring now. Half of the limit is reserved for prompts
  /// with a later due time than `prompt`. If the prompts with a later due time need only a part of
  /// the reserved half, `prompt` can use the rest.
  func earliestUnderHourlyLimit(for prompt: Prompt, of alarm: Alarm) -> Instant? {
    guard isRepetition(prompt, of: alarm) else { return nil }
    let begun = recentRings.repetitions(of: alarm.person, at: wall)
    let limit = ringsPerHour(of: alarm)
    if begun.count >= limit {
      return begun[begun.count - limit].adding(milliseconds: RecentRings.hourMilliseconds)
    }
    guard begun.count >= limit - limit / 2 else { return nil }
    let isFull = needs(limit - begun.count, newerThan: prompt, of: alarm.person)
    guard isFull else { return nil }
    // After an answer, for example, the prompts with a later due time can need fewer repetitions
    // than now. Therefore `step` checks the limit again after a short wait. The next ring is a
    // repetition, so its index is at least 1.
    let spacing = alarm.chain(of: prompt).secondsAfter(prompt.nextRing - 1)
    return wall.adding(seconds: max(spacing, Self.lookAgainSeconds))
  }

  /// Returns true if the other prompts of a person will probably need at least `repetitions`
  /// repetitions in the next hour. The function counts only prompts that are due after `prompt`.
  private func needs(_ repetitions: Int, newerThan prompt: Prompt, of person: PersonID) -> Bool {
    let horizon = wall.adding(milliseconds: RecentRings.hourMilliseconds)
    var count = 0
    /// Adds the expected repetitions of one prompt to `count`. Returns true if `count` is now at
    /// least `repetitions`.
    func isEnough(_ other: Prompt) -> Bool {
      guard let at = other.stateStepAt, at.milliseconds < horizon.milliseconds,
        (prompt.dueAt, prompt.id) < (other.dueAt, other.id),
        let alarm = alarm(other.id.alarm), alarm.person == person, !alarm.isAnnouncement
      else { return false }
      if other.state == .planned, expectedSuppression(of: alarm, at: other.dueAt) != nil {
        return false
      }
      count += alarm.repetitions(from: other)
      return count >= repetitions
    }
    if changes.prompts.values.contains(where: isEnough) { return true }
    return home.openPrompts.contains { changes.prompts[$0.id] == nil && isEnough($0) }
  }

  /// Adds a ring to the list of recent rings. The ring has just started to sound.
  mutating func noteSound(of activeRing: VolatileState.ActiveRing) {
    recentRings.add(
      RecentRing(at: wall, isRepetition: activeRing.isRepetition, isTask: activeRing.isTask),
      of: activeRing.person)
  }

  /// Checks each prompt that the hourly limit suppresses. If the limit now allows the next ring of
  /// a prompt, the function ends the suppression of this prompt.
  ///
  /// - Parameter person: the person whose prompts are checked; nil for all people.
  mutating func releaseCapped(of person: PersonID?) {
    for prompt in activePrompts() {
      guard case .held(var suppression) = prompt.state,
        suppression.reason == .cap || suppression.reason == .capRest,
        let alarm = alarm(prompt.id.alarm), person == nil || alarm.person == person,
        wall <= suppression.since.adding(seconds: alarm.lateWindowSeconds),
        suppression.until > wall,
        earliestUnderHourlyLimit(for: prompt, of: alarm) == nil
      else { continue }
      suppression.reason = .cap
      suppression.until = wall
      emit(.held(prompt.id, suppression))
    }
  }
}

extension Alarm {
  /// Returns the number of future repetitions of a prompt.
  ///
  /// The function counts the rings that will sound if nobody answers. The function counts neither
  /// the ring with the index 0 nor the rings of urgent steps. A future answer "on my way" could
  /// cause a new burst. The function does not count the rings of such a burst.
  fileprivate func repetitions(from prompt: Prompt) -> Int {
    let chain = chain(of: prompt)
    let next: Int
    switch prompt.state {
    case .ringing(let ring, _): next = ring.index + 1
    case .waiting(let ring, _): next = ring
    case .held(let suppression):
      guard suppression.ringsAfterwards else { return 0 }
      next = suppression.ring
    // The ring with the index 0 is not a repetition.
    case .planned, .delayed, .acknowledged: next = 1
    case .expiring, .closed: return 0
    }
    return (max(next, 1)..<max(chain.ringCount, max(next, 1))).count {
      !chain[chain.place(of: $0).step].isUrgent
    }
  }
}
