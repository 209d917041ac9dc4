import StudyExport

/// The page on which a person reads their own recorded data.
///
/// The page consists of plain tables. The page has no script and loads nothing from the network.
public enum OwnPage {
  public static func head(_ title: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:">
    <meta name="viewport" content="width=device-width">
    <title>\(HTMLText.escaped(title))</title>
    <style>
    body { font: 1.1rem/1.5 sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem; color: #111; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border-bottom: 1px solid #bbb;
      overflow-wrap: anywhere; }
    img { max-width: 100%; max-height: 20rem; }
    </style></head><body>
    <h1>\(HTMLText.escaped(title))</h1>

    """
  }

  public static let end = "</body></html>\n"

  /// A heading with an optional paragraph.
  ///
  /// - Parameter note: the text below the heading.
  public static func section(_ title: String, _ note: String = "") -> String {
    "<h2>\(HTMLText.escaped(title))</h2>\n"
      + (note.isEmpty ? "" : "<p>\(HTMLText.escaped(note))</p>\n")
  }

  public static func table(_ columns: [String]) -> String {
    "<table><thead><tr>" + columns.map { "<th>\(HTMLText.escaped($0))" }.joined()
      + "</thead><tbody>\n"
  }

  public static func row(_ cells: [String]) -> String {
    "<tr>" + cells.map { "<td>\(HTMLText.escaped($0))" }.joined() + "\n"
  }

  public static let endOfTable = "</tbody></table>\n"

  /// The HTML code of a picture.
  ///
  /// - Parameter file: the name of a file in the same directory as the page.
  public static func picture(_ file: String) -> String {
    "<p><img src=\"\(HTMLText.escaped(file))\" alt=\"\">\n"
  }
}
