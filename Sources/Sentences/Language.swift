/// A language in which Prompter speaks to a patient and writes for a patient.
public enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
  case vietnamese = "vi"

  /// The language for a BCP 47 tag, for example `de-AT`; nil if Prompter has no sentences in the
  /// language. Upper and lower case make no difference.
  public init?(tag: String) {
    let primary = tag.split(separator: "-").first.map { $0.lowercased() }
    guard let primary, let known = Language(rawValue: primary) else { return nil }
    self = known
  }

  /// The English name of the language.
  public var englishName: String {
    switch self {
    case .english: "English"
    case .german: "German"
    case .vietnamese: "Vietnamese"
    }
  }

  /// The first tag of a list with a language in which Prompter has sentences, and this language. If
  /// there is no such tag, the language is English.
  ///
  /// The tag chooses the voice. So English sentences never sound in the voice of a language that
  /// Prompter does not have.
  ///
  /// - Parameter tags: BCP 47 tags, the preferred language first.
  public static func first(of tags: [String]) -> (language: Language, tag: String) {
    for tag in tags {
      if let language = Language(tag: tag) { return (language, tag) }
    }
    return (.english, Language.english.rawValue)
  }
}

extension Sentence {
  /// The sentence in a language.
  public func text(in language: Language) -> String {
    switch language {
    case .english: en
    case .german: de
    case .vietnamese: vi
    }
  }
}
