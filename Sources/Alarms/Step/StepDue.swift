import CivilTime

// The handling of due prompts. Each due prompt rings, is suppressed, or is missed.
extension Transition {
  /// The period for which the daemon records one row for each missed prompt, in milliseconds: 31
  /// days. If an alarm was due 500 times or more in the last 31 days, this period is only 1 day:
  /// see `listedSince`.
  private static let listedMilliseconds: Int64 = 31 * 86_400_000
  private static let listed = 500

  /// Handles every prompt that is due.
  ///
  /// - Returns: true if due prompts remain that this call did not handle.
  mutating func fireDue() -> Bool {
    let due = home.due(at: wall, limit: Self.batch)
    for id in due { fireDue(of: id) }
    let dealtWith = Set(due)
    for id in changes.prompts.keys.filter({ !dealtWith.contains($0) }).sorted() {
      fireDue(of: id)
    }
    giveUpOverdueRing()
    let isCrowded = activeRing == nil ? ringNext() : false
    return isCrowded || due.count == Self.batch
      || changes.prompts.values.contains {
        ($0.nextStepAt ?? .distantFuture) <= wall && !readied.contains($0.id)
      }
  }

  private mutating func fireDue(of id: PromptID) {
    if let prompt = prompt(id), prompt.state.isOpen, let at = prompt.notifyProgress.nextAt,
      at <= wall
    {
      notify(prompt, notifyReason(prompt))
    }
    guard let prompt = prompt(id), let at = prompt.stateStepAt, at <= wall else { return }
    guard let alarm = alarm(id.alarm) else { return }
    if activeRing?.contains(id) != true, endIfEventBegan(prompt) { return }
    let since = prompt.lateSince ?? at
    let isLate = isTooLate(since: since, of: alarm)
    switch prompt.state {
    case .planned: becomeDue(prompt, of: alarm, isLate: isLate)
    case .waiting, .delayed, .acknowledged:
      readyOrLate(prompt, at, isLate: isLate)
    case .held(let suppression) where !suppression.ringsAfterwards:
      close(prompt, unansweredOutcome(prompt), .none)
    case .held: readyOrLate(prompt, at, isLate: isLate)
    case .expiring: close(prompt, unansweredOutcome(prompt), .none)
    case .ringing(let ring, _) where activeRing?.contains(id) != true:
      // The state says that the prompt rings, but the speaker plays no ring of this prompt. The
      // event `ringUncertain` ends this ring, so that the burst can continue.
      emit(
        .ringUncertain(
          id, number: ring.number, reason: "the daemon does not know if the ring sounded"))
    case .ringing, .closed: break
    }
  }

  /// Adds a prompt to the speaker queue if the prompt is neither suppressed nor too late.
  ///
  /// If the prompt is too late, the function closes the prompt as missed.
  private mutating func readyOrLate(_ prompt: Prompt, _ at: Instant, isLate: Bool) {
    // For a prompt in the speaker queue, `ringNext` checks the late window.
    if isLate, !home.speakerQueue.contains(prompt.id) {
      close(prompt, missedOutcome(prompt.id, at), .none)
    } else if !suppressIfNeeded(prompt) {
      readied.insert(prompt.id)
    }
  }

  /// Returns true if the late window of an alarm has passed.
  ///
  /// - Parameter since: the start of the late window: the instant at which the next ring of the
  ///   prompt should start (see `Prompt.lateSince`).
  func isTooLate(since: Instant, of alarm: Alarm) -> Bool {
    wall.milliseconds(since: since) > alarm.lateWindowSeconds * 1_000
  }

  private mutating func becomeDue(_ prompt: Prompt, of alarm: Alarm, isLate: Bool) {
    let next = nextPrompt(of: alarm.id, after: prompt.dueAt)
    let isNewest = next.map { $0.dueAt > wall } ?? true
    if isSilenced(prompt, of: alarm) {
      close(prompt, .suppressedPaused, .none)
    } else if isLate || !isNewest {
      close(prompt, missedOutcome(prompt.id, prompt.dueAt), .none)
    } else {
      for older in openPrompts(of: alarm.id) where older.dueAt < prompt.dueAt {
        if case .planned = older.state { continue }
        close(older, unansweredOutcome(older), .none)
      }
      emit(.due(prompt.id, lateMilliseconds: wall.milliseconds - prompt.dueAt.milliseconds))
      if let due = self.prompt(prompt.id), !suppressIfNeeded(due) { readied.insert(prompt.id) }
    }
    if let next = successor(of: prompt, of: alarm) { plan(next) }
  }

  /// Returns the next prompt that the daemon plans for the alarm after a due prompt.
  ///
  /// After the device was off for a long time, the function leaves out the oldest missed
  /// occurrences: see `listedSince`.
  func successor(of prompt: Prompt, of alarm: Alarm) -> Prompt? {
    guard let next = nextPrompt(of: alarm.id, after: prompt.dueAt),
      wall.milliseconds(since: next.dueAt) > Self.listedMilliseconds
    else { return nextPrompt(of: alarm.id, after: prompt.dueAt) }
    return nextPrompt(of: alarm.id, after: listedSince(alarm))
  }

  /// Returns the instant from which the daemon records one row for each missed occurrence. The
  /// daemon records no rows for older missed occurrences.
  ///
  /// Usually this instant is 31 days ago. Exception: if the alarm was due 500 times or more in
  /// these 31 days, this instant is 1 day ago.
  ///
  /// Without this limit, one clock error could fill the record. Example: an alarm is due twelve
  /// times a day. When the device starts, its wall clock is 57 years ahead. Without the limit, the
  /// record would get 250,000 rows. The recorded gap or clock step shows why older occurrences have
  /// no rows.
  private func listedSince(_ alarm: Alarm) -> Instant {
    let month = wall.adding(milliseconds: -Self.listedMilliseconds)
    guard let plan = plan(of: alarm) else { return month }
    var from = month
    for _ in 0..<Self.listed {
      guard let next = plan.next(after: from), next.instant <= wall else { return month }
      from = next.instant
    }
    return wall.adding(seconds: -86_400)
  }

  /// Closes a prompt and stops its sound.
  mutating func close(_ prompt: Prompt, _ outcome: Outcome, _ reason: ReasonCode) {
    notifyOfMissed(prompt, outcome)
    let stopped = stopping(prompt)
    emit(.closed(prompt.id, outcome, reason: reason, stopped))
    stopSound(prompt)
    if outcome.kind != .missed, !prompt.notifyProgress.pending.isEmpty {
      effects.append(.cancelNotification(.prompt(prompt.id)))
    }
    readied.remove(prompt.id)
  }

  /// Stops the sound of a prompt if the prompt is ringing, or if the player says the words of the
  /// prompt again. If the ring is a merged ring, the function stops the sound for all prompts of
  /// this ring.
  mutating func stopSound(_ prompt: Prompt) {
    if let activeRing, activeRing.again != nil, activeRing.prompt == prompt.id {
      effects.append(.stop(activeRing.prompt, ring: activeRing.ring))
    }
    guard case .ringing(let ring, _) = prompt.state else { return }
    var stop = Effect.stop(prompt.id, ring: ring.number)
    if let activeRing, activeRing.contains(prompt.id) {
      stop = .stop(activeRing.prompt, ring: activeRing.ring)
    }
    if !effects.contains(stop) { effects.append(stop) }
  }

  /// Counts the rings of a prompt whose present burst ends now. The result contains the number of
  /// rings that have already sounded, and the number of rings that will not sound any more. The
  /// result also says if a ring sounds now.
  func stopping(_ prompt: Prompt) -> Stopped {
    let rings = alarm(prompt.id.alarm)?.chain(of: prompt).ringCount ?? 0
    switch prompt.state {
    case .planned, .delayed, .acknowledged:
      return Stopped(pending: rings, sounding: false, sounded: prompt.ringsSounded)
    case .waiting(let index, _):
      return Stopped(pending: rings - index, sounding: false, sounded: prompt.ringsSounded)
    case .ringing(let ring, _):
      return Stopped(
        pending: rings - ring.index - 1, sounding: ring.startedAt != nil,
        sounded: prompt.ringsSounded)
    case .held(let suppression):
      return Stopped(
        pending: suppression.ringsAfterwards ? rings - suppression.ring : 0, sounding: false,
        sounded: prompt.ringsSounded)
    case .expiring, .closed:
      return Stopped(pending: 0, sounding: false, sounded: prompt.ringsSounded)
    }
  }

  func missedOutcome(_ id: PromptID, _ at: Instant) -> Outcome {
    // The prompts in `lost` were missing from the queues, although the device was on and awake.
    // Only a defect of the daemon can cause this.
    if lost.contains(id) { return .unknownCrash }
    if let skipped = clock.skipped, skipped.contains(at) { return .missedClockInvalid }
    if let started = clock.startedAt, at < started { return .missedDeviceOff }
    return .missedSuspended
  }

  func unansweredOutcome(_ prompt: Prompt) -> Outcome {
    if prompt.isDelivered { return .missedNoResponse }
    if prompt.ringsFailed > 0 { return .missedAudioFailed }
    if case .held(let suppression) = prompt.state { return suppression.outcome }
    if prompt.ringsIntended > 0 { return .unknownCrash }
    guard prompt.isPutOff else { return .missedAudioFailed }
    // The patient or a caretaker answered "later" before the first ring. This answer is the reason
    // why no ring sounded. The speaker did not fail.
    return suppressedOutcome(prompt) ?? .missedNoResponse
  }

  /// Returns the outcome of a prompt that must be silent now; nil if the prompt may sound.
  private func suppressedOutcome(_ prompt: Prompt) -> Outcome? {
    guard let alarm = alarm(prompt.id.alarm) else { return nil }
    if isControl(prompt, of: alarm) { return .suppressedControlPhase }
    return quiet(for: alarm, at: wall) == nil ? nil : .suppressedQuietHours
  }
}
