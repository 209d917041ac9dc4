/// The words that tell a person the result of a call. A speech program speaks these words.
enum CallWords {
  /// The contact with this name was told.
  case told(String)
  /// The daemon could not notify the contact with this name.
  case notReached(String)
  /// No contact is configured for calls.
  case nobody

  /// The words in the first language of the list that Prompter supports. If Prompter supports no
  /// language of the list, the words are English.
  ///
  /// - Parameter tags: BCP 47 tags, the preferred language first.
  func text(in tags: [String]) -> String {
    text(in: tags.lazy.compactMap { LeadWords.Language(tag: $0) }.first ?? .english)
  }

  func text(in language: LeadWords.Language) -> String {
    switch (self, language) {
    case (.told(let name), .english): "\(Self.spoken(name)) was told."
    case (.told(let name), .german): "\(Self.spoken(name)) weiß Bescheid."
    case (.told(let name), .vietnamese): "Đã báo cho \(Self.spoken(name))."
    case (.notReached(let name), .english): "\(Self.spoken(name)) could not be reached."
    case (.notReached(let name), .german): "\(Self.spoken(name)) ist nicht zu erreichen."
    case (.notReached(let name), .vietnamese): "Không liên lạc được với \(Self.spoken(name))."
    case (.nobody, .english): "Nobody could be told."
    case (.nobody, .german): "Niemand konnte benachrichtigt werden."
    case (.nobody, .vietnamese): "Không báo được cho ai."
    }
  }

  /// The name of a contact as a person says it: `anna_schmidt` becomes `Anna Schmidt`.
  private static func spoken(_ name: String) -> String {
    name.split { $0 == "_" || $0 == "-" }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }
}
