import Glibc

/// Standard output and standard error.
enum Terminal {
  /// Whether a person looks at standard output and has not asked for plain text (no-color.org).
  static let isColourful: Bool =
    isatty(1) == 1 && getenv("NO_COLOR") == nil
    && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false

  /// Writes a text and ends its line.
  static func print(_ text: String) { write(line(text)) }

  /// Writes a sentence to standard error.
  static func complain(_ text: String) { write(line(text), to: 2) }

  private static func line(_ text: String) -> [UInt8] {
    Array((text.hasSuffix("\n") ? text : text + "\n").utf8)
  }

  /// Writes all bytes. A reader that has seen enough, as `head` has, ends the program in good order.
  static func write(_ bytes: [UInt8], to descriptor: Int32 = 1) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        exit(0)
      } else if errno != EINTR {
        let reason = String(cString: strerror(errno))
        if descriptor != 2 { complain("prompter: cannot write the answer: \(reason)") }
        exit(Failure.badUsage("").exitCode)
      }
    }
  }
}

/// How a word stands out on a terminal.
enum Emphasis: String {
  case heading = "1"
  case good = "32"
  case attention = "33"
  case bad = "31"
  case faint = "2"

  /// The text with this emphasis, or as it is where nobody looks.
  func callAsFunction(_ text: String) -> String {
    Terminal.isColourful && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }
}
