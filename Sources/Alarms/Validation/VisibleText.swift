/// Replaces invisible characters that control a terminal, a log or a page.
///
/// A calendar file, or the reply of a home over ssh, can contain control characters. An escape
/// sequence can change the title or the colours of a terminal. After a carriage return, new text
/// overwrites the line. A bidirectional control changes the order in which characters are shown.
public enum VisibleText {
  /// Returns true if a character is a control character.
  ///
  /// Control characters are the C0 and C1 controls, DEL, the line and paragraph separators, and the
  /// bidirectional controls (UAX #9, section 2).
  public static func isControlCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Converts a text so that a terminal can show it safely. In the result, a text such as
  /// `<U+001B>` stands for each control character.
  ///
  /// - Parameter keepsLines: true to keep line feeds and tabs; false to get a single line.
  public static func shown(_ text: String, keepsLines: Bool) -> String {
    guard text.utf8.contains(where: mayStartControlCharacter) || !keepsLines else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if !isControlCharacter(scalar) || keepsLines && (scalar == "\n" || scalar == "\t") {
        shown.append(scalar)
      } else {
        shown += "<U+\(hexadecimal(scalar))>".unicodeScalars
      }
    }
    return String(shown)
  }

  /// Converts one or several JSON texts so that a terminal can show them safely. In the result, an
  /// escape such as `\u001b` stands for each control character.
  ///
  /// The escapes do not change the meaning: a JSON parser reads the same values from the result.
  public static func json(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: mayStartControlCharacter) else { return bytes }
    var shown = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n", "\t": shown.append(scalar)
      // In valid JSON, a carriage return is never inside a string. Outside of strings, it is white
      // space, so a space has the same meaning.
      case "\r": shown.append(" ")
      case _ where isControlCharacter(scalar):
        shown += "\\u\(hexadecimal(scalar).lowercased())".unicodeScalars
      default: shown.append(scalar)
      }
    }
    return Array(String(shown).utf8)
  }

  /// The code of a character in four hexadecimal digits, for example `001B`. Each control character
  /// fits in four digits.
  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Returns true if `byte` can be the first byte of a control character. If the result is true for
  /// at least one byte of a text, the caller must check the text scalar by scalar.
  private static func mayStartControlCharacter(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x0A || byte >= 0x7F
  }
}
