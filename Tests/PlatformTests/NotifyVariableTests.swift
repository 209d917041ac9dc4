import Alarms
import Testing

@testable import Platform

/// Tests that the command of a contact gets a label or a name as plain text.
@Suite struct `The variables for a contact's command` {
  @Test(arguments: [
    ("Take the pills", "Take the pills"),
    ("a\r\nBcc: eve@example.org\r\n\r\nhello", "a Bcc: eve@example.org hello"),
    ("a\nb\rc\u{b}d\u{c}e\u{85}f\u{2028}g\u{2029}h\ti", "a b c d e f g h i"),
    ("a\u{0}PROMPTER_REASON=x", "a PROMPTER_REASON=x"), ("a\u{0}\u{301}b", "a \u{301}b"),
    ("a\u{1b}[31mb\u{7f}c\u{9b}d", "a [31mb c d"), ("a\u{202e}b\u{2066}c\u{feff}d", "abcd"),
    ("می‌خواهم", "می‌خواهم"), ("👩‍👧", "👩‍👧"), ("  a  b  ", "a b"), ("\r\n", ""),
  ])
  func `each value is one line`(_ text: String, _ line: String) {
    #expect(NotifyVariable.line(text) == line)
    #expect(NotifyVariable.line(line) == line)
  }

  @Test(arguments: ["a", "é", "薬", "💊", "\u{301}", "a ", "\n"])
  func `each value has a size limit and is cut between characters`(_ piece: String) {
    let line = NotifyVariable.line("x" + String(repeating: piece, count: 100_000) + "x")
    #expect(line.utf8.count <= NotifyVariable.mostBytes)
    #expect(line.hasSuffix("…") == (piece != "\n"))
    #expect(!line.contains("\u{fffd}"))
  }

  @Test func `the notification service passes on these variables, each once, and no others`() throws
  {
    let known = NotifyVariable.allCases.map { (name: $0.rawValue, value: "v\nw") }
    let read = try #require(NotifyVariable.read(known))
    #expect(read.map(\.0) == NotifyVariable.allCases && read.allSatisfy { $0.1 == "v w" })
    for name in [
      "PROMPTER_CONTACT", "PROMPTER_SOCKET", "PROMPTER_", "PATH", "LD_PRELOAD", "BASH_ENV", "",
      "HOME",
      "PROMPTER_LABEL ", "prompter_label",
    ] {
      #expect(NotifyVariable.read(known + [(name: name, value: "x")]) == nil, "\(name)")
    }
    #expect(NotifyVariable.read([])?.isEmpty == true)
  }
}
