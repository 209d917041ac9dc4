import Alarms

/// How far a prompt has come on its way to a person.
public enum Delivery: String, Sendable, CaseIterable {
  /// Recorded, and not heard of since.
  case accepted = "accepted"
  /// A device took the sound.
  case sounded = "sounded"
  /// Somebody answered.
  case heard = "heard"
  /// It was to sound, and did not.
  case failed = "failed"

  /// What a prompt's state says of it.
  public init(_ prompt: Prompt) {
    switch prompt.phase {
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
