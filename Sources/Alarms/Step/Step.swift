import CivilTime

/// Decides what an event means. The one place where it is decided that something rings.
///
/// A pure function: the clocks' readings come with the event, ids come with the command, and nothing
/// is done here. The caller records the decision, merges it, and only then acts.
///
/// Each way of waking has a policy:
/// - on time: the prompt rings, and the alarm's next occurrence is planned;
/// - late within the alarm's window: the newest occurrence rings once, older ones are missed;
/// - past the window: missed, with the cause;
/// - clock stepped back: what is over never rings again, what now lies ahead is planned;
/// - clock stepped forward: like waking late; what was waiting keeps its elapsed time;
/// - zones changed: every planned prompt moves to where its civil time is now.
///
/// - Throws: a `Refusal` of a command; nothing has changed then.
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
  // Only once all is planned is it known whether anything is still to ring.
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
    case .notifyResult: .daemon("herald")
    case .command(_, let actor): actor
    }
  }
}

extension Transition {
  /// At most this many prompts in one decision, so that a request never waits for all of a crowd.
  static let batch = 250
  /// Of an absence longer than 31 days, or with more missed prompts than this, the older are not
  /// listed one by one.
  private static let listedMilliseconds: Int64 = 31 * 86_400_000
  private static let listed = 500

  /// Plans what ought to be planned and is not: every alarm with a future has a next prompt.
  ///
  /// - Parameter isRepair: whether nothing has happened that would leave an alarm without one.
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

  /// Almost always there is none, and sorting costs more than looking.
  private var unplannedAlarms: [AlarmID] {
    home.entries.compactMap { isPlanned($0, $1) ? nil : $0 }.sorted()
  }

  /// Whether an alarm has nothing planned, and never had the prompt that is to be.
  private func isUnaccounted(_ next: Prompt) -> Bool {
    let id = next.id.alarm
    // It rang under another clock, and is still to be answered.
    if prompt(next.id)?.phase.isOpen == true { return false }
    if home.isUnheard(next.id) { return false }
    return !openPrompts(of: id).contains { $0.phase == .planned }
  }

  /// Whether the next occurrence of an alarm is planned; false where that takes a closer look.
  private func isPlanned(_ id: AlarmID, _ entry: HomeState.Entry) -> Bool {
    guard !hasPlansToRenew, changes.alarms[id] == nil, let next = entry.plan?.next(after: wall)
    else { return false }
    let prompt = PromptID(alarm: id, nominal: next.nominal, fold: next.fold)
    return entry.open.contains(prompt.nominalKey) && changes.prompts[prompt] == nil
      // Its name may have been another one's before.
      && (!entry.alarm.keepsInstants || home.prompts[prompt]?.dueAt == next.instant)
  }

  /// Plans a prompt that is not planned already.
  mutating func plan(_ next: Prompt) {
    if prompt(next.id)?.phase.isOpen != true { emit(.planned(next)) }
  }

  /// Deals with everything whose time has come.
  ///
  /// - Returns: whether more is due than was dealt with.
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
    if let prompt = prompt(id), prompt.phase.isOpen, let at = prompt.notifyProgress.nextAt,
      at <= wall
    {
      notify(prompt, notifyReason(prompt))
    }
    guard let prompt = prompt(id), let at = prompt.phaseStepAt, at <= wall else { return }
    guard let alarm = alarm(id.alarm) else { return }
    let since = prompt.lateSince ?? at
    let isLate = wall.milliseconds(since: since) > alarm.lateWindowSeconds * 1_000
    switch prompt.phase {
    case .planned: becomeDue(prompt, of: alarm, isLate: isLate)
    case .waiting, .delayed, .acknowledged:
      readyOrLate(prompt, at, isLate: isLate)
    case .held(let held) where !held.ringsAfterwards:
      close(prompt, unansweredOutcome(prompt), .none)
    case .held: readyOrLate(prompt, at, isLate: isLate)
    case .expiring: close(prompt, unansweredOutcome(prompt), .none)
    case .ringing(let ring, _) where activeRing?.prompt != id:
      // Never left hanging: nothing is sounding for it, so its burst goes on.
      emit(.ringUncertain(id, number: ring.number, reason: "the ring was lost sight of"))
    case .ringing, .closed: break
    }
  }

  /// Lines up a prompt that may sound; one that may not is held, and one that is too late is missed.
  private mutating func readyOrLate(_ prompt: Prompt, _ at: Instant, isLate: Bool) {
    // Waiting in line for the voice is not being late.
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
        if case .planned = older.phase { continue }
        close(older, unansweredOutcome(older), .none)
      }
      emit(.due(prompt.id, lateMilliseconds: wall.milliseconds - prompt.dueAt.milliseconds))
      if let due = self.prompt(prompt.id), !suppressIfNeeded(due) { readied.insert(prompt.id) }
    }
    if let next = successor(of: prompt, of: alarm) { plan(next) }
  }

  /// The prompt that is listed after one that is due; of a long absence not each one is.
  func successor(of prompt: Prompt, of alarm: Alarm) -> Prompt? {
    guard let next = nextPrompt(of: alarm.id, after: prompt.dueAt),
      wall.milliseconds(since: next.dueAt) > Self.listedMilliseconds
    else { return nextPrompt(of: alarm.id, after: prompt.dueAt) }
    return nextPrompt(of: alarm.id, after: listedSince(alarm))
  }

  /// From when on every occurrence of a long absence is listed as missed: a month, or a day of an
  /// alarm that is due too often for that.
  ///
  /// A clock that comes up seventy years ahead would else cost a quarter of a million rows for twelve
  /// prompts a day. The gap or the step of the clock that is in the record explains the rest.
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

  /// Ends a prompt, silencing it where it sounds.
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

  /// Ends the sound of a prompt whose ring is under way.
  mutating func stopSound(_ prompt: Prompt) {
    guard case .ringing(let ring, _) = prompt.phase else { return }
    effects.append(.stop(prompt.id, ring: ring.number))
  }

  /// What ending this prompt's burst now would stop.
  func stopping(_ prompt: Prompt) -> Stopped {
    let rings = alarm(prompt.id.alarm)?.chain(of: prompt).ringCount ?? 0
    switch prompt.phase {
    case .planned, .delayed, .acknowledged:
      return Stopped(pending: rings, sounding: false, sounded: prompt.ringsSounded)
    case .waiting(let index, _):
      return Stopped(pending: rings - index, sounding: false, sounded: prompt.ringsSounded)
    case .ringing(let ring, _):
      return Stopped(
        pending: rings - ring.index - 1, sounding: ring.startedAt != nil,
        sounded: prompt.ringsSounded)
    case .held(let held):
      return Stopped(
        pending: held.ringsAfterwards ? rings - held.ring : 0, sounding: false,
        sounded: prompt.ringsSounded)
    case .expiring, .closed:
      return Stopped(pending: 0, sounding: false, sounded: prompt.ringsSounded)
    }
  }

  func missedOutcome(_ id: PromptID, _ at: Instant) -> Outcome {
    // The device was on and awake, and failed all the same.
    if forgotten.contains(id) { return .unknownCrash }
    if let skipped = clock.skipped, skipped.contains(at) { return .missedClockInvalid }
    if let started = clock.startedAt, at < started { return .missedDeviceOff }
    return .missedSuspended
  }

  func unansweredOutcome(_ prompt: Prompt) -> Outcome {
    if prompt.isDelivered { return .missedNoResponse }
    if prompt.ringsFailed > 0 { return .missedAudioFailed }
    if case .held(let held) = prompt.phase { return held.outcome }
    if prompt.ringsIntended > 0 { return .unknownCrash }
    guard prompt.isPutOff else { return .missedAudioFailed }
    // The patient or a caretaker answered "later" before the first ring. The speaker did not fail.
    return suppressedOutcome(prompt) ?? .missedNoResponse
  }

  /// The outcome of a prompt that may not sound now; nil for one that may.
  private func suppressedOutcome(_ prompt: Prompt) -> Outcome? {
    guard let alarm = alarm(prompt.id.alarm) else { return nil }
    if isControl(prompt, of: alarm) { return .suppressedControlPhase }
    return quiet(for: alarm, at: wall) == nil ? nil : .suppressedQuietHours
  }

  /// The first prompt after an instant that is not over: planned already, or new.
  func nextPrompt(of id: AlarmID, after instant: Instant) -> Prompt? {
    guard let alarm = alarm(id), let plan = plan(of: alarm) else { return nil }
    if case .after = alarm.schedule { return nextAfterAnswer(of: alarm, plan, after: instant) }
    var from = instant
    while let next = plan.next(after: from) {
      from = next.instant
      guard let name = name(of: next, of: alarm), !isPast(name, dueAt: next.instant, of: alarm)
      else { continue }
      if let known = prompt(name), known.phase.isOpen {
        // Zones that changed may have given this name to an earlier instant, which is not what follows.
        if known.dueAt > instant { return known }
        continue
      }
      return newPrompt(of: alarm, next, named: name)
    }
    return nil
  }

  /// A prompt for an occurrence of an alarm.
  ///
  /// - Parameter name: nil for that of the occurrence.
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
