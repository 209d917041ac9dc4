import API
import Alarms
import CivilTime
import Engine
import JSONValue

// The handler of `/v1/calls`.
extension RequestHandler {
  /// The maximum number of calls per user and hour. Each call adds a row to the record.
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
}

extension JSON {
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
