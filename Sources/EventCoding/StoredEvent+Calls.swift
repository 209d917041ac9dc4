import Alarms
import JSONValue

// The stored form of calls. The name of the contact is content.
extension StoredEvent {
  mutating func setCall(_ number: Int64, _ change: CallChange, pseudonym: String) {
    var members: [(String, JSON)] = [
      ("call", .integer(number)), ("person", .string(pseudonym)),
    ]
    switch change {
    case .asked(let reply): members.append(("reply", .string(reply.text)))
    case .repeated: break
    case .told(let contact): content = .object([("contact", .string(contact))])
    case .failed(let failure): members.append(("why", .string(failure.rawValue)))
    }
    payload = .object(members)
  }

  func callEvent(_ person: (String) -> PersonID) throws(EventCodingError) -> Event {
    .call(
      person(try members.string("person")), number: try members.integer("call"), try callChange())
  }

  private func callChange() throws(EventCodingError) -> CallChange {
    switch type {
    case "call_asked": .asked(reply: AlarmID(try members.string("reply")))
    case "call_repeated": .repeated
    case "call_told": .told(contact: text("contact"))
    default: .failed(try members.choice("why"))
    }
  }
}
