import CivilTime

// Finds the id of the prompt for an occurrence, also after a change of the zone. The id of a prompt
// contains its civil time, and Prompter recognises a closed prompt by its id. If the zone changes,
// the prompts of an elapsed schedule keep their instants and get other local times. Therefore the
// prompt at an instant gets another id than before the change, and an old id can now belong to
// another instant.

extension Alarm {
  /// True if a prompt of this alarm can keep its instant but get a new id after a zone change.
  ///
  /// If the value is true, Prompter also recognises the closed prompts of the alarm by their
  /// instants.
  public var keepsInstants: Bool {
    switch schedule {
    case .at, .every, .after: true
    case .recurring(let rule, _): rule.frequency < .daily
    case .several(let set): set.rules.contains { $0.rule.frequency < .daily }
    case .once, .within, .random: false
    }
  }

  /// True if the due times depend only on elapsed time, and not on local time.
  ///
  /// In this case, two occurrences at different instants have two different prompts, even if the
  /// occurrences have the same local time.
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

  /// Returns the id of the prompt for an occurrence of this alarm. The result is nil if the prompt
  /// of the occurrence has ended and the daemon must not plan this prompt again.
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
    // After a change of the zone, two occurrences can have the same local time. In this case, the
    // id of the second occurrence gets the fold 1.
    name = PromptID(alarm: id, nominal: occurrence.nominal, fold: 1)
    return isTaken(name) ? nil : name
  }
}

/// The data about ended prompts that the function `Alarm.name` uses.
protocol Ended {
  /// Returns true if the prompt with this id has ended and the daemon must not plan this prompt
  /// again.
  func isClosed(_ id: PromptID) -> Bool
  /// Returns true if the prompt with this id has ended and the daemon may plan this prompt again:
  /// see `Prompt.canBePlannedAgain`.
  func isUnheard(_ id: PromptID) -> Bool
  /// Returns true if the prompt that was due at `instant` has ended and the daemon must not plan
  /// this prompt again. Call the function only if `keepsInstants` is true for the alarm.
  func isOver(at instant: Instant, of id: AlarmID) -> Bool
  /// Returns true if the prompt that was due at `instant` has ended and the daemon may plan this
  /// prompt again.
  func wasUnheard(at instant: Instant, of id: AlarmID) -> Bool
}

extension HomeState: Ended {
  /// Returns the id of the open prompt for an occurrence. If the occurrence has no open prompt, the
  /// result is the id for a new prompt. The result is nil in two cases: the prompt of the
  /// occurrence has ended and the daemon must not plan this prompt again, or the alarm was deleted.
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
  /// Returns the id of the open prompt for an occurrence. If the occurrence has no open prompt, the
  /// result is the id for a new prompt. The result is nil if the prompt of the occurrence has ended
  /// and the daemon must not plan this prompt again.
  func name(of occurrence: Occurrence, of alarm: Alarm) -> PromptID? {
    alarm.name(of: occurrence, among: openPrompts(of: alarm.id), self)
  }

  /// Returns true if the prompt with this id has ended and the daemon must not plan this prompt
  /// again.
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

  /// Returns true if this decision has changed a prompt that fulfils three conditions: the prompt
  /// belongs to the alarm `id`, it is due at `instant`, and `isMeant` returns true for it.
  private func hasEnded(
    at instant: Instant, of id: AlarmID, where isMeant: (Prompt) -> Bool
  ) -> Bool {
    changedPrompts(of: id).contains {
      prompt($0).map { $0.dueAt == instant && isMeant($0) } ?? false
    }
  }

  /// Returns true if the prompt of this occurrence ended before its first ring, and if the late
  /// window of the prompt has passed.
  ///
  /// In this case, the daemon must not plan a prompt for this occurrence again. Otherwise the
  /// daemon would notify contacts about the same occurrence a second time.
  func isPast(_ id: PromptID, dueAt: Instant, of alarm: Alarm) -> Bool {
    if wall.milliseconds(since: dueAt) <= alarm.lateWindowSeconds * 1_000 { return false }
    return alarm.countsElapsedTime ? wasUnheard(at: dueAt, of: id.alarm) : isUnheard(id)
  }
}

extension HomeState.Entry {
  /// Returns true if the occurrence with this `PromptID.nominalKey` has ended.
  func isOver(_ nominalKey: Int64) -> Bool {
    closedNominals.contains(nominalKey)
      || !alarm.countsElapsedTime && purged?.nominals.contains(nominalKey) == true
  }

  /// Returns true if the prompt for the occurrence at this instant has ended. Call the function
  /// only if `keepsInstants` is true for the alarm.
  func isOver(at instant: Instant) -> Bool {
    closedInstants.contains(instant)
      || alarm.countsElapsedTime && purged?.instants.contains(instant) == true
  }
}
