/// A question as the caretaker typed it, before the checks. If the caretaker did not type a value
/// for a field, the field is nil.
public struct QuestionForm: Hashable, Sendable {
  public var name: String?
  public var text: String?
  public var kind: String?
  public var unit: String?
  public var min: Double?
  public var max: Double?
  public var choices: [Choice]?
  /// False if a response to the question is optional. If the value is true or nil, a response is
  /// required.
  public var isRequired: Bool?

  public init() {}
}

extension AlarmRules {
  static let questions = 0...20
  public static let question = TextRule(1...200, bytes: 1_024)
  static let choices = 1...30
  public static let choice = TextRule(1...100, bytes: 512)
  public static let answer = TextRule(1...2_000, bytes: 8_192, hasLines: true)
  /// The maximum number of responses to one question of a prompt. The number includes corrections.
  static let answersPerQuestion = 20
  /// The smallest and the largest number that a scale may contain. We do not know any questionnaire
  /// with a number outside this range.
  static let scale = -1_000.0...1_000.0
}

// Checks the questions that a caretaker typed for an alarm.
extension Transition {
  /// Builds the check-in of an alarm from a form. If the form does not contain a field, the field
  /// keeps its old value.
  func checkIn(_ form: AlarmForm, basedOn old: CheckIn?) throws(Refusal) -> CheckIn? {
    guard let forms = form.questions else {
      guard let holds = form.answersRequired else { return old }
      guard var checkIn = old else {
        throw Refusal(
          .invalidField, field: "answers_required",
          "the alarm has no questions; set the questions, too")
      }
      checkIn.holdsCompletion = holds
      return checkIn
    }
    if forms.isEmpty { return nil }
    guard AlarmRules.questions.contains(forms.count) else {
      throw Refusal(
        .limit, field: "questions",
        "there are \(forms.count) questions; at most \(AlarmRules.questions.upperBound) are allowed"
      )
    }
    var questions: [Question] = []
    for (index, form) in forms.enumerated() {
      let question = try question(form, field: "questions[\(index)]")
      if questions.contains(where: { $0.name == question.name }) {
        throw Refusal(
          .invalidField, field: "questions[\(index)].name",
          "another question already has the name \"\(question.name)\"")
      }
      questions.append(question)
    }
    return CheckIn(
      questions: questions, holdsCompletion: form.answersRequired ?? old?.holdsCompletion ?? false)
  }

  private func question(_ form: QuestionForm, field: String) throws(Refusal) -> Question {
    Question(
      name: try variable(form.name, field: field + ".name"),
      text: try AlarmRules.question.check(form.text ?? "", field: field + ".text"),
      kind: try kind(form, field: field), isRequired: form.isRequired ?? true)
  }

  private func variable(_ name: String?, field: String) throws(Refusal) -> String {
    guard let name else { throw Refusal(.invalidField, field: field, "it is missing") }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let isName =
      (1...32).contains(name.utf8.count) && name.utf8.first.map(letters.contains) == true
      && name.utf8.allSatisfy {
        letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_")
      }
    if isName { return name }
    throw Refusal(
      .invalidField, field: field,
      "\"\(name)\" is not a valid name; use a lower-case letter, then lower-case letters, digits and "
        + "underscores, at most 32 characters")
  }

  private func kind(_ form: QuestionForm, field: String) throws(Refusal) -> Question.Kind {
    guard let name = form.kind, Question.Kind.names.contains(name) else {
      throw Refusal(
        .invalidField, field: field + ".kind",
        (form.kind.map { "\"\($0)\" is not one of: " } ?? "it is missing; use one of: ")
          + Question.Kind.names.joined(separator: ", "))
    }
    if form.choices != nil, name != "choices" { throw stray("choices", of: name, field) }
    let hasRange = form.min != nil || form.max != nil
    if hasRange, name != "number", name != "scale" { throw stray("min", of: name, field) }
    if form.unit != nil, name != "number", name != "temperature" {
      throw stray("unit", of: name, field)
    }
    switch name {
    case "number": return try number(form, field: field)
    case "scale": return .scale(try scale(form, field: field))
    case "temperature":
      return .temperature(
        try unit(form.unit ?? Temperature.celsius.rawValue, of: Temperature.self, field: field))
    case "choices": return .choices(try choices(form.choices ?? [], field: field + ".choices"))
    case "mood": return .mood
    case "yes_no": return .yesNo
    default: return .text
    }
  }

  private func stray(_ member: String, of kind: String, _ field: String) -> Refusal {
    Refusal(
      .invalidField, field: "\(field).\(member)",
      "a question of kind \(kind) does not have this field")
  }

  private func number(_ form: QuestionForm, field: String) throws(Refusal) -> Question.Kind {
    guard let low = form.min, let high = form.max, low.isFinite, high.isFinite, low < high else {
      throw Refusal(
        .invalidField, field: form.min == nil ? field + ".min" : field + ".max",
        "a number needs min and max, with min below max; answers outside are refused")
    }
    return .number(
      unit: try unit(form.unit ?? Unit.one.rawValue, of: Unit.self, field: field), low...high)
  }

  private func scale(_ form: QuestionForm, field: String) throws(Refusal) -> ClosedRange<Int> {
    let (low, high) = (form.min ?? 0, form.max ?? 10)
    guard AlarmRules.scale.contains(low), AlarmRules.scale.contains(high), low < high,
      low == low.rounded(), high == high.rounded()
    else {
      throw Refusal(
        .invalidField, field: field + ".max",
        "a scale needs two whole numbers from -1000 to 1000, with min below max")
    }
    return Int(low)...Int(high)
  }

  private func unit<Code: RawRepresentable & CaseIterable>(
    _ text: String, of type: Code.Type, field: String
  ) throws(Refusal) -> Code where Code.RawValue == String {
    if let unit = Code(rawValue: text) { return unit }
    throw Refusal(
      .invalidField, field: field + ".unit",
      "\"\(text)\" is not one of: " + Code.allCases.map(\.rawValue).joined(separator: ", "))
  }

  private func choices(_ forms: [Choice], field: String) throws(Refusal) -> [Choice] {
    guard AlarmRules.choices.contains(forms.count) else {
      throw Refusal(
        .invalidField, field: field,
        "there are \(forms.count) choices; there must be 1 to \(AlarmRules.choices.upperBound)")
    }
    var names: Set<String> = []
    for (index, choice) in forms.enumerated() {
      _ = try variable(choice.name, field: "\(field)[\(index)].name")
      _ = try AlarmRules.choice.check(choice.text, field: "\(field)[\(index)].text")
      if !names.insert(choice.name).inserted {
        throw Refusal(
          .invalidField, field: "\(field)[\(index)].name",
          "another choice already has the name \"\(choice.name)\"")
      }
    }
    return forms
  }
}
