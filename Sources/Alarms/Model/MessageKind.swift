/// The kind of an announcement that waits for an answer, or that tells a person the result of a
/// call.
public enum MessageKind: String, Sendable, CaseIterable {
  /// The person should confirm that the person heard the message.
  case heard = "heard"
  /// The person should answer yes or no.
  case yesNo = "yes_no"
  /// Prompter tells the person the result of a call. Prompter makes this announcement itself. No
  /// user sent it.
  case callResult = "call_result"

  /// True if the announcement waits for an answer of the person.
  public var wantsAnswer: Bool { self != .callResult }
}

/// The state of a message to a person, as the sender of the message sees it. The list of states is
/// fixed.
public enum MessageState: String, Sendable, CaseIterable {
  /// The daemon accepted the message, and the message has not sounded yet.
  case accepted = "accepted"
  /// The message sounded at least once.
  case sounded = "sounded"
  /// The person confirmed that the person heard the message. Another user can give this answer for
  /// the person.
  case heard = "heard"
  /// The person answered yes or no.
  case answered = "answered"
  /// The person declined: the person does not want to do the thing that the message asks for.
  case declined = "declined"
  /// The message waited for an answer, and nobody answered in time. A message that could not sound
  /// in time also has this state.
  case expired = "expired"
  /// The message stayed silent because of a rule, for example in a control phase.
  case suppressed = "suppressed"
  /// A user cancelled or removed the message.
  case cancelled = "cancelled"

  /// Computes the state of a message from the prompt of the message.
  ///
  /// - Parameters:
  ///   - kind: the kind of the announcement; nil if the announcement waits for no answer.
  ///   - isAnswered: true if the person answered yes or no.
  public init(of prompt: Prompt, kind: MessageKind?, isAnswered: Bool) {
    let hasSounded = prompt.ringsSounded > 0
    guard case .closed(let outcome, _, _) = prompt.state else {
      self = isAnswered ? .answered : hasSounded ? .sounded : .accepted
      return
    }
    switch outcome.kind {
    case .completed: self = isAnswered ? .answered : .heard
    case .declined: self = .declined
    case .missed:
      let waits = kind?.wantsAnswer ?? false
      self = isAnswered ? .answered : hasSounded && !waits ? .sounded : .expired
    case .suppressed: self = .suppressed
    case .cancelled, .superseded: self = .cancelled
    }
  }
}
