/// An error in the configuration.
package struct SettingsError: Error, CustomStringConvertible {
  private var path: String
  private var reason: String
  /// The key whose value is wrong, and the table that contains this key.
  private var key: String?
  private var table: String?
  private var line: Int?

  init(_ path: String, _ reason: String, key: String? = nil, in table: String? = nil) {
    self.path = path
    self.reason = reason
    self.key = key
    self.table = table
  }

  package var description: String {
    let place = line.map { "line \($0): " } ?? ""
    return "cannot use the configuration \"\(path)\": \(place)\(reason)"
  }

  /// Returns the error with the line number of the key.
  ///
  /// The TOML library reports the position of a parse error, but not the position of a parsed key.
  /// Therefore the function searches the text for the line that contains the key.
  func located(in text: String) -> SettingsError {
    guard let key, line == nil else { return self }
    var located = self
    var current: Substring = ""
    for (index, whole) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = whole.drop(while: \.isWhitespace)
      if line.hasPrefix("[") {
        current = line.dropFirst().prefix { $0 != "]" }
        if table == nil, current == key { located.line = index + 1 }
      } else if let equals = line.firstIndex(of: "=") {
        let found = line[..<equals].filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
        let isHere = table == nil || current == table ?? ""
        if (isHere && found == key) || found == "\(table ?? "").\(key)" { located.line = index + 1 }
      }
      if located.line != nil { break }
    }
    return located
  }
}
