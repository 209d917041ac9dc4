import CivilTime

// The hourly limit: the maximum number of repetitions that a person hears in an hour.
//
// Three kinds of rings always sound: the first ring of each burst, each ring of a prompt that
// nobody has heard yet, and each ring of an urgent step. If the number of repetitions comes near
// the limit, the prompts that have been due for longest lose their repetitions first.
extension Transition {
  /// The shortest wait before `step` checks a suppressed repetition again, in seconds.
  ///
  /// A repetition waits while other prompts still need the rest of the limit. The wait is 5
  /// minutes, so that the record gets a few rows about the repetition and not one row each second.
  private static let lookAgainSeconds: Int64 = 300

  /// Returns true if the hourly limit counts the next ring of a prompt.
  func isRepetition(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    let chain = alarm.chain(of: prompt)
    let index = prompt.nextRing
    return index > 0 && prompt.isDelivered && !chain[chain.place(of: index).step].isUrgent
  }

  /// The time at which the hourly limit allows the next ring of a prompt.
  ///
  /// The result is nil if the limit allows the ring now. Half of the limit is reserved for the
  /// repetitions of newer prompts, as far as newer prompts need this half.
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
    // Each ring and each answer of another prompt may change the number of repetitions that the
    // other prompt needs.
    let chain = alarm.chain(of: prompt)
    let spacing = chain.secondsAfter(max(prompt.nextRing - 1, 0))
    return wall.adding(seconds: max(spacing, Self.lookAgainSeconds))
  }

  /// Returns true if newer prompts of a person need this number of repetitions within an hour.
  private func needs(_ repetitions: Int, newerThan prompt: Prompt, of person: PersonID) -> Bool {
    let horizon = wall.adding(milliseconds: RecentRings.hourMilliseconds)
    var count = 0
    /// Adds the repetitions of one prompt. Returns true if the sum has reached `repetitions`.
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

  /// Adds the active ring to the recent rings, because it has started to sound.
  mutating func noteSound(of activeRing: VolatileState.ActiveRing) {
    recentRings.add(
      RecentRing(at: wall, isRepetition: activeRing.isRepetition, isTask: activeRing.isTask),
      of: activeRing.person)
  }

  /// Ends suppressions by the hourly limit if the limit allows the rings now.
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
  /// The number of future rings of a prompt that the hourly limit counts.
  ///
  /// Only the present chain of bursts of the prompt counts.
  fileprivate func repetitions(from prompt: Prompt) -> Int {
    let chain = chain(of: prompt)
    let next: Int
    switch prompt.state {
    case .ringing(let ring, _): next = ring.index + 1
    case .waiting(let ring, _): next = ring
    case .held(let suppression):
      guard suppression.ringsAfterwards else { return 0 }
      next = suppression.ring
    case .planned, .delayed, .acknowledged: next = 0
    case .expiring, .closed: return 0
    }
    return (max(next, 1)..<max(chain.ringCount, max(next, 1))).count {
      !chain[chain.place(of: $0).step].isUrgent
    }
  }
}
