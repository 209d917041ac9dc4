/// The questions that each prompt of an alarm asks. Each question has a type.
public struct CheckIn: Hashable, Sendable {
  /// The questions, 1 to 20, in the order in which Prompter asks them. No two questions have the
  /// same name.
  public var questions: [Question]
  /// True if a person must answer every required question before the person can complete the
  /// prompt.
  ///
  /// If the value is false, a person can answer "done" without a response to the questions. The
  /// record shows which questions were not answered.
  public var holdsCompletion: Bool

  public init(questions: [Question], holdsCompletion: Bool) {
    self.questions = questions
    self.holdsCompletion = holdsCompletion
  }

  public func question(_ name: String) -> Question? { questions.first { $0.name == name } }

  /// Returns the required questions that have no response yet.
  public func open(after answers: [String: Int]) -> [Question] {
    questions.filter { $0.isRequired && answers[$0.name] == nil }
  }
}

/// One question of a check-in.
public struct Question: Hashable, Sendable {
  /// The type of the response, with its unit or range.
  public enum Kind: Hashable, Sendable {
    /// A measurement with a unit and an inclusive range.
    case number(unit: Unit, ClosedRange<Double>)
    /// A whole number in an inclusive range, for example 0 to 10 for pain.
    case scale(ClosedRange<Int>)
    case temperature(Temperature)
    /// A selection from a list of 1 to 30 choices. A person can select several choices, one choice
    /// or no choice.
    case choices([Choice])
    /// The person chooses one of three faces.
    case mood
    case yesNo
    /// A text in the person's own words, 1 to 2,000 characters. The text can be erased.
    case text
  }

  /// The name of the question in the record and in exported data, for example `pain`.
  ///
  /// The name has at most 32 characters. The first character of the name is a small letter, and the
  /// other characters are small letters, digits or underscores. The name stays in the record
  /// permanently, so the name must not say anything about a person.
  public var name: String
  /// The question in the caretaker's words: 1 to 200 characters.
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
  /// The name of the choice. The rules for the name are the same as for `Question.name`.
  public var name: String
  /// The text that the person reads: 1 to 100 characters.
  public var text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// The unit of a response that is a number. The raw value is the code of the unit in UCUM, the
/// Unified Code for Units of Measure.
///
/// A caretaker cannot add a unit, for two reasons. The hash chain must not contain words that a
/// person typed, and a data analysis must know all units.
public enum Unit: String, Sendable, CaseIterable {
  /// A number without a unit, for example a count.
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

/// The unit of a body temperature. The raw value is the UCUM code of the unit.
public enum Temperature: String, Sendable, CaseIterable {
  case celsius = "Cel"
  case fahrenheit = "[degF]"

  /// The range of possible body temperatures. A value outside the range is a typing error.
  public var bounds: ClosedRange<Double> {
    switch self {
    case .celsius: 30...45
    case .fahrenheit: 86...113
    }
  }
}

/// A response about the mood: one of three faces.
public enum Mood: String, Sendable, CaseIterable {
  case bad = "bad"
  case fair = "fair"
  case good = "good"

  /// The value of this response in charts: 0 for bad, 1 for fair, 2 for good.
  public var level: Int { self == .bad ? 0 : self == .fair ? 1 : 2 }
}

/// A response to one question of a prompt.
///
/// The daemon never changes a recorded response. A correction is a new response with the next
/// sequence number.
public struct Response: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    /// The response to a question for a number, a scale or a temperature.
    case number(Double)
    /// The names of the options that the person chose, in the order in which the question lists
    /// them. The list is empty if the person chose no option.
    case choices([String])
    case mood(Mood)
    case flag(Bool)
    /// The text; empty if the text was erased.
    case text(String)
  }

  /// The name of the question that the person answered.
  public var question: String
  /// The sequence number of the response to this question in this prompt, from 1. The response with
  /// the highest sequence number is valid.
  public var number: Int
  public var value: Value
  /// The UCUM code of the unit of a number or a temperature; nil for other kinds of values.
  public var unit: String?

  public init(question: String, number: Int, value: Value, unit: String? = nil) {
    self.question = question
    self.number = number
    self.value = value
    self.unit = unit
  }
}

extension Question.Kind {
  /// The name of the question type in the API and the record.
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

  /// The names of all question types.
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
