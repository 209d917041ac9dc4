import Alarms

/// Checks which people's data the sender of a request may see.
extension APIRequest {
  /// True if the sender may see the data of this person.
  public func maySee(_ person: String) -> Bool { only == nil || only?.text == person }

  /// The person whose data the sender requests; nil if the sender requests the data of all people.
  ///
  /// - Throws: a `forbidden` refusal if the sender must not see the data of this person.
  public func person() throws(Refusal) -> String? {
    guard let only else { return query["person"] }
    if let asked = query["person"], asked != only.text {
      throw Refusal(
        .forbidden, field: "person",
        "cannot show data of \"\(asked)\": \(actor.id) can only see data of \"\(only)\""
      )
    }
    return only.text
  }
}
