import Alarms
import CivilTime
import EventCoding
import JSONValue

// MARK: Responses

extension JSON {
  /// The enrolments of a person.
  ///
  /// - Parameter zone: the zone in which the person lives.
  public static func participants(_ state: PersonState, now: Instant, zone: Zone) -> [JSON] {
    state.enrolments.map { enrolment in
      .object(
        [
          ("person", .string(state.id.text)), ("study", .string(enrolment.study)),
          ("pseudonym", .string(enrolment.pseudonym)), ("arm", .optional(enrolment.shownArm)),
          ("blinded", .bool(enrolment.isBlinded)),
          // The response does not show the digest of a blinded enrolment. The digest is the SHA-256
          // of the allocation list. A reader who knows the digest could compute the digest of each
          // possible list, and so find the correct list and the arm of the person.
          (
            "allocation_sha256",
            .optional(enrolment.isBlinded ? nil : enrolment.allocationSHA256)
          ),
          ("consent", .optional(enrolment.consent)),
          ("consent_scope", .array(enrolment.consentScope.map { .string($0.rawValue) })),
          ("hides_phases", .bool(enrolment.hidesPhases)),
          ("from_utc", .string(enrolment.from.description)),
          ("to_utc", .optional(enrolment.to?.description)),
          ("withdrawn", .bool(enrolment.isWithdrawn)), ("current", .bool(enrolment.contains(now))),
        ] + local(enrolment.from, enrolment.to, zone))
    }
  }

  /// The questions of an alarm, as JSON.
  public static func questions(_ checkIn: CheckIn?) -> JSON {
    .array((checkIn?.questions ?? []).map(question))
  }

  private static func question(_ question: Question) -> JSON {
    var document = question.payload
    document.set("text", .string(question.text))
    if case .choices(let choices) = question.kind {
      document.set(
        "choices",
        .array(
          choices.map { .object([("name", .string($0.name)), ("text", .string($0.text))]) }))
    }
    return document
  }

  /// A response to a question, as JSON.
  public static func value(_ value: Response.Value) -> JSON {
    if case .text(let text) = value { return .string(text) }
    return value.stored
  }

  /// The responses to one question over time, as points of a chart.
  public static func series(_ series: Series) -> JSON {
    .array(
      series.points.map { point in
        .object([
          ("utc", .string(point.at.description)), ("value", .number(point.mean)),
          ("min", .number(point.least)), ("max", .number(point.most)),
          ("count", .integer(Int64(point.count))),
        ])
      })
  }
}

extension CheckIn {
  /// Reads the questions from the output of `JSON.alarm`; nil if the alarm has no questions.
  init?(document: JSON) throws(EventCodingError) {
    let documents = document["questions"]?.array ?? []
    if documents.isEmpty { return nil }
    let words: [JSON] = documents.map { question in
      let choices = (question["choices"]?.array ?? []).map { $0["text"] ?? .null }
      return .object([("text", question["text"] ?? .null), ("choices", .array(choices))])
    }
    let payloads: [JSON] = documents.map { question in
      var payload = question
      if let choices = question["choices"]?.array {
        payload.set("choices", .array(choices.map { $0["name"] ?? .null }))
      }
      return payload
    }
    try self.init(
      payload: .object([
        ("holds_completion", document["answers_required"] ?? .bool(false)),
        ("questions", .array(payloads)),
      ]), content: .array(words))
  }
}

// MARK: Requests

extension EnrolmentForm {
  /// Reads the body of a request that enrols a person in a study.
  public static func read(
    body: [UInt8]
  ) throws(Refusal) -> (person: PersonID, form: EnrolmentForm) {
    var fields = try FieldReader(body: body)
    let person = try fields.string("person")
    let pseudonym = try fields.string("pseudonym")
    let study = try fields.string("study")
    let arm = try fields.string("arm")
    let armCode = try fields.string("arm_code")
    let allocation = try fields.string("allocation_sha256")
    let consent = try fields.string("consent")
    let consentScope = try fields.string("consent_scope")
    let hidesPhases = try fields.flag("hides_phases")
    let start = try fields.string("start")
    let end = try fields.string("end")
    try fields.finish()
    guard let person else {
      throw Refusal(.invalidField, field: "person", "it is missing; name the person")
    }
    guard let pseudonym else {
      throw Refusal(
        .invalidField, field: "pseudonym",
        "it is missing; choose a code for the data, for example P-017")
    }
    let form = EnrolmentForm(
      study: study, pseudonym: pseudonym, arm: arm, armCode: armCode,
      allocationSHA256: allocation, consent: consent, consentScope: consentScope,
      hidesPhases: hidesPhases ?? false, from: start, to: end)
    return (PersonID(person), form)
  }

  /// Reads the body of a request that withdraws a person from a study.
  public static func readWithdrawal(
    body: [UInt8]
  ) throws(Refusal) -> (person: PersonID, why: Withdrawal, erases: Bool) {
    var fields = try FieldReader(body: body)
    let person = try fields.string("person")
    let reason = try fields.string("reason")
    let code = try fields.choice("code", of: WithdrawalCode.self)
    let dataUse = try fields.choice("data_use", of: DataUse.self)
    let erases = try fields.flag("erase")
    try fields.finish()
    guard let person else {
      throw Refusal(.invalidField, field: "person", "it is missing; name the person")
    }
    return (
      PersonID(person), Withdrawal(reason: reason ?? "", code: code, dataUse: dataUse),
      erases ?? false
    )
  }

  /// Reads the body of a request that unblinds a study.
  public static func readUnblinding(body: [UInt8]) throws(Refusal) -> String {
    var fields = try FieldReader(body: body)
    let study = try fields.string("study")
    try fields.finish()
    guard let study else {
      throw Refusal(.invalidField, field: "study", "it is missing; give the id of the study")
    }
    return study
  }
}

extension StudyNote {
  /// Reads the body of a request that records a deviation or an adverse event.
  public static func read(body: [UInt8]) throws(Refusal) -> (person: PersonID, note: StudyNote) {
    var fields = try FieldReader(body: body)
    let person = try fields.string("person")
    let kind = try fields.choice("kind", of: StudyNote.Kind.self)
    let text = try fields.string("text")
    let serious = try fields.flag("serious")
    try fields.finish()
    guard let person else {
      throw Refusal(.invalidField, field: "person", "it is missing; name the person")
    }
    guard let kind else {
      throw Refusal(
        .invalidField, field: "kind", "it is missing; choose deviation or adverse_event")
    }
    return (
      PersonID(person), StudyNote(kind: kind, text: text ?? "", isSerious: serious ?? false)
    )
  }
}

extension Erasure {
  /// Reads the body of a request that erases data.
  public static func read(body: [UInt8]) throws(Refusal) -> Erasure {
    var fields = try FieldReader(body: body)
    let alarm = try fields.string("alarm")
    let person = try fields.string("person")
    let scope = try fields.string("scope")
    try fields.finish()
    switch (alarm, person, scope) {
    case (let alarm?, nil, nil): return .alarm(AlarmID(alarm))
    case (nil, let person?, "words"): return .words(PersonID(person))
    case (nil, let person?, "identity"): return .identity(PersonID(person))
    case (nil, _?, _):
      throw Refusal(.invalidField, field: "scope", "it must be words or identity")
    default:
      throw Refusal(.invalidField, field: "person", "name either an alarm, or a person and a scope")
    }
  }
}

extension JSON {
  /// The result of an erasure.
  ///
  /// - Parameter stillSet: the number of the person's alarms that are not deleted. The erasure kept
  ///   the texts of these alarms.
  public static func erased(_ erasure: Erasure, stillSet: Int) -> JSON {
    .object([
      ("scope", .string(erasure.scope)), ("alarms_kept", .integer(Int64(stillSet))),
    ])
  }
}

extension CrossoverForm {
  /// Reads the body of a request that plans the phases of a crossover study.
  public static func read(
    body: [UInt8]
  ) throws(Refusal) -> (person: PersonID, form: CrossoverForm) {
    var fields = try FieldReader(body: body)
    let person = try fields.string("person")
    let start = try fields.string("start")
    let days = try fields.integer("days")
    let order = try fields.string("order")
    let runIn = try fields.integer("run_in_days")
    let washout = try fields.integer("washout_days")
    let followUp = try fields.integer("follow_up_days")
    try fields.finish()
    guard let person else {
      throw Refusal(.invalidField, field: "person", "it is missing; name the person")
    }
    guard let days else {
      throw Refusal(
        .invalidField, field: "days", "it is missing; give the length of each phase in days")
    }
    guard let order else {
      throw Refusal(
        .invalidField, field: "order", "it is missing; choose an order, for example AB or BA")
    }
    return (
      PersonID(person),
      CrossoverForm(
        start: start, days: days, order: order, runInDays: runIn, washoutDays: washout,
        followUpDays: followUp)
    )
  }
}

extension ResponseForm {
  /// Reads the body of a request that answers the questions of a prompt.
  public static func read(
    body: [UInt8]
  ) throws(Refusal) -> (responses: [ResponseForm], completes: Bool) {
    var fields = try FieldReader(body: body)
    let given = fields.any("responses")
    let completes = try fields.flag("complete") ?? false
    try fields.finish()
    guard let given else { throw Refusal(.invalidField, field: "responses", "it is missing") }
    guard let list = given.array else {
      throw Refusal(.invalidField, field: "responses", "it must be a list of objects")
    }
    var forms: [ResponseForm] = []
    for (index, json) in list.enumerated() {
      let field = "responses[\(index)]"
      var fields = try FieldReader(json: json, within: field)
      let question = try fields.string("question")
      let value = fields.any("value")
      try fields.finish()
      guard let question else {
        throw Refusal(.invalidField, field: field, "its question is missing")
      }
      forms.append(ResponseForm(question: question, value: try Value(value, field: field)))
    }
    return (forms, completes)
  }
}

extension ResponseForm.Value {
  fileprivate init(_ json: JSON?, field: String) throws(Refusal) {
    switch json {
    case .integer?, .number?: self = .number(json?.double ?? 0)
    case .bool(let flag)?: self = .flag(flag)
    case .string(let text)?: self = .text(text)
    case .array(let values)? where values.allSatisfy({ $0.string != nil }):
      self = .list(values.compactMap(\.string))
    default:
      throw Refusal(
        .invalidField, field: field + ".value",
        "it must be a number, a text, true or false, or a list of texts")
    }
  }
}

extension FieldReader {
  /// Reads questions. Each question is an object, or a text such as `pain=scale How bad is it?`.
  mutating func questions(_ name: String) throws(Refusal) -> [QuestionForm]? {
    guard let value = any(name) else { return nil }
    guard let list = value.array else {
      throw Refusal(.invalidField, field: name, "it must be a list of texts or objects")
    }
    var forms: [QuestionForm] = []
    for (index, json) in list.enumerated() {
      let field = "\(name)[\(index)]"
      if let words = json.string {
        forms.append(try QuestionForm(words: words, field: field))
      } else {
        forms.append(try QuestionForm(json: json, field: field))
      }
    }
    return forms
  }
}

extension QuestionForm {
  fileprivate init(json: JSON, field: String) throws(Refusal) {
    self.init()
    var fields = try FieldReader(json: json, within: field)
    name = try fields.string("name")
    text = try fields.string("text")
    kind = try fields.string("kind")
    unit = try fields.string("unit")
    min = try fields.number("min")
    max = try fields.number("max")
    isRequired = try fields.flag("required")
    let choices = fields.any("choices")
    try fields.finish()
    guard let choices else { return }
    guard let list = choices.array else {
      throw Refusal(.invalidField, field: field + ".choices", "it must be a list")
    }
    var read: [Choice] = []
    for json in list {
      let name = json["name"]?.string ?? json.string ?? ""
      read.append(Choice(name: name, text: json["text"]?.string ?? name))
    }
    self.choices = read
  }
}
