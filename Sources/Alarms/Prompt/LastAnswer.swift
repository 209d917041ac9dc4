import CivilTime

/// The newest answer to a prompt, with the data that an undo needs.
public struct LastAnswer: Hashable, Sendable {
  public var at: Instant
  /// The state of the prompt before the answer; nil after an undo of the answer.
  public var before: Before?

  public init(at: Instant, before: Before?) {
    self.at = at
    self.before = before
  }

  /// The fields of the prompt that an answer changes, with their values before the answer.
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

  /// The time in which a person can undo an answer, in milliseconds: 60 s.
  ///
  /// Within this time, a person usually notices a mistake. An older answer cannot be undone.
  public static let undoMilliseconds: Int64 = 60_000

  /// The last instant at which a person can undo the answer.
  public var undoUntil: Instant { at.adding(milliseconds: Self.undoMilliseconds) }

  /// Returns true if the answer is recent enough for an undo.
  ///
  /// If the clock was set back after the answer, the time of the answer can be later than `wall`.
  /// The function therefore uses the absolute difference between the two times: an answer more than
  /// 60 s after `wall` is not recent.
  func isRecent(at wall: Instant) -> Bool {
    abs(wall.milliseconds - at.milliseconds) <= Self.undoMilliseconds
  }
}

/// The undo of an answer. The undo is a separate event, because the daemon never changes a
/// recorded event.
public struct Correction: Hashable, Sendable {
  /// The event type of the undone answer. The list of types is fixed.
  public enum Undone: String, Sendable, CaseIterable {
    case acknowledged = "acknowledged"
    case delayed = "delayed"
    case completed = "completed"
    case declined = "declined"
    case cancelled = "cancelled"
  }

  public var undone: Undone
  public var answeredAt: Instant
  /// The state of the prompt after the undo.
  public var state: PromptState

  public init(undone: Undone, answeredAt: Instant, state: PromptState) {
    self.undone = undone
    self.answeredAt = answeredAt
    self.state = state
  }
}

extension Outcome {
  /// True if a person completed the task, within the late window or later.
  var isCompletion: Bool { self == .completed || self == .completedOutOfWindow }

  /// True if a person ended the prompt with this outcome.
  var isAnswer: Bool { [.completed, .declined, .cancelled].contains(kind) }

  /// True if the patient, or another person for the patient, completed or declined the prompt.
  ///
  /// The value is false for a cancelled prompt. A caretaker can cancel a prompt from another place,
  /// so a cancellation does not show that anybody in the home reacted.
  var isPatients: Bool { [.completed, .declined].contains(kind) }
}

extension Prompt {
  /// Marks the prompt as delivered if a ring sounds at the time of the answer.
  ///
  /// The answer stopped the ring before its end, but the person heard the ring.
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

  /// Deletes the undo data. The prompt has changed since the answer, so nobody can undo the answer.
  mutating func dropUndo() {
    if lastAnswer?.before != nil { lastAnswer = nil }
  }

  /// Returns a copy of the prompt in which `delays`, `acknowledgedAt` and `notifyProgress` have the
  /// values from before the answer. All other values stay the same, so the copy keeps the numbers
  /// of rings that sounded after the answer.
  func before(_ answer: LastAnswer.Before) -> Prompt {
    var prompt = self
    prompt.delays = answer.delays
    prompt.acknowledgedAt = answer.acknowledgedAt
    prompt.notifyProgress = answer.notifyProgress
    return prompt
  }

  /// Restores the values that `delays`, `acknowledgedAt` and `notifyProgress` had before the newest
  /// answer. The function does not change the state of the prompt. After this call, nobody can undo
  /// the answer again.
  mutating func undoAnswer(at wall: Instant) {
    if let answer = lastAnswer?.before { self = before(answer) }
    lastAnswer = LastAnswer(at: wall, before: nil)
  }

  /// The answer that caused the present state; nil if no answer caused this state. The event
  /// `correction` stores this value.
  var undone: Correction.Undone? {
    switch state {
    case .acknowledged: .acknowledged
    case .delayed: .delayed
    case .closed(let outcome, _, _): Correction.Undone(rawValue: outcome.eventType)
    case .planned, .waiting, .expiring, .ringing, .held: nil
    }
  }

  /// Returns the refusal of an undo if nobody can undo the newest answer; nil if somebody can undo
  /// the answer.
  ///
  /// - Parameter version: the present version of the alarm; nil if the alarm was removed.
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
        .alreadyCorrected, "the last answer to this prompt was already taken back")
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
