import StudyExport
import Testing

@Suite struct `Comma-separated values` {
  private func cell(_ text: String) -> String {
    var bytes: [UInt8] = []
    CSV.append(text: text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("pills", "pills"), ("", ""), ("8 pills", "\"8 pills\""), ("a,b", "\"a,b\""),
    ("say \"ah\"", "\"say \"\"ah\"\"\""), ("a\nb", "\"a\nb\""), ("=1+1", "'=1+1"),
    ("+49 30", "\"'+49 30\""), ("-12", "'-12"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "\"'\tx\""),
    ("\rx", "\"'\rx\""), ("'quoted'", "''quoted'"), ("＝1", "'＝1"), ("a=b", "a=b"),
    ("über", "über"), (";", "\";\""), ("\nx", "\"'\nx\""), ("  =1", "\"'  =1\""),
    ("  a", "\"  a\""),
    ("\u{200B}=1", "'\u{200B}=1"), ("\u{301}-1", "'\u{301}-1"), ("\u{2800}+1", "'\u{2800}+1"),
    ("\u{200B}a=1", "\u{200B}a=1"), ("ü=1", "ü=1"), ("\u{2212}1", "'\u{2212}1"), ("!=1", "!=1"),
    ("~=1", "~=1"), ("\u{E000}@1", "'\u{E000}@1"), ("  ", "\"  \""),
    ("{\"a\":1}", "\"{\"\"a\"\":1}\""),
  ])
  func `a text becomes a cell that no spreadsheet runs`(text: String, expected: String) {
    #expect(cell(text) == expected)
  }

  @Test(arguments: ["=1", "'", "''", "'=1", "-", "plain", ""])
  func `the mark for spreadsheets can be undone`(text: String) {
    #expect(CSV.unmarked(cell(text)) == text)
  }

  @Test func `a NUL does not cut a line short`() {
    #expect(cell("a\u{0}b") == "\"a\u{FFFD}b\"")
  }
}
