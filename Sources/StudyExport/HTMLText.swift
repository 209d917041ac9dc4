/// Functions for text in HTML pages. This program makes these pages from a record or an export.
public enum HTMLText {
  /// Escapes a text for an element or attribute of HTML or SVG.
  ///
  /// The function examines each Unicode scalar and not each `Character`. Swift combines `<` with a
  /// joining scalar before it (U+0600) or after it (U+0301) into one `Character`. This `Character`
  /// is not equal to `<`, so the function would not escape the `<`.
  public static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;".unicodeScalars
      case "<": result += "&lt;".unicodeScalars
      case ">": result += "&gt;".unicodeScalars
      case "\"": result += "&quot;".unicodeScalars
      case "'": result += "&#39;".unicodeScalars
      case "\0": result += "\u{FFFD}".unicodeScalars
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
