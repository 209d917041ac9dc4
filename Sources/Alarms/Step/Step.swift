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
