import JSONValue
import Sentences

@testable import Pages

/// The questions of the gallery: one question of each kind, with texts as in a real home.
struct GalleryQuestions {
  var language: Language

  /// The names of the questions. The kinds of the questions are in this order: scale, number,
  /// temperature, choices, long choices, mood, yes or no, text.
  static let names = [
    "scale", "number", "temperature", "choices", "rows", "mood", "yes-no", "text",
  ]

  private struct Texts {
    var questions: [String]
    var choices: [String]
    var places: [String]
    var typed: String
  }

  private var texts: Texts {
    switch language {
    case .english:
      Texts(
        questions: [
          "How bad is the pain, from 0 to 10?", "What do you weigh?", "How warm are you?",
          "What do you feel?", "Where are you now?", "How do you feel?", "Did you sleep well?",
          "What did you eat?",
        ], choices: ["Cough", "Fever", "Headache", "Dizziness"],
        places: ["In the bedroom beside the large window", "In the kitchen"], typed: "bread and")
    case .german:
      Texts(
        questions: [
          "Wie stark sind die Schmerzen, von 0 bis 10?", "Wie viel wiegen Sie?",
          "Wie warm sind Sie?", "Was spüren Sie?", "Wo sind Sie gerade?", "Wie geht es Ihnen?",
          "Haben Sie gut geschlafen?", "Was haben Sie gegessen?",
        ], choices: ["Husten", "Fieber", "Kopfschmerzen", "Schwindel"],
        places: ["Im Schlafzimmer neben dem großen Fenster", "In der Küche"], typed: "brot und")
    case .vietnamese:
      Texts(
        questions: [
          "Đau nhiều không, từ 0 đến 10?", "Bạn nặng bao nhiêu?", "Bạn đo được bao nhiêu độ?",
          "Bạn thấy thế nào?", "Bây giờ bạn ở đâu?", "Bạn cảm thấy thế nào?",
          "Bạn ngủ có ngon không?", "Bạn đã ăn gì?",
        ], choices: ["Ho", "Sốt", "Đau đầu", "Chóng mặt"],
        places: ["Trong phòng ngủ cạnh cửa sổ lớn", "Trong bếp"], typed: "cơm")
    }
  }

  private func choices(_ words: [String]) -> (String, JSON) {
    let rows = words.enumerated().map { index, word in
      JSON.object([("name", .string("choice\(index)")), ("text", .string(word))])
    }
    return ("choices", .array(rows))
  }

  private var documents: [JSON] {
    let texts = texts
    let kinds: [(kind: String, more: [(String, JSON)])] = [
      ("scale", [("min", .integer(0)), ("max", .integer(10))]),
      (
        "number", [("unit", .string("kg")), ("min", .integer(30)), ("max", .integer(200))]
      ), ("temperature", [("unit", .string("Cel"))]), ("choices", [choices(texts.choices)]),
      ("choices", [choices(texts.places)]), ("mood", []), ("yes_no", []), ("text", []),
    ]
    return zip(Self.names, kinds).enumerated().map { index, pair in
      question(
        pair.0, pair.1.kind, pair.1.more + [("required", .bool(false))],
        text: texts.questions[index])
    }
  }

  /// Returns the screens of all questions. On some screens, the person has already typed a text or
  /// touched a choice.
  func screens() throws -> [(name: String, screen: QuestionScreen)] {
    var sample = try SampleQuestionnaire(documents, language: language)
    return Self.names.map { name in
      switch name {
      case "number": _ = sample.touch("type 6", "type 4", "type .", "type 5")
      case "temperature": _ = sample.touch("type 9")
      case "choices": _ = sample.touch("toggle choice1", "toggle choice2")
      case "text":
        // The page with the letters follows the page with the question.
        _ = sample.touch("next")
        _ = sample.type(texts.typed)
      default: break
      }
      let screen = sample.value.screen(language, isStarted: false, canUndo: name == "scale")
      switch name {
      case "scale": _ = sample.touch("pick 3")
      case "mood": _ = sample.touch("pick good")
      case "temperature": _ = sample.touch("delete", "skip")
      case "rows": _ = sample.touch("skip")
      case "yes-no": _ = sample.touch("pick yes")
      default: _ = sample.touch("next")
      }
      return (name, screen)
    }
  }
}
