import CivilTime

/// The newest answer to a prompt, with the data to undo it.
public struct LastAnswer: Hashable, Sendable {
  public var at: Instant
  /// State of the prompt before the answer; nil after the answer was undone.
  public var before: Before?

  public init(at: Instant, before: Before?) {
    self.at = at
    self.before = before
  }

  /// Parts of a prompt that an answer changes.
  public struct Before: Hashable, Sendable {
    public var state: PromptState
    public var delays: Int
    public var acknowledgedAt: Instant?
    public var notifyProgress: NotifyProgress

    public init(
      state: PromptState, delays: Int, acknowledgedAt: Instant?, notifyProgress: NotifyProgress
    ) {
      self.state = state
      self.delays = delays
      self.acknowledgedAt = acknowledgedAt
      self.notifyProgress = notifyProgress
    }
  }

  /// How long an answer can be undone, in milliseconds: 60 s.
  ///
  /// A person notices a wrong press within this time. An older answer must not be changed
  /// afterwards.
  public static let undoMilliseconds: Int64 = 60_000

  /// Whether the answer is recent enough to be undone.
  ///
  /// The difference counts in both directions. A clock that was set back must not make an old
  /// answer recent.
  func isRecent(at wall: Instant) -> Bool {
    abs(wall.milliseconds - at.milliseconds) <= Self.undoMilliseconds
  }
}

/// Undo of an answer. It is an event of its own, because a recorded event is never rewritten.
public struct Correction: Hashable, Sendable {
  /// The undone answer, by the type of its event. A closed list.
  public enum Undone: String, Sendable, CaseIterable {
    case acknowledged = "acknowledged"
    case delayed = "delayed"
    case completed = "completed"
    case declined = "declined"
    case cancelled = "cancelled"
  }

  public var undone: Undone
  public var answeredAt: Instant
  /// State in which the prompt continues.
  public var state: PromptState

  public init(undone: Undone, answeredAt: Instant, state: PromptState) {
    self.undone = undone
    self.answeredAt = answeredAt
    self.state = state
  }
}

extension Outcome {
  /// Whether the task was done, within its window or after it.
  var isCompletion: Bool { self == .completed || self == .completedOutOfWindow }

  /// Whether a person ended the prompt with this outcome.
  var isAnswer: Bool { [.completed, .declined, .cancelled].contains(kind) }

  /// Whether the patient answered, or somebody in the patient's name.
  ///
  /// A cancellation does not count, because a caretaker can cancel from anywhere.
  var isPatients: Bool { [.completed, .declined].contains(kind) }
}

extension Prompt {
  /// Counts the prompt as delivered if it sounds at the moment of an answer.
  ///
  /// The person heard the ring, although the answer cuts it short.
  mutating func noteHeard() {
    if isSounding { isDelivered = true }
  }

  mutating func noteAnswer(at wall: Instant) {
    lastAnswer = LastAnswer(
      at: wall,
      before: .init(
        state: state, delays: delays, acknowledgedAt: acknowledgedAt, notifyProgress: notifyProgress
      ))
  }

  /// Deletes the answer's undo data, because the prompt has continued since.
  mutating func dropUndo() {
    if lastAnswer?.before != nil { lastAnswer = nil }
  }

  /// The prompt as it would be without the answer. Rings that sounded since then still count.
  func before(_ answer: LastAnswer.Before) -> Prompt {
    var prompt = self
    prompt.delays = answer.delays
    prompt.acknowledgedAt = answer.acknowledgedAt
    prompt.notifyProgress = answer.notifyProgress
    return prompt
  }

  /// Reverses everything that the newest answer changed, except for the state.
  mutating func undoAnswer(at wall: Instant) {
    if let answer = lastAnswer?.before { self = before(answer) }
    lastAnswer = LastAnswer(at: wall, before: nil)
  }

  /// The answer that could be undone, by the prompt's state; nil for none.
  var undone: Correction.Undone? {
    switch state {
    case .acknowledged: .acknowledged
    case .delayed: .delayed
    case .closed(let outcome, _, _): Correction.Undone(rawValue: outcome.eventType)
    case .planned, .waiting, .expiring, .ringing, .held: nil
    }
  }

  /// Why the newest answer cannot be undone; nil if it can.
  ///
  /// - Parameter version: present version of the alarm; nil if the alarm was removed.
  public func undoRefusal(at wall: Instant, version: Int?) -> Refusal? {
    if case .closed(.supersededByEdit, _, _) = state {
      return Refusal(
        .superseded, "cannot undo: a change of the alarm ended prompt \"\(id)\"")
    }
    guard let lastAnswer else {
      return Refusal(
        .nothingToUndo, "prompt \"\(id)\" has no answer to undo")
    }
    if lastAnswer.before == nil {
      return Refusal(
        .alreadyCorrected, "the answer to prompt \"\(id)\" was already undone at \(lastAnswer.at)")
    }
    if !lastAnswer.isRecent(at: wall) {
      return Refusal(
        .tooLate,
        "cannot undo: prompt \"\(id)\" was answered at \(lastAnswer.at), and an answer can be "
          + "undone only within \(LastAnswer.undoMilliseconds / 1_000) seconds")
    }
    if state.isOpen { return nil }
    guard let version else {
      return Refusal(.superseded, "cannot undo: the alarm of prompt \"\(id)\" was removed")
    }
    if version != alarmVersion {
      return Refusal(
        .superseded, "cannot undo: the alarm of prompt \"\(id)\" was changed after the answer")
    }
    return nil
  }
}
