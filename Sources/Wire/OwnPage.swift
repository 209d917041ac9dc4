/// The page on which somebody reads what is recorded of them: plain tables, no script, nothing from elsewhere.
public enum OwnPage {
  public static func head(_ title: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>\(escaped(title))</title>
    <style>
    body { font: 1.1rem/1.5 sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem; color: #111; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border-bottom: 1px solid #bbb;
      overflow-wrap: anywhere; }
    img { max-width: 100%; max-height: 20rem; }
    </style></head><body>
    <h1>\(escaped(title))</h1>

    """
  }

  public static let end = "</body></html>\n"

  /// - Parameter note: what stands below the heading.
  public static func section(_ title: String, _ note: String = "") -> String {
    "<h2>\(escaped(title))</h2>\n" + (note.isEmpty ? "" : "<p>\(escaped(note))</p>\n")
  }

  public static func table(_ columns: [String]) -> String {
    "<table><thead><tr>" + columns.map { "<th>\(escaped($0))" }.joined() + "</thead><tbody>\n"
  }

  public static func row(_ cells: [String]) -> String {
    "<tr>" + cells.map { "<td>\(escaped($0))" }.joined() + "\n"
  }

  public static let endOfTable = "</tbody></table>\n"

  /// - Parameter file: beside the page.
  public static func picture(_ file: String) -> String {
    "<p><img src=\"\(escaped(file))\" alt=\"\">\n"
  }

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\0": result += "\u{FFFD}"
      default: result.append(character)
      }
    }
  }
}
