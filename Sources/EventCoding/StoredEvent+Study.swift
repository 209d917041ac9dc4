import Alarms
import CivilTime
import JSONValue

// The stored form of enrolments and responses. Three fields are content, so that Prompter can erase
// them: the code of the participant, the reason for a withdrawal, and the text of a response.
extension StoredEvent {
  mutating func setStudy(_ event: Event, pseudonym: (PersonID) -> String) {
    switch event {
    case .enrolled(let id, let enrolment):
      payload = .object(
        [
          ("person", .string(pseudonym(id))), ("study", .string(enrolment.study)),
          ("arm", .optional(enrolment.arm)), ("from_ms", .integer(enrolment.from.milliseconds)),
          ("to_ms", enrolment.to.map { .integer($0.milliseconds) } ?? .null),
        ] + enrolment.additions)
      content = .object([("pseudonym", .string(enrolment.pseudonym))])
    case .withdrawn(let id, let withdrawal):
      payload = .object(
        [("person", .string(pseudonym(id)))]
          + (withdrawal.code.map { [("code", .string($0.rawValue))] } ?? [])
          + (withdrawal.dataUse.map { [("data_use", .string($0.rawValue))] } ?? []))
      if !withdrawal.reason.isEmpty {
        content = .object([("reason", .string(withdrawal.reason))])
      }
    case .unblinded(let id, let study):
      payload = .object([("person", .string(pseudonym(id))), ("study", .string(study))])
    case .studyNoted(let id, let note):
      payload = .object([
        ("person", .string(pseudonym(id))), ("serious", .bool(note.isSerious)),
      ])
      content = .object([("text", .string(note.text))])
    case .response(_, let response):
      payload = .object([
        ("question", .string(response.question)), ("number", .integer(Int64(response.number))),
        ("kind", .string(response.value.kind)), ("value", response.value.stored),
        ("unit", .optional(response.unit)),
      ])
      if case .text(let text) = response.value { content = .object([("text", .string(text))]) }
    case .diary(let entry):
      payload = entry.payload(pseudonym: pseudonym(entry.person))
      content = entry.content
    case .erased(let erasure):
      if case .alarm(let id) = erasure { alarmID = id }
      payload = .object(
        [("scope", .string(erasure.scope))]
          + (erasure.person.map { [("person", .string(pseudonym($0)))] } ?? []))
    // The event does not contain the new key of the pseudonyms. If it did, anyone with a copy of
    // the record could compute the new pseudonym of each person.
    case .rekeyed: break
    default: break
    }
  }

  func studyEvent(_ person: (String) -> PersonID) throws(EventCodingError) -> Event {
    switch type {
    case "enrolled":
      return .enrolled(
        person(try members.string("person")),
        Enrolment(
          study: try members.string("study"), pseudonym: text("pseudonym"),
          arm: payload["arm"]?.string, armCode: payload["arm_code"]?.string,
          allocationSHA256: payload["allocation_sha256"]?.string,
          consent: payload["consent"]?.string, consentScope: payload.consentScope,
          hidesPhases: payload["hides_phases"]?.bool ?? false,
          from: Instant(milliseconds: try members.integer("from_ms")),
          to: payload["to_ms"]?.integer.map(Instant.init(milliseconds:)),
          isUnblinded: payload["unblinded"]?.bool ?? false))
    case "withdrawn":
      return .withdrawn(
        person(try members.string("person")),
        Withdrawal(
          reason: text("reason"), code: payload["code"]?.string.flatMap(WithdrawalCode.init),
          dataUse: payload["data_use"]?.string.flatMap(DataUse.init)))
    case "unblinded":
      return .unblinded(
        person(try members.string("person")), study: try members.string("study"))
    case "deviation", "adverse_event":
      return .studyNoted(
        person(try members.string("person")),
        StudyNote(
          kind: type == "deviation" ? .deviation : .adverseEvent, text: text("text"),
          isSerious: try members.bool("serious")))
    case "pseudonyms_rekeyed": return .rekeyed
    case "diary": return .diary(try DiaryEntry(self, person))
    case "erased":
      switch try members.string("scope") {
      case "alarm": return .erased(.alarm(try require(alarmID, "alarm_id")))
      case "words": return .erased(.words(person(try members.string("person"))))
      case "identity": return .erased(.identity(person(try members.string("person"))))
      case let scope:
        throw EventCodingError("cannot read a stored erasure: the scope \"\(scope)\" is unknown")
      }
    default:
      return .response(
        try require(promptID, "prompt_id"),
        Response(
          question: try members.string("question"), number: try members.int("number"),
          value: try Response.Value(
            kind: try members.string("kind"), stored: payload["value"] ?? .null, text: text("text")),
          unit: payload["unit"]?.string))
    }
  }
}

extension Response.Value {
  /// The kind of the value: `number`, `choices`, `mood`, `flag` or `text`.
  public var kind: String {
    switch self {
    case .number: "number"
    case .choices: "choices"
    case .mood: "mood"
    case .flag: "flag"
    case .text: "text"
    }
  }

  /// The value as JSON, for the payload of the event. If the value is a typed text, the JSON value
  /// is null, because the content of the event contains the text.
  public var stored: JSON {
    switch self {
    case .number(let value): .measured(value)
    case .choices(let names): .array(names.map(JSON.string))
    case .mood(let mood): .string(mood.rawValue)
    case .flag(let flag): .bool(flag)
    case .text: .null
    }
  }

  /// Reads the JSON that the property `stored` returns.
  ///
  /// - Parameter text: the text, if `kind` is `text`; empty if the text was erased.
  public init(kind: String, stored: JSON, text: String) throws(EventCodingError) {
    switch (kind, stored) {
    case ("number", .integer(let number)): self = .number(Double(number))
    case ("number", .number(let number)): self = .number(number)
    case ("choices", .array(let names)): self = .choices(names.compactMap(\.string))
    case ("flag", .bool(let flag)): self = .flag(flag)
    case ("text", _): self = .text(text)
    case ("mood", .string(let word)):
      guard let mood = Mood(rawValue: word) else { fallthrough }
      self = .mood(mood)
    default: throw EventCodingError("cannot read a stored answer: it is not a \"\(kind)\"")
    }
  }
}

extension JSON {
  /// Returns a number as JSON. If the number is whole, the JSON contains an integer, for example 5
  /// and not 5.0.
  static func measured(_ value: Double) -> JSON {
    Int64(exactly: value).map { .integer($0) } ?? .number(value)
  }
}

extension JSON {
  /// The scope of the consent in a stored enrolment.
  fileprivate var consentScope: [ConsentScope] {
    (self["consent_scope"]?.array ?? []).compactMap { $0.string.flatMap(ConsentScope.init) }
  }
}

extension Enrolment {
  /// The fields of an enrolment that the projections store. The code of the participant is not one
  /// of these fields, because Prompter must be able to erase the code.
  var stored: JSON {
    .object(
      [
        ("study", .string(study)), ("arm", .optional(arm)),
        ("from_ms", .integer(from.milliseconds)),
        ("to_ms", to.map { .integer($0.milliseconds) } ?? .null), ("withdrawn", .bool(isWithdrawn)),
      ] + additions)
  }

  /// The optional fields of an enrolment. The result contains only the fields that are set.
  fileprivate var additions: [(String, JSON)] {
    var members: [(String, JSON)] = []
    if let armCode { members.append(("arm_code", .string(armCode))) }
    if let allocationSHA256 {
      members.append(("allocation_sha256", .string(allocationSHA256)))
    }
    if let consent { members.append(("consent", .string(consent))) }
    if !consentScope.isEmpty {
      members.append(("consent_scope", .array(consentScope.map { .string($0.rawValue) })))
    }
    if hidesPhases { members.append(("hides_phases", .bool(true))) }
    if isUnblinded { members.append(("unblinded", .bool(true))) }
    return members
  }

  init(stored json: JSON) throws(EventCodingError) {
    let members = StoredMembers(json)
    self.init(
      study: try members.string("study"), pseudonym: "", arm: json["arm"]?.string,
      armCode: json["arm_code"]?.string, allocationSHA256: json["allocation_sha256"]?.string,
      consent: json["consent"]?.string, consentScope: json.consentScope,
      hidesPhases: json["hides_phases"]?.bool ?? false,
      from: Instant(milliseconds: try members.integer("from_ms")),
      to: json["to_ms"]?.integer.map(Instant.init(milliseconds:)),
      isWithdrawn: try members.bool("withdrawn"), isUnblinded: json["unblinded"]?.bool ?? false)
  }
}
