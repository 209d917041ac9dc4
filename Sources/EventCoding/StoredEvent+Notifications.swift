import Alarms
import JSONValue

// The stored form of events about notifications. The name of a contact is content, because the name
// can identify a person.
extension StoredEvent {
  mutating func setNotifyProgress(_ event: Event) {
    switch event {
    case .escalated(_, let position, let contact, let reason):
      payload = .object([
        ("position", .integer(Int64(position))), ("reason", .string(reason.rawValue)),
      ])
      content = .object([("contact", .string(contact))])
    case .notified(_, let position, let contact, let attempt):
      payload = .object([
        ("position", .integer(Int64(position))), ("attempt", .integer(Int64(attempt))),
      ])
      content = .object([("contact", .string(contact))])
    case .notificationFailed(_, let position, let contact, let attempt, let isLast, let reason):
      payload = .object([
        ("position", .integer(Int64(position))), ("attempt", .integer(Int64(attempt))),
        ("last", .bool(isLast)),
      ])
      content = .object([("contact", .string(contact)), ("reason", .string(reason))])
    default: break
    }
  }

  func notificationEvent() throws(EventCodingError) -> Event {
    let id = try require(promptID, "prompt_id")
    let position = try members.position()
    switch StoredEvent.currentType(type) {
    case "escalated":
      return .escalated(
        id, position: position, contact: text("contact"), reason: try members.choice("reason"))
    case "notified":
      return .notified(
        id, position: position, contact: text("contact"), attempt: try members.int("attempt"))
    default:
      return .notificationFailed(
        id, position: position, contact: text("contact"), attempt: try members.int("attempt"),
        isLast: try members.bool("last"), reason: text("reason"))
    }
  }
}
