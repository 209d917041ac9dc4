/// Functions for the text of the HTML pages that Prompter makes from a record or an export.
public enum HTMLText {
  /// Escapes a text for an element or an attribute in HTML or SVG.
  ///
  /// The function examines each Unicode scalar and not each `Character`. Swift can combine a `<`
  /// and a neighbouring scalar into one `Character`, for example if U+0600 is before the `<`, or if
  /// U+0301 is after the `<`. This `Character` is not equal to `<`. Therefore a function that
  /// examines each `Character` would not escape this `<`.
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
