import Testing

@testable import Alarms

/// Checks a text rule at its limits, with whole messages.
@Suite struct `A rule for texts` {
  private static let line = TextRule(1...10, bytes: 12)
  private static let lines = TextRule(0...10, bytes: 12, hasLines: true)
  private static let optional = TextRule(0...10, bytes: 12)

  private func size(_ scalars: Int, _ bytes: Int, from least: Int = 1) -> String {
    "it has \(scalars) characters and \(bytes) bytes; it must have \(least) to 10 characters "
      + "(Unicode scalars) and at most 12 bytes"
  }

  @Test func `counts scalars and bytes`() {
    let blank = "it is blank; write visible characters"
    #expect(Self.line.fault(in: "") == size(0, 0))
    #expect(Self.lines.fault(in: "") == nil && Self.optional.fault(in: "") == nil)
    #expect(Self.line.fault(in: "a") == nil && Self.line.fault(in: "abcdefghij") == nil)
    #expect(Self.line.fault(in: "abcdefghijk") == size(11, 11))
    #expect(Self.lines.fault(in: "abcdefghijk") == size(11, 11, from: 0))
    // These texts have 12 and 13 bytes.
    for rule in [Self.line, Self.lines, Self.optional] {
      #expect(rule.fault(in: "éé12345678") == nil && rule.fault(in: "éééééé") == nil)
      #expect(rule.fault(in: "ééé1234567") == size(10, 13, from: rule.length.lowerBound))
    }
    #expect(Self.line.fault(in: " ") == blank && Self.optional.fault(in: " ") == blank)
    #expect(Self.lines.fault(in: " ") == nil && Self.lines.fault(in: "\n") == nil)
    #expect(TextRule(1...9, bytes: 99, hasLines: true).fault(in: "\n") == blank)
  }

  @Test func `names the place of a character that is not allowed`() {
    let cases: [(String, String)] = [
      ("a\tb", "character 2 is U+0009, which is not allowed here; remove it"),
      ("\u{85}", "character 1 is U+0085, which is not allowed here; remove it"),
      ("ab\n", "character 3 is U+000A, which is not allowed here; remove it"),
      (
        "ab\u{200B}", "character 3 is U+200B ZERO WIDTH SPACE, which is not allowed here; remove it"
      ),
      ("\u{E0001}", "character 1 is U+E0001 LANGUAGE TAG, which is not allowed here; remove it"),
      ("\u{301}a", "it begins with U+0301 COMBINING ACUTE ACCENT, which must follow a letter"),
    ]
    for (text, fault) in cases {
      #expect(Self.line.fault(in: text) == fault)
      let found = refusal { _ = try Self.line.check(text, field: "label") }
      #expect(found == Refusal(.invalidField, field: "label", fault))
    }
    #expect(refusal { _ = try Self.line.check("a", field: "label") } == nil)
  }

  @Test func `allows 30 combining marks in a row`() {
    let rule = TextRule(1...100, bytes: 400)
    func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }
    let fault = "there are more than 30 combining marks in a row at character"
    #expect(rule.fault(in: "a" + marks(30)) == nil)
    #expect(rule.fault(in: "a" + marks(30) + "b" + marks(30)) == nil)
    #expect(rule.fault(in: "a" + marks(31)) == "\(fault) 32")
    #expect(rule.fault(in: "abc" + marks(40)) == "\(fault) 34")
    #expect(rule.cleaned("a" + marks(40) + "b").unicodeScalars.count == 32)
    #expect(rule.cleaned(marks(2) + "b") == "b")
  }

  @Test func `shortens a text that is too long`() {
    #expect(Self.line.cleaned("abcdefghijklm") == "abcdefghij")
    #expect(Self.line.cleaned("éé12345678") == "éé12345678")
    #expect(Self.line.cleaned("ééé1234567") == "ééé123456")
    #expect(Self.line.cleaned("éééééééé") == "éééééé")
    #expect(Self.line.cleaned("\u{1F600}\u{1F600}\u{1F600}\u{1F600}").unicodeScalars.count == 3)
    #expect(Self.line.cleaned("a\tb\r\nc\rd\n") == "a b c d ")
    #expect(Self.lines.cleaned("a\tb\r\nc\rd\n") == "a b\nc\nd\n")
    #expect(Self.lines.cleaned("a\n\rb\n\n") == "a\n\nb\n\n")
    #expect(Self.line.cleaned("\u{200B}\u{7}") == "")
  }

  @Test func `allows a joiner only between characters that need it`() {
    let rule = TextRule(1...100, bytes: 400)
    let allowed = [
      "\u{1F469}\u{200D}\u{2695}", "\u{1F469}\u{FE0F}\u{200D}\u{2695}", "\u{645}\u{200C}\u{62E}",
      "\u{645}\u{200D}\u{62E}", "\u{915}\u{94D}\u{200D}", "\u{915}\u{94D}\u{200C}",
      "\u{5D0}\u{200C}\u{5D1}", "\u{2764}\u{FE0E}", "\u{2764}\u{FE0F}", "\u{845B}\u{FE00}",
      "\u{845B}\u{E0100}", "\u{845B}\u{E01EF}", "\u{1820}\u{180B}", "\u{18AA}\u{180F}",
      "#\u{FE0F}",
    ]
    let refused = [
      "a\u{200D}b", "a\u{200C}b", "\u{200D}\u{2695}", "a\u{200D}\u{2695}",
      "\u{1F469}\u{200C}\u{2695}",
      "\u{1F469}\u{200D}", "\u{1F469}\u{200D}a", "\u{645}\u{200C}", "\u{645}\u{200C}a",
      "\u{645}\u{200D}", "a\u{200C}\u{645}", "a\u{FE0F}", "a\u{FE00}", "\u{FE0F}", "a\u{E0100}",
      "a\u{180B}", "\u{181F}\u{180B}", "\u{18AB}\u{180B}", "\u{3B1}\u{200D}\u{3B2}",
      "9\u{200D}\u{2695}",
    ]
    for text in allowed {
      #expect(rule.fault(in: text) == nil, "\(text.debugDescription)")
      #expect(rule.cleaned(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    }
    for text in refused {
      #expect(rule.fault(in: text)?.contains("not allowed") == true, "\(text.debugDescription)")
    }
  }
}
