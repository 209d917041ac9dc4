import Alarms
import Sentences

/// The answers of a person to the questions of one prompt, before the page server sends them to the
/// daemon.
///
/// The screen asks one question after the other. The person can go back and change an answer.
public struct Questionnaire: Sendable, Hashable {
  /// The result of a touch on the screen.
  enum Outcome: Sendable, Hashable {
    /// The screen does not offer this input.
    case refused
    /// The screen shows the next page, or the same page with a changed draft.
    case shown
    /// The person went back from the first question.
    case left
    /// The person has answered or skipped the last question.
    case finished
  }

  let promptID: String
  /// The questions without a response, in their order.
  let questions: [Question]
  /// True if nobody can complete the prompt without a response to each required question.
  let isRequired: Bool
  private(set) var given: [String: Response.Value] = [:]
  /// The idempotency key of the newest touch.
  var key = ""
  private var place = 0
  private var page = 0
  private var isReadPage = false
  private var draft = ""
  private var selected: Set<String> = []

  /// The maximum number of characters that a person can type in a text.
  static let draftCharacters = 200

  init(promptID: String, _ reading: CheckInReading) {
    self.promptID = promptID
    questions = reading.unanswered
    isRequired = reading.checkIn.holdsCompletion
    show(at: 0)
  }

  private var question: Question { questions[place] }

  // MARK: Input

  mutating func take(_ input: QuestionInput, _ language: Language) -> Outcome {
    guard screen(language, isStarted: true).offers(input) else { return .refused }
    switch input {
    case .back: return back()
    case .skip:
      given[question.name] = nil
      return forward()
    case .more: page += 1
    case .toggle(let name):
      if selected.remove(name) == nil { selected.insert(name) }
    case .type(let character): draft += character
    case .tone(let number): draft = language.keyboard.adding(tone: number, to: draft)
    case .delete: draft.removeLast()
    case .pick(let value): return answer(pickedValue(value))
    case .next where isReadPage: isReadPage = false
    case .next: return answer(draftedValue)
    }
    return .shown
  }

  private mutating func answer(_ value: Response.Value?) -> Outcome {
    guard let value else { return .refused }
    given[question.name] = value
    return forward()
  }

  private mutating func forward() -> Outcome {
    guard place + 1 < questions.count else { return .finished }
    show(at: place + 1)
    return .shown
  }

  private mutating func back() -> Outcome {
    if question.isLong, !isReadPage {
      isReadPage = true
    } else if place > 0 {
      show(at: place - 1)
      isReadPage = false
    } else {
      return .left
    }
    return .shown
  }

  /// Shows a question. If the person has already answered this question, also shows the answer.
  private mutating func show(at place: Int) {
    self.place = place
    (page, draft, selected) = (0, "", [])
    isReadPage = question.isLong
    switch given[question.name] {
    case .number(let number): draft = QuestionNumber.text(number)
    case .text(let text): draft = text
    case .choices(let names): selected = Set(names)
    case .mood, .flag, nil: break
    }
  }

  // MARK: Values

  /// Returns the response that a touch on a single key gives; nil if the question has no such key.
  private func pickedValue(_ text: String) -> Response.Value? {
    switch question.kind {
    case .scale: Double(text).map(Response.Value.number)
    case .mood: Mood(rawValue: text).map(Response.Value.mood)
    case .yesNo: .flag(text == "yes")
    case .choices: .choices([])
    case .number, .temperature, .text: nil
    }
  }

  /// The response that the draft gives; nil if the draft is empty or outside of the range.
  private var draftedValue: Response.Value? {
    switch question.kind {
    case .number, .temperature:
      guard let number = Double(draft), question.kind.bounds.contains(number) else { return nil }
      return .number(number)
    case .scale(let range):
      if question.kind.scaleKeys != nil { return given[question.name] }
      return Int(draft).flatMap { range.contains($0) ? .number(Double($0)) : nil }
    case .choices(let choices):
      let names = choices.map(\.name).filter(selected.contains)
      // A separate key gives the answer "None of these". If the person has already given this
      // answer, the key NEXT keeps it.
      return names.isEmpty && given[question.name] != .choices([]) ? nil : .choices(names)
    case .text:
      let words = draft.split(separator: " ").joined(separator: " ")
      return words.isEmpty ? nil : .text(words)
    case .mood, .yesNo: return given[question.name]
    }
  }

  // MARK: The screen

  /// - Parameters:
  ///   - isStarted: true if the person can go back from the first question to the task.
  ///   - canUndo: true if the person can undo the answer "done".
  func screen(_ language: Language, isStarted: Bool, canUndo: Bool = false) -> QuestionScreen {
    let (layout, keys) = isReadPage ? (.read, []) : self.keys(language)
    let isFirst = place == 0 && (isReadPage || !question.isLong)
    return QuestionScreen(
      promptID: promptID, name: question.name, text: question.text, number: place + 1,
      count: questions.count, layout: layout, page: page, isLong: question.isLong && !isReadPage,
      draft: shownDraft, left: !isFirst || isStarted ? .back : canUndo ? .undo : nil, keys: keys,
      right: right)
  }

  private var right: QuestionKey? {
    if isReadPage || draftedValue != nil { return QuestionKey(.next, .sentence(.questionNext)) }
    let isEmpty = draft.isEmpty && selected.isEmpty
    return isEmpty && (!isRequired || !question.isRequired)
      ? QuestionKey(.skip, .sentence(.questionSkip)) : nil
  }

  private var shownDraft: QuestionScreen.TypedText? {
    guard !isReadPage else { return nil }
    if question.kind == .text { return .init(text: draft) }
    guard question.kind.isTyped else { return nil }
    let isWrong = !draft.isEmpty && draftedValue == nil
    return .init(
      text: draft, unit: QuestionNumber.unit(question.kind.unitCode),
      range: isWrong ? question.kind.bounds : nil, isNumber: true)
  }

  private func keys(_ language: Language) -> (QuestionScreen.Layout, [QuestionKey]) {
    let chosen = given[question.name]
    switch question.kind {
    case .yesNo:
      return (
        .two,
        [
          QuestionKey(.pick("no"), .sentence(.answerNo), isChosen: chosen == .flag(false)),
          QuestionKey(.pick("yes"), .sentence(.answerYes), isChosen: chosen == .flag(true)),
        ]
      )
    case .mood:
      let faces: [(Mood, QuestionKey.Face)] = [(.bad, .bad), (.fair, .fair), (.good, .good)]
      return (
        .faces,
        faces.map { mood, face in
          QuestionKey(.pick(mood.rawValue), .face(face), isChosen: chosen == .mood(mood))
        }
      )
    case .choices(let choices): return QuestionPages.keys(choices, selected, page: page, chosen)
    case .text:
      let isFull = draft.count >= Self.draftCharacters
      return (.letters, language.keyboard.keys(page: page, draft: draft, isFull: isFull))
    case .scale, .number, .temperature:
      if let numbers = question.kind.scaleKeys {
        return (
          .scale,
          numbers.map {
            QuestionKey(
              .pick(String($0)), .sign(String($0)), isChosen: chosen == .number(Double($0)))
          }
        )
      }
      return (.pad, QuestionNumber.keys(draft, question.kind))
    }
  }
}

extension Question {
  /// True if the question needs a separate page, because the question is too long for the space
  /// beside the keys on a 7 inch display.
  var isLong: Bool {
    let most =
      switch kind {
      case .text: 0
      case .choices: 36
      case .number, .temperature: 60
      case .scale: kind.scaleKeys == nil ? 60 : 80
      case .mood, .yesNo: 80
      }
    return text.count > most
  }
}

extension Question.Kind {
  /// The numbers of a scale, if the screen shows a key for each number; nil for every other
  /// question.
  var scaleKeys: ClosedRange<Int>? {
    // Two rows of six keys fit on the screen.
    if case .scale(let range) = self, range.count <= 12 { range } else { nil }
  }

  /// True if the person types the response as digits.
  var isTyped: Bool {
    switch self {
    case .number, .temperature: true
    case .scale: scaleKeys == nil
    case .choices, .mood, .yesNo, .text: false
    }
  }

  /// The permitted range of a number.
  var bounds: ClosedRange<Double> {
    switch self {
    case .number(_, let range): range
    case .temperature(let unit): unit.bounds
    case .scale(let range): Double(range.lowerBound)...Double(range.upperBound)
    case .choices, .mood, .yesNo, .text: 0...0
    }
  }
}
