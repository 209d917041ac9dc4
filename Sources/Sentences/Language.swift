/// A language in which Prompter speaks to a patient and writes for a patient.
public enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
  case vietnamese = "vi"

  /// Finds the language for a BCP 47 tag, for example `de-AT`. The result is nil if Prompter does
  /// not contain sentences in this language. Upper and lower case make no difference.
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

  /// Returns the first tag whose language Prompter supports, and this language. If Prompter
  /// supports none of the languages, the function returns English and the tag `en`.
  ///
  /// The returned tag also selects the voice. Therefore the voice always has the same language as
  /// the sentences.
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
  /// Returns the sentence in a language.
  public func text(in language: Language) -> String {
    switch language {
    case .english: en
    case .german: de
    case .vietnamese: vi
    }
  }
}
