import Alarms
import CivilTime
import JSONValue

// The stored form of notices. The name of the contact, and the text of the notice with all names in
// the text, are content.
extension StoredEvent {
  mutating func setNotice(
    _ notice: Notice, _ change: NoticeChange, pseudonym: (PersonID) -> String
  ) {
    var members: [(String, JSON)] = [
      ("notice", .integer(notice.number)), ("kind", .string(notice.kind.rawValue)),
      ("person", .optional(notice.person.map(pseudonym))),
    ]
    if let day = notice.day { members.append(("day", .string(day.description))) }
    var words: [(String, JSON)] = [("contact", .string(notice.contact))]
    switch change {
    case .due(let message, let expiresAt):
      members.append(("expires_ms", .integer(expiresAt.milliseconds)))
      words += [
        ("text", .string(message.text)), ("label", .string(message.label)),
        ("name", .string(message.personName)),
      ]
    case .sent(let attempt): members.append(("attempt", .integer(Int64(attempt))))
    case .failed(let attempt, let isLast, let reason):
      members += [("attempt", .integer(Int64(attempt))), ("last", .bool(isLast))]
      words.append(("reason", .string(reason)))
    case .dropped(let reason): members.append(("why", .string(reason.rawValue)))
    }
    payload = .object(members)
    content = .object(words)
  }

  func noticeEvent(_ person: (String) -> PersonID) throws(EventCodingError) -> Event {
    let notice = Notice(
      number: try members.integer("notice"), kind: try members.choice("kind"),
      contact: text("contact"), prompt: promptID, person: payload["person"]?.string.map(person),
      day: payload["day"]?.string.flatMap { try? CivilDate(parsing: $0) })
    return .notice(notice, try noticeChange())
  }

  private func noticeChange() throws(EventCodingError) -> NoticeChange {
    switch type {
    case "notice_due":
      return .due(
        NoticeMessage(text: text("text"), label: text("label"), personName: text("name")),
        expiresAt: try instant("expires_ms"))
    case "notice_sent": return .sent(attempt: try members.int("attempt"))
    case "notice_dropped": return .dropped(try members.choice("why"))
    default:
      return .failed(
        attempt: try members.int("attempt"), isLast: try members.bool("last"),
        reason: text("reason"))
    }
  }
}
