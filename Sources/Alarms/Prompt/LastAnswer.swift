import CivilTime

/// The newest answer to a prompt, with what is needed to take it back.
public struct LastAnswer: Hashable, Sendable {
  public var at: Instant
  /// What the prompt was before; nil once the answer was taken back.
  public var before: Before?

  public init(at: Instant, before: Before?) {
    self.at = at
    self.before = before
  }

  /// What an answer changes of a prompt.
  public struct Before: Hashable, Sendable {
    public var phase: PromptState
    public var delays: Int
    public var acknowledgedAt: Instant?
    public var notifyProgress: NotifyProgress

    public init(
      phase: PromptState, delays: Int, acknowledgedAt: Instant?, notifyProgress: NotifyProgress
    ) {
      self.phase = phase
      self.delays = delays
      self.acknowledgedAt = acknowledgedAt
      self.notifyProgress = notifyProgress
    }
  }

  /// An answer can be taken back for this long: 60 s. A slip of the finger is noticed sooner, and what
  /// was meant yesterday is not for today's eyes to change.
  public static let undoMilliseconds: Int64 = 60_000

  /// Whether it is young enough to be taken back. Either way round: a clock that was set back must not
  /// make an old answer young.
  func isRecent(at wall: Instant) -> Bool {
    abs(wall.milliseconds - at.milliseconds) <= Self.undoMilliseconds
  }
}

/// An answer that was taken back: an event of its own, for nothing that happened is rewritten.
public struct Correction: Hashable, Sendable {
  /// Which answer, by the type of its event. A closed list.
  public enum Undone: String, Sendable, CaseIterable {
    case acknowledged = "acknowledged"
    case delayed = "delayed"
    case completed = "completed"
    case declined = "declined"
    case cancelled = "cancelled"
  }

  public var undone: Undone
  public var answeredAt: Instant
  /// Where the prompt goes on.
  public var phase: PromptState

  public init(undone: Undone, answeredAt: Instant, phase: PromptState) {
    self.undone = undone
    self.answeredAt = answeredAt
    self.phase = phase
  }
}

extension Outcome {
  /// Whether the task was done, in its window or after it.
  var isCompletion: Bool { self == .completed || self == .completedOutOfWindow }

  /// Whether a person ends a prompt so.
  var isAnswer: Bool { [.completed, .declined, .cancelled].contains(kind) }

  /// Whether the patient does, or somebody in the patient's name. A caretaker calls off from anywhere.
  var isPatients: Bool { [.completed, .declined].contains(kind) }
}

extension Prompt {
  /// An answer that comes while a ring sounds shows that somebody heard it, though the answer cuts it short.
  mutating func noteHeard() {
    if isSounding { isDelivered = true }
  }

  mutating func noteAnswer(at wall: Instant) {
    lastAnswer = LastAnswer(
      at: wall,
      before: .init(
        phase: phase, delays: delays, acknowledgedAt: acknowledgedAt, notifyProgress: notifyProgress
      ))
  }

  /// It went on after the answer, which can be taken back no more.
  mutating func outliveAnswer() {
    if lastAnswer?.before != nil { lastAnswer = nil }
  }

  /// As it would be had nobody answered: what has sounded meanwhile has sounded.
  func before(_ answer: LastAnswer.Before) -> Prompt {
    var prompt = self
    prompt.delays = answer.delays
    prompt.acknowledgedAt = answer.acknowledgedAt
    prompt.notifyProgress = answer.notifyProgress
    return prompt
  }

  mutating func takeBack(_ correction: Correction, at wall: Instant) {
    if let answer = lastAnswer?.before { self = before(answer) }
    phase = correction.phase
    lastAnswer = LastAnswer(at: wall, before: nil)
  }

  /// Which answer could be taken back, by what it made of the prompt.
  var undone: Correction.Undone? {
    switch phase {
    case .acknowledged: .acknowledged
    case .delayed: .delayed
    case .closed(let outcome, _, _): Correction.Undone(rawValue: outcome.eventType)
    case .planned, .waiting, .expiring, .ringing, .held: nil
    }
  }

  /// Why its newest answer cannot be taken back; nil where it can.
  ///
  /// - Parameter version: the alarm's version now; nil where it was removed.
  public func undoRefusal(at wall: Instant, version: Int?) -> Refusal? {
    if case .closed(.supersededByEdit, _, _) = phase {
      return Refusal(
        .superseded, "cannot undo: the alarm was changed, and that ended prompt \"\(id)\"")
    }
    guard let lastAnswer else {
      return Refusal(
        .nothingToUndo, "there is no answer to prompt \"\(id)\" that could be taken back")
    }
    if lastAnswer.before == nil {
      return Refusal(
        .alreadyCorrected, "the answer to prompt \"\(id)\" was taken back at \(lastAnswer.at)")
    }
    if !lastAnswer.isRecent(at: wall) {
      return Refusal(
        .tooLate,
        "cannot undo: prompt \"\(id)\" was answered at \(lastAnswer.at), and an answer can be taken "
          + "back for \(LastAnswer.undoMilliseconds / 1_000) seconds")
    }
    if phase.isOpen { return nil }
    guard let version else {
      return Refusal(.superseded, "cannot undo: the alarm of prompt \"\(id)\" is gone")
    }
    if version != alarmVersion {
      return Refusal(
        .superseded, "cannot undo: the alarm of prompt \"\(id)\" was changed since it was answered")
    }
    return nil
  }
}
