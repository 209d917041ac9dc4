import JSONValue

// The names of event types and JSON members in the records of versions before 0.2.0. The daemon
// cannot change these names in the stored rows, because the hash chain covers the rows. When the
// decoder reads a row, it replaces the earlier names with the present names.
extension StoredEvent {
  /// The event types of earlier versions, each with its present name.
  package static let earlierTypes: [String: String] = [
    "told": "notified", "telling_failed": "notification_failed",
    "silence_begun": "inactivity_begun", "silence_ended": "inactivity_ended",
    "silence_resumed": "inactivity_resumed", "silence": "inactivity_escalated",
    "silence_told": "inactivity_notified",
    "silence_telling_failed": "inactivity_notification_failed",
    "silence_set_aside": "inactivity_suspended",
  ]

  /// Returns the present name of an event type. `stored` is the name in a row of the record: the
  /// present name or an earlier name.
  package static func currentType(_ stored: String) -> String { earlierTypes[stored] ?? stored }

  /// All names that a stored row can contain for an event type: the present name and the earlier
  /// names.
  package static func storedTypes(_ type: String) -> [String] {
    [type] + earlierTypes.filter { $0.value == type }.map(\.key).sorted()
  }
}

extension StoredMembers {
  /// Reads the member `position`: the index of the contact in the escalation, counted from 0.
  /// Before version 0.2.0, the name of the member was `grade`.
  func position() throws(EventCodingError) -> Int {
    try int(json["position"] == nil ? "grade" : "position")
  }

  /// Reads the member `inactivity_h`: the number of hours in which the person answered no prompt.
  /// Before version 0.2.0, the name of this member was `silence_h`.
  func inactivityHours() throws(EventCodingError) -> Int {
    try int(json["inactivity_h"] == nil ? "silence_h" : "inactivity_h")
  }

  /// Reads the member `inactivity_tell_after_s`: for each contact, the seconds of inactivity after
  /// which the daemon notifies the contact. Before version 0.2.0, the name of this member was
  /// `silence_tell_after_s`.
  func inactivitySteps() throws(EventCodingError) -> [JSON] {
    let name = "inactivity_tell_after_s"
    return try array(json[name] == nil ? "silence_tell_after_s" : name)
  }
}
