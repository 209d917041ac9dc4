import CivilTime

/// A response to one question of a check-in, as a client sent it. The daemon has not checked this
/// response yet.
public struct ResponseForm: Hashable, Sendable {
  /// The value of a response, as a JSON type. A client can also send each value as a text, for
  /// example `7`, `yes`, `good` or `headache, nausea`.
  public enum Value: Hashable, Sendable {
    case number(Double)
    case flag(Bool)
    case text(String)
    case list([String])
  }

  public var question: String
  public var value: Value

  public init(question: String, value: Value) {
    self.question = question
    self.value = value
  }
}

/// A closed prompt, and the version of its alarm that the prompt used.
public struct PastPrompt: Hashable, Sendable {
  public var prompt: Prompt
  public var alarm: Alarm

  public init(prompt: Prompt, alarm: Alarm) {
    self.prompt = prompt
    self.alarm = alarm
  }
}

// Responses to the questions of a prompt. The first response and every correction are separate
// events. Only the newest response to a question is valid.
extension Transition {
  /// Records responses to the questions of a prompt.
  ///
  /// - Parameters:
  ///   - completes: true if the responses also complete the task.
  ///   - past: the closed prompt; nil if the prompt is not closed. After the end of a prompt, a
  ///     person can still answer the questions that have no response, and can correct earlier
  ///     responses.
  mutating func respond(
    _ id: PromptID?, _ forms: [ResponseForm], completes: Bool, past: PastPrompt?
  ) throws(Refusal) {
    let (prompt, alarm) = try answered(id, past)
    guard let checkIn = alarm.checkIn else {
      throw Refusal(.conflict, "\"\(alarm.label)\" does not ask questions")
    }
    if forms.isEmpty {
      throw Refusal(.invalidField, field: "responses", "the list of responses is empty")
    }
    var responses: [Response] = []
    for (index, form) in forms.enumerated() {
      let field = "responses[\(index)]"
      guard let question = checkIn.question(form.question) else {
        throw Refusal(
          .invalidField, field: field + ".question",
          "there is no question \"\(form.question)\"; the questions are: "
            + checkIn.questions.map(\.name).joined(separator: ", "))
      }
      if responses.contains(where: { $0.question == question.name }) {
        throw Refusal(
          .invalidField, field: field + ".question",
          "this request answers \"\(question.name)\" twice")
      }
      let known = prompt.answers[question.name] ?? 0
      if known >= AlarmRules.answersPerQuestion {
        throw Refusal(
          .limit, field: field + ".question",
          "cannot answer \"\(question.name)\" again: it was answered "
            + "\(AlarmRules.answersPerQuestion) times for this prompt, which is the limit; the "
            + "newest answer counts")
      }
      responses.append(
        Response(
          question: question.name, number: known + 1,
          value: try value(form.value, of: question.kind, field: field + ".value"),
          unit: question.kind.unitCode))
    }
    for response in responses { emit(.response(prompt.id, response), for: alarm.person) }
    if completes, let open = self.prompt(prompt.id), open.state.isOpen {
      try handleAnswer(.complete, to: open)
    } else {
      reply = .answered(
        AnsweredPrompt(
          prompt: self.prompt(prompt.id) ?? prompt,
          stopped: Stopped(pending: 0, sounding: false, sounded: prompt.ringsSounded)))
    }
  }

  private mutating func answered(
    _ id: PromptID?, _ past: PastPrompt?
  ) throws(Refusal) -> (Prompt, Alarm) {
    if let past, prompt(past.prompt.id)?.state.isOpen != true {
      // It is possible that the prompt has ended after the caller read the prompt from the record.
      // In this case, the state in memory is newer than the state that the caller read.
      let ended = prompt(past.prompt.id) ?? past.prompt
      guard case .closed(let outcome, _, _) = ended.state else {
        throw Refusal(
          .storage, "the end of prompt \"\(ended.id)\" is not recorded yet; try again in a moment")
      }
      if [.cancelled, .superseded].contains(outcome.kind) {
        throw Refusal(
          .promptOver, "cannot answer prompt \"\(ended.id)\": it was cancelled")
      }
      put(ended)
      return (ended, past.alarm)
    }
    let prompt = try answerable(id, .complete)
    try requireDue(prompt, "answer")
    guard let alarm = alarm(prompt.id.alarm) else {
      throw Refusal(.notFound, "there is no alarm \"\(prompt.id.alarm)\"")
    }
    return (prompt, alarm)
  }

  /// Refuses to complete a prompt whose required questions are not answered yet.
  func refuseUnanswered(_ prompt: Prompt) throws(Refusal) {
    guard let checkIn = alarm(prompt.id.alarm)?.checkIn, checkIn.holdsCompletion else { return }
    let open = checkIn.open(after: prompt.answers)
    if open.isEmpty { return }
    throw Refusal(
      .questionsOpen, field: "responses",
      "cannot complete prompt \"\(prompt.id)\": these questions are not answered yet: "
        + open.map(\.name).joined(separator: ", "))
  }

  // MARK: Values

  private func value(
    _ value: ResponseForm.Value, of kind: Question.Kind, field: String
  ) throws(Refusal) -> Response.Value {
    switch kind {
    case .number(let unit, let range):
      return .number(try number(value, in: range, unit: unit.rawValue, field: field))
    case .temperature(let unit):
      return .number(try number(value, in: unit.bounds, unit: unit.rawValue, field: field))
    case .scale(let range):
      let bounds = Double(range.lowerBound)...Double(range.upperBound)
      let number = try number(value, in: bounds, unit: "1", field: field)
      guard number == number.rounded() else {
        throw Refusal(.invalidField, field: field, "\(number) must be a whole number")
      }
      return .number(number)
    case .choices(let choices): return .choices(try names(value, of: choices, field: field))
    case .mood:
      if case .text(let word) = value, let mood = Mood(rawValue: word) { return .mood(mood) }
      throw wrong(field, "one of: \(Mood.allCases.map(\.rawValue).joined(separator: ", "))")
    case .yesNo: return .flag(try flag(value, field: field))
    case .text:
      guard case .text(let words) = value else { throw wrong(field, "a text") }
      return .text(try AlarmRules.answer.check(words, field: field))
    }
  }

  private func number(
    _ value: ResponseForm.Value, in range: ClosedRange<Double>, unit: String, field: String
  ) throws(Refusal) -> Double {
    let given: Double? =
      switch value {
      case .number(let number): number
      case .text(let text): Double(text)
      case .flag, .list: nil
      }
    guard let given, given.isFinite else { throw wrong(field, "a number") }
    if range.contains(given) { return given }
    throw Refusal(
      .invalidField, field: field,
      "\(given) is out of range; it must be from \(range.lowerBound) to \(range.upperBound)"
        + (unit == "1" ? "" : " \(unit)"))
  }

  private func flag(_ value: ResponseForm.Value, field: String) throws(Refusal) -> Bool {
    switch value {
    case .flag(let flag): return flag
    case .text("yes"), .text("true"): return true
    case .text("no"), .text("false"): return false
    default: throw wrong(field, "true or false")
    }
  }

  private func names(
    _ value: ResponseForm.Value, of choices: [Choice], field: String
  ) throws(Refusal) -> [String] {
    let given: [String]
    switch value {
    case .list(let names): given = names
    case .text("none"), .text(""): given = []
    case .text(let text):
      given = text.split(separator: ",").map { word in
        let head = word.drop { $0 == " " }
        return String(String(head.reversed().drop { $0 == " " }).reversed())
      }
    case .number, .flag: throw wrong(field, "a list of names")
    }
    let known = choices.map(\.name)
    if let unknown = given.first(where: { !known.contains($0) }) {
      throw Refusal(
        .invalidField, field: field,
        "\"\(unknown)\" is not one of: \(known.joined(separator: ", "))")
    }
    if Set(given).count != given.count {
      throw Refusal(.invalidField, field: field, "a name appears twice")
    }
    return known.filter(given.contains)
  }

  private func wrong(_ field: String, _ what: String) -> Refusal {
    Refusal(.invalidField, field: field, "it must be \(what)")
  }
}
