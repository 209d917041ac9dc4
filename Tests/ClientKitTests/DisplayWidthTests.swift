import Testing

@testable import ClientKit

@Suite struct `A table` {
  @Test(
    arguments: [
      ("", 0), ("Tea", 3), ("Café", 4), ("Cafe\u{301}", 4), ("薬を飲む", 8), ("약 먹기", 7),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("ｱｲ", 2), ("ＡＢ", 4), ("か\u{3099}", 2), ("Thuốc", 5),
      ("💊", 2), ("👩‍⚕️", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("☀️", 2), ("☀", 1), ("1️⃣", 2),
      ("…–€", 3), ("กำ", 2), ("शुक्र", 3), ("שָׁלוֹם", 4), ("a\u{200B}b", 2), ("①", 1),
    ] as [(String, Int)])
  func `knows the columns of a text`(text: String, columns: Int) {
    #expect(DisplayWidth.columns(text) == columns, "\(text)")
  }

  @Test func `starts each column at the same place on the terminal`() {
    var table = Table("LABEL", "STATE")
    for label in ["Tea", "朝に薬を飲む", "Cafe\u{301}", "👩‍⚕️ visit", "a\u{202E}b"] {
      table.add(.init(label), .init("|"))
    }
    let lines = table.text.split(separator: "\n")
    let starts = lines.dropFirst().map { DisplayWidth.columns(String($0.dropLast())) }
    #expect(Set(starts) == [12 + 2], "\(table.text)")
    #expect(lines[0] == "LABEL         STATE")
  }
}
