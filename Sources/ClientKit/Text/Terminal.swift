import Alarms
import Glibc
import JSONValue

/// Standard output and standard error.
///
/// Nearly every text that is printed came from a file, from the daemon or from a home that ssh leads to. What
/// a terminal would obey in it is shown as `<U+001B>`; escape sequences of our own are sealed.
package enum Terminal {
  /// What marks an escape character as our own. Nobody who sends a text knows it.
  fileprivate static let seal = String(UInt64.random(in: .min ... .max), radix: 36)

  /// Whether a person looks at standard output and has not asked for plain text (no-color.org).
  package static let isColourful: Bool =
    isatty(1) == 1 && getenv("NO_COLOR") == nil
    && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false

  /// Writes a text and ends its line.
  package static func print(_ text: String) { write(line(text)) }

  /// Writes a sentence to standard error.
  package static func printError(_ text: String) { write(line(text), to: 2) }

  /// Writes a document; what a terminal would obey is escaped in it, and it stays the same document.
  package static func print(json: JSON) { write(VisibleText.json(Array("\(json)\n".utf8))) }

  /// Writes what the daemon answered, a document or several.
  package static func write(json: [UInt8]) { write(VisibleText.json(json)) }

  /// Writes the text of a file: byte by byte into a file or a pipe, and shown on a terminal.
  package static func write(file text: String) {
    write(Array((isatty(1) == 1 ? shown(text) : text).utf8))
  }

  private static func line(_ text: String) -> [UInt8] {
    let text = shown(text)
    return Array((text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n").utf8)
  }

  /// A text as it may reach a terminal: escape sequences that `Emphasis` made, and no others.
  package static func shown(_ text: String) -> String {
    let own = Array("\u{1B}\(seal)".utf8)
    var (rest, parts) = (Array(text.utf8)[...], [String]())
    while let start = rest.indices.first(where: { rest[$0...].starts(with: own) }) {
      parts.append(String(decoding: rest[..<start], as: UTF8.self))
      rest = rest[(start + own.count)...]
    }
    parts.append(String(decoding: rest, as: UTF8.self))
    return parts.map { VisibleText.shown($0, keepsLines: true) }.joined(separator: "\u{1B}")
  }

  /// Writes all bytes. A reader that has seen enough, as `head` has, ends the program in good order.
  package static func write(_ bytes: [UInt8], to descriptor: Int32 = 1) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        exit(0)
      } else if errno != EINTR {
        let reason = String(cString: strerror(errno))
        if descriptor != 2 { printError("prompter: cannot write the answer: \(reason)") }
        exit(Failure.badUsage("").exitCode)
      }
    }
  }
}

/// How a word stands out on a terminal.
package enum Emphasis: String {
  case heading = "1"
  case good = "32"
  case attention = "33"
  case bad = "31"
  case faint = "2"

  /// The text with this emphasis, or as it is where nobody looks.
  package func callAsFunction(_ text: String) -> String {
    guard Terminal.isColourful, !text.isEmpty else { return text }
    let escape = "\u{1B}\(Terminal.seal)"
    return "\(escape)[\(rawValue)m\(text)\(escape)[0m"
  }
}
