/// Text for speech, without characters that the speech program treats as commands.
public enum SpeakableText {
  /// Maximum length of spoken text, in bytes of UTF-8.
  public static let mostBytes = 4_096

  /// Removes characters that cannot be spoken.
  ///
  /// - Control characters, line breaks and separators become one space; espeak-ng takes some for
  ///   commands (U+0001 changes pitch and speed).
  /// - Square brackets become spaces: `[[` begins phonemes.
  /// - Format characters (Cf), private and unassigned code points and noncharacters are left out.
  public static func of(_ words: String) -> String {
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
