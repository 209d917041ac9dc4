import API
import ClientKit
import JSONValue

/// An alarm as a page to be edited: one `name: value` a line, with comments that say what each means.
///
/// Which fields there are and what they mean comes from the contract's own table, so that a field that
/// is added there is on the page as well.
struct EditForm {
  /// Why a page cannot be read, and where.
  struct Mistake: Error {
    /// From 1 on; nil where it is about the whole.
    var line: Int?
    var text: String
    /// What it comes to where nobody can mend the page.
    var failure: Failure

    init(line: Int?, text: String, failure: Failure? = nil) {
      self.line = line
      self.text = text
      self.failure = failure ?? .badUsage(text)
    }
  }

  /// What complaints about a page begin with, so that they can be taken out again.
  static let complaint = "# >>> "

  private let alarm: JSON
  private let fields: [JSONSchema.Field]

  /// - Parameter alarm: as the daemon shows it.
  init(_ alarm: JSON) {
    self.alarm = alarm
    let route = Route.all.first { $0.operation == .editAlarm }
    if case .json(let shape)? = route?.takes { fields = shape.fields } else { fields = [] }
  }

  // MARK: Writing

  /// - Parameters:
  ///   - changes: what stands there instead of the alarm's own values.
  ///   - notes: a comment for a field, by its name.
  func page(changes: [(String, JSON)] = [], notes: [String: String] = [:]) -> String {
    let label = TextFormat.oneLine(alarm.text("label"))
    var lines = [
      "# \"\(label)\", alarm \(alarm.text("id")), version \(alarm.text("version"))",
      "# Change what is behind the colons, save, and leave the editor. You will see what changes and when",
      "# it rings then, and be asked. A line that is taken out leaves its field as it is.",
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

  /// The page with a complaint above the line that it is about.
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

  /// A text as it is, or as a JSON string where it would not come back from its line.
  private static func plainOrQuoted(_ words: String) -> String {
    let isPlain =
      TextFormat.oneLine(words) == words && words.trimmed == words && !words.hasPrefix("\"")
    return isPlain ? words : JSON.string(words).description
  }

  // MARK: Reading

  /// What a page changes.
  func changes(in page: String) throws(Mistake) -> [(String, JSON)] {
    var seen: Set<String> = []
    var changes: [(String, JSON)] = []
    for (index, line) in Self.lines(page) {
      guard let colon = line.unicodeScalars.firstIndex(of: ":") else {
        throw Mistake(line: index, text: "write it as \"name: value\"")
      }
      let name = line[..<colon].trimmed
      guard let field = fields.first(where: { $0.name == name }) else {
        throw Mistake(line: index, text: "there is no field \"\(name)\"")
      }
      guard seen.insert(name).inserted else {
        throw Mistake(line: index, text: "\"\(name)\" is there twice")
      }
      let text = line[line.unicodeScalars.index(after: colon)...].trimmed
      let old = alarm[name] ?? .null
      // Unchanged text is an unchanged value, however it was rounded for the eye.
      if text == Self.text(old, field.shape).trimmed { continue }
      guard let value = Self.value(text, field.shape) else {
        throw Mistake(line: index, text: "\"\(text)\" is not \(field.shape.words)")
      }
      changes.append((name, value))
    }
    return changes
  }

  /// The line on which a field stands; nil where it stands on none.
  static func line(of field: String, in page: String) -> Int? {
    lines(page).first { $0.line.hasPrefix(field + ":") }?.index
  }

  /// Those that say something, with their numbers from 1 on.
  private static func lines(_ page: String) -> [(index: Int, line: Substring)] {
    parts(page).enumerated()
      .map { (index: $0.offset + 1, line: $0.element) }
      .filter { !$0.line.trimmed.isEmpty && !$0.line.trimmed.hasPrefix("#") }
  }

  /// By scalar: an editor may end lines with CR and LF, which are one Character.
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
  /// The shape without its name and whether it may be null.
  fileprivate var plain: JSONSchema {
    switch self {
    case .named(_, let shape), .optional(let shape): shape.plain
    default: self
    }
  }

  /// Whether a value of it is one word on a line.
  fileprivate var isSimple: Bool {
    switch plain {
    case .text, .format, .word, .integer, .number, .flag: true
    default: false
    }
  }

  /// What it is, for somebody who wrote something else.
  fileprivate var words: String {
    switch plain {
    case .text, .format, .word: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .flag: "yes or no"
    case .list(let inner) where inner.isSimple: "a list of such with commas between: \(inner.words)"
    default: "valid JSON"
    }
  }
}

extension StringProtocol {
  /// Without the blanks at both ends.
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
