import Alarms
import JSONValue

/// The fields of one question in the form of an alarm, as a person typed them.
struct QuestionFields: Sendable, Hashable {
  /// The kinds of answers. The raw value is the name of the kind in the API.
  enum Kind: String, Sendable, CaseIterable {
    case scale = "scale"
    case yesNo = "yes_no"
    case mood = "mood"
    case choices = "choices"
    case number = "number"
    case temperature = "temperature"
    case text = "text"

    /// True if a question of this kind has a smallest and a largest number.
    var hasLimits: Bool { self == .number || self == .scale }
  }

  /// The words of the question.
  var text = ""
  /// The name of the question in the data, for example `pain`.
  var name = ""
  var kind = Kind.scale
  var isRequired = true
  /// The UCUM code of the unit of a number.
  var unit = Unit.one.rawValue
  /// The UCUM code of the unit of a temperature.
  var temperature = Temperature.celsius.rawValue
  var smallest = ""
  var largest = ""
  /// The choices, one choice on each line, for example `headache` or `nausea=Feeling sick`.
  var choices = ""

  /// The name of the form field with the words of a question.
  static let textField = "question-text"

  init() {}

  /// Reads the questions that the browser sent. Each question has one field of each name. The
  /// function leaves out questions without words and without a name.
  static func all(_ fields: FormFields) -> [QuestionFields] {
    func values(_ name: String) -> [String] { fields.all("question-\(name)") }
    let (names, kinds, required) = (values("name"), values("kind"), values("required"))
    let (units, temperatures) = (values("unit"), values("temperature"))
    let (smallest, largest, choices) = (values("min"), values("max"), values("choices"))
    var questions: [QuestionFields] = []
    for (index, text) in values("text").enumerated() {
      func value(_ list: [String]) -> String { index < list.count ? list[index] : "" }
      var question = QuestionFields()
      (question.text, question.name) = (text, value(names))
      question.kind = Kind(rawValue: value(kinds)) ?? .scale
      question.isRequired = value(required) != "no"
      (question.unit, question.temperature) = (value(units), value(temperatures))
      (question.smallest, question.largest) = (value(smallest), value(largest))
      question.choices = value(choices).replacing("\r\n", with: "\n")
      if !text.isEmpty || !question.name.isEmpty { questions.append(question) }
    }
    return questions
  }

  /// Reads a question from the document of the daemon. The result is nil if this page does not know
  /// the kind of the question.
  init?(_ question: JSON) {
    guard let kind = question["kind"]?.string.flatMap(Kind.init) else { return nil }
    self.kind = kind
    text = question["text"]?.string ?? ""
    name = question["name"]?.string ?? ""
    isRequired = question["required"]?.bool ?? true
    if let code = question["unit"]?.string {
      if kind == .temperature { temperature = code } else { unit = code }
    }
    (smallest, largest) = (Self.text(question["min"]), Self.text(question["max"]))
    choices = (question["choices"]?.array ?? []).map { choice in
      let (name, words) = (choice["name"]?.string ?? "", choice["text"]?.string ?? "")
      return name == words ? name : "\(name)=\(words)"
    }.joined(separator: "\n")
  }

  /// The question as JSON for the daemon. The JSON contains only the fields for the kind of the
  /// question.
  var document: JSON {
    var members: [(String, JSON)] = [
      ("name", .string(name)), ("text", .string(text)), ("kind", .string(kind.rawValue)),
      ("required", .bool(isRequired)),
    ]
    if kind.hasLimits {
      if !smallest.isEmpty { members.append(("min", Self.number(smallest))) }
      if !largest.isEmpty { members.append(("max", Self.number(largest))) }
    }
    switch kind {
    case .number: members.append(("unit", .string(unit)))
    case .temperature: members.append(("unit", .string(temperature)))
    case .choices:
      let lines = choices.split(separator: "\n").map { String($0).trimmed }
      members.append(("choices", .array(lines.filter { !$0.isEmpty }.map(Self.choice))))
    case .scale, .yesNo, .mood, .text: break
    }
    return .object(members)
  }

  private static func choice(_ line: String) -> JSON {
    let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(sides[0]).trimmed
    let words = sides.count < 2 ? name : String(sides[1]).trimmed
    return .object([("name", .string(name)), ("text", .string(words))])
  }

  /// Reads a number with a point or a comma. If the text is not a number, the refusal of the daemon
  /// explains the error.
  private static func number(_ text: String) -> JSON {
    let plain = text.replacing(",", with: ".")
    if let whole = Int64(plain) { return .integer(whole) }
    return Double(plain).map(JSON.number) ?? .string(text)
  }

  private static func text(_ number: JSON?) -> String {
    guard let value = number?.double else { return "" }
    return Int64(exactly: value).map(String.init) ?? String(value)
  }

  /// Returns the text of a unit for people, for example `mmHg` for `mm[Hg]`.
  static func words(ofUnit code: String) -> String {
    switch code {
    case "mm[Hg]": "mmHg"
    case "[lb_av]": "lb"
    case "Cel": "°C"
    case "[degF]": "°F"
    default: code.filter { $0 != "{" && $0 != "}" }
    }
  }
}

/// The fields of a supply that an alarm uses, as a person typed them.
struct SupplyFields: Sendable, Hashable {
  /// The id of the supply.
  var supply: String
  /// The amount that each completed task uses; empty for 1.
  var amount: String

  /// The name of the form field with the id of a supply.
  static let supplyField = "supply"

  init(supply: String, amount: String) { (self.supply, self.amount) = (supply, amount) }

  /// Reads the supplies that the browser sent. The function leaves out rows without a chosen
  /// supply.
  static func all(_ fields: FormFields) -> [SupplyFields] {
    zip(fields.all(supplyField), fields.all("supply-amount")).filter { !$0.0.isEmpty }
      .map(SupplyFields.init)
  }

  /// The use of the supply as JSON for the daemon.
  var document: JSON {
    .object([
      ("supply_id", .string(supply)), ("amount", .number(typed: amount.isEmpty ? "1" : amount)),
    ])
  }
}
