import API
import Alarms
import CivilTime
import Engine
import JSONValue

// The handlers of `/v1/calls` and `/v1/messages`.
extension RequestHandler {
  /// The maximum number of calls per user and hour. The number is limited, because each call adds a
  /// row to the record.
  static let callsPerHour = 60

  func call(_ request: APIRequest) async throws -> APIResponse {
    var fields = try FieldReader(body: request.body)
    var name = try fields.string("person")
    try fields.finish()
    if let only = request.only {
      if let name, await known(PersonID(name), seenBy: only) != only {
        throw Refusal(
          .forbidden, field: "person",
          "cannot ask for a call for \"\(name)\": \(request.actor.id) can only ask for \"\(only)\"")
      }
      name = only.text
    }
    guard callRate.takes(request.actor.id, at: ports.now().bootNanoseconds) else {
      throw Refusal(
        .limit,
        "cannot ask for a call again: the limit is \(Self.callsPerHour) requests in an hour; try "
          + "again later")
    }
    return try await carryOut(.call(newAlarmID(), by: name), by: request.actor) { reply, _ in
      guard case .call(let call, let isRepeated) = reply else {
        preconditionFailure("the engine returned no call")
      }
      return .json(.call(call, isRepeated: isRepeated), status: 201)
    }
  }

  func messages(_ request: APIRequest) async throws -> APIResponse {
    let limit = try request.integer("limit", in: 1...1_000) ?? 50
    let person = try request.person()
    let found = try archive.messages(person.map { PersonID($0) }, limit)
    if found.isEmpty { try await requireKnown(request.query["person"]) }
    return .json(
      .object([
        ("messages", .array(found.map { .message($0, from: userName($0.sender) ?? $0.sender) }))
      ]))
  }
}

extension JSON {
  fileprivate static func message(_ message: ArchivedMessage, from sender: String) -> JSON {
    let kind: String
    let id: String
    let state: String
    var text = ""
    var (wanted, answer, contact): (String?, String?, String?)
    switch message.subject {
    case .announcement(let words, let wants, let prompt, let given):
      (kind, id, text) = ("message", prompt.id.description, words)
      state = MessageState(of: prompt, kind: wants, isAnswered: given != nil).rawValue
      wanted = wants?.rawValue
      answer = given.map { $0 ? "yes" : "no" }
    case .call(let number, .waiting): (kind, id, state) = ("call", "\(number)", "waiting")
    case .call(let number, .told(let name)):
      (kind, id, state, contact) = ("call", "\(number)", "told", name)
    case .call(let number, .failed): (kind, id, state) = ("call", "\(number)", "failed")
    }
    return .object([
      ("kind", .string(kind)), ("id", .string(id)), ("sent_utc", .string(message.at.description)),
      ("person", .string(message.person.text)), ("from", .string(sender)),
      ("text", .string(text)), ("answer_wanted", .optional(wanted)), ("state", .string(state)),
      ("answer", .optional(answer)), ("contact", .optional(contact)),
    ])
  }

  fileprivate static func call(_ call: CallRequest, isRepeated: Bool) -> JSON {
    let state: (word: String, contact: String?) =
      switch call.state {
      case .waiting: ("waiting", nil)
      case .told(let contact): ("told", contact)
      case .failed: ("failed", nil)
      }
    return .object([
      ("call", .integer(call.number)), ("person", .string(call.person.text)),
      ("asked_utc", .string(call.askedAt.description)), ("state", .string(state.word)),
      ("contact", .optional(state.contact)), ("repeated", .bool(isRepeated)),
    ])
  }
}
