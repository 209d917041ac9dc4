// Blinded studies, checks of arms and their codes, protocol deviations and adverse events.
extension Transition {
  /// The states of all people, with the changes of this decision.
  var everybody: [PersonState] {
    var states = home.people
    states.merge(changes.people) { _, new in new }
    return Array(states.values)
  }

  /// Unblinds a study permanently: from now on, outputs show the arms instead of the codes of the
  /// arms.
  ///
  /// The function emits one event for each person. Therefore the state of each person depends only
  /// on the events of this person.
  mutating func unblind(_ study: String) throws(Refusal) {
    let blinded = everybody.filter { state in
      state.enrolments.contains { $0.study == study && $0.isBlinded }
    }
    guard !blinded.isEmpty else {
      throw Refusal(
        everybody.contains { $0.enrolments.contains { $0.study == study } } ? .conflict : .notFound,
        field: "study",
        "cannot unblind \"\(study)\": no person of this study has the code of an arm that is still "
          + "blinded; \"prompter study\" lists the studies")
    }
    for state in blinded.sorted(by: { $0.id.text < $1.id.text }) {
      emit(.unblinded(state.id, study: study))
    }
    reply = .done
  }

  mutating func noteStudy(_ id: PersonID, _ note: StudyNote) throws(Refusal) {
    guard personState(id)?.enrolments.isEmpty == false else {
      throw Refusal(
        .conflict, field: "person",
        "cannot record it: \"\(id)\" takes part in no study; enrol the person first")
    }
    guard note.kind == .adverseEvent || !note.isSerious else {
      throw Refusal(
        .invalidField, field: "serious", "only an adverse event can be serious; leave the field out"
      )
    }
    var note = note
    note.text = try AlarmRules.studyNote.check(note.text, field: "text")
    emit(.studyNoted(id, note))
    reply = .done
  }

  /// True if an administrator has unblinded a study.
  func isUnblinded(_ study: String) -> Bool {
    everybody.contains { $0.enrolments.contains { $0.study == study && $0.isUnblinded } }
  }

  /// Refuses an arm and a code that contradict the other enrolments of the study.
  ///
  /// In a blinded study, each enrolment has an arm and a code. Each arm has exactly one code, and
  /// each code belongs to exactly one arm. A code that belongs to two arms would mix the data of
  /// these arms. An enrolment without a code would show its arm.
  func refuseUnlike(_ arm: String?, _ code: String?, in study: String) throws(Refusal) {
    let others = everybody.flatMap(\.enrolments).filter { $0.study == study }
    guard let code else {
      guard others.contains(where: { $0.isBlinded }) else { return }
      throw Refusal(
        .conflict, field: "arm_code",
        "cannot enrol the person without the code of the arm: the study \"\(study)\" is blinded; ask "
          + "an administrator to enrol the person")
    }
    guard let arm, arm.lowercased() != code.lowercased() else {
      throw Refusal(
        .invalidField, field: "arm_code",
        "\"\(code)\" cannot be the code of the arm: the code needs an arm, and must differ from it")
    }
    if others.contains(where: { $0.armCode == nil }) {
      throw Refusal(
        .conflict, field: "arm_code",
        "cannot blind the study \"\(study)\": a person of this study is enrolled without a code, so "
          + "the record shows this person's arm; choose another study")
    }
    if others.contains(where: { ($0.arm == arm) != ($0.armCode == code) }) {
      throw Refusal(
        .conflict, field: "arm_code",
        "\"\(code)\" does not fit the study \"\(study)\": each arm must have one code, and each code "
          + "one arm; check the allocation list")
    }
  }

  /// Reads the SHA-256 of an allocation list.
  func allocationDigest(_ text: String) throws(Refusal) -> String {
    let digest = text.lowercased()
    let isDigest =
      digest.utf8.count == 64 && digest.utf8.allSatisfy("0123456789abcdef".utf8.contains)
    if isDigest { return digest }
    throw Refusal(
      .invalidField, field: "allocation_sha256",
      "\"\(text)\" is not a SHA-256; write 64 digits and letters from a to f")
  }

  /// Refuses an enrolment that does not come from the allocation list of the study.
  ///
  /// If an enrolment of the study in this home contains the digest of a list, each later enrolment
  /// of the study in this home must come from the same list.
  ///
  /// - Parameter list: the SHA-256 of the list; nil if the arm does not come from a list.
  func refuseOtherList(_ list: String?, arm: String?, in study: String) throws(Refusal) {
    if list != nil, arm == nil {
      throw Refusal(
        .invalidField, field: "arm", "it is missing; an allocation list gives each person an arm")
    }
    let sealed = everybody.flatMap(\.enrolments).lazy.filter { $0.study == study }
      .compactMap(\.allocationSHA256).first
    guard let sealed, sealed != list else { return }
    throw Refusal(
      .conflict, field: "allocation_sha256",
      "cannot enrol the person "
        + (list == nil ? "without an allocation list" : "from another allocation list")
        + ": the study \"\(study)\" uses the list with the SHA-256 \(sealed); take the arm from this list"
    )
  }

  /// Refuses an order of phases that contradicts the arm of the person.
  func refuseContradiction(_ id: PersonID, order: String) throws(Refusal) {
    guard let enrolment = personState(id)?.enrolments.last, enrolment.isOpen(at: wall),
      let arm = enrolment.order, arm != order
    else { return }
    let shown = enrolment.shownArm ?? arm
    throw Refusal(
      .conflict, field: "order",
      "\"\(id)\" is in the arm \"\(shown)\", and the order \"\(order)\" contradicts it; "
        + (enrolment.isBlinded ? "ask an administrator for the order" : "write \(arm)")
        + ", or withdraw the person and enrol the person again with another arm")
  }

  /// Refuses an arm that contradicts the present and the future phases of the person.
  func refuseContradiction(_ id: PersonID, arm: String?) throws(Refusal) {
    guard let order = Enrolment.order(ofArm: arm), let phases = personState(id)?.phases else {
      return
    }
    let planned = String(
      phases.filter { $0.to.map { $0 > wall } ?? true }.compactMap(\.kind.letter))
    if order.hasSuffix(planned) { return }
    throw Refusal(
      .conflict, field: "arm",
      "the phases of \"\(id)\" that are not over have the order \"\(planned)\", and the arm "
        + "\"\(order)\" contradicts it; write another arm, or end the phases first")
  }
}

extension CrossoverForm {
  /// The phases of the plan with their lengths in days, in order.
  ///
  /// - Parameter kinds: the prompted and control phases of the field `order`.
  func phases(of kinds: [StudyPhase.Kind]) throws(Refusal) -> [(StudyPhase.Kind, days: Int)] {
    for (field, days) in [
      ("run_in_days", runInDays), ("washout_days", washoutDays), ("follow_up_days", followUpDays),
    ] {
      guard let days, !(1...366).contains(days) else { continue }
      throw Refusal(
        .invalidField, field: field, "\(days) is out of range; it must be from 1 to 366")
    }
    var planned: [(StudyPhase.Kind, days: Int)] = []
    if let runInDays { planned.append((.runIn, runInDays)) }
    for (index, kind) in kinds.enumerated() {
      if index > 0, let washoutDays { planned.append((.washout, washoutDays)) }
      planned.append((kind, days))
    }
    if let followUpDays { planned.append((.followUp, followUpDays)) }
    return planned
  }
}

extension AlarmRules {
  static let studyNote = TextRule(1...2_000, bytes: 8_192, hasLines: true)
}
