/// Lists the alarms that use an object, for example a tone. If a caretaker tries to remove this
/// object, the refusal contains the list.
enum UserList {
  /// The maximum number of labels that a refusal lists.
  private static let most = 3

  /// Joins at most three labels, for example `"Pills", "Tea", "Walk" and others`.
  static func words(_ names: [String]) -> String {
    names.prefix(most).joined(separator: ", ") + (names.count > most ? " and others" : "")
  }
}

extension Collection<Alarm> {
  /// The labels in quotation marks, in alphabetical order.
  var quotedLabels: [String] { map { "\"\($0.label)\"" }.sorted() }
}
