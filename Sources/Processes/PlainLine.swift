/// Converts untrusted text to one line that is safe for a terminal, a log or a speech program.
package enum PlainLine {
  /// The maximum number of characters that the function `sentence` uses from the report of a child
  /// process.
  private static let longestSentence = 300

  /// Replaces or removes characters that could have an effect in a terminal, a log or a speech
  /// program.
  ///
  /// - A sequence of control characters, line breaks and separators becomes one space.
  /// - Square brackets become spaces, because espeak-ng reads a text after `[[` as phonemes.
  /// - Format characters (Cf), private and unassigned code points, and noncharacters are removed.
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

  /// Converts the report of a child process to one line without control characters. The function
  /// uses at most the first 300 characters of the report.
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
