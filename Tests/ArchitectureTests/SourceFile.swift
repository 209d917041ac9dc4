/// A source file: its lines, and a copy of its lines without comments and texts.
struct SourceFile {
  /// The path, relative to the root directory of the package.
  var path: String
  var lines: [String]
  /// The lines after blanks replaced all comments and texts. The checks do not find words in
  /// comments and texts.
  var code: [String]
  /// The indentation of each line of `code`; nil if the line is blank.
  var indents: [Int?]

  /// True if `translations/generate` wrote the file.
  var isGenerated: Bool { lines.first?.hasPrefix("// Written by translations/generate") ?? false }

  init(path: String, text: String) {
    self.path = path
    lines = Self.split(text)
    code = path.hasSuffix(".swift") ? Self.split(Blanking(text).text) : lines
    indents = code.map { line in
      var depth = 0
      for byte in line.utf8 {
        guard byte == UInt8(ascii: " ") else { return depth }
        depth += 1
      }
      return nil
    }
  }

  var text: String { lines.joined(separator: "\n") }

  /// The name of the module, which is the second part of the path.
  var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  private static func split(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Replaces comments and texts with blanks. Line breaks and the code inside `\( )` stay.
private struct Blanking {
  private var result: [UInt8] = []
  private let input: [UInt8]
  private var position = 0

  var text: String { String(decoding: result, as: UTF8.self) }

  init(_ text: String) {
    input = Array(text.utf8)
    while position < input.count { code(until: nil) }
  }

  /// Copies code up to the closing parenthesis of an interpolation, or to the end.
  private mutating func code(until end: UInt8?) {
    var depth = 0
    while position < input.count {
      let byte = input[position]
      switch byte {
      case UInt8(ascii: "/") where starts("//"):
        while position < input.count, input[position] != UInt8(ascii: "\n") { blank() }
        continue
      case UInt8(ascii: "/") where starts("/*"):
        comment()
        continue
      case UInt8(ascii: "\""):
        literal()
        continue
      case UInt8(ascii: "#") where isRawText:
        literal()
        continue
      case UInt8(ascii: "("):
        depth += 1
      case UInt8(ascii: ")"):
        if depth == 0, end != nil { return }
        depth -= 1
      default:
        break
      }
      result.append(byte)
      position += 1
    }
  }

  private mutating func comment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        blank(2)
      } else if starts("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && position < input.count
  }

  private mutating func literal() {
    var pounds = 0
    while input[position] == UInt8(ascii: "#") {
      pounds += 1
      blank()
    }
    let quote = starts("\"\"\"") ? "\"\"\"" : "\""
    let end = quote + String(repeating: "#", count: pounds)
    let escape = "\\" + String(repeating: "#", count: pounds)
    blank(quote.utf8.count)
    while position < input.count, !starts(end) {
      if starts(escape + "(") {
        blank(escape.utf8.count + 1)
        code(until: UInt8(ascii: ")"))
        blank()
      } else if starts(escape) {
        blank(escape.utf8.count + 1)
      } else {
        blank()
      }
    }
    blank(end.utf8.count)
  }

  private var isRawText: Bool {
    var ahead = position
    while ahead < input.count, input[ahead] == UInt8(ascii: "#") { ahead += 1 }
    return ahead < input.count && input[ahead] == UInt8(ascii: "\"")
  }

  private func starts(_ prefix: String) -> Bool {
    var at = position
    for byte in prefix.utf8 {
      guard at < input.count, input[at] == byte else { return false }
      at += 1
    }
    return true
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where position < input.count {
      result.append(input[position] == UInt8(ascii: "\n") ? UInt8(ascii: "\n") : UInt8(ascii: " "))
      position += 1
    }
  }
}
