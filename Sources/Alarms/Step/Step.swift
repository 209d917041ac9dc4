import CivilTime

/// Decides what an input does. Only this function decides that something rings.
///
/// It is a pure function: clock readings come with the input, ids come with the command, and it has
/// no side effects. The caller records the decision, merges it, and only then acts.
///
/// The rule depends on when and why the daemon wakes:
/// - On time: the prompt rings, and the alarm's next occurrence is planned.
/// - Late, within the alarm's late window: the newest occurrence rings once. Older ones are missed.
/// - Past the late window: missed, with the cause.
/// - Clock stepped back: a prompt that is over never rings again. Times that are in the future
///   again are planned.
/// - Clock stepped forward: like waking late. A prompt that was waiting keeps its elapsed time.
/// - Zones changed: every planned prompt moves to the new instant of its civil time.
///
/// - Throws: the `Refusal` of a command; then nothing has changed.
public func step(
  _ home: HomeState, _ input: Input, at reading: ClockReading, in environment: Environment
) throws(Refusal) -> Decision {
  var transition = Transition(home, reading, input.actor, environment)
  transition.detectClockStep(isAudited: !input.changesZones)
  switch input {
  case .started(let start): transition.start(start)
  case .woke: break
  case .heartbeat:
    transition.emit(.heartbeat)
    transition.audit()
    transition.endInactivityOnHold()
  case .disk(let freeBytes): transition.lookAtDisk(freeBytes: freeBytes)
  case .sound(let report): transition.handle(report)
  case .notifyResult(let report): transition.handle(report)
  case .command(let command, _): try transition.execute(command)
  case .stopping(let reason):
    transition.emit(.serviceStopped(reason: reason))
    return transition.finished(isMoreDue: false)
  case .recordReturned(let since):
    transition.emit(.gap(from: since, to: reading.wall, cause: .recordUnwritable))
    return transition.finished(isMoreDue: false)
  case .zonesChanged: transition.zonesChanged()
  }
  let isMoreDue = transition.fireDue()
  transition.planFollowers()
  // Only after all prompts are planned is it known whether anything will still ring.
  transition.notifyOfInactivity()
  transition.forgetAnnouncements()
  transition.cancelInactivityNotifications()
  transition.bringReplyUpToDate()
  return transition.finished(isMoreDue: isMoreDue)
}

extension Input {
  fileprivate var changesZones: Bool { if case .zonesChanged = self { true } else { false } }

  var actor: Actor {
    switch self {
    case .started, .stopping, .recordReturned: .daemon("start")
    case .woke, .heartbeat, .disk: .daemon("timer")
    case .zonesChanged: .daemon("clock")
    case .sound: .daemon("speaker")
    case .notifyResult: .daemon("notifier")
    case .command(_, let actor): actor
    }
  }
}

extension Transition {
  /// The maximum number of prompts in one decision.
  ///
  /// It limits how long a request waits if very many prompts are due at once.
  static let batch = 250
  /// After an absence, only this much of the past is listed one by one: 31 days or 500 missed
  /// prompts.
  private static let listedMilliseconds: Int64 = 31 * 86_400_000
  private static let listed = 500

  /// Plans the next prompt of each alarm that lacks one.
  ///
  /// An alarm lacks a planned prompt if it has a future occurrence and nothing is planned.
  ///
  /// - Parameter isRepair: true if no input can have left an alarm without a planned prompt.
  mutating func auditPlans(isRepair: Bool = false) {
    for id in unplannedAlarms {
      guard let next = nextPrompt(of: id, after: wall) else {
        continueChain(of: id)
        continue
      }
      let isLost = isRepair && isUnaccounted(next)
      plan(next)
      if isLost { emit(.repaired(next.id, .notPlanned)) }
    }
  }

  /// Sorting comes last: almost always the list is empty, and sorting costs more than the search.
  private var unplannedAlarms: [AlarmID] {
    home.entries.compactMap { isPlanned($0, $1) ? nil : $0 }.sorted()
  }

  /// Whether an alarm has no planned prompt, and never had the prompt `next`.
  private func isUnaccounted(_ next: Prompt) -> Bool {
    let id = next.id.alarm
    // The prompt rang under an earlier clock setting, and still waits for an answer.
    if prompt(next.id)?.state.isOpen == true { return false }
    if home.isUnheard(next.id) { return false }
    return !openPrompts(of: id).contains { $0.state == .planned }
  }

  /// Whether the next occurrence of an alarm is certainly planned.
  ///
  /// False also means that a closer check is needed.
  private func isPlanned(_ id: AlarmID, _ entry: HomeState.Entry) -> Bool {
    guard !hasPlansToRenew, changes.alarms[id] == nil, let next = entry.plan?.next(after: wall)
    else { return false }
    let prompt = PromptID(alarm: id, nominal: next.nominal, fold: next.fold)
    return entry.open.contains(prompt.nominalKey) && changes.prompts[prompt] == nil
      // Another occurrence may have had this name before.
      && (!entry.alarm.keepsInstants || home.prompts[prompt]?.dueAt == next.instant)
  }

  /// Plans a prompt unless it is open already.
  mutating func plan(_ next: Prompt) {
    if prompt(next.id)?.state.isOpen != true { emit(.planned(next)) }
  }

  /// Handles every prompt that is due.
  ///
  /// - Returns: whether more prompts are due than were handled.
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
    let since = prompt.lateSince ?? at
    let isLate = wall.milliseconds(since: since) > alarm.lateWindowSeconds * 1_000
    switch prompt.state {
    case .planned: becomeDue(prompt, of: alarm, isLate: isLate)
    case .waiting, .delayed, .acknowledged:
      readyOrLate(prompt, at, isLate: isLate)
    case .held(let suppression) where !suppression.ringsAfterwards:
      close(prompt, unansweredOutcome(prompt), .none)
    case .held: readyOrLate(prompt, at, isLate: isLate)
    case .expiring: close(prompt, unansweredOutcome(prompt), .none)
    case .ringing(let ring, _) where activeRing?.prompt != id:
      // Nothing sounds for this prompt. Its burst must continue, so the ring is recorded as
      // uncertain.
      emit(
        .ringUncertain(
          id, number: ring.number, reason: "the daemon does not know if the ring sounded"))
    case .ringing, .closed: break
    }
  }

  /// Adds a prompt to the speaker queue, unless it is suppressed or too late.
  ///
  /// A prompt that is too late is missed.
  private mutating func readyOrLate(_ prompt: Prompt, _ at: Instant, isLate: Bool) {
    // A prompt that waits in the speaker queue does not count as late here.
    if isLate, !home.speakerQueue.contains(prompt.id) {
      close(prompt, missedOutcome(prompt.id, at), .none)
    } else if !suppressIfNeeded(prompt) {
      readied.insert(prompt.id)
    }
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

  /// The next prompt to list after a prompt that is due.
  ///
  /// After a long absence, not every prompt is listed.
  func successor(of prompt: Prompt, of alarm: Alarm) -> Prompt? {
    guard let next = nextPrompt(of: alarm.id, after: prompt.dueAt),
      wall.milliseconds(since: next.dueAt) > Self.listedMilliseconds
    else { return nextPrompt(of: alarm.id, after: prompt.dueAt) }
    return nextPrompt(of: alarm.id, after: listedSince(alarm))
  }

  /// The instant after which every missed occurrence of a long absence is listed.
  ///
  /// It is 31 days ago, or 1 day ago if the alarm was due more than 500 times in those 31 days.
  ///
  /// Without this limit, a clock that starts seventy years ahead would add a quarter of a million
  /// rows for twelve prompts a day. The recorded gap or clock step explains the occurrences that
  /// are not listed.
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

  /// Closes a prompt, and stops its sound.
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

  /// Stops the sound of a prompt that is ringing.
  mutating func stopSound(_ prompt: Prompt) {
    guard case .ringing(let ring, _) = prompt.state else { return }
    effects.append(.stop(prompt.id, ring: ring.number))
  }

  /// The rings and the sound that the end of the burst would stop now.
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
    // The device was on and awake, but the prompt was lost.
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
    // The patient or a caretaker answered "later" before the first ring. The speaker did not fail.
    return suppressedOutcome(prompt) ?? .missedNoResponse
  }

  /// The outcome of a prompt that may not sound now; nil for a prompt that may.
  private func suppressedOutcome(_ prompt: Prompt) -> Outcome? {
    guard let alarm = alarm(prompt.id.alarm) else { return nil }
    if isControl(prompt, of: alarm) { return .suppressedControlPhase }
    return quiet(for: alarm, at: wall) == nil ? nil : .suppressedQuietHours
  }

  /// The first prompt after an instant that is not over: already planned, or new.
  func nextPrompt(of id: AlarmID, after instant: Instant) -> Prompt? {
    guard let alarm = alarm(id), let plan = plan(of: alarm) else { return nil }
    if case .after = alarm.schedule { return nextAfterAnswer(of: alarm, plan, after: instant) }
    var from = instant
    while let next = plan.next(after: from) {
      from = next.instant
      guard let name = name(of: next, of: alarm), !isPast(name, dueAt: next.instant, of: alarm)
      else { continue }
      if let known = prompt(name), known.state.isOpen {
        // If the zones changed, this name may belong to an earlier instant. That prompt does not
        // come next.
        if known.dueAt > instant { return known }
        continue
      }
      return newPrompt(of: alarm, next, named: name)
    }
    return nil
  }

  /// A prompt for an occurrence of an alarm.
  ///
  /// - Parameter name: the prompt's id; nil for the id that follows from the occurrence.
  func newPrompt(of alarm: Alarm, _ occurrence: Occurrence, named name: PromptID? = nil) -> Prompt {
    let zone = environment.zone(of: alarm)
    return Prompt(
      id: name ?? PromptID(alarm: alarm.id, nominal: occurrence.nominal, fold: occurrence.fold),
      alarmVersion: alarm.version, dueAt: occurrence.instant,
      zoneName: zone?.name ?? alarm.zoneName,
      utcOffsetSeconds: zone?.offsetSeconds(at: occurrence.instant) ?? 0,
      alsoNominal: plan(of: alarm)?.nominals(beside: occurrence) ?? [])
  }

  func plan(of alarm: Alarm) -> SchedulePlan? {
    if hasPlansToRenew { return environment.plan(for: alarm) }
    if let entry = home.entries[alarm.id], entry.alarm.version == alarm.version {
      return entry.plan
    }
    return environment.plan(for: alarm)
  }
}
