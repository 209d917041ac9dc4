import Alarms
import JSONValue

// The stored form of a check-in, which is a part of the stored alarm. The names of the questions
// and choices are payload, because nobody could understand the responses after an erasure of these
// names. The texts of the questions and choices are content, so that Prompter can erase them.
extension CheckIn {
  var payload: JSON {
    .object([
      ("holds_completion", .bool(holdsCompletion)),
      ("questions", .array(questions.map(\.payload))),
    ])
  }

  var content: JSON { .array(questions.map(\.content)) }

  /// Decodes a check-in.
  ///
  /// - Parameter content: the texts; nil if the texts were erased. In the result, an erased text is
  ///   empty.
  package init(payload: JSON, content: JSON?) throws(EventCodingError) {
    let members = StoredMembers(payload)
    let words = content?.array ?? []
    var questions: [Question] = []
    for (index, json) in try members.array("questions").enumerated() {
      questions.append(
        try Question(payload: json, content: index < words.count ? words[index] : nil))
    }
    self.init(questions: questions, holdsCompletion: try members.bool("holds_completion"))
  }
}

extension Question {
  /// All fields of the question except its texts.
  package var payload: JSON {
    var members: [(String, JSON)] = [
      ("name", .string(name)), ("kind", .string(kind.name)), ("required", .bool(isRequired)),
    ]
    switch kind {
    case .number(let unit, let range):
      members += [
        ("unit", .string(unit.rawValue)), ("min", .measured(range.lowerBound)),
        ("max", .measured(range.upperBound)),
      ]
    case .scale(let range):
      members += [
        ("min", .integer(Int64(range.lowerBound))), ("max", .integer(Int64(range.upperBound))),
      ]
    case .temperature(let unit): members.append(("unit", .string(unit.rawValue)))
    case .choices(let choices):
      members.append(("choices", .array(choices.map { .string($0.name) })))
    case .mood, .yesNo, .text: break
    }
    return .object(members)
  }

  fileprivate var content: JSON {
    var members: [(String, JSON)] = [("text", .string(text))]
    if case .choices(let choices) = kind {
      members.append(("choices", .array(choices.map { .string($0.text) })))
    }
    return .object(members)
  }

  fileprivate init(payload: JSON, content: JSON?) throws(EventCodingError) {
    let members = StoredMembers(payload)
    self.init(
      name: try members.string("name"), text: content?["text"]?.string ?? "",
      kind: try Kind(members, words: content?["choices"]?.array ?? []),
      isRequired: try members.bool("required"))
  }
}

extension Question.Kind {
  fileprivate init(_ members: StoredMembers, words: [JSON]) throws(EventCodingError) {
    switch try members.string("kind") {
    case "number":
      let (low, high) = (try members.double("min"), try members.double("max"))
      guard low <= high else {
        throw EventCodingError("cannot read a stored question: min is above max")
      }
      self = .number(unit: try members.choice("unit"), low...high)
    case "scale":
      let (low, high) = (try members.int("min"), try members.int("max"))
      guard low <= high else {
        throw EventCodingError("cannot read a stored question: min is above max")
      }
      self = .scale(low...high)
    case "temperature": self = .temperature(try members.choice("unit"))
    case "choices":
      var choices: [Choice] = []
      for (index, json) in try members.array("choices").enumerated() {
        choices.append(
          Choice(
            name: json.string ?? "", text: index < words.count ? words[index].string ?? "" : ""))
      }
      self = .choices(choices)
    case "mood": self = .mood
    case "yes_no": self = .yesNo
    case "text": self = .text
    case let name:
      throw EventCodingError("cannot read a stored question: the kind \"\(name)\" is unknown")
    }
  }
}
