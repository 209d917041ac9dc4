import Alarms
import CivilTime
import JSONValue

// The stored form of all data about inactivity: the events, the inactivity rule of each person, and
// the current period of inactivity of each person. The names of contacts are content.
extension StoredEvent {
  mutating func setInactivity(_ change: InactivityChange, pseudonym: String) {
    var members: [(String, JSON)] = [("person", .string(pseudonym))]
    switch change {
    case .begun, .resumed, .stopUntilLater: break
    case .ended(let answered):
      members.append(("answered", .optional(answered?.description)))
    case .notifying(let position, let contact, let since, let hours):
      members += [
        ("position", .integer(Int64(position))), ("since_ms", .integer(since.milliseconds)),
        ("inactivity_h", .integer(Int64(hours))),
      ]
      content = .object([("contact", .string(contact))])
    case .notified(let position, let contact, let attempt):
      members += [("position", .integer(Int64(position))), ("attempt", .integer(Int64(attempt)))]
      content = .object([("contact", .string(contact))])
    case .failed(let position, let contact, let attempt, let isLast, let reason):
      members += [
        ("position", .integer(Int64(position))), ("attempt", .integer(Int64(attempt))),
        ("last", .bool(isLast)),
      ]
      content = .object([("contact", .string(contact)), ("reason", .string(reason))])
    }
    payload = .object(members)
  }

  func inactivityEvent(_ person: (String) -> PersonID) throws(EventCodingError) -> Event {
    .inactivity(person(try members.string("person")), try inactivityChange())
  }

  private func inactivityChange() throws(EventCodingError) -> InactivityChange {
    switch StoredEvent.currentType(type) {
    case "inactivity_begun": return .begun
    case "inactivity_resumed": return .resumed
    case "inactivity_ended":
      return .ended(answered: payload["answered"]?.string.flatMap { PromptID($0) })
    case "inactivity_escalated":
      return .notifying(
        position: try members.position(), contact: text("contact"),
        since: try instant("since_ms"),
        hours: try members.inactivityHours())
    case "inactivity_notified":
      return .notified(
        position: try members.position(), contact: text("contact"),
        attempt: try members.int("attempt"))
    case "inactivity_suspended": return .stopUntilLater
    default:
      return .failed(
        position: try members.position(), contact: text("contact"),
        attempt: try members.int("attempt"), isLast: try members.bool("last"),
        reason: text("reason"))
    }
  }
}

extension InactivityRule {
  /// The payload members that contain all fields of the inactivity rule except the names of the
  /// contacts.
  var payloadMembers: [(String, JSON)] {
    [
      ("inactivity_h", .integer(Int64(hours))),
      ("inactivity_tell_after_s", .array(notifySteps.map { .integer($0.afterSeconds) })),
    ]
  }

  /// Decodes the inactivity rule of a person.
  ///
  /// - Parameter content: the names of the contacts; nil if the names were erased.
  /// - Returns: nil if the person has no inactivity rule.
  static func stored(payload: JSON, content: JSON?) throws(EventCodingError) -> InactivityRule? {
    guard let hours = (payload["inactivity_h"] ?? payload["silence_h"])?.integer else { return nil }
    let names = (content?["inactivity_tell"] ?? content?["silence_tell"])?.array ?? []
    var notifySteps: [NotifyStep] = []
    for (index, json) in try StoredMembers(payload).inactivitySteps().enumerated() {
      guard let seconds = json.integer else {
        throw EventCodingError(
          "cannot read a stored person: the delay of a contact is not a number")
      }
      let name = index < names.count ? names[index].string : nil
      notifySteps.append(NotifyStep(contact: name ?? "", afterSeconds: seconds))
    }
    return InactivityRule(hours: Int(hours), notifySteps: notifySteps)
  }
}

extension Inactivity {
  var members: [(String, JSON)] {
    [("since_ms", .integer(since.milliseconds))] + notifyProgress.members
  }

  init(stored json: JSON) throws(EventCodingError) {
    self.init(
      since: Instant(milliseconds: try StoredMembers(json).integer("since_ms")),
      notifyProgress: try NotifyProgress(stored: json))
  }
}

extension EndedInactivity {
  var stored: JSON { .object([("answered", .string(answered.description))] + inactivity.members) }

  init(stored json: JSON) throws(EventCodingError) {
    let text = try StoredMembers(json).string("answered")
    guard let id = PromptID(text) else {
      throw EventCodingError("cannot read a stored person: \"\(text)\" is not a prompt")
    }
    self.init(answered: id, inactivity: try Inactivity(stored: json))
  }
}

extension NotifyProgress {
  var members: [(String, JSON)] {
    func instant(_ instant: Instant?) -> JSON { instant.map { .integer($0.milliseconds) } ?? .null }
    return [
      ("told", .integer(Int64(begun))), ("next_tell_ms", instant(nextAt)),
      ("last_told_ms", instant(lastAt)),
      ("telling", .array(pending.map { .integer(Int64($0)) })),
    ]
  }

  init(stored json: JSON) throws(EventCodingError) {
    let members = StoredMembers(json)
    self.init(
      begun: try members.int("told"),
      nextAt: json["next_tell_ms"]?.integer.map(Instant.init(milliseconds:)),
      lastAt: json["last_told_ms"]?.integer.map(Instant.init(milliseconds:)),
      pending: try members.array("telling").compactMap { $0.integer.map { Int($0) } })
  }
}
