import Alarms
import CivilTime
import JSONValue
import Sentences

@testable import Pages

/// Returns a question in the JSON format of the daemon.
func question(
  _ name: String, _ kind: String, _ more: [(String, JSON)] = [], text: String = "How is it?"
) -> JSON {
  .object([("name", .string(name)), ("text", .string(text)), ("kind", .string(kind))] + more)
}

let choices: (String, JSON) = (
  "choices",
  .array(
    ["cough", "fever", "none_yet"].map {
      .object([("name", .string($0)), ("text", .string("Word \($0)"))])
    })
)

/// A list with questions of every kind.
let everyKind = [
  question("pain", "scale", [("min", .integer(0)), ("max", .integer(10))]),
  question("steps", "scale", [("min", .integer(-5)), ("max", .integer(100))]),
  question(
    "weight", "number",
    [("unit", .string("kg")), ("min", .integer(30)), ("max", .integer(200))]),
  question("heat", "temperature", [("unit", .string("Cel"))]),
  question("feels", "choices", [choices]), question("mood", "mood"),
  question("slept", "yes_no"), question("note", "text", [("required", .bool(false))]),
]

func checkIn(
  _ questions: [JSON], required: Bool = false, answered: [String] = []
) throws -> CheckInReading {
  try CheckInReading(
    .object([
      ("questions", .array(questions)), ("answers_required", .bool(required)),
      ("responses", .array(answered.map { .object([("question", .string($0))]) })),
    ]))
}

/// A questionnaire with functions that touch keys and type texts.
struct SampleQuestionnaire {
  var value: Questionnaire
  var language = Language.english

  init(_ questions: [JSON], required: Bool = false, language: Language = .english) throws {
    value = Questionnaire(promptID: "a", try checkIn(questions, required: required))
    self.language = language
  }

  var screen: QuestionScreen { value.screen(language, isStarted: false) }

  /// Touches several keys one after another, and returns the outcome of the last touch.
  mutating func touch(_ inputs: String...) -> Questionnaire.Outcome? {
    var outcome: Questionnaire.Outcome?
    for input in inputs {
      outcome = QuestionInput(text: input).map { value.take($0, language) }
    }
    return outcome
  }

  /// Types the characters of a text, and returns the outcome of each character.
  mutating func type(_ text: String) -> [Questionnaire.Outcome] {
    text.map { value.take(.type(String($0)), language) }
  }
}
