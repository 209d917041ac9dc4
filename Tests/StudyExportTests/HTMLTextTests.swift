import StudyExport
import Testing

@Suite struct `Names in a page` {
  /// Decodes, byte by byte, the five character references that the page uses.
  private func read(_ html: String) -> String {
    let references = ["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&amp;": "&"]
    var (text, rest) = ([UInt8](), Array(html.utf8)[...])
    while let byte = rest.first {
      let found = references.first { rest.starts(with: $0.key.utf8) }
      text += found.map { Array($0.value.utf8) } ?? [byte]
      rest = rest.dropFirst(found?.key.utf8.count ?? 1)
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test(arguments: ["<", ">", "&", "\"", "'", "<img src=x onerror=alert(1)>"])
  func `are text, also beside combining characters`(special: String) {
    for text in [
      special, "\u{600}" + special, special + "\u{301}", special + "\u{200D}", special + "\u{FE0F}",
    ] {
      let html = HTMLText.escaped(text)
      #expect(!html.utf8.contains { "<>\"'".utf8.contains($0) }, "\(html)")
      #expect(read(html).unicodeScalars.elementsEqual(text.unicodeScalars), "\(html)")
    }
  }

  @Test func `have no NUL, which HTML does not allow`() {
    #expect(HTMLText.escaped("a\0b") == "a\u{FFFD}b")
  }
}
