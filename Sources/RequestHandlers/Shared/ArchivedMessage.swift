import Alarms
import CivilTime

/// A message to a person, or a call that a person requested, as the record contains it.
public struct ArchivedMessage: Sendable, Hashable {
  public enum Subject: Sendable, Hashable {
    case announcement(text: String, MessageKind?, Prompt, answer: Bool?)
    case call(number: Int64, CallRequest.State)
  }

  public var at: Instant
  public var person: PersonID
  /// The id of the user who sent the message, for example `uid:1000`.
  public var sender: String
  public var subject: Subject

  public init(at: Instant, person: PersonID, sender: String, subject: Subject) {
    self.at = at
    self.person = person
    self.sender = sender
    self.subject = subject
  }
}
