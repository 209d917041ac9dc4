import CivilTime
import JSONValue

/// The fields of a prompt that the screen needs, as the daemon returns them.
public struct PromptReading: Sendable, Hashable {
  /// The states of a prompt in the API that make a difference for the screen.
  public enum State: String, Sendable {
    case planned = "planned"
    case ringing = "ringing"
    case delayed = "delayed"
    case acknowledged = "acknowledged"
    /// Any other state.
    case other = "other"
  }

  public var id: String
  public var label: String
  /// Additional words about the task; empty if there are no such words.
  public var instructions: String
  public var state: State
  /// True if a screen may show the prompt as due now. The value is false, for example, during quiet
  /// hours, a pause or a control phase.
  public var isShownAsDue: Bool
  /// True if the prompt has ended with the answer "done".
  public var isCompleted: Bool
  public var due: Instant
  public var closedAt: Instant?
  /// The end of the delay after the answer "later"; nil if the prompt is not delayed.
  public var delayedUntil: Instant?
  /// The end of the period after the answer "on my way"; nil if the prompt is not acknowledged.
  public var acknowledgedUntil: Instant?
  /// The end of the period in which a person can undo the newest answer; nil if there is no such
  /// period.
  public var undoUntil: Instant?
  /// True if the prompt has not reached its maximum number of delays, so that the answer "later" is
  /// still possible.
  public var mayDelay: Bool
  /// The id of the picture that explains the task.
  public var image: String?
  /// True if the prompt is an announcement and not a task.
  public var isAnnouncement: Bool

  /// - Throws: `ReadingError` if a field is missing or has a wrong type.
  public init(_ document: JSON) throws(ReadingError) {
    id = try document.needed("id")
    label = try document.needed("label")
    instructions = try document.needed("instructions")
    state = State(rawValue: try document.needed("state")) ?? .other
    guard let isShown = document["shown_as_due"]?.bool else {
      throw ReadingError(field: "shown_as_due")
    }
    isShownAsDue = isShown
    isCompleted = document["outcome"]?.string?.hasPrefix("completed") == true
    due = try document.instant("scheduled_utc")
    closedAt = try document.instantIfAny("closed_utc")
    delayedUntil = try document.instantIfAny("delayed_until_utc")
    acknowledgedUntil = try document.instantIfAny("acknowledged_until_utc")
    undoUntil = try document.instantIfAny("undo_until_utc")
    mayDelay = (document["delays_left"]?.integer ?? 0) > 0
    image = document["image"]?.string
    isAnnouncement = document["announcement"]?.bool ?? false
  }
}

/// A reply of the daemon that the screen cannot read.
public struct ReadingError: Error, Equatable {
  /// The name of the first field that is missing or has a wrong type.
  public var field: String

  public init(field: String) { self.field = field }
}

extension JSON {
  func needed(_ name: String) throws(ReadingError) -> String {
    guard let text = self[name]?.string else { throw ReadingError(field: name) }
    return text
  }

  func instant(_ name: String) throws(ReadingError) -> Instant {
    guard let instant = try instantIfAny(name) else { throw ReadingError(field: name) }
    return instant
  }

  func instantIfAny(_ name: String) throws(ReadingError) -> Instant? {
    guard let text = self[name]?.string else { return nil }
    do {
      return try Instant(parsing: text)
    } catch {
      throw ReadingError(field: name)
    }
  }
}
