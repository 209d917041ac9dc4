import CivilTime

/// Decides how the daemon reacts to one input. Only this function decides to play a ring.
///
/// The function is pure, because the function reads no clock and creates no random ids. The caller
/// passes the clock readings, and each command contains the ids for new objects. The engine records
/// the events of the decision, then merges the changes into the state, and then carries out the
/// effects.
///
/// The result depends on the present time, and on changes of the clock and the zones:
/// - If `step` handles a prompt at its due time, the prompt rings, and `step` plans the next
///   occurrence of the alarm.
/// - If `step` handles occurrences of an alarm after their due times, but within the late window,
///   only the prompt of the newest occurrence rings. The prompts of the older occurrences are
///   missed.
/// - If the late window has passed, the prompt is missed, and the outcome says why.
/// - If the clock stepped back, a past occurrence can be in the future again. If this occurrence
///   has a closed prompt, the occurrence does not ring a second time. If the occurrence has no
///   closed prompt, `step` plans a prompt for the occurrence.
/// - If the clock stepped forward, the prompts whose due time was skipped are late. If a prompt
///   already waits for its next ring, the remaining time until this ring does not change.
/// - If the zones changed, every planned prompt of a civil schedule moves to the new instant of its
///   civil time.
///
/// - Throws: the `Refusal` of a command. A refused command changes nothing.
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
    transition.dropExpiredNotices()
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
  transition.rehearseLeads()
  // The due time of a notification about inactivity depends on all planned prompts. Therefore the
  // following calls come after all calls that plan prompts.
  transition.notifyOfInactivity()
  transition.requestSummaries()
  transition.forgetAnnouncements(all: input.isAudit)
  transition.cancelInactivityNotifications()
  transition.updateReply()
  return transition.finished(isMoreDue: isMoreDue)
}

extension Input {
  fileprivate var changesZones: Bool { if case .zonesChanged = self { true } else { false } }

  /// True if `step` checks the whole state; false if `step` handles only the prompts that are due.
  fileprivate var isAudit: Bool {
    switch self {
    case .started, .heartbeat: true
    default: false
    }
  }

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
  /// The maximum number of prompts that one decision handles.
  ///
  /// If very many prompts are due at once, the daemon handles these prompts in several decisions.
  /// Between two decisions, the daemon can handle a request, so a client does not wait long for a
  /// reply.
  static let batch = 250

  /// Plans the next prompt of each alarm that has a future occurrence but no planned prompt.
  ///
  /// - Parameter isRepair: true during the self-audit. In this case, the function also checks why
  ///   each prompt was not planned. If only a defect can be the cause, the function records a
  ///   repair.
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

  /// The alarms without a planned prompt. This list is almost always empty. Therefore the property
  /// filters the alarms first, and then sorts only the result.
  private var unplannedAlarms: [AlarmID] {
    home.entries.compactMap { isPlanned($0, $1) ? nil : $0 }.sorted()
  }

  /// Returns true if only a defect can explain why the prompt `next` was not planned.
  private func isUnaccounted(_ next: Prompt) -> Bool {
    let id = next.id.alarm
    // If the prompt `next` is open, there is no defect: the prompt became due, then somebody set
    // the clock back, and the prompt still waits for an answer.
    if prompt(next.id)?.state.isOpen == true { return false }
    if home.isUnheard(next.id) { return false }
    return !openPrompts(of: id).contains { $0.state == .planned }
  }

  /// Returns true if a prompt is already open for the next occurrence of an alarm. The function
  /// finds this occurrence with the stored plan of the alarm.
  ///
  /// The check is fast but incomplete. If the result is false, an open prompt for this occurrence
  /// can still exist.
  private func isPlanned(_ id: AlarmID, _ entry: HomeState.Entry) -> Bool {
    guard !hasPlansToRenew, changes.alarms[id] == nil, let next = entry.plan?.next(after: wall)
    else { return false }
    let prompt = PromptID(alarm: id, nominal: next.nominal, fold: next.fold)
    return entry.open.contains(prompt.nominalKey) && changes.prompts[prompt] == nil
      // After a zone change, two occurrences at different instants can have the same prompt id.
      // Therefore the check also compares the instants.
      && (!entry.alarm.keepsInstants || home.prompts[prompt]?.dueAt == next.instant)
  }

  /// Plans a prompt, unless the prompt is already open.
  mutating func plan(_ next: Prompt) {
    if prompt(next.id)?.state.isOpen != true { emit(.planned(next)) }
  }

  /// Returns the next prompt of an alarm: the prompt for the first due time that is later than
  /// `instant`. The result is an open prompt, or a new prompt if this due time has no open prompt.
  func nextPrompt(of id: AlarmID, after instant: Instant) -> Prompt? {
    guard let alarm = alarm(id), let plan = plan(of: alarm) else { return nil }
    if case .after = alarm.schedule { return nextAfterAnswer(of: alarm, plan, after: instant) }
    var from = instant
    while let next = plan.next(after: from) {
      from = next.instant
      guard let name = name(of: next, of: alarm), !isPast(name, dueAt: next.instant, of: alarm)
      else { continue }
      if let known = prompt(name), known.state.isOpen {
        // After a change of the zones, an open prompt with the id `name` can be due at `instant` or
        // earlier. This prompt is not the next prompt, so the search continues with the next
        // occurrence.
        if known.dueAt > instant { return known }
        continue
      }
      return newPrompt(of: alarm, next, named: name)
    }
    return nil
  }

  /// Returns a new planned prompt for an occurrence of an alarm.
  ///
  /// - Parameter name: the id of the prompt. If the value is nil, the function builds the id from
  ///   the occurrence.
  func newPrompt(of alarm: Alarm, _ occurrence: Occurrence, named name: PromptID? = nil) -> Prompt {
    let zone = environment.zone(of: alarm)
    return Prompt(
      id: name ?? PromptID(alarm: alarm.id, nominal: occurrence.nominal, fold: occurrence.fold),
      alarmVersion: alarm.version, dueAt: occurrence.instant,
      zoneName: zone?.name ?? alarm.zoneName,
      utcOffsetSeconds: zone?.offsetSeconds(at: occurrence.instant) ?? 0,
      alsoNominal: plan(of: alarm)?.nominals(beside: occurrence) ?? [],
      leadsToAt: event(of: occurrence, of: alarm)?.instant)
  }

  func plan(of alarm: Alarm) -> SchedulePlan? {
    if hasPlansToRenew { return environment.plan(for: alarm) }
    if let entry = home.entries[alarm.id], entry.alarm.version == alarm.version {
      return entry.plan
    }
    return environment.plan(for: alarm)
  }
}
