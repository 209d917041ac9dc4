import Alarms

/// The routes for messages from a person to the contacts of the home.
extension Route {
  static let messageRoutes: [Route] = [
    Route(
      .call, .post, "/v1/calls", [.patient, .caretaker], takes: .json(.callForm), status: 201,
      answers: .json(.call),
      "Notifies a contact that a person asks for a call, and tells the person the result. This is not an "
        + "emergency call."),
    Route(
      .listMessages, .get, "/v1/messages", [.patient, .caretaker],
      query: [
        Parameter("person", .text, "Only messages to this person and calls of this person."),
        .limit(1_000),
      ],
      answers: .json(.messageList),
      "The messages to people and the calls of people, newest first, with their states."),
  ]
}

/// The schemas of the requests and responses for messages.
extension JSONSchema {
  static let callForm = JSONSchema.named(
    "CallForm",
    .object([
      .maybe("person", .text, "The person who asks (needed if the home has several people).")
    ]))

  static let call = JSONSchema.named(
    "Call",
    .object([
      .always("call", .count, "The number of the call."), .always("person", .text),
      .always("asked_utc", .instant),
      .always(
        "state", .word(["waiting", "told", "failed"]),
        "`waiting`: the notification has no result yet. `told`: a contact was notified. `failed`: "
          + "no contact could be notified."),
      .always(
        "contact", .optional(.text),
        "The contact that was notified. Null if `state` is not `told`."),
      .always(
        "repeated", .flag,
        "True: this is an earlier call of the person. The call is `waiting`, or it is `told` and "
          + "less than 5 minutes old. The daemon does not notify a contact again."),
    ]))

  static let message = JSONSchema.named(
    "Message",
    .object([
      .always(
        "kind", .word(["message", "call"]),
        "`message`: somebody sent words to the person; `call`: the person asked for a call."),
      .always("id", .text, "The id of the prompt of a message, or the number of a call."),
      .always("sent_utc", .instant), .always("person", .text),
      .always("from", .text, "The name or the id of the user who sent it."),
      .always("text", .text, "The words of a message; empty for a call, and after an erasure."),
      .always("answer_wanted", .optional(.word(["heard", "yes_no"]))),
      .always(
        "state",
        .word(MessageState.allCases.map(\.rawValue) + ["waiting", "told", "failed"]),
        "A call is `waiting`, `told` or `failed`; a message has one of the other states."),
      .always("answer", .optional(.word(["yes", "no"]))),
      .always("contact", .optional(.text), "The contact that was told of a call."),
    ]))

  static let messageList = JSONSchema.named(
    "MessageList", .object([.always("messages", .list(.message))]))
}
