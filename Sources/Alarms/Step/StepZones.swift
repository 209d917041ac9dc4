import CivilTime

// What happens when the zones are not what they were. A prompt's name is its civil time, so that time
// stays and the instant moves; what counts elapsed time keeps its instant.
extension Transition {
  /// Takes over new zones: records what changed and moves every planned prompt.
  mutating func zonesChanged() {
    let new = ClockMemory.Zones(environment)
    if let old = clock.zones {
      if old.home != new.home { emit(.tzChanged(from: old.home, to: new.home)) }
      if old.tzdata != new.tzdata { emit(.tzdataChanged(from: old.tzdata, to: new.tzdata)) }
    }
    clock.zones = new
    replansAll = true
    awaitForgottenSteps()
    replanMoved()
    releaseMoved()
    auditPlans()
  }

  /// Moves every planned prompt whose civil time is at another instant now.
  ///
  /// One that was still to come and has passed by the change rings at once as late, however long ago
  /// that is: flying east must not lose a dose. Of several the newest rings.
  mutating func replanMoved() {
    for id in movedAlarms { replanMoved(id) }
  }

  /// The same of one alarm.
  mutating func replanMoved(_ id: AlarmID) {
    guard let alarm = alarm(id), let zone = environment.zone(of: alarm) else { return }
    for prompt in openPrompts(of: id) where prompt.phase == .planned {
      guard let instant = newInstant(of: prompt, alarm, zone) else { continue }
      let wasAhead = prompt.dueAt > wall
      var moved = prompt
      moved.dueAt = instant
      moved.zoneName = zone.name
      moved.utcOffsetSeconds = zone.offsetSeconds(at: instant)
      emit(.planned(moved))
      guard wasAhead, instant <= wall else { continue }
      let rung = ringJumpedOver(moved, of: alarm)
      if let next = successor(of: rung, of: alarm) { plan(next) }
    }
  }

  /// Almost always there is none, and sorting costs more than looking.
  private var movedAlarms: [AlarmID] {
    home.entries.compactMap { isMoved($0, $1) ? $0 : nil }.sorted()
  }

  /// Whether a planned prompt of an alarm has to move.
  private func isMoved(_ id: AlarmID, _ entry: HomeState.Entry) -> Bool {
    guard let alarm = alarm(id), let zone = environment.zone(of: alarm) else { return false }
    return entry.open.contains {
      guard let prompt = prompt(PromptID(alarm: id, nominalKey: $0)), prompt.phase == .planned
      else { return false }
      return newInstant(of: prompt, alarm, zone) != nil
    }
  }

  /// Where the civil time of a prompt is now; nil where the prompt stays as it is.
  private func newInstant(of prompt: Prompt, _ alarm: Alarm, _ zone: Zone) -> Instant? {
    guard keepsCivilTime(prompt, of: alarm) else { return nil }
    let instant = zone.resolve(prompt.id.nominal, fold: prompt.id.fold).instant
    return instant == prompt.dueAt && zone.name == prompt.zoneName ? nil : instant
  }

  /// - Returns: the newest of those that have passed, which is the one that rings.
  private mutating func ringJumpedOver(_ prompt: Prompt, of alarm: Alarm) -> Prompt {
    var newest = prompt
    while let next = nextPrompt(of: alarm.id, after: newest.dueAt), next.dueAt <= wall {
      if self.prompt(next.id) == nil { emit(.planned(next)) }
      close(newest, .missedClockInvalid, .none)
      newest = next
    }
    if isSilenced(newest, of: alarm) {
      close(newest, .suppressedPaused, .none)
      return newest
    }
    let late = wall.milliseconds - newest.dueAt.milliseconds
    if late > alarm.lateWindowSeconds * 1_000 {
      // Its window is over before it began: it gets one that begins now.
      newest.dueAt = wall
      emit(.planned(newest))
    }
    emit(.due(newest.id, lateMilliseconds: late))
    if let due = self.prompt(newest.id), !suppressIfNeeded(due) { readied.insert(newest.id) }
    return newest
  }

  /// Whether a prompt is at a civil time, and not at an instant that the zone has no part in.
  private func keepsCivilTime(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    switch alarm.schedule {
    case .once, .within, .random: true
    // A floating beat begins at a civil time too, wherever the home is.
    case .recurring(let rule, _): rule.frequency >= .daily || alarm.zoneName == Alarm.floating
    case .several(let set): set.rules.allSatisfy { $0.rule.frequency >= .daily }
    case .after(let after): after.latest == prompt.id.nominal.time
    case .at, .every: false
    }
  }
}
