import Alarms

/// The people whose data a request may concern.
extension APIRequest {
  /// Whether the sender may see the data of this person.
  public func maySee(_ person: String) -> Bool { only == nil || only?.text == person }

  /// The person in the query; nil for all people.
  ///
  /// - Throws: a `forbidden` refusal if the sender may not see that person.
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
