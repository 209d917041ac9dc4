import JSONValue

// Names in records that were written before version 0.2.0. The stored rows keep them, because each row is part
// of the hash chain; they are read as the names of today.
extension StoredEvent {
  /// Event types of earlier versions, with the type of today.
  package static let earlierTypes: [String: String] = [
    "told": "notified", "telling_failed": "notification_failed",
    "silence_begun": "inactivity_begun", "silence_ended": "inactivity_ended",
    "silence_resumed": "inactivity_resumed", "silence": "inactivity_escalated",
    "silence_told": "inactivity_notified",
    "silence_telling_failed": "inactivity_notification_failed",
    "silence_set_aside": "inactivity_suspended",
  ]

  /// The name that a stored event type has today.
  package static func currentType(_ stored: String) -> String { earlierTypes[stored] ?? stored }

  /// All names, earlier ones too, under which a type is stored.
  package static func storedTypes(_ type: String) -> [String] {
    [type] + earlierTypes.filter { $0.value == type }.map(\.key).sorted()
  }
}

extension StoredMembers {
  /// The position in the chain of contacts, from 0; `grade` before version 0.2.0.
  func position() throws(EventCodingError) -> Int {
    try int(json["position"] == nil ? "grade" : "position")
  }

  /// Hours without an answer; `silence_h` before version 0.2.0.
  func inactivityHours() throws(EventCodingError) -> Int {
    try int(json["inactivity_h"] == nil ? "silence_h" : "inactivity_h")
  }

  /// Seconds before each contact; `silence_tell_after_s` before version 0.2.0.
  func inactivitySteps() throws(EventCodingError) -> [JSON] {
    let name = "inactivity_tell_after_s"
    return try array(json[name] == nil ? "silence_tell_after_s" : name)
  }
}
