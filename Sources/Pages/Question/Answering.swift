import Alarms
import CivilTime
import JSONValue
import Sentences

/// The questions that the screen asks, and the answers that the page server has not sent to the
/// daemon yet.
///
/// The page server keeps this value in memory. The value is not lost if the page reloads or if the
/// daemon stops for some time. The value is lost if the page server restarts.
public struct Answering: Sendable {
  /// The action of the page server after a touch on a question screen.
  public enum Step: Sendable, Hashable {
    /// Refuse the touch, because the present screen does not offer it.
    case refuse
    /// Show the next screen, and send nothing to the daemon.
    case show
    /// Send the answers to the daemon, and then call `finish`.
    case send(QuestionAnswers)
  }

  /// The period after the answer "done" in which the screen asks the questions, in milliseconds.
  static let askMilliseconds: Int64 = 30 * 60_000

  private var questionnaires: [String: Questionnaire] = [:]
  /// The open prompts whose questions the person answers before the page server sends "done". The
  /// value is true if the prompt was silent after its questions began.
  private var started: [String: Bool] = [:]
  /// The prompts whose last question the person has answered or skipped, with the time of this last
  /// step.
  private(set) var finished: [String: Instant] = [:]
  /// The idempotency keys of the newest touches. The page sends a touch again, with the same key,
  /// if it gets no reply.
  private var touches: [String] = []

  public init() {}

  // MARK: Changes

  /// Adapts the questions and the answers to a new reading from the daemon.
  public mutating func follow(_ reading: HomeReading) {
    for prompt in reading.prompts where finished[prompt.id] != nil && !prompt.isCompleted {
      // Somebody undid the answer "done". After the next answer "done", the screen asks all
      // questions again.
      (finished[prompt.id], questionnaires[prompt.id]) = (nil, nil)
    }
    for (id, checkIn) in reading.checkIns where checkIn.isWanted {
      let new = Questionnaire(promptID: id, checkIn)
      if questionnaires[id]?.questions != new.questions { questionnaires[id] = new }
    }
    let late = Set(overdue(reading).map(\.promptID))
    questionnaires = questionnaires.filter { id, _ in
      reading.checkIns[id]?.isWanted == true || late.contains(id)
    }
    finished = finished.filter { reading.checkIns[$0.key] != nil }
    for id in started.keys {
      let prompt = reading.prompts.first { $0.id == id }
      let isSilent = prompt?.state == .acknowledged
      if prompt?.isShownAsDue != true, !isSilent {
        started[id] = nil
      } else if isSilent {
        started[id] = true
      } else if started[id] == true {
        // The prompt rings again, because nobody answered the questions in time.
        started[id] = nil
      }
    }
  }

  /// Returns true if the person must answer questions of this open prompt before the page server
  /// sends "done".
  public func asksFirst(_ promptID: String, _ reading: HomeReading?) -> Bool {
    guard let checkIn = reading?.checkIns[promptID] else { return false }
    return checkIn.checkIn.holdsCompletion && checkIn.isRequiredOpen
  }

  /// Shows the questions of an open prompt.
  public mutating func start(_ promptID: String) { started[promptID] = false }

  /// Processes a touch on the screen.
  public mutating func take(
    _ touch: QuestionTouch, on screen: ScreenState, _ language: Language
  ) -> Step {
    if touches.contains(touch.key) { return .show }
    switch screen {
    case .calling(let task) where task.ends.right == .yes && task.promptID == touch.promptID:
      guard let isYes = task.ends.isYes(touch) else { return .refuse }
      return .send(
        QuestionAnswers(
          promptID: touch.promptID, values: [touch.question: .flag(isYes)], completes: true,
          key: touch.key))
    case .question(let shown)
    where shown.promptID == touch.promptID && shown.name == touch.question:
      guard var questionnaire = questionnaires[touch.promptID] else { return .refuse }
      let outcome = questionnaire.take(touch.input, language)
      questionnaire.key = touch.key
      let isStarted = started[touch.promptID] != nil
      switch outcome {
      case .refused: return .refuse
      case .left where !isStarted: return .refuse
      case .left: started[touch.promptID] = nil
      case .finished:
        // Keep the answers until the daemon has recorded them.
        questionnaires[touch.promptID] = questionnaire
        return .send(
          QuestionAnswers(
            promptID: touch.promptID, values: questionnaire.given, completes: isStarted,
            key: touch.key))
      case .shown: questionnaires[touch.promptID] = questionnaire
      }
      touches = Array((touches + [touch.key]).suffix(Self.remembered))
      return .show
    case .idle, .calling, .onMyWay, .question, .answered, .notConnected: return .refuse
    }
  }

  private static let remembered = 64

  /// Ends the questions of a prompt after the daemon has recorded the answers.
  public mutating func finish(_ promptID: String, at now: Instant) {
    finished[promptID] = now
    started[promptID] = nil
  }

  /// Returns the given answers of each prompt whose time for the questions is over.
  ///
  /// The page server sends these answers to the daemon although the person has not answered the
  /// last question. Then the page server calls `finish`.
  public func overdue(_ reading: HomeReading) -> [QuestionAnswers] {
    reading.prompts.compactMap { prompt in
      guard let end = Self.end(prompt), end <= reading.now, finished[prompt.id] == nil,
        let questionnaire = questionnaires[prompt.id], !questionnaire.given.isEmpty
      else { return nil }
      return QuestionAnswers(
        promptID: prompt.id, values: questionnaire.given, completes: false, key: questionnaire.key)
    }
  }

  // MARK: The screen

  /// Returns the question that the person sees if no other task calls, and the end of the time for
  /// this question.
  func question(
    _ reading: HomeReading, _ language: Language
  ) -> (screen: QuestionScreen, end: Instant?)? {
    let asked = reading.prompts.filter { isAsked($0, reading) }
      .min { ($0.due, $0.id) < ($1.due, $1.id) }
    guard let prompt = asked, let questionnaire = questionnaires[prompt.id] else { return nil }
    let canUndo = prompt.isCompleted && reading.mayUndo(prompt)
    return (
      questionnaire.screen(language, isStarted: isStarted(prompt), canUndo: canUndo),
      Self.end(prompt)
    )
  }

  func isStarted(_ prompt: PromptReading) -> Bool { started[prompt.id] != nil }

  private func isAsked(_ prompt: PromptReading, _ reading: HomeReading) -> Bool {
    guard questionnaires[prompt.id] != nil else { return false }
    if isStarted(prompt) { return true }
    guard !reading.isSilenced, !prompt.isAnnouncement, finished[prompt.id] == nil else {
      return false
    }
    return Self.end(prompt).map { reading.now < $0 } == true
  }

  /// Returns the end of the period in which the screen asks the questions of a completed prompt.
  fileprivate static func end(_ prompt: PromptReading) -> Instant? {
    guard prompt.isCompleted else { return nil }
    return prompt.closedAt?.adding(milliseconds: askMilliseconds)
  }
}

extension HomeReading {
  /// Returns true if the person can still undo the newest answer to a prompt.
  func mayUndo(_ prompt: PromptReading) -> Bool { prompt.undoUntil.map { $0 > now } == true }

  /// The prompts that the page server must read together with their questions. The screen may ask
  /// the questions of such a prompt now or later, or the prompt is a message whose answer the
  /// screen shows.
  public var promptsWithPossibleQuestions: [PromptReading] {
    prompts.filter { prompt in
      if prompt.isShownAsDue || prompt.state == .acknowledged { return true }
      if prompt.isAnnouncement { return prompt.isCompleted && mayUndo(prompt) }
      return Answering.end(prompt).map { now < $0 } == true
    }
  }
}

/// The answers that the page server sends to the daemon in one request.
public struct QuestionAnswers: Sendable, Hashable {
  public var promptID: String
  /// The responses. Each key is the name of a question.
  public var values: [String: Response.Value]
  /// True if the answers also complete the prompt.
  public var completes: Bool
  /// The idempotency key of this request.
  public var key: String

  /// The members of the request body for `POST /v1/prompts/{id}/responses`.
  public var members: [(String, JSON?)] {
    let responses = values.sorted { $0.key < $1.key }.map { name, value in
      JSON.object([("question", .string(name)), ("value", Self.json(value))])
    }
    return [("responses", .array(responses)), ("complete", .bool(completes))]
  }

  private static func json(_ value: Response.Value) -> JSON {
    switch value {
    case .number(let number): .number(number)
    case .choices(let names): .array(names.map(JSON.string))
    case .mood(let mood): .string(mood.rawValue)
    case .flag(let flag): .bool(flag)
    case .text(let text): .string(text)
    }
  }
}

/// A touch on a button of a question screen, as the page reports it (see `QuestionKey`).
public struct QuestionTouch: Sendable, Hashable {
  public var promptID: String
  public var question: String
  public var input: QuestionInput
  /// The idempotency key. If the page sends a touch again, it sends the same key.
  public var key: String

  /// Reads the body of the request that reports the touch; nil if the body has a wrong format.
  public init?(body: [UInt8]) {
    guard let document = try? JSON(parsing: body), let prompt = document["prompt"]?.string,
      let question = document["question"]?.string,
      let input = document["answer"]?.string.flatMap(QuestionInput.init(text:)),
      let key = AnswerForm.key(document)
    else { return nil }
    (promptID, self.question, self.input, self.key) = (prompt, question, input, key)
  }
}
