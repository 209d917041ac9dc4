/// Converts untrusted text to one line without control characters and without special characters.
package enum PlainLine {
  /// The maximum length of a sentence from a helper, in characters.
  private static let longestSentence = 300

  /// Replaces or removes characters that could have an effect in a terminal, a log or a speech
  /// program.
  ///
  /// - A sequence of control characters, line breaks and separators becomes one space.
  /// - Square brackets become spaces, because espeak-ng reads a text after `[[` as phonemes.
  /// - The function removes format characters (Cf), private and unassigned code points, and
  ///   noncharacters.
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

  /// One line of at most 300 characters without control characters, made from the text of a helper
  /// process.
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
