/// Typed questions that are asked with each prompt of an alarm.
public struct CheckIn: Hashable, Sendable {
  /// 1 to 20 questions, in the order in which they are asked. Each name occurs once.
  public var questions: [Question]
  /// Whether a prompt can be completed only after every required question is answered.
  ///
  /// If it is false, nobody is kept from answering "done", and the record shows the open questions.
  public var holdsCompletion: Bool

  public init(questions: [Question], holdsCompletion: Bool) {
    self.questions = questions
    self.holdsCompletion = holdsCompletion
  }

  public func question(_ name: String) -> Question? { questions.first { $0.name == name } }

  /// Required questions that have no answer yet.
  public func open(after answers: [String: Int]) -> [Question] {
    questions.filter { $0.isRequired && answers[$0.name] == nil }
  }
}

/// One question of a check-in.
public struct Question: Hashable, Sendable {
  /// Type of the answer, with its unit or range.
  public enum Kind: Hashable, Sendable {
    /// A measurement in this unit and range, both ends included.
    case number(unit: Unit, ClosedRange<Double>)
    /// A whole number in this range, both ends included, such as 0 to 10 for pain.
    case scale(ClosedRange<Int>)
    case temperature(Temperature)
    /// Any number of these 1 to 30 choices, including none.
    case choices([Choice])
    /// One of three faces.
    case mood
    case yesNo
    /// The person's own words, 1 to 2,000 characters. They can be erased.
    case text
  }

  /// Name of the variable in the data.
  ///
  /// A small letter, then small letters, digits and underscores; at most 32 characters. The name
  /// stays in the record permanently, so it must not say anything about a person.
  public var name: String
  /// The question in the caretaker's words. 1 to 200 characters.
  public var text: String
  public var kind: Kind
  public var isRequired: Bool

  public init(name: String, text: String, kind: Kind, isRequired: Bool) {
    self.name = name
    self.text = text
    self.kind = kind
    self.isRequired = isRequired
  }
}

/// One option of a question with choices.
public struct Choice: Hashable, Sendable {
  /// Follows the rules of `Question.name`.
  public var name: String
  /// Text that the person reads; 1 to 100 characters.
  public var text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// Unit of a number, by its UCUM code.
///
/// The list is closed, so that the hash chain contains no typed words and every analysis can read
/// the units.
public enum Unit: String, Sendable, CaseIterable {
  /// A plain count.
  case one = "1"
  case percent = "%"
  case millimetresOfMercury = "mm[Hg]"
  case perMinute = "/min"
  case milligramsPerDecilitre = "mg/dL"
  case millimolesPerLitre = "mmol/L"
  case milligram = "mg"
  case gram = "g"
  case kilogram = "kg"
  case pound = "[lb_av]"
  case millilitre = "mL"
  case litre = "L"
  case centimetre = "cm"
  case metre = "m"
  case kilometre = "km"
  case second = "s"
  case minute = "min"
  case hour = "h"
  case kilocalorie = "kcal"
  case steps = "{steps}"
  case tablets = "{tablets}"
  case glasses = "{glasses}"
}

/// Unit of a body temperature, by its UCUM code.
public enum Temperature: String, Sendable, CaseIterable {
  case celsius = "Cel"
  case fahrenheit = "[degF]"

  /// Range of a living person's temperature. A value outside it is a typing error.
  public var bounds: ClosedRange<Double> {
    switch self {
    case .celsius: 30...45
    case .fahrenheit: 86...113
    }
  }
}

/// One of three faces.
public enum Mood: String, Sendable, CaseIterable {
  case bad = "bad"
  case fair = "fair"
  case good = "good"

  /// Level for charts: 0 for bad, 1 for fair, 2 for good.
  public var level: Int { self == .bad ? 0 : self == .fair ? 1 : 2 }
}

/// An answer to one question of a prompt.
///
/// A correction is a new response with the next number. A response is never changed.
public struct Response: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    /// Answer to a number, scale or temperature question.
    case number(Double)
    /// Names of the chosen options, in the order of the question. Empty if the person chose none.
    case choices([String])
    case mood(Mood)
    case flag(Bool)
    /// Empty if the text was erased.
    case text(String)
  }

  /// Name of the question.
  public var question: String
  /// 1 for the first answer to this question in this prompt. The answer with the highest number
  /// counts.
  public var number: Int
  public var value: Value
  /// UCUM code of a number or a temperature; nil for other kinds.
  public var unit: String?

  public init(question: String, number: Int, value: Value, unit: String? = nil) {
    self.question = question
    self.number = number
    self.value = value
    self.unit = unit
  }
}

extension Question.Kind {
  /// Stable name of the kind.
  public var name: String {
    switch self {
    case .number: "number"
    case .scale: "scale"
    case .temperature: "temperature"
    case .choices: "choices"
    case .mood: "mood"
    case .yesNo: "yes_no"
    case .text: "text"
    }
  }

  /// Stable names of all kinds.
  public static let names = [
    "number", "scale", "temperature", "choices", "mood", "yes_no", "text",
  ]

  public var unitCode: String? {
    switch self {
    case .number(let unit, _): unit.rawValue
    case .temperature(let unit): unit.rawValue
    default: nil
    }
  }
}
