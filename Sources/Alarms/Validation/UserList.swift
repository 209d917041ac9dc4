/// Lists the users of an object, for example the alarms that use a tone. If a caretaker tries to
/// remove the tone, the refusal contains this list.
enum UserList {
  /// The maximum number of names that a refusal lists.
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
