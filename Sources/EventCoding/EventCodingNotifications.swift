import Alarms
import JSONValue

// Events about people being told. Who they are is content: a contact's name is a person's.
extension StoredEvent {
  mutating func setTelling(_ event: Event) {
    switch event {
    case .escalated(_, let grade, let contact, let reason):
      payload = .object([
        ("grade", .integer(Int64(grade))), ("reason", .string(reason.rawValue)),
      ])
      content = .object([("contact", .string(contact))])
    case .told(_, let grade, let contact, let attempt):
      payload = .object([
        ("grade", .integer(Int64(grade))), ("attempt", .integer(Int64(attempt))),
      ])
      content = .object([("contact", .string(contact))])
    case .tellingFailed(_, let grade, let contact, let attempt, let isLast, let reason):
      payload = .object([
        ("grade", .integer(Int64(grade))), ("attempt", .integer(Int64(attempt))),
        ("last", .bool(isLast)),
      ])
      content = .object([("contact", .string(contact)), ("reason", .string(reason))])
    default: break
    }
  }

  func tellingEvent() throws(EventCodingError) -> Event {
    let id = try require(promptID, "prompt_id")
    let grade = try members.int("grade")
    switch type {
    case "escalated":
      return .escalated(
        id, grade: grade, contact: text("contact"), reason: try members.choice("reason"))
    case "told":
      return .told(
        id, grade: grade, contact: text("contact"), attempt: try members.int("attempt"))
    default:
      return .tellingFailed(
        id, grade: grade, contact: text("contact"), attempt: try members.int("attempt"),
        isLast: try members.bool("last"), reason: text("reason"))
    }
  }
}
