/// The words for the users of an object in the refusal to remove this object.
enum UserList {
  /// The maximum number of names in the words.
  private static let most = 3

  /// At most three names, for example `"Pills", "Tea", "Walk" and others`.
  static func words(_ names: [String]) -> String {
    names.prefix(most).joined(separator: ", ") + (names.count > most ? " and others" : "")
  }
}

extension Collection<Alarm> {
  /// The labels in quotation marks, in alphabetical order.
  var quotedLabels: [String] { map { "\"\($0.label)\"" }.sorted() }
}
