import Alarms

extension PersonForm {
  /// Reads the body of a request that adds or changes a person.
  ///
  /// - Returns: the form of the person, and the id of the person. The id is nil if `needsID` is
  ///   false.
  public static func read(
    body: [UInt8], needsID: Bool
  ) throws(Refusal) -> (id: PersonID?, form: PersonForm) {
    var fields = try FieldReader(body: body)
    var form = PersonForm()
    let id = needsID ? try fields.string("id") : nil
    form.name = try fields.string("name")
    form.language = try fields.string("language")
    form.zone = try fields.string("zone")
    form.tone = try fields.string("tone")
    form.quietHours = try fields.string("quiet_hours")
    form.quietPolicy = try fields.choice("quiet_policy", of: QuietPolicy.self)
    form.ringsPerHour = try fields.integer("rings_per_hour")
    form.inactivityHours = try fields.integer("inactivity_hours")
    form.inactivityNotifySteps = try fields.notifySteps("inactivity_tell")
    form.rewardImage = try fields.string("reward_image")
    try fields.finish()
    if needsID, id == nil {
      throw Refusal(.invalidField, field: "id", "it is missing; choose an id, for example anna")
    }
    return (id.map { PersonID($0) }, form)
  }
}

/// The body of a request that pauses people.
public enum PauseForm {
  /// Reads the body of a request that pauses people.
  ///
  /// - Returns: the end of the pause as the caretaker typed it; nil for a pause without an end.
  public static func read(body: [UInt8]) throws(Refusal) -> String? {
    var fields = try FieldReader(body: body)
    let until = try fields.string("until")
    try fields.finish()
    return until
  }
}

extension PhaseForm {
  /// Reads the body of a request that begins a study phase.
  public static func read(
    body: [UInt8]
  ) throws(Refusal) -> (person: PersonID, form: PhaseForm) {
    var fields = try FieldReader(body: body)
    let person = try fields.string("person")
    let kind = try fields.choice("kind", of: StudyPhase.Kind.self)
    let from = try fields.string("from")
    let to = try fields.string("to")
    try fields.finish()
    guard let kind else {
      throw Refusal(
        .invalidField, field: "kind",
        "it is missing; choose prompted, control, run_in, washout or follow_up")
    }
    guard let person else {
      throw Refusal(.invalidField, field: "person", "it is missing; name the person")
    }
    return (PersonID(person), PhaseForm(kind: kind, from: from, to: to))
  }

  /// Reads the body of a request that ends a study phase.
  public static func readEnd(
    body: [UInt8]
  ) throws(Refusal) -> (person: PersonID, at: String?) {
    var fields = try FieldReader(body: body)
    let person = try fields.string("person")
    let at = try fields.string("at")
    try fields.finish()
    guard let person else {
      throw Refusal(.invalidField, field: "person", "it is missing; name the person")
    }
    return (PersonID(person), at)
  }
}
