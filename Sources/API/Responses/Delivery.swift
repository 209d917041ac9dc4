import Alarms

/// How far a prompt has reached a person.
public enum Delivery: String, Sendable, CaseIterable {
  /// The prompt is open, without a sound or a failure so far.
  case accepted = "accepted"
  /// A ring was delivered, or is sounding now.
  case sounded = "sounded"
  /// A person answered.
  case heard = "heard"
  /// A ring failed, or the prompt ended, and no ring was delivered.
  case failed = "failed"

  /// Derives the value from the state of a prompt.
  public init(_ prompt: Prompt) {
    switch prompt.state {
    case .acknowledged, .delayed: self = .heard
    case .closed(let outcome, _, _):
      switch outcome {
      case .completed, .completedOutOfWindow, .declined: self = .heard
      default: self = prompt.isDelivered ? .sounded : .failed
      }
    case .planned, .waiting, .ringing, .expiring, .held:
      if prompt.isDelivered || prompt.isSounding {
        self = .sounded
      } else {
        self = prompt.ringsFailed > 0 ? .failed : .accepted
      }
    }
  }
}
