import Alarms
import JSONValue

/// The questions of a prompt, and the names of the questions that have a response.
public struct CheckInReading: Sendable, Hashable {
  public var checkIn: CheckIn
  public var answered: Set<String>
  /// The newest answer to the question of a message that asks for "yes" or "no"; nil if there is no
  /// answer.
  public var isYes: Bool?

  /// Reads the reply of the daemon to `GET /v1/prompts/{id}/responses`.
  public init(_ document: JSON) throws(ReadingError) {
    guard let questions = document["questions"]?.array else {
      throw ReadingError(field: "questions")
    }
    guard let responses = document["responses"]?.array else {
      throw ReadingError(field: "responses")
    }
    guard let holds = document["answers_required"]?.bool else {
      throw ReadingError(field: "answers_required")
    }
    checkIn = CheckIn(questions: [], holdsCompletion: holds)
    for question in questions { checkIn.questions.append(try Question(reading: question)) }
    answered = []
    for response in responses {
      answered.insert(try response.needed("question"))
      if let value = response["value"]?.bool { isYes = value }
    }
  }

  public var hasQuestions: Bool { !checkIn.questions.isEmpty }

  /// The questions without a response.
  var unanswered: [Question] { checkIn.questions.filter { !answered.contains($0.name) } }

  /// True if a required question has no response.
  var isRequiredOpen: Bool { unanswered.contains(where: \.isRequired) }

  /// True if the screen must ask the questions. This is the case if a required question has no
  /// response, or if no question has a response.
  var isWanted: Bool { isRequiredOpen || (answered.isEmpty && hasQuestions) }

  /// True if the prompt is a message that the person answers with "yes" or "no".
  var asksYesOrNo: Bool { checkIn.questions.map(\.kind) == [.yesNo] }
}

extension Question {
  /// Reads a question from a JSON document of the API.
  fileprivate init(reading document: JSON) throws(ReadingError) {
    self.init(
      name: try document.needed("name"), text: try document.needed("text"),
      kind: try Kind(reading: document), isRequired: document["required"]?.bool ?? true)
  }
}

extension Question.Kind {
  fileprivate init(reading document: JSON) throws(ReadingError) {
    switch try document.needed("kind") {
    case "number":
      guard let unit = Unit(rawValue: try document.needed("unit")) else {
        throw ReadingError(field: "unit")
      }
      self = .number(unit: unit, try Self.range(document))
    case "scale":
      let range = try Self.range(document)
      guard let low = Int(exactly: range.lowerBound), let high = Int(exactly: range.upperBound)
      else { throw ReadingError(field: "min") }
      self = .scale(low...high)
    case "temperature":
      guard let unit = Temperature(rawValue: try document.needed("unit")) else {
        throw ReadingError(field: "unit")
      }
      self = .temperature(unit)
    case "choices":
      guard let choices = document["choices"]?.array else { throw ReadingError(field: "choices") }
      var all: [Choice] = []
      for choice in choices {
        all.append(Choice(name: try choice.needed("name"), text: try choice.needed("text")))
      }
      self = .choices(all)
    case "mood": self = .mood
    case "yes_no": self = .yesNo
    case "text": self = .text
    default: throw ReadingError(field: "kind")
    }
  }

  private static func range(_ document: JSON) throws(ReadingError) -> ClosedRange<Double> {
    guard let low = document["min"]?.double else { throw ReadingError(field: "min") }
    guard let high = document["max"]?.double, low <= high else { throw ReadingError(field: "max") }
    return low...high
  }
}
