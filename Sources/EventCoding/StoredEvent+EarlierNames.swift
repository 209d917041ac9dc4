import JSONValue

// Names from records that were written before version 0.2.0. The stored rows keep these names,
// because each row is part of the hash chain. The decoder reads the earlier names as the present
// names.
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

  /// The present name of a stored event type.
  package static func currentType(_ stored: String) -> String { earlierTypes[stored] ?? stored }

  /// All names under which an event type can be stored, including the earlier names.
  package static func storedTypes(_ type: String) -> [String] {
    [type] + earlierTypes.filter { $0.value == type }.map(\.key).sorted()
  }
}

extension StoredMembers {
  /// The position in the chain of contacts, from 0. Before version 0.2.0 this member was named
  /// `grade`.
  func position() throws(EventCodingError) -> Int {
    try int(json["position"] == nil ? "grade" : "position")
  }

  /// The hours without an answer. Before version 0.2.0 this member was named `silence_h`.
  func inactivityHours() throws(EventCodingError) -> Int {
    try int(json["inactivity_h"] == nil ? "silence_h" : "inactivity_h")
  }

  /// The seconds before each contact. Before version 0.2.0 this member was named
  /// `silence_tell_after_s`.
  func inactivitySteps() throws(EventCodingError) -> [JSON] {
    let name = "inactivity_tell_after_s"
    return try array(json[name] == nil ? "silence_tell_after_s" : name)
  }
}
