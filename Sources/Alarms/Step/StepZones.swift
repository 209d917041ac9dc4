import CivilTime

// Handles a zone change. The id of a prompt contains the civil time of the prompt. If the zone
// changes, the prompt keeps its civil time and gets a new instant. Exception: a prompt of an
// elapsed schedule keeps its instant.
extension Transition {
  /// Records a change of the zones, and moves the planned prompts whose civil time now has a
  /// different instant.
  mutating func zonesChanged() {
    let new = ClockMemory.Zones(environment)
    if let old = clock.zones {
      if old.home != new.home { emit(.tzChanged(from: old.home, to: new.home)) }
      if old.tzdata != new.tzdata { emit(.tzdataChanged(from: old.tzdata, to: new.tzdata)) }
    }
    clock.zones = new
    replansAll = true
    restoreLostSteps()
    replanMoved()
    releaseMoved()
    auditPlans()
  }

  /// Moves every planned prompt whose civil time now has a different instant.
  ///
  /// If the change moves a future prompt into the past, the prompt rings at once, even if its civil
  /// time passed many hours ago. Without this rule, a person could miss a dose on a flight to the
  /// east. If the change moves several prompts of one alarm into the past, only the newest prompt
  /// rings.
  mutating func replanMoved() {
    for id in movedAlarms { replanMoved(id) }
  }

  /// Moves the planned prompts of one alarm after a change of the zone. Each prompt moves to the
  /// instant that its civil time now has. Exception: a prompt for which `keepsCivilTime` is false
  /// keeps its instant.
  mutating func replanMoved(_ id: AlarmID) {
    guard let alarm = alarm(id), let zone = environment.zone(of: alarm) else { return }
    for prompt in openPrompts(of: id) where prompt.state == .planned {
      guard let instant = newInstant(of: prompt, alarm, zone) else { continue }
      let wasAhead = prompt.dueAt > wall
      var moved = prompt
      moved.dueAt = instant
      moved.zoneName = zone.name
      moved.utcOffsetSeconds = zone.offsetSeconds(at: instant)
      moved.leadsToAt = event(of: moved.occurrence, of: alarm)?.instant
      emit(.planned(moved))
      guard wasAhead, instant <= wall else { continue }
      let rung = ringJumpedOver(moved, of: alarm)
      if let next = successor(of: rung, of: alarm) { plan(next) }
    }
  }

  /// The alarms whose planned prompts must move to another instant. The list is almost always
  /// empty. Therefore the property filters the alarms first, and then sorts only the result.
  private var movedAlarms: [AlarmID] {
    home.entries.compactMap { isMoved($0, $1) ? $0 : nil }.sorted()
  }

  /// Returns true if a planned prompt of an alarm must move.
  private func isMoved(_ id: AlarmID, _ entry: HomeState.Entry) -> Bool {
    guard let alarm = alarm(id), let zone = environment.zone(of: alarm) else { return false }
    return entry.open.contains {
      guard let prompt = prompt(PromptID(alarm: id, nominalKey: $0)), prompt.state == .planned
      else { return false }
      return newInstant(of: prompt, alarm, zone) != nil
    }
  }

  /// Returns the instant that the civil time of a prompt has in `zone`. The result is nil in two
  /// cases: the prompt does not keep its civil time, or its instant and the name of its zone stay
  /// the same.
  private func newInstant(of prompt: Prompt, _ alarm: Alarm, _ zone: Zone) -> Instant? {
    guard keepsCivilTime(prompt, of: alarm) else { return nil }
    let instant = zone.resolve(prompt.id.nominal, fold: prompt.id.fold).instant
    return instant == prompt.dueAt && zone.name == prompt.zoneName ? nil : instant
  }

  /// Handles a prompt that the zone change moved into the past. If later prompts of the alarm are
  /// also in the past now, the function closes all these prompts except the newest prompt. If a
  /// pause silences the newest prompt, the function also closes the newest prompt. Otherwise, the
  /// newest prompt becomes due.
  ///
  /// - Returns: the newest prompt.
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
    if isTooLate(since: newest.dueAt, of: alarm) {
      // The late window after the new due time has already passed, so the prompt would be missed.
      // Therefore the function sets the due time to the present time, and a new late window begins.
      newest.dueAt = wall
      emit(.planned(newest))
    }
    emit(.due(newest.id, lateMilliseconds: late))
    if let due = self.prompt(newest.id), !suppressIfNeeded(due) { readied.insert(newest.id) }
    return newest
  }

  /// Returns true if a prompt keeps its civil time, and not its instant, when the zone changes.
  private func keepsCivilTime(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    switch alarm.schedule {
    case .once, .within, .random: true
    // If the rule is daily, weekly, monthly or yearly, its civil times stay the same after a zone
    // change. If the zone of the alarm is `floating`, this is true for every rule.
    case .recurring(let rule, _): rule.frequency >= .daily || alarm.zoneName == Alarm.floating
    case .several(let set):
      alarm.zoneName == Alarm.floating || set.rules.allSatisfy { $0.rule.frequency >= .daily }
    case .after(let after): after.latest == prompt.id.nominal.time
    case .at, .every: false
    }
  }
}
