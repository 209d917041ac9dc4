import Alarms

/// Whose things a request may be about.
extension APIRequest {
  /// Whether the sender may see what concerns this person.
  public func maySee(_ person: String) -> Bool { only == nil || only?.text == person }

  /// Whom the query asks about, held to what the sender may see; nil for everybody.
  public func person() throws(Refusal) -> String? {
    guard let only else { return query["person"] }
    if let asked = query["person"], asked != only.text {
      throw Refusal(
        .forbidden, field: "person",
        "cannot show what is \"\(asked)\"'s: \(actor.id) sees what is \"\(only)\"'s and nobody else's"
      )
    }
    return only.text
  }
}
