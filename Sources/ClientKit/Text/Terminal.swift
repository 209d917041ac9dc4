import Alarms
import Glibc
import JSONValue

/// Writes to standard output and standard error.
///
/// Most printed texts come from a file, from the daemon or from a remote home. `Terminal` shows the
/// control characters of these texts in a form such as `<U+001B>`. This program marks its own
/// escape sequences with a secret, so that a printed text cannot imitate them.
package enum Terminal {
  /// The mark that this program adds to its own escape characters. The mark distinguishes these
  /// escape characters from the escape characters in a received text. The mark is random, so the
  /// sender of a text cannot guess it.
  fileprivate static let seal = String(UInt64.random(in: .min ... .max), radix: 36)

  /// True if standard output is a terminal and the user accepts colours (no-color.org).
  package static let isColourful: Bool =
    isatty(1) == 1 && getenv("NO_COLOR") == nil
    && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false

  /// Writes a text and a newline.
  package static func print(_ text: String) { write(line(text)) }

  /// Writes a text and a newline to standard error.
  package static func printError(_ text: String) { write(line(text), to: 2) }

  /// Writes a JSON document. The function writes control characters as JSON escapes, for example
  /// `\u001b`. A JSON parser reads the same values from the result.
  package static func print(json: JSON) { write(VisibleText.json(Array("\(json)\n".utf8))) }

  /// Writes the reply of the daemon, which consists of one or more JSON documents.
  package static func write(json: [UInt8]) { write(VisibleText.json(json)) }

  /// Writes the text of a file to standard output. If standard output is a terminal, the function
  /// writes visible characters instead of control characters.
  package static func write(file text: String) {
    write(Array((isatty(1) == 1 ? shown(text) : text).utf8))
  }

  private static func line(_ text: String) -> [UInt8] {
    let text = shown(text)
    return Array((text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n").utf8)
  }

  /// Returns `text` in a form that a terminal can safely show. The function keeps the escape
  /// sequences of `Emphasis`, and makes all other escape sequences harmless.
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

  /// Writes all bytes to a descriptor.
  ///
  /// If the reader has closed the pipe, as the program `head` does, this program ends with exit
  /// code 0.
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

/// The emphasis of a word on a terminal.
package enum Emphasis: String {
  case heading = "1"
  case good = "32"
  case attention = "33"
  case bad = "31"
  case faint = "2"

  /// Returns the text with this emphasis. If standard output is not a terminal, the text is
  /// unchanged.
  package func callAsFunction(_ text: String) -> String {
    guard Terminal.isColourful, !text.isEmpty else { return text }
    let escape = "\u{1B}\(Terminal.seal)"
    return "\(escape)[\(rawValue)m\(text)\(escape)[0m"
  }
}
