import API
import ClientKit
import JSONValue

/// An alarm as a page for an editor. Each line is `name: value`, and comments explain the fields.
///
/// The table of routes defines the fields of a request body, and explains each field. The page
/// contains all fields of an alarm and their explanations.
struct EditForm {
  /// An error in a page, with the number of the line that contains the error.
  struct Mistake: Error {
    /// The number of the wrong line, counted from 1; nil if the error concerns the whole page.
    var line: Int?
    var text: String
    /// The error with which the command ends if standard input is not a terminal. Without a
    /// terminal, nobody can correct the page.
    var failure: Failure

    init(line: Int?, text: String, failure: Failure? = nil) {
      self.line = line
      self.text = text
      self.failure = failure ?? .badUsage(text)
    }
  }

  /// The prefix of an error message in a page. When the program reads the page again, it first
  /// removes the lines with this prefix.
  static let complaint = "# >>> "

  private let alarm: JSON
  private let fields: [JSONSchema.Field]

  /// - Parameter alarm: the alarm as the daemon returns it.
  init(_ alarm: JSON) {
    self.alarm = alarm
    // The request `addAlarm` contains exactly the fields of an alarm. A request that edits an alarm
    // also contains options for the edit, which are not part of the form.
    let route = Route.all.first { $0.operation == .addAlarm }
    if case .json(let shape)? = route?.takes { fields = shape.fields } else { fields = [] }
  }

  // MARK: Writing

  /// Returns the page for the alarm.
  ///
  /// - Parameters:
  ///   - changes: new values, each with the name of its field. The page shows these values instead
  ///     of the values of the alarm.
  ///   - notes: comments that the page shows above fields. The key is the name of the field.
  func page(changes: [(String, JSON)] = [], notes: [String: String] = [:]) -> String {
    let label = TextFormat.oneLine(alarm.text("label"))
    var lines = [
      "# \"\(label)\", alarm \(alarm.text("id")), version \(alarm.text("version"))",
      "# Change the values after the colons, save, and close the editor. You will see the changes",
      "# and the next rings, and can then save or cancel. A field without a line does not change.",
    ]
    for field in fields {
      let value = changes.first { $0.0 == field.name }?.1 ?? alarm[field.name] ?? .null
      lines.append("")
      if !field.summary.isEmpty { lines.append("# " + field.summary) }
      if case .format(let format) = field.shape.plain { lines.append("# A \(format).") }
      if let note = notes[field.name] { lines.append(Self.complaint + note) }
      lines.append("\(field.name): \(Self.text(value, field.shape))".trimmedEnd)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the page with an error message above the wrong line.
  static func page(_ page: String, complaining mistake: Mistake) -> String {
    var lines = Self.parts(page).map(String.init)
    let place = min(max((mistake.line ?? 1) - 1, 0), lines.count)
    lines.insert(complaint + TextFormat.oneLine(mistake.text), at: place)
    return lines.joined(separator: "\n")
  }

  private static func text(_ value: JSON, _ shape: JSONSchema) -> String {
    switch (value, shape.plain) {
    case (.null, _): ""
    case (.array(let values), .list(let inner)) where inner.isSimple:
      values.map { text($0, inner) }.joined(separator: ", ")
    case (.string(let words), _): plainOrQuoted(words)
    default: value.description
    }
  }

  /// Returns a text in the form that the page shows. If the program can read the plain text back
  /// exactly, the result is the plain text. Otherwise, the result is the text as a JSON string.
  private static func plainOrQuoted(_ words: String) -> String {
    let isPlain =
      TextFormat.oneLine(words) == words && words.trimmed == words && !words.hasPrefix("\"")
    return isPlain ? words : JSON.string(words).description
  }

  // MARK: Reading

  /// Returns the fields that the user changed on the page, with the new values.
  func changes(in page: String) throws(Mistake) -> [(String, JSON)] {
    var seen: Set<String> = []
    var changes: [(String, JSON)] = []
    for (index, line) in Self.lines(page) {
      guard let colon = line.unicodeScalars.firstIndex(of: ":") else {
        throw Mistake(line: index, text: "write the line as \"name: value\"")
      }
      let name = line[..<colon].trimmed
      guard let field = fields.first(where: { $0.name == name }) else {
        throw Mistake(line: index, text: "there is no field \"\(name)\"")
      }
      guard seen.insert(name).inserted else {
        throw Mistake(line: index, text: "the field \"\(name)\" is there twice")
      }
      let text = line[line.unicodeScalars.index(after: colon)...].trimmed
      let old = alarm[name] ?? .null
      // For some fields, the page shows a rounded value. If the user did not change the rounded
      // value, the alarm keeps the exact old value.
      if text == Self.text(old, field.shape).trimmed { continue }
      guard let value = Self.value(text, field.shape) else {
        throw Mistake(line: index, text: "\"\(text)\" is not \(field.shape.words)")
      }
      changes.append((name, value))
    }
    return changes
  }

  /// Returns the number of the line that contains a field; nil if the page does not contain the
  /// field. The first line has the number 1.
  static func line(of field: String, in page: String) -> Int? {
    lines(page).first { $0.line.hasPrefix(field + ":") }?.index
  }

  /// Returns the lines that are neither empty nor comments, with their numbers, counted from 1.
  private static func lines(_ page: String) -> [(index: Int, line: Substring)] {
    parts(page).enumerated()
      .map { (index: $0.offset + 1, line: $0.element) }
      .filter { !$0.line.trimmed.isEmpty && !$0.line.trimmed.hasPrefix("#") }
  }

  /// Returns the lines of a page.
  ///
  /// Some editors end each line with CR and LF. Swift treats CR and LF together as one `Character`
  /// that is not equal to LF. Therefore the function searches for LF in the Unicode scalars of the
  /// text, and not in its characters.
  static func parts(_ page: String) -> [Substring] {
    page.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Substring($0) }
  }

  private static func value(_ text: String, _ shape: JSONSchema) -> JSON? {
    switch shape.plain {
    case .text, .format, .word:
      guard text.hasPrefix("\"") else { return .string(text) }
      guard case .string(let words)? = try? JSON(parsing: Array(text.utf8)) else { return nil }
      return .string(words)
    case .integer: return Int64(text).map { .integer($0) }
    case .number: return Double(text).map { .number($0) }
    case .flag:
      return ["yes": true, "true": true, "no": false, "false": false][text].map { .bool($0) }
    case .list(let inner) where inner.isSimple:
      if text.isEmpty { return .array([]) }
      let parts = text.split(separator: ",").map { value($0.trimmed, inner) }
      return parts.contains(nil) ? nil : .array(parts.compactMap { $0 })
    default: return try? JSON(parsing: Array(text.utf8))
    }
  }
}

extension JSONSchema {
  /// A copy of the schema that has no name and does not permit the value null.
  fileprivate var plain: JSONSchema {
    switch self {
    case .named(_, let shape), .optional(let shape): shape.plain
    default: self
    }
  }

  /// True if the page of an `EditForm` shows a value of this schema as plain text, and not as JSON.
  fileprivate var isSimple: Bool {
    switch plain {
    case .text, .format, .word, .integer, .number, .flag: true
    default: false
    }
  }

  /// A description of the values that the schema accepts, for an error message.
  fileprivate var words: String {
    switch plain {
    case .text, .format, .word: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .flag: "yes or no"
    case .list(let inner) where inner.isSimple:
      "a list with commas between the values; each value must be \(inner.words)"
    default: "valid JSON"
    }
  }
}

extension StringProtocol {
  /// The text without the spaces, tabs and CR at its beginning and end.
  fileprivate var trimmed: String {
    let head = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    return String(head).trimmedEnd
  }

  fileprivate var trimmedEnd: String {
    var text = String(self)
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return text
  }
}
