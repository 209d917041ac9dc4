/// A language of the screen.
public enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
  case vietnamese = "vi"

  /// The language for a BCP 47 tag, for example `de-AT`; nil if the screen does not have the
  /// language. Upper and lower case make no difference.
  public init?(tag: String) {
    let primary = tag.split(separator: "-").first.map { $0.lowercased() }
    guard let primary, let known = Language(rawValue: primary) else { return nil }
    self = known
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
