import Sentences

/// The words that tell a person the result of a call. A speech program speaks these words.
enum CallWords {
  /// The contact with this name was notified of the call.
  case told(String)
  /// The daemon could not notify the contact with this name.
  case notReached(String)
  /// No contact is configured for calls.
  case nobody

  /// Returns the words in the first language of `tags` that Prompter supports. If Prompter supports
  /// none of these languages, the words are in English.
  ///
  /// - Parameter tags: the languages as BCP 47 tags, the preferred language first.
  func text(in tags: [String]) -> String { sentence.text(in: Language.first(of: tags).language) }

  private var sentence: Sentence {
    switch self {
    case .told(let name): .callTold(name: Self.spoken(name))
    case .notReached(let name): .callNotReached(name: Self.spoken(name))
    case .nobody: .callNobody
    }
  }

  /// Returns the name of a contact in the form that Prompter speaks: `anna_schmidt` becomes `Anna
  /// Schmidt`.
  private static func spoken(_ name: String) -> String {
    name.split { $0 == "_" || $0 == "-" }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }
}
