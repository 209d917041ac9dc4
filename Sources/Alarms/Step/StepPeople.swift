import CivilTime

// The people of the home, and their study phases.
extension Transition {
  mutating func addPerson(_ id: PersonID, _ form: PersonForm) throws(Refusal) {
    try refuseUnsafe(id)
    let known = livingPeople()
    if known.contains(where: { $0.id == id }) {
      throw Refusal(.conflict, field: "id", "the id \"\(id)\" is already in use")
    }
    try refuseConfusable(id)
    if known.count >= AlarmRules.people {
      throw Refusal(
        .limit,
        "cannot add the person: there are already \(AlarmRules.people) people, "
          + "which is the limit")
    }
    let person = try checked(form, basedOn: Person(id: id, version: 1))
    emit(.personAdded(person))
    reply = .person(personState(id) ?? PersonState(id: id, person: person))
  }

  mutating func changePerson(
    _ id: PersonID, _ condition: VersionCondition?, _ form: PersonForm
  ) throws(Refusal) {
    let old = try livingPerson(id)
    if let condition, !condition.permits(old.version) {
      throw Refusal(
        .versionConflict, "person \"\(id)\" \(condition.reason(current: old.version))")
    }
    var new = try checked(form, basedOn: old)
    var warnings: [ScheduleWarning] = []
    if new != old {
      let due = activePrompts().filter { alarm($0.id.alarm)?.person == id }
      let wereQuiet = Set(due.filter { isQuietNext($0) }.map(\.id))
      new.version = old.version + 1
      emit(new.version == 1 ? .personAdded(new) : .personChanged(new))
      try refuseQuietHoursConflict(new)
      if new.quiet != old.quiet || new.zoneName != old.zoneName {
        warnings = due.compactMap { quietWarning($0, wasQuiet: wereQuiet.contains($0.id)) }
        warnings += tooCloseWarnings(of: id)
      }
      release(of: id)
      releaseCapped(of: id)
      if new.language != old.language {
        for alarm in home.alarms where alarm.person == id { rehearse(alarm) }
      }
    }
    reply = .person(personState(id) ?? PersonState(id: id, person: new), warnings)
  }

  mutating func removePerson(_ id: PersonID) throws(Refusal) {
    let person = try livingPerson(id)
    let users = home.alarms.filter { $0.person == id && !home.isOver($0.id) }.quotedLabels
    if !users.isEmpty {
      throw Refusal(
        .inUse,
        "cannot remove \"\(id)\": \(UserList.words(users)) are set for this person; first remove "
          + "these alarms, or set them for another person")
    }
    if livingPeople().count == 1 {
      throw Refusal(.inUse, "cannot remove \"\(id)\": a home needs at least one person")
    }
    if personState(id)?.enrolments.last?.isOpen(at: wall) == true {
      throw Refusal(
        .inUse,
        "cannot remove \"\(id)\": this person takes part in a study; "
          + "withdraw the person first")
    }
    if let phase = personState(id)?.phases.last, phase.to.map({ $0 > wall }) ?? true {
      throw Refusal(
        .inUse,
        "cannot remove \"\(id)\": a study phase of this person is not over; "
          + "end the phase first")
    }
    emit(.personRemoved(id, version: person.version))
    reply = .person(personState(id) ?? PersonState(id: id))
  }

  func livingPerson(_ id: PersonID) throws(Refusal) -> Person {
    if let person = personState(id)?.person { return person }
    throw Refusal(.notFound, home.unknownPerson(id.text))
  }

  // MARK: Phases

  /// Begins a study phase of a person now, or plans a future phase.
  ///
  /// If the previous phase has no planned end, the previous phase ends when the new phase begins.
  /// If the previous phase has a planned end, the new phase must begin at this end.
  mutating func setPhase(_ id: PersonID, _ form: PhaseForm) throws(Refusal) {
    let person = try livingPerson(id)
    var phases = personState(id)?.phases ?? []
    let last = phases.last
    let isRunOver = last.map { $0.to.map { $0 < wall } ?? false } ?? true
    let zone = zone(of: person)
    let begin = isRunOver ? wall : last?.to ?? wall
    let from =
      try form.from.map { (text) throws(Refusal) in
        try typedInstant(text, zone: zone, now: wall, field: "from")
      } ?? max(begin, wall)
    if from < wall {
      throw Refusal(
        .invalidField, field: "from",
        "\(zone.civil(at: from).dateTime) has passed, and a phase cannot begin in the past; write "
          + "\"now\", a time of today, for example \"today 18:00\", or a later day")
    }
    if let last, let end = last.to, !isRunOver, from != end {
      throw Refusal(
        .conflict, field: "from",
        from < end
          ? "it would overlap the \(last.kind.rawValue) phase, which ends at \(zone.civil(at: end).dateTime)"
          : "it would leave a gap after the \(last.kind.rawValue) phase, which ends at \(zone.civil(at: end).dateTime)"
      )
    }
    if let last, last.to == nil {
      if from <= last.from {
        throw Refusal(
          .conflict, field: "from",
          "it would overlap the \(last.kind.rawValue) phase, which begins at "
            + "\(zone.civil(at: last.from).dateTime)")
      }
      phases[phases.count - 1].to = from
    }
    let to = try form.to.map { (text) throws(Refusal) in
      try typedEnd(text, zone: zone, now: wall, field: "to")
    }
    if let to, to <= from {
      throw Refusal(.invalidField, field: "to", "\(to) is not after the start, \(from)")
    }
    if phases.count >= AlarmRules.phases {
      throw Refusal(.limit, "one person can have at most \(AlarmRules.phases) phases")
    }
    phases.append(StudyPhase(kind: form.kind, from: from, to: to))
    emit(.phaseChanged(id, phases))
    reply = .phases(id, phases)
  }

  /// Ends the phases of a person now, or at a later instant.
  ///
  /// The phase that includes this instant ends at this instant. The function removes each phase
  /// that would begin at this instant or later.
  mutating func endPhase(_ id: PersonID, at text: String?) throws(Refusal) {
    let person = try livingPerson(id)
    var phases = personState(id)?.phases ?? []
    let at =
      try text.map { (text) throws(Refusal) in
        try typedEnd(text, zone: zone(of: person), now: wall, field: "at")
      } ?? wall
    if at < wall {
      throw Refusal(
        .invalidField, field: "at",
        "\(at) has passed; leave the field out to end the phase "
          + "now")
    }
    guard let last = phases.last, last.to.map({ $0 > wall }) ?? true else {
      throw Refusal(.conflict, "\"\(id)\" is not in a phase")
    }
    while let last = phases.last, last.from >= at { phases.removeLast() }
    if let last = phases.last, last.to.map({ $0 > at }) ?? true {
      phases[phases.count - 1].to = at
    }
    emit(.phaseChanged(id, phases))
    reply = .phases(id, phases)
  }
}

extension AlarmRules {
  static let phases = 100
}

/// A study phase as the caller requested it.
public struct PhaseForm: Hashable, Sendable {
  public var kind: StudyPhase.Kind
  /// The start of the new phase. If `from` is nil, the new phase starts at the planned end of the
  /// previous phase. If the previous phase has no planned end, or if this end has passed, the new
  /// phase starts now.
  public var from: String?
  /// The end of the phase; nil for a phase without a planned end.
  public var to: String?

  public init(kind: StudyPhase.Kind, from: String? = nil, to: String? = nil) {
    self.kind = kind
    self.from = from
    self.to = to
  }
}
