import Alarms

/// The HTML of the questions in the form of an alarm.
struct QuestionsHTML: Sendable {
  let context: PageContext
  let form: AlarmForm
  let refusal: HomeRefusal?
  /// The pressed button that added or removed a part of the form; nil if no such button was
  /// pressed.
  let button: FormButton?
  /// The HTML of the value that a different caretaker saved, and of a refusal that is about all
  /// questions.
  let other: String

  var html: String {
    guard form.hasQuestions else {
      return "<p class=\"help\">\(context.say(.questionsNotSimple))</p>\n"
    }
    let rows = form.questions.enumerated().map(question).joined()
    let needed =
      form.questions.isEmpty
      ? "" : context.checkbox("answers_required", .doneNeedsAnswers, form.answersRequired)
    // If the caretaker added a question, the keyboard focus is on the new question. If the
    // caretaker removed a question, the keyboard focus is on the button that adds a question.
    let isRemoved = button?.removed(.question) == true
    return """
      <fieldset class="asked"><legend>\(context.say(.questions))</legend>
      <input type="hidden" name="questions" value="yes">
      \(other)\(rows)\(needed)<button name="\(PageContext.buttonField)" value="\(FormButton.add(.question).rawValue)" \
      id="question-add"\(isRemoved ? " autofocus" : "")>\(context.say(.addQuestion))</button>
      </fieldset>

      """
  }

  // MARK: One question

  private func question(_ index: Int, _ question: QuestionFields) -> String {
    let number = String(index + 1)
    let wrong = refusal?.question == index ? refusal : nil
    let isNew = button == .add(.question) && index == form.questions.count - 1
    func field(
      _ name: String, _ word: CaretakerSentence, help: CaretakerSentence? = nil,
      kinds: [QuestionFields.Kind] = [], _ control: (_ attributes: String) -> String
    ) -> String {
      QuestionField(context: context, index: index, name: name, refusal: wrong).html(
        word, help: help, kinds: kinds, control)
    }
    func input(_ name: String, _ value: String, _ more: String) -> String {
      "<input id=\"question-\(name)-\(index)\" name=\"question-\(name)\" type=\"text\" "
        + "value=\"\(context.escape(value))\"\(more)>"
    }
    func select(_ name: String, _ choices: [(String, String)], _ chosen: String, _ more: String)
      -> String
    {
      let options = choices.map { value, words in
        "<option value=\"\(context.escape(value))\"\(value == chosen ? " selected" : "")>"
          + "\(context.escape(words))</option>"
      }.joined()
      return
        "<select id=\"question-\(name)-\(index)\" name=\"question-\(name)\"\(more)>\(options)</select>"
    }
    let kinds = QuestionFields.Kind.allCases.map { ($0.rawValue, context.plain($0.word)) }
    let units = Unit.allCases.map { unit in
      let words =
        unit == .one ? context.plain(.noUnit) : QuestionFields.words(ofUnit: unit.rawValue)
      return (unit.rawValue, words)
    }
    let temperatures = Temperature.allCases.map {
      ($0.rawValue, QuestionFields.words(ofUnit: $0.rawValue))
    }
    let needs = [("yes", context.plain(.answerRequired)), ("no", context.plain(.answerOptional))]
    let remove = FormButton.remove(.question, index: index).rawValue
    return """
      <fieldset class="question"><legend>\(context.say(.questionNumber(number: number)))</legend>
      \(wrong?.questionMember == nil ? context.sentence(of: wrong) : "")\
      \(field("text", .questionWords) { input("text", question.text, " maxlength=\"200\"\($0)\(isNew ? " autofocus" : "")") })\
      \(field("kind", .questionKind) { select("kind", kinds, question.kind.rawValue, $0) })\
      \(field("unit", .questionUnit, kinds: [.number]) { select("unit", units, question.unit, $0) })\
      \(field("temperature", .questionUnit, kinds: [.temperature]) { select("temperature", temperatures, question.temperature, $0) })\
      \(field("min", .smallestNumber, kinds: [.scale, .number]) { input("min", question.smallest, " inputmode=\"decimal\"\($0)") })\
      \(field("max", .largestNumber, help: .limitsHelp, kinds: [.scale, .number]) { input("max", question.largest, " inputmode=\"decimal\"\($0)") })\
      \(field("choices", .choicesOfQuestion, help: .choicesHelp, kinds: [.choices]) { "<textarea id=\"question-choices-\(index)\" name=\"question-choices\" rows=\"3\"\($0)>\n\(context.escape(question.choices))</textarea>" })\
      \(field("name", .questionName, help: .questionNameHelp) { input("name", question.name, " maxlength=\"32\" autocapitalize=\"none\"\($0)") })\
      \(field("required", .answerNeeded) { select("required", needs, question.isRequired ? "yes" : "no", $0) })\
      <button name="\(PageContext.buttonField)" value="\(remove)" \
      aria-label="\(context.say(.removeQuestionOf(number: number)))">\(context.say(.removeOneQuestion))</button>
      </fieldset>

      """
  }
}

/// One field of a question, with its label and the refusal of its value.
private struct QuestionField {
  let context: PageContext
  let index: Int
  let name: String
  /// The refusal of this question; nil if the daemon did not refuse it.
  let refusal: HomeRefusal?

  /// - Parameter kinds: the kinds of questions that have this field. If the list is empty, all
  ///   kinds have this field.
  func html(
    _ word: CaretakerSentence, help: CaretakerSentence?, kinds: [QuestionFields.Kind],
    _ control: (_ attributes: String) -> String
  ) -> String {
    let isWrong = refusal?.questionMember == name
    let described =
      (help == nil ? [] : ["help-\(name)-\(index)"]) + (isWrong ? ["error-\(name)-\(index)"] : [])
    let list = described.joined(separator: " ")
    let attributes =
      (isWrong ? " aria-invalid=\"true\"" : "")
      + (list.isEmpty ? "" : " aria-describedby=\"\(list)\"")
    let marks = (["field"] + kinds.map { "for-\($0.rawValue)" }).joined(separator: " ")
    let limited = kinds.isEmpty ? "" : " limited"
    var html = "<p class=\"\(marks)\(limited)\"><label for=\"question-\(name)-\(index)\">"
    html += "\(context.say(word))</label>\n\(control(attributes))\n"
    if let help {
      html += "<span class=\"help\" id=\"help-\(name)-\(index)\">\(context.say(help))</span>\n"
    }
    if isWrong { html += context.sentence(of: refusal, id: "error-\(name)-\(index)") }
    return html + "</p>\n"
  }
}

// MARK: Refusals

extension HomeRefusal {
  private var parts: [Substring] { (field ?? "").split(separator: ".") }

  private var questionPart: Int? {
    parts.firstIndex { $0 == "questions" || $0.hasPrefix("questions[") }
  }

  /// True if the daemon refused one question or the list of all questions.
  var isAboutQuestions: Bool { questionPart != nil }

  /// The index of the refused question; nil if the refusal is not about one question. The first
  /// question has the index 0.
  var question: Int? {
    questionPart.flatMap { Int(parts[$0].filter(\.isNumber)) }
  }

  /// The field of the form for the refused member; nil if the whole question was refused.
  var questionMember: String? {
    guard let place = questionPart, place + 1 < parts.count else { return nil }
    let name = String(parts[place + 1].prefix { $0.isLetter })
    return ["text", "name", "kind", "unit", "min", "max", "choices"].contains(name) ? name : nil
  }
}

extension PageContext {
  /// Returns the reason why the daemon refused a question: first in the language of the page, and
  /// then in the words of the daemon.
  fileprivate func sentence(of refusal: HomeRefusal?, id: String? = nil) -> String {
    guard let refusal else { return "" }
    let word: CaretakerSentence =
      switch refusal.questionMember {
      case "text": .questionWordsWrong
      case "name": .questionNameWrong
      case "min", "max": .questionLimitsWrong
      case "choices": .questionChoicesWrong
      default: .questionWrong
      }
    let mark = id.map { " id=\"\($0)\"" } ?? ""
    return "<span class=\"error\"\(mark)>\(say(word)) \(english(refusal.detail))</span>\n"
  }

  /// Returns a question in words, for example "a scale, 0–10".
  func words(of question: QuestionFields) -> String {
    var words = [plain(question.kind.word)]
    if question.kind.hasLimits, !question.smallest.isEmpty || !question.largest.isEmpty {
      words.append("\(question.smallest)–\(question.largest)")
    }
    if question.kind == .number, question.unit != "1" {
      words.append(QuestionFields.words(ofUnit: question.unit))
    }
    if question.kind == .temperature {
      words.append(QuestionFields.words(ofUnit: question.temperature))
    }
    if !question.isRequired { words.append(plain(.answerOptional)) }
    return words.joined(separator: ", ")
  }

  /// Returns the questions in words, on one line.
  func words(of questions: [QuestionFields]) -> String {
    if questions.isEmpty { return plain(.noQuestions) }
    return questions.map { "\($0.text) (\(words(of: $0)))" }.joined(separator: "; ")
  }
}

extension QuestionFields.Kind {
  /// The name of this kind of question, as the page shows it to a caretaker.
  var word: CaretakerSentence {
    switch self {
    case .scale: .kindScale
    case .yesNo: .kindYesNo
    case .mood: .kindMood
    case .choices: .kindChoices
    case .number: .kindNumber
    case .temperature: .kindTemperature
    case .text: .kindText
    }
  }
}
