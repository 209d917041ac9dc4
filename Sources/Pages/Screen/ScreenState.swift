import CivilTime

/// An answer that a person can give on the screen.
public enum ScreenAnswer: String, Sendable, CaseIterable {
  case complete = "complete"
  case acknowledge = "acknowledge"
  case delay = "delay"
  case undo = "undo"
  /// Repeats the words or the recording of the task. The state of the task does not change.
  case again = "again"
}

/// The content of the screen. The page server decides the content, and the page in the browser only
/// shows it.
public enum ScreenState: Sendable, Hashable {
  /// The person has nothing to do now.
  case idle(IdleScreen)
  /// A task calls, or a message waits for an answer.
  case calling(TaskScreen)
  /// Somebody answered "on my way".
  case onMyWay(TaskScreen)
  /// A question of a check-in.
  case question(QuestionScreen)
  /// The newest answer. The screen shows the answer while the person can undo it, and for a few
  /// seconds after the last question.
  case answered(AnsweredScreen)
  /// The page server cannot reach the daemon.
  case notConnected
}

/// The screen without a task.
public struct IdleScreen: Sendable, Hashable {
  /// A completed task or the next task, with its time of day.
  public struct TimedTask: Sendable, Hashable {
    public var label: String
    public var time: ClockTime
    public var isTomorrow: Bool

    public init(label: String, time: ClockTime, isTomorrow: Bool = false) {
      (self.label, self.time, self.isTomorrow) = (label, time, isTomorrow)
    }
  }

  /// The newest completed task of this day; nil if no task is completed.
  public var last: TimedTask?
  /// The next task of today or tomorrow; nil if the screen knows no next task.
  public var next: TimedTask?
  public var progress: DayProgress
}

/// The number of completed tasks and of all tasks of a day.
public struct DayProgress: Sendable, Hashable {
  public var done: Int
  public var planned: Int

  public init(done: Int, planned: Int) { (self.done, self.planned) = (done, planned) }

  /// True if all tasks of the day are done.
  public var isComplete: Bool { planned > 0 && done == planned }
}

/// The screen with one task and the track. The track is the control with an answer at each end.
public struct TaskScreen: Sendable, Hashable {
  public var promptID: String
  public var label: String
  /// Additional words about the task; empty if there are no such words.
  public var instructions: String
  /// The id of the picture that explains the task.
  public var image: String?
  /// The due time in the home zone.
  public var due: ClockTime
  /// The answers at the two ends of the track.
  public var ends: TrackEnds
  /// After "on my way", the time at which the prompt rings again; otherwise nil.
  public var again: ClockTime?
  /// True if the screen has the button "say it again".
  public var canBeSaidAgain = false
  /// True if the page must report that it has painted the task.
  public var isReported = true
}

/// The two ends of the track.
public struct TrackEnds: Sendable, Hashable {
  /// The answer at the right end of the track.
  public enum Right: Sendable, Hashable {
    case done
    case onMyWay
    /// The person confirms that the person heard a message.
    case heard
    /// The person answers a message with "yes" at the right end or "no" at the left end.
    case yes
  }

  /// True if the left end is the answer "later". If false, the screen shows no left end, because
  /// the daemon would refuse this answer.
  public var hasLater: Bool
  public var right: Right

  func has(_ answer: ScreenAnswer) -> Bool {
    if right == .yes { return false }
    return answer == rightAnswer || hasLater && answer == .delay
  }

  /// Returns true for a touch on "yes", and false for a touch on "no". The result is nil if the
  /// touch is not valid for this track.
  func isYes(_ touch: QuestionTouch) -> Bool? {
    guard right == .yes, touch.question == Self.question else { return nil }
    switch touch.input {
    case .pick("yes"): return true
    case .pick("no"): return false
    default: return nil
    }
  }

  /// The name of the question in a message that asks for "yes" or "no".
  static let question = "answer"

  var rightAnswer: ScreenAnswer { right == .onMyWay ? .acknowledge : .complete }
}

/// The screen after the answer "done" or "later", or after the answer to a message.
public struct AnsweredScreen: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case done(DayProgress)
    /// - Parameter again: the time at which the prompt rings again.
    case later(again: ClockTime?)
    /// - Parameter isYes: the answer "yes" or "no"; nil if the person only confirmed that the
    ///   person heard the message.
    case message(isYes: Bool?)
  }

  public var promptID: String
  public var label: String
  public var kind: Kind
  /// False if the period in which the person can undo the answer is over.
  public var canUndo = true
  /// The id of the reward picture; nil if the screen shows none.
  public var reward: String?
}

extension ScreenState {
  /// Returns true if the screen offers this answer to this prompt.
  ///
  /// The page server refuses every other answer. Therefore an old page, or another program on this
  /// machine, cannot answer a task that nobody sees.
  public func offers(_ answer: ScreenAnswer, to promptID: String) -> Bool {
    switch self {
    case .idle, .notConnected: false
    case .calling(let task), .onMyWay(let task):
      task.promptID == promptID
        && (answer == .again ? task.canBeSaidAgain : task.ends.has(answer))
    case .question(let question):
      question.promptID == promptID && answer == .undo && question.left == .undo
    case .answered(let answered):
      answered.promptID == promptID && answer == .undo && answered.canUndo
    }
  }

  /// The prompt that calls; nil if no prompt calls. The sentence about a refused answer never hides
  /// the screen of another prompt that calls.
  var callingPrompt: String? {
    if case .calling(let task) = self { task.promptID } else { nil }
  }

  /// Returns true if the page may report that it has painted this prompt.
  public func reports(_ promptID: String) -> Bool {
    guard case .calling(let task) = self else { return false }
    return task.isReported && task.promptID == promptID
  }

  /// Returns true if the page may send a photo of this finished task now.
  public func takesPhoto(of promptID: String) -> Bool {
    guard case .answered(let answered) = self, case .done = answered.kind else { return false }
    return answered.promptID == promptID && answered.canUndo
  }

  /// A text that identifies the screen. If the text is unchanged, the person still sees the same
  /// task with the same answers.
  public var key: String {
    switch self {
    case .idle: "idle"
    case .calling(let task): "calling \(task.promptID) \(task.ends.right)"
    case .onMyWay(let task): "onMyWay \(task.promptID)"
    case .question(let question):
      "question \(question.promptID) \(question.name) \(question.layout) \(question.page)"
    case .answered(let answered): "answered \(answered.promptID)"
    case .notConnected: "notConnected"
    }
  }
}
