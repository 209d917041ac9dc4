import Alarms

/// The delivery status of a prompt, from `accepted` to the reaction of a person.
public enum Delivery: String, Sendable, CaseIterable {
  /// The prompt is open. No ring of the prompt has sounded or failed yet.
  case accepted = "accepted"
  /// The prompt was delivered, or a ring of the prompt sounds now.
  case sounded = "sounded"
  /// A person answered the prompt.
  case heard = "heard"
  /// The prompt was not delivered, because a ring failed or the prompt ended.
  case failed = "failed"

  /// Computes the delivery status from the state of a prompt.
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
