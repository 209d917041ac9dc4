/// Typed questions that are asked with each prompt of an alarm.
public struct CheckIn: Hashable, Sendable {
  /// 1 to 20, in the order in which they are asked; no name twice.
  public var questions: [Question]
  /// Whether a prompt can only be completed once every required question is answered. Otherwise what
  /// was left open shows in the record, and nobody is kept from saying "done".
  public var holdsCompletion: Bool

  public init(questions: [Question], holdsCompletion: Bool) {
    self.questions = questions
    self.holdsCompletion = holdsCompletion
  }

  public func question(_ name: String) -> Question? { questions.first { $0.name == name } }

  /// The required questions that these answers leave open.
  public func open(after answers: [String: Int]) -> [Question] {
    questions.filter { $0.isRequired && answers[$0.name] == nil }
  }
}

/// One question of a check-in.
public struct Question: Hashable, Sendable {
  /// What an answer may be.
  public enum Kind: Hashable, Sendable {
    /// A measurement in this unit, within these bounds.
    case number(unit: Unit, ClosedRange<Double>)
    /// A whole number, such as 0 to 10 for pain.
    case scale(ClosedRange<Int>)
    case temperature(Temperature)
    /// Any of these, or none of them. 1 to 30.
    case choices([Choice])
    /// One of three faces.
    case mood
    case yesNo
    /// The person's own words, 1 to 2,000 characters. They can be erased.
    case text
  }

  /// The variable's name in the data: a small letter, then small letters, digits and underscores, 32
  /// at most. Part of the record for ever, so it must not say anything of a person.
  public var name: String
  /// What is asked, in the caretaker's words. 1 to 200 characters.
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

/// One thing that can be chosen.
public struct Choice: Hashable, Sendable {
  /// As a question's name.
  public var name: String
  /// What the person reads; 1 to 100 characters.
  public var text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// What a number counts, by its UCUM code: a closed list, so that no words get into the chain and every
/// analysis can read them.
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

/// A scale of body temperature, by its UCUM code.
public enum Temperature: String, Sendable, CaseIterable {
  case celsius = "Cel"
  case fahrenheit = "[degF]"

  /// What a living person can have; anything else was mistyped.
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

  /// 0, 1 or 2, for charts.
  public var level: Int { self == .bad ? 0 : self == .fair ? 1 : 2 }
}

/// An answer to one question. A correction is another one with the next number: none is ever changed.
public struct Response: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    /// Of a number, a scale or a temperature.
    case number(Double)
    /// Names of choices, in the order of the question; empty for none of them.
    case choices([String])
    case mood(Mood)
    case flag(Bool)
    /// Empty where it was erased.
    case text(String)
  }

  /// The question's name.
  public var question: String
  /// 1 for the first answer to this question in this prompt; the highest is the one that counts.
  public var number: Int
  public var value: Value
  /// The UCUM code of a number or a temperature.
  public var unit: String?

  public init(question: String, number: Int, value: Value, unit: String? = nil) {
    self.question = question
    self.number = number
    self.value = value
    self.unit = unit
  }
}

extension Question.Kind {
  /// The word for it.
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

  /// The words for all of them.
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
