/// Comma-separated values as RFC 4180 has them, in UTF-8, with LF after each line.
///
/// ## RowReader that a spreadsheet would run
/// A text cell that begins with `=` `+` `-` `@`, their full-width and small forms, a tab, a line break or
/// `'` gets one `'` in front; so does one in which blanks, marks or invisible signs stand before such a
/// sign. Spreadsheets take such a cell as text; a program gets the value back by
/// removing one leading `'`. RowReader of number columns are never touched: −12 stays a number.
public enum CSV {
  /// Appends a text cell.
  public static func append(text: String, to line: inout [UInt8]) {
    var text = text
    text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), to: &line) }
  }

  /// Appends a text cell that is given in UTF-8.
  public static func append(utf8 text: UnsafeRawBufferPointer, to line: inout [UInt8]) {
    let isMarked = needsMark(text)
    guard text.contains(where: needsQuotes) else {
      if isMarked { line.append(UInt8(ascii: "'")) }
      line.append(contentsOf: text)
      return
    }
    line.append(UInt8(ascii: "\""))
    if isMarked { line.append(UInt8(ascii: "'")) }
    var start = 0
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\"") || byte == 0 {
      line.append(contentsOf: text[start..<index])
      start = index + 1
      if byte == 0 {
        // Many readers stop at a NUL; U+FFFD is what Unicode has for a character that cannot be.
        line.append(contentsOf: "\u{FFFD}".utf8)
      } else {
        line.append(byte)
        line.append(byte)
      }
    }
    line.append(contentsOf: text[start...])
    line.append(UInt8(ascii: "\""))
  }

  /// Appends a whole number.
  public static func append(_ value: Int64, to line: inout [UInt8]) {
    var rest = value.magnitude
    if value < 0 { line.append(UInt8(ascii: "-")) }
    let start = line.count
    repeat {
      line.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    line[start...].reverse()
  }

  /// Appends a cell that is a number, a date or a word of this program's own.
  public static func append(plain: String, to line: inout [UInt8]) {
    line.append(contentsOf: plain.utf8)
  }

  /// What a text cell stands for: undoes the mark for spreadsheets.
  public static func unmarked(_ cell: String) -> String {
    cell.unicodeScalars.first == "'" ? String(cell.unicodeScalars.dropFirst()) : cell
  }

  private static func needsMark(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first else { return false }
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
      UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "'"):
      return true
    // Printable ASCII, nearly every cell: nothing is hidden in front.
    case 0x21...0x7E: return false
    default: break
    }
    // Some programs drop blanks, marks and invisible signs at the start, and run what follows.
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if formulaSigns.contains(scalar) { return true }
      if !isPassedOver(scalar) { return false }
    }
    return false
  }

  /// What begins a formula, with the full-width and small forms that a spreadsheet may take for it.
  private static let formulaSigns = Set<Unicode.Scalar>(
    "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{FE66}\u{FE62}\u{FE63}\u{FE6B}\u{2212}".unicodeScalars)

  private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .nonspacingMark,
      .enclosingMark, .spacingMark, .privateUse, .unassigned:
      true
    default: scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
    }
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\""), UInt8(ascii: "\n"),
      UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "\t"), 0:
      true
    default: false
    }
  }
}
