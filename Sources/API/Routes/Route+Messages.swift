import Alarms

/// The routes for messages from a person to the contacts of the home.
extension Route {
  static let messageRoutes: [Route] = [
    Route(
      .call, .post, "/v1/calls", [.patient, .caretaker], takes: .json(.callForm), status: 201,
      answers: .json(.call),
      "Notifies a contact that a person asks for a call, and tells the person the result. This is not an "
        + "emergency call.")
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
        "`waiting`: the daemon notifies a contact; `failed`: no contact could be notified."),
      .always("contact", .optional(.text), "The contact that was told; null for other states."),
      .always(
        "repeated", .flag,
        "True if the person asked again soon: the daemon does not notify the contact again."),
    ]))
}
