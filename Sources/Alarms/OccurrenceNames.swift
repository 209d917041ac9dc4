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
    if leads.contains(where: { if case .days = $0 { true } else { false } }) { return false }
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
  /// - Parameters:
  ///   - openPrompts: the open prompts of this alarm.
  ///   - isClosed: whether the prompt of a name is over.
  ///   - isOver: whether a prompt at an instant is.
  func name(
    of occurrence: Occurrence, among openPrompts: @autoclosure () -> [Prompt],
    isClosed: (PromptID) -> Bool,
    isOver: (Instant) -> Bool
  ) -> PromptID? {
    var name = PromptID(alarm: id, nominal: occurrence.nominal, fold: occurrence.fold)
    guard keepsInstants else { return isClosed(name) ? nil : name }
    let open = openPrompts()
    if let same = open.first(where: { $0.dueAt == occurrence.instant }) { return same.id }
    if isOver(occurrence.instant) { return nil }
    guard countsElapsedTime else { return isClosed(name) ? nil : name }
    func isTaken(_ name: PromptID) -> Bool {
      isClosed(name) || open.contains { $0.id == name }
    }
    if !isTaken(name) { return name }
    // The clocks show this time once more.
    name = PromptID(alarm: id, nominal: occurrence.nominal, fold: 1)
    return isTaken(name) ? nil : name
  }
}

extension Home {
  /// The name of an occurrence of a living alarm: of its prompt where there is one. nil where it is over.
  public func name(of occurrence: Occurrence, of id: AlarmID) -> PromptID? {
    guard let entry = entries[id] else { return nil }
    return entry.alarm.name(
      of: occurrence, among: openPrompts(of: id), isClosed: { entry.isOver($0.nominalKey) },
      isOver: { entry.isOver(at: $0) })
  }
}

extension Draft {
  /// The name of an occurrence of an alarm: of its prompt where there is one. nil where it is over.
  func name(of occurrence: Occurrence, of alarm: Alarm) -> PromptID? {
    alarm.name(
      of: occurrence, among: openPrompts(of: alarm.id), isClosed: isClosed,
      isOver: { isOver(at: $0, of: alarm.id) })
  }

  /// Whether a prompt at this instant is over, of an alarm whose prompts keep theirs.
  private func isOver(at instant: Instant, of id: AlarmID) -> Bool {
    if home.entries[id]?.isOver(at: instant) == true { return true }
    return changedPrompts(of: id).contains {
      guard let prompt = prompt($0) else { return false }
      return prompt.dueAt == instant && !prompt.phase.isOpen && !prompt.mayComeAgain
    }
  }
}

extension Home.Entry {
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
