import CivilTime
import JSONValue

/// A message to a person, or a call of a person, as the daemon describes it.
struct MessageReading: Sendable, Hashable {
  /// The states of messages and calls in the API.
  enum State: String, Sendable, CaseIterable {
    case accepted = "accepted"
    case sounded = "sounded"
    case heard = "heard"
    case answered = "answered"
    case declined = "declined"
    case expired = "expired"
    case suppressed = "suppressed"
    case cancelled = "cancelled"
    case waiting = "waiting"
    case told = "told"
    case failed = "failed"
  }

  var isCall: Bool
  /// The prompt id of a message, or the number of a call.
  var id: String
  var sent: CivilDateTime
  var person: String
  var from: String
  var text: String
  var wantsAnswer: Bool
  var state: State
  /// The answer to a yes-or-no question: true for yes, false for no, nil if there is no such
  /// answer.
  var isYes: Bool?
  /// The contact that was notified of a call.
  var contact: String?

  init(_ row: JSON, _ household: Household) throws(HomeTrouble) {
    guard let kind = row["kind"]?.string, let id = row["id"]?.string,
      let sent = household.local(row["sent_utc"]?.string), let person = row["person"]?.string,
      let state = row["state"]?.string.flatMap(State.init)
    else { throw .unreadable(field: "messages") }
    isCall = kind == "call"
    (self.id, self.sent, self.person, self.state) = (id, sent, person, state)
    (from, text) = (row["from"]?.string ?? "", row["text"]?.string ?? "")
    wantsAnswer = row["answer_wanted"]?.string != nil
    isYes = row["answer"]?.string.map { $0 == "yes" }
    contact = row["contact"]?.string
  }

  /// True if the caretaker can still cancel the message.
  var isOpen: Bool { state == .accepted || state == .sounded && wantsAnswer }

  /// True if the caretaker should act, because the message or call expired, failed or was declined.
  var needsAttention: Bool { [.expired, .failed, .declined].contains(state) }

  var stateWords: CaretakerSentence {
    switch state {
    case .accepted: .messageAccepted
    case .sounded: wantsAnswer ? .messageUnanswered : .messageSounded
    case .heard: .messageHeard
    case .answered: isYes == false ? .messageNo : .messageYes
    case .declined: .messageDeclined
    case .expired: .messageExpired
    case .suppressed: .messageSuppressed
    case .cancelled: .messageCancelled
    case .waiting: .callWaiting
    case .told: .callTold(contact: contact ?? "–")
    case .failed: .callFailed
    }
  }
}
