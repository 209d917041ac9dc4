import CivilTime

// A prompt is named by its civil time, and what is over is known by its name. A time that counts elapsed
// time keeps its instant when the zone changes, and what the clocks show there does not stay: the same
// instant has another name then, and the same name may come again at another instant.

extension Alarm {
  /// Whether prompts of this alarm may stay at their instants while their names change, so that what is
  /// over has to be known by its instant too.
  public var keepsInstants: Bool {
    switch schedule {
    case .at, .every, .after: true
    case .recurring(let rule, _): rule.frequency < .daily
    case .several(let set): set.rules.contains { $0.rule.frequency < .daily }
    case .once, .within, .random: false
    }
  }

  /// Whether every due time is so long after another, whatever the clocks on the wall show: a name that
  /// comes again is another time then, and not one that was there already.
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

  /// The name of an occurrence of this alarm; nil where it is over.
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
    // The clocks show this time once more.
    name = PromptID(alarm: id, nominal: occurrence.nominal, fold: 1)
    return isTaken(name) ? nil : name
  }
}

/// What is known of prompts that have ended.
protocol Ended {
  /// Whether the prompt of this name is over.
  func isClosed(_ id: PromptID) -> Bool
  /// Whether it ended and may come again: see `Prompt.mayComeAgain`.
  func isUnheard(_ id: PromptID) -> Bool
  /// Whether a prompt at this instant is over, of an alarm whose prompts keep theirs.
  func isOver(at instant: Instant, of id: AlarmID) -> Bool
  /// Whether one ended and may come again.
  func wasUnheard(at instant: Instant, of id: AlarmID) -> Bool
}

extension HomeState: Ended {
  /// The name of an occurrence of a living alarm: of its prompt where there is one. nil where it is over.
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
  /// The name of an occurrence of an alarm: of its prompt where there is one. nil where it is over.
  func name(of occurrence: Occurrence, of alarm: Alarm) -> PromptID? {
    alarm.name(of: occurrence, among: openPrompts(of: alarm.id), self)
  }

  /// Whether this occurrence is over, and so may never ring again.
  func isClosed(_ id: PromptID) -> Bool {
    if let prompt = prompt(id) { return !prompt.phase.isOpen && !prompt.mayComeAgain }
    return home.isClosed(id)
  }

  func isUnheard(_ id: PromptID) -> Bool { prompt(id).map(\.mayComeAgain) ?? home.isUnheard(id) }

  func isOver(at instant: Instant, of id: AlarmID) -> Bool {
    home.isOver(at: instant, of: id)
      || hasEnded(at: instant, of: id) { !$0.phase.isOpen && !$0.mayComeAgain }
  }

  func wasUnheard(at instant: Instant, of id: AlarmID) -> Bool {
    home.wasUnheard(at: instant, of: id) || hasEnded(at: instant, of: id) { $0.mayComeAgain }
  }

  /// Whether this decision has ended a prompt at an instant.
  private func hasEnded(
    at instant: Instant, of id: AlarmID, where isMeant: (Prompt) -> Bool
  ) -> Bool {
    changedPrompts(of: id).contains {
      prompt($0).map { $0.dueAt == instant && isMeant($0) } ?? false
    }
  }

  /// Whether this occurrence ended unheard, and would be too late if it came again: whoever was told of
  /// its end need not be told of another.
  func isPast(_ id: PromptID, dueAt: Instant, of alarm: Alarm) -> Bool {
    if wall.milliseconds(since: dueAt) <= alarm.lateWindowSeconds * 1_000 { return false }
    return alarm.countsElapsedTime ? wasUnheard(at: dueAt, of: id.alarm) : isUnheard(id)
  }
}

extension HomeState.Entry {
  /// Whether the occurrence of this name is over.
  func isOver(_ nominalKey: Int64) -> Bool {
    closedNominals.contains(nominalKey)
      || !alarm.countsElapsedTime && purged?.nominals.contains(nominalKey) == true
  }

  /// Whether the occurrence at this instant is, of an alarm whose prompts keep theirs.
  func isOver(at instant: Instant) -> Bool {
    closedInstants.contains(instant)
      || alarm.countsElapsedTime && purged?.instants.contains(instant) == true
  }
}
