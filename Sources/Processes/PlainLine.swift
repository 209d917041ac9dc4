/// Text from a source that is not trusted, as one line without signs that a program obeys.
package enum PlainLine {
  /// Maximum length of a helper's sentence, in characters.
  private static let longestSentence = 300

  /// Removes everything that is not text.
  ///
  /// - Control characters, line breaks and separators become one space.
  /// - Square brackets become spaces: `[[` begins phonemes for espeak-ng.
  /// - Format characters (Cf), private and unassigned code points and noncharacters are left out.
  package static func of(_ words: String) -> String {
    var text = String.UnicodeScalarView()
    var isSpaceDue = false
    for scalar in words.unicodeScalars {
      switch kind(scalar) {
      case .nothing: continue
      case .space: isSpaceDue = !text.isEmpty
      case .spoken:
        if isSpaceDue { text.append(" ") }
        isSpaceDue = false
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// A helper's sentence in a safe form: one line of at most 300 characters.
  package static func sentence(_ claimed: String) -> String {
    of(String(claimed.prefix(longestSentence)))
  }

  private enum Kind { case spoken, space, nothing }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    if scalar == "[" || scalar == "]" { return .space }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: return .space
    case .format, .privateUse, .surrogate, .unassigned: return .nothing
    default: return .spoken
    }
  }
}
