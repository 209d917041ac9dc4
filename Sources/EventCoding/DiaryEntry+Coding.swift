import Alarms
import CivilTime
import JSONValue

// The stored form of a diary entry. The note is content, so that Prompter can erase it.
extension DiaryEntry {
  func payload(pseudonym: String) -> JSON {
    var members: [(String, JSON)] = [("person", .string(pseudonym))]
    if case .day(let day) = subject { members.append(("day", .string(day.description))) }
    members += [
      ("number", .integer(Int64(number))), ("completion", .integer(Int64(completion))),
      ("burden", .optional(burden)),
    ]
    return .object(members)
  }

  var content: JSON? { note.isEmpty ? nil : .object([("note", .string(note))]) }

  init(_ stored: StoredEvent, _ person: (String) -> PersonID) throws(EventCodingError) {
    let members = stored.members
    let subject: Subject
    if let prompt = stored.promptID {
      subject = .prompt(prompt)
    } else {
      let text = try members.string("day")
      guard let day = try? CivilDate(parsing: text) else {
        throw EventCodingError("cannot read a stored diary entry: \"\(text)\" is not a date")
      }
      subject = .day(day)
    }
    self.init(
      person: person(try members.string("person")), subject: subject,
      completion: try members.int("completion"),
      burden: stored.payload["burden"]?.integer.map { Int($0) }, note: stored.text("note"),
      number: try members.int("number"))
  }
}
