import Testing

@testable import Alarms

/// Checks that control characters in a text are replaced, so that the text is safe to print.
@Suite struct `Visible text` {
  @Test func `control characters are exactly these ranges`() {
    let ranges: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
    ]
    for value in UInt32(0)...0x2100 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(
        VisibleText.isControlCharacter(scalar) == ranges.contains { $0.contains(value) },
        "U+\(String(value, radix: 16))")
    }
  }

  @Test(arguments: [
    ("plain text", "plain text", "plain text"),
    ("", "", ""),
    ("über 20 °C", "über 20 °C", "über 20 °C"),
    ("a\nb\tc", "a\nb\tc", "a<U+000A>b<U+0009>c"),
    ("a\nb", "a\nb", "a<U+000A>b"),
    ("a\rb", "a<U+000D>b", "a<U+000D>b"),
    ("\u{1B}[2J", "<U+001B>[2J", "<U+001B>[2J"),
    ("\u{7F}~", "<U+007F>~", "<U+007F>~"),
    ("\u{9B}31m", "<U+009B>31m", "<U+009B>31m"),
    ("a\u{202E}b", "a<U+202E>b", "a<U+202E>b"),
    ("\u{1F600}\u{2066}", "\u{1F600}<U+2066>", "\u{1F600}<U+2066>"),
    ("\u{1F} \u{20}", "<U+001F> \u{20}", "<U+001F> \u{20}"),
  ])
  func `a control character is shown as its code`(text: String, lines: String, line: String) {
    #expect(VisibleText.shown(text, keepsLines: true) == lines)
    #expect(VisibleText.shown(text, keepsLines: false) == line)
  }

  @Test(arguments: [
    (#"{"a": "b"}"#, #"{"a": "b"}"#),
    ("{\n\t\"a\": 1\r\n}", "{\n\t\"a\": 1 \n}"),
    ("\"a\u{7F}b\"", #""a\u007fb""#),
    ("\"a\u{9B}b\"", #""a\u009bb""#),
    ("\"a\u{202E}b\"", #""a\u202eb""#),
    ("\"ü\u{1F600}\"", "\"ü\u{1F600}\""),
    ("\"\u{1F}\"", #""\u001f""#),
  ])
  func `a control character in JSON becomes an escape`(text: String, shown: String) {
    #expect(String(decoding: VisibleText.json(Array(text.utf8)), as: UTF8.self) == shown)
  }
}
