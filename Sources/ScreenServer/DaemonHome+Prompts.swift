import API
import CivilTime
import ClientKit
import JSONValue
import Pages

extension DaemonHome {
  /// The number of days before and after today whose prompts the screen reads.
  private static let days = 2

  /// Reads the prompts that the screen can show.
  ///
  /// The daemon returns at most 1,000 prompts in one list, the newest first. If there are more
  /// prompts, for example because somebody has changed many alarms, an older prompt that calls
  /// could be missing from the first list. Therefore the function then reads the open prompts too.
  func promptList(person: String, today: CivilDate) throws -> JSON {
    let query: [(String, String?)] = [
      ("person", person), ("from", "\(today.adding(days: -Self.days))"),
      ("to", "\(today.adding(days: Self.days))"), ("limit", "1000"),
    ]
    let newest = try ask(.listPrompts, query: query)
    guard newest["next_before"]?.string != nil else { return newest }
    return Self.list(newest, with: try ask(.listPrompts, query: query + [("state", "open")]))
  }

  /// Reads the prompt that calls. The function does not need the list of prompts in the reply.
  func callingPrompt(person: String) throws -> JSON {
    try ask(.listPrompts, query: [("person", person), ("state", "current"), ("limit", "1")])
  }

  /// Reads a prompt; nil if the prompt does not exist, or if it belongs to another person.
  func promptIfAny(_ id: String, of person: JSON) throws -> PromptReading? {
    var request = Request(.showPrompt, ["id": id])
    request.timeoutSeconds = 10
    let ready = request
    let reply = try patiently { try client.exchange(ready) }
    if reply.status == 404 { return nil }
    let prompt = try reply.accepted().document()
    return prompt["person"] == person["id"] ? try PromptReading(prompt) : nil
  }

  /// Returns the list `newest`, and adds the prompts that only the list `open` contains.
  static func list(_ newest: JSON, with open: JSON) -> JSON {
    let known = Set(newest.list("prompts").map { $0.text("id") })
    let missing = open.list("prompts").filter { !known.contains($0.text("id")) }
    return .object([
      ("prompts", .array(newest.list("prompts") + missing)),
      ("calling", newest["calling"] ?? .null),
    ])
  }
}
