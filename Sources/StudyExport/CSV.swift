/// Writes comma-separated values (RFC 4180) in UTF-8, with LF after each line.
///
/// ## Text that a spreadsheet would execute as a formula
///
/// The writer puts one `'` before a text cell in two cases:
///
/// - The cell begins with `=` `+` `-` `@`, with the minus sign U+2212, with a full-width or small
///   form of one of these signs, with a tab, with a line break, or with `'`.
/// - The cell begins with blanks, combining marks or invisible characters, and the first character
///   after them is `=` `+` `-` `@`, the minus sign U+2212, or a full-width or small form of one of
///   these signs.
///
/// Because of the `'`, a spreadsheet reads the cell as text. A program other than a spreadsheet
/// must remove this `'` from the start of the text cell to get the value. The writer never puts a
/// `'` into a number column. For example, −12 stays a number.
public enum CSV {
  /// Appends a text cell.
  public static func append(text: String, to line: inout [UInt8]) {
    var text = text
    text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), to: &line) }
  }

  /// Appends a text cell. The text is in UTF-8.
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
        // Many CSV readers stop at a NUL character. Therefore the writer writes U+FFFD, the
        // replacement character of Unicode, instead of NUL.
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

  /// Appends a cell that needs no quotation marks: a number, a date or a fixed word.
  public static func append(plain: String, to line: inout [UInt8]) {
    line.append(contentsOf: plain.utf8)
  }

  /// Removes the `'` that `append(text:)` added for spreadsheets.
  public static func unmarked(_ cell: String) -> String {
    cell.unicodeScalars.first == "'" ? String(cell.unicodeScalars.dropFirst()) : cell
  }

  private static func needsMark(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first else { return false }
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
      UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "'"):
      return true
    // The list above contains each printable ASCII character that needs a `'`. A cell that begins
    // with a different printable ASCII character needs no `'`. Nearly all cells begin with such a
    // character. Therefore the slow check below is rarely necessary.
    case 0x21...0x7E: return false
    default: break
    }
    // Some programs ignore blanks, combining marks and invisible characters at the start of a cell,
    // and execute the rest of the cell as a formula.
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if formulaSigns.contains(scalar) { return true }
      if !isPassedOver(scalar) { return false }
    }
    return false
  }

  /// The characters that begin a formula.
  ///
  /// The set includes the full-width and small forms of these characters, because some spreadsheet
  /// programs accept these forms.
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
