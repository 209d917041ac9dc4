/// Text inside the pages that are made of a record or an export.
public enum HTMLText {
  /// Escapes a text for an element or attribute of HTML or SVG.
  ///
  /// The text is read by Unicode scalar. Swift makes one `Character` of `<` and a scalar that joins
  /// to it, before it (U+0600) or after it (U+0301). Such a `Character` is not equal to `<`.
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
