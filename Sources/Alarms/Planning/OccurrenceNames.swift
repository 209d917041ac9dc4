import CivilTime

// The id of a prompt contains its civil time, and closed prompts are known by their ids. An elapsed
// schedule keeps its instants when the zone changes, but not its local times. The same instant then
// has another id, and the same id can occur again at another instant.

extension Alarm {
  /// Whether prompts of this alarm may keep their instants while their ids change.
  ///
  /// If so, closed prompts must be known by their instants, too.
  public var keepsInstants: Bool {
    switch schedule {
    case .at, .every, .after: true
    case .recurring(let rule, _): rule.frequency < .daily
    case .several(let set): set.rules.contains { $0.rule.frequency < .daily }
    case .once, .within, .random: false
    }
  }

  /// Whether all due times follow from elapsed time alone, whatever the local time is.
  ///
  /// If so, an id that occurs again belongs to another due time.
  var countsElapsedTime: Bool {
    if earlyReminders.contains(where: { if case .days = $0 { true } else { false } }) {
      return false
    }
    return switch schedule {
    case .at, .every: true
    case .recurring(let rule, _):
      rule.frequency < .daily && zoneName != Alarm.floating && rule.hours.isEmpty
        && rule.minutes.isEmpty && rule.seconds.isEmpty
    case .after, .several, .once, .within, .random: false
    }
  }

  /// Id of an occurrence of this alarm; nil if the occurrence is over.
  ///
  /// - Parameter openPrompts: the open prompts of this alarm.
  func name(
    of occurrence: Occurrence, among openPrompts: @autoclosure () -> [Prompt], _ ended: some Ended
  ) -> PromptID? {
    var name = PromptID(alarm: id, nominal: occurrence.nominal, fold: occurrence.fold)
    guard keepsInstants else { return ended.isClosed(name) ? nil : name }
    let (open, instant) = (openPrompts(), occurrence.instant)
    if let same = open.first(where: { $0.dueAt == instant }) { return same.id }
    if ended.isOver(at: instant, of: id) { return nil }
    guard countsElapsedTime else { return ended.isClosed(name) ? nil : name }
    func isTaken(_ name: PromptID) -> Bool {
      ended.isClosed(name) || open.contains { $0.id == name }
        || ended.isUnheard(name) && !ended.wasUnheard(at: instant, of: id)
    }
    if !isTaken(name) { return name }
    // The wall clock shows this local time a second time.
    name = PromptID(alarm: id, nominal: occurrence.nominal, fold: 1)
    return isTaken(name) ? nil : name
  }
}

/// Knowledge about prompts that have ended.
protocol Ended {
  /// Whether the prompt with this id is over.
  func isClosed(_ id: PromptID) -> Bool
  /// Whether the prompt ended and may be planned again: see `Prompt.canBePlannedAgain`.
  func isUnheard(_ id: PromptID) -> Bool
  /// Whether a prompt at this instant is over. For alarms whose prompts keep their instants.
  func isOver(at instant: Instant, of id: AlarmID) -> Bool
  /// Whether a prompt at this instant ended and may be planned again.
  func wasUnheard(at instant: Instant, of id: AlarmID) -> Bool
}

extension HomeState: Ended {
  /// Id of an occurrence of a living alarm, or of its open prompt; nil if the occurrence is over.
  public func name(of occurrence: Occurrence, of id: AlarmID) -> PromptID? {
    entries[id]?.alarm.name(of: occurrence, among: openPrompts(of: id), self)
  }

  func isClosed(_ id: PromptID) -> Bool { entries[id.alarm]?.isOver(id.nominalKey) ?? false }

  func isUnheard(_ id: PromptID) -> Bool {
    entries[id.alarm]?.unheardNominals.contains(id.nominalKey) ?? false
  }

  func isOver(at instant: Instant, of id: AlarmID) -> Bool {
    entries[id]?.isOver(at: instant) ?? false
  }

  func wasUnheard(at instant: Instant, of id: AlarmID) -> Bool {
    entries[id]?.unheardInstants.contains(instant) ?? false
  }
}

extension Transition: Ended {
  /// Id of an occurrence of an alarm, or of its open prompt; nil if the occurrence is over.
  func name(of occurrence: Occurrence, of alarm: Alarm) -> PromptID? {
    alarm.name(of: occurrence, among: openPrompts(of: alarm.id), self)
  }

  /// Whether this occurrence is over, and so must never ring again.
  func isClosed(_ id: PromptID) -> Bool {
    if let prompt = prompt(id) { return !prompt.state.isOpen && !prompt.canBePlannedAgain }
    return home.isClosed(id)
  }

  func isUnheard(_ id: PromptID) -> Bool {
    prompt(id).map(\.canBePlannedAgain) ?? home.isUnheard(id)
  }

  func isOver(at instant: Instant, of id: AlarmID) -> Bool {
    home.isOver(at: instant, of: id)
      || hasEnded(at: instant, of: id) { !$0.state.isOpen && !$0.canBePlannedAgain }
  }

  func wasUnheard(at instant: Instant, of id: AlarmID) -> Bool {
    home.wasUnheard(at: instant, of: id) || hasEnded(at: instant, of: id) { $0.canBePlannedAgain }
  }

  /// Whether this decision has ended a prompt at an instant.
  private func hasEnded(
    at instant: Instant, of id: AlarmID, where isMeant: (Prompt) -> Bool
  ) -> Bool {
    changedPrompts(of: id).contains {
      prompt($0).map { $0.dueAt == instant && isMeant($0) } ?? false
    }
  }

  /// Whether this occurrence ended unheard, and would be too late if it were planned again.
  ///
  /// Contacts who were notified of its end need no second notification.
  func isPast(_ id: PromptID, dueAt: Instant, of alarm: Alarm) -> Bool {
    if wall.milliseconds(since: dueAt) <= alarm.lateWindowSeconds * 1_000 { return false }
    return alarm.countsElapsedTime ? wasUnheard(at: dueAt, of: id.alarm) : isUnheard(id)
  }
}

extension HomeState.Entry {
  /// Whether the occurrence with this id is over.
  func isOver(_ nominalKey: Int64) -> Bool {
    closedNominals.contains(nominalKey)
      || !alarm.countsElapsedTime && purged?.nominals.contains(nominalKey) == true
  }

  /// Whether the occurrence at this instant is over, for an alarm whose prompts keep their
  /// instants.
  func isOver(at instant: Instant) -> Bool {
    closedInstants.contains(instant)
      || alarm.countsElapsedTime && purged?.instants.contains(instant) == true
  }
}
