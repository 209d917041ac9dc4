import Alarms

/// The routes for the contacts of the home.
extension Route {
  static let contactRoutes: [Route] = [
    Route(
      .listContacts, .get, "/v1/contacts", [.caretaker], answers: .json(.contactList),
      "The contacts of the configuration, each with the time at which the contact was last "
        + "notified."),
    Route(
      .testContact, .post, "/v1/contacts/{name}/test", [.caretaker], takes: .json(.nothing),
      answers: .json(.contactTest),
      "Sends a test message to a contact. The daemon replies when the result is known, or after "
        + "75 s."
    ),
  ]
}

/// The schemas of the responses for contacts.
extension JSONSchema {
  static let contact = JSONSchema.named(
    "Contact",
    .object([
      .always("name", .text, "The name of the contact in the configuration."),
      .always("alarms", .count, "Number of alarms that notify the contact."),
      .always("people", .list(.text), "People of whose inactivity the contact is notified."),
      .always("supplies", .list(.text), "Supplies whose low amount the contact is notified of."),
      .always("calls", .flag, "True if the contact is notified when a person asks for a call."),
      .always("last_reached_utc", .optional(.instant), "The last message that was sent."),
      .always("last_failure_utc", .optional(.instant), "The last failed attempt."),
      .always("last_failure", .optional(.text), "The reason for the last failed attempt."),
    ]))

  static let contactList = JSONSchema.named(
    "ContactList", .object([.always("contacts", .list(.contact))]))

  static let contactTest = JSONSchema.named(
    "ContactTest",
    .object([
      .always("contact", .text), .always("notice", .count, "The number of the test message."),
      .always(
        "state", .word(["sent", "failed", "waiting"]),
        "`waiting`: the result is not known yet. Later, the record contains the result."),
      .always("reason", .optional(.text), "The reason for a failure."),
    ]))
}
