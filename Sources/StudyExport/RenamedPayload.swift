import EventCoding
import JSONValue

/// Replaces the identifiers in payloads, for an export with the profile `limited` after a rekey.
///
/// A payload can contain the ids of alarms, prompts and boots, and digests. With these values,
/// somebody could join the export with an export from the time before the rekey. Therefore the
/// export replaces these values by new identifiers. The columns of the export contain the same new
/// identifiers.
enum RenamedPayload {
  /// The members that contain the id of an alarm.
  private static let alarms: Set<String> = ["alarm", "id", "alarm_id", "reply"]
  private static let hexadecimal = Set("0123456789abcdef-")

  static func text(_ payload: String, _ opaque: (Character, String) -> String) -> String {
    guard let json = try? JSON(stored: payload) else { return "{}" }
    return renamed(json, "", opaque).description
  }

  private static func renamed(
    _ json: JSON, _ member: String, _ opaque: (Character, String) -> String
  ) -> JSON {
    switch json {
    case .members(let members):
      .object(members.map { ($0.name, renamed($0.value, $0.name, opaque)) })
    case .array(let values): .array(values.map { renamed($0, member, opaque) })
    case .string(let text): .string(renamed(text, member, opaque))
    default: json
    }
  }

  private static func renamed(
    _ text: String, _ member: String, _ opaque: (Character, String) -> String
  ) -> String {
    if alarms.contains(member) { return opaque("a", text) }
    if text.wholeMatch(of: /[0-9a-z]+@\d{4}-\d\d-\d\dT.*/) != nil { return opaque("p", text) }
    if member.contains("boot") { return opaque("b", text) }
    if text.utf8.count >= 32, text.allSatisfy(hexadecimal.contains) { return opaque("t", text) }
    return text
  }
}
