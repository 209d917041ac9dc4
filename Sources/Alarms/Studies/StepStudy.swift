import CivilTime

// The participation of people in a study: enrolment, phases of a crossover study, and withdrawal.
extension Transition {
  mutating func enrol(_ id: PersonID, _ form: EnrolmentForm) throws(Refusal) {
    let person = try livingPerson(id)
    let known = personState(id)?.enrolments ?? []
    if let last = known.last, last.isOpen(at: wall) {
      throw Refusal(
        .conflict,
        "\"\(id)\" already takes part in the study \"\(last.study)\"; withdraw the person first")
    }
    if known.count >= AlarmRules.enrolments {
      throw Refusal(.limit, "one person can be enrolled at most \(AlarmRules.enrolments) times")
    }
    let study = try code(form.study ?? "study", field: "study", most: 64)
    let pseudonym = try code(form.pseudonym, field: "pseudonym", most: 64)
    if let danger = ParticipantCode.danger(pseudonym) {
      throw Refusal(
        .invalidField, field: "pseudonym",
        "\"\(pseudonym)\" cannot be the code of a participant: \(danger); begin the code with a "
          + "letter, for example \"P-017\"")
    }
    let arm = try form.arm.map { (arm) throws(Refusal) in
      try code(arm, field: "arm", most: 64)
    }
    let armCode = try form.armCode.map { (code) throws(Refusal) in
      try self.code(code, field: "arm_code", most: 16)
    }
    let consent = try form.consent.map { (version) throws(Refusal) in
      try code(version, field: "consent", most: 32)
    }
    let scope = try form.consentScope.map(ConsentScope.list) ?? []
    let list = try form.allocationSHA256.map(allocationDigest)
    try refuseUnlike(arm, armCode, in: study)
    try refuseOtherList(list, arm: arm, in: study)
    try refuseTaken(pseudonym, by: id, of: study)
    try refuseContradiction(id, arm: arm)
    let zone = zone(of: person)
    let from = try beginning(form.from, zone: zone, field: "start")
    let to = try form.to.map { (text) throws(Refusal) in
      try typedEnd(text, zone: zone, now: wall, field: "end")
    }
    if let to, to <= from {
      throw Refusal(.invalidField, field: "end", "\(to) is not after the start, \(from)")
    }
    emit(
      .enrolled(
        id,
        Enrolment(
          study: study, pseudonym: pseudonym, arm: arm, armCode: armCode, allocationSHA256: list,
          consent: consent, consentScope: scope, hidesPhases: form.hidesPhases, from: from, to: to,
          isUnblinded: isUnblinded(study))))
    reply = .person(personState(id) ?? PersonState(id: id, person: person))
  }

  mutating func withdraw(_ id: PersonID, _ withdrawal: Withdrawal) throws(Refusal) {
    guard let state = personState(id), let last = state.enrolments.last else {
      _ = try livingPerson(id)
      throw Refusal(.conflict, "\"\(id)\" does not take part in a study")
    }
    // A person can forbid the use of the data at any time after the end of the enrolment. No later
    // request can permit the use again.
    guard last.isOpen(at: wall) || withdrawal.dataUse == DataUse.none else {
      throw Refusal(
        .conflict,
        "\"\(id)\" no longer takes part in the study \"\(last.study)\"; after the end, a withdrawal can "
          + "only forbid the use of the data (data_use none)")
    }
    let reason = try AlarmRules.withdrawal.check(withdrawal.reason, field: "reason")
    // After the withdrawal, the alarms ring for the care of the person and not for the study.
    // Therefore a control phase must not suppress these alarms.
    var phases = state.phases
    if last.isOpen(at: wall) {
      while let next = phases.last, next.from >= wall { phases.removeLast() }
      if let present = phases.last, present.to.map({ $0 > wall }) ?? true {
        phases[phases.count - 1].to = wall
      }
    }
    if phases != state.phases { emit(.phaseChanged(id, phases)) }
    var checked = withdrawal
    checked.reason = reason
    emit(.withdrawn(id, checked))
    reply = .person(personState(id) ?? state)
  }

  /// Plans all phases of a crossover study for one person.
  ///
  /// The first phase begins at the time that the researcher typed; without a typed time, it begins
  /// now. Each phase ends at a midnight in the person's zone, and the next phase begins at this
  /// midnight. The day on which the first phase begins counts as a full day of this phase.
  mutating func crossover(_ id: PersonID, _ form: CrossoverForm) throws(Refusal) {
    let person = try livingPerson(id)
    guard (1...366).contains(form.days) else {
      throw Refusal(
        .invalidField, field: "days", "\(form.days) is out of range; it must be from 1 to 366")
    }
    let kinds = form.order.compactMap {
      $0 == "A" ? StudyPhase.Kind.prompted : $0 == "B" ? .control : nil
    }
    guard (1...20).contains(kinds.count), kinds.count == form.order.count else {
      throw Refusal(
        .invalidField, field: "order",
        "\"\(form.order)\" is not an order of phases; write A for prompted and B for control, for "
          + "example AB or BA; at most 20 letters")
    }
    if let last = personState(id)?.phases.last, last.to.map({ $0 > wall }) ?? true {
      throw Refusal(
        .conflict, "the \(last.kind.rawValue) phase of \"\(id)\" is not over; end the phase first")
    }
    try refuseContradiction(id, order: form.order)
    let zone = zone(of: person)
    let first = try begins(form.start, zone: zone)
    let day = zone.civil(at: first).dateTime.date
    var phases = personState(id)?.phases ?? []
    let planned = try form.phases(of: kinds)
    if phases.count + planned.count > AlarmRules.phases {
      throw Refusal(.limit, "one person can have at most \(AlarmRules.phases) phases")
    }
    var (from, next) = (first, day)
    for (kind, days) in planned {
      next = next.adding(days: days)
      let to = zone.resolve(CivilDateTime(date: next, time: .midnight)).instant
      phases.append(StudyPhase(kind: kind, from: from, to: to))
      from = to
    }
    emit(.phaseChanged(id, phases))
    reply = .phases(id, phases)
  }

  /// Reads the start of a crossover study from the text that a user typed. If `text` is nil, the
  /// result is the present time. If `text` is a date, the result is the midnight at which this day
  /// begins.
  ///
  /// The function refuses today's date, because the start of the day is in the past. The function
  /// does not use the present time instead, because the researcher expects a start at midnight.
  private func begins(_ text: String?, zone: Zone) throws(Refusal) -> Instant {
    guard let text else { return wall }
    let from = try typedInstant(text, zone: zone, now: wall, field: "start")
    if from >= wall { return from }
    let today = zone.civil(at: wall).dateTime.date
    if text == today.description {
      throw Refusal(
        .invalidField, field: "start",
        "\(text) has already begun; write \"now\", a time of today, for example \"today 18:00\", or "
          + "a later day, for example \(today.adding(days: 1))")
    }
    throw Refusal(
      .invalidField, field: "start",
      "\(zone.civil(at: from).dateTime) has passed, and a study cannot begin in the past; write "
        + "\"now\" to begin now")
  }

  /// Reads the start instant of an enrolment from the text that a user typed. If `text` is nil or
  /// is today's date, the result is the present time. The function refuses any other instant in the
  /// past.
  private func beginning(_ text: String?, zone: Zone, field: String) throws(Refusal) -> Instant {
    guard let text else { return wall }
    let from = try typedInstant(text, zone: zone, now: wall, field: field)
    if from >= wall { return from }
    if text == zone.civil(at: wall).dateTime.date.description { return wall }
    throw Refusal(
      .invalidField, field: field,
      "\(zone.civil(at: from).dateTime) has passed, and a study cannot begin in the past; leave the "
        + "field out to begin now")
  }

  /// Refuses the code of a participant (`pseudonym`) if a second participant of the study already
  /// has this code.
  ///
  /// Nobody could distinguish two participants with the same code in the data. The function also
  /// refuses two codes that a spreadsheet or R reads as the same value.
  private func refuseTaken(
    _ pseudonym: String, by id: PersonID, of study: String
  ) throws(Refusal) {
    let key = ParticipantCode.key(pseudonym)
    let taken = everybody.filter { $0.id != id }.flatMap(\.enrolments)
      .filter { $0.study == study && ParticipantCode.key($0.pseudonym) == key }
      .map(\.pseudonym).sorted()
    guard let other = taken.contains(pseudonym) ? pseudonym : taken.first else { return }
    throw Refusal(
      .conflict, field: "pseudonym",
      other == pseudonym
        ? "another person has the pseudonym \"\(pseudonym)\" in the study \"\(study)\""
        : "another person has the pseudonym \"\(other)\" in the study \"\(study)\", and a "
          + "spreadsheet or R takes \"\(pseudonym)\" for the same value; choose another code")
  }

  func code(
    _ text: String, field: String, most: Int
  ) throws(Refusal) -> String {
    let isCode = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    if isCode, (1...most).contains(text.utf8.count) { return text }
    throw Refusal(
      .invalidField, field: field,
      "\"\(text)\" is not a code; it must be 1 to \(most) letters, digits, dots, dashes or "
        + "underscores"
    )
  }
}

extension AlarmRules {
  static let enrolments = 20
  public static let withdrawal = TextRule(0...500, bytes: 2_048, hasLines: true)
}
