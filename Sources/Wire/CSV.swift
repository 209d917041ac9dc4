/// Comma-separated values as RFC 4180 has them, in UTF-8, with LF after each line.
///
/// ## Cells that a spreadsheet would run
/// A text cell that begins with `=` `+` `-` `@`, their full-width forms, a tab, a line break or `'`
/// gets one `'` in front. Spreadsheets take such a cell as text; a program gets the value back by
/// removing one leading `'`. Cells of number columns are never touched: −12 stays a number.
public enum CSV {
  /// Appends a text cell.
  public static func append(text: String, to line: inout [UInt8]) {
    if text.utf8.allSatisfy(isPlain) {
      line.append(contentsOf: text.utf8)
      return
    }
    let mark = needsMark(text) ? "'" : ""
    guard text.utf8.contains(where: needsQuotes) else {
      line.append(contentsOf: mark.utf8)
      line.append(contentsOf: text.utf8)
      return
    }
    line.append(UInt8(ascii: "\""))
    line.append(contentsOf: mark.utf8)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { line.append(byte) }
      // Many readers stop at a NUL; U+FFFD is what Unicode has for a character that cannot be.
      if byte == 0 { line.append(contentsOf: "\u{FFFD}".utf8) } else { line.append(byte) }
    }
    line.append(UInt8(ascii: "\""))
  }

  /// Appends a cell that is a number, a date or a word of this program's own.
  public static func append(plain: String, to line: inout [UInt8]) {
    line.append(contentsOf: plain.utf8)
  }

  /// What a text cell stands for: undoes the mark for spreadsheets.
  public static func unmarked(_ cell: String) -> String {
    cell.hasPrefix("'") ? String(cell.dropFirst()) : cell
  }

  private static func needsMark(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    switch first {
    case "=", "+", "-", "@", "\t", "\r", "\n", "'", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}":
      return true
    default: return false
    }
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
      UInt8(ascii: " "), UInt8(ascii: "\t"), 0:
      true
    default: false
    }
  }

  /// Letters and digits: most cells are made of nothing else and need no second look.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
