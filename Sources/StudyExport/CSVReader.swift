import Alarms

extension CSV {
  /// A cell and its position in the file, for error messages. The first line and the first column
  /// have the number 1.
  public struct Cell: Hashable, Sendable {
    public var text: String
    public var line: Int
    public var column: Int
  }

  /// Reads comma-separated values (RFC 4180). A line can end with LF, CRLF or CR. The result
  /// contains no empty lines.
  ///
  /// - Throws: a `Refusal` that contains the line and the column of the error.
  public static func rows(_ bytes: [UInt8]) throws(Refusal) -> [[Cell]] {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Refusal(.malformed, "cannot read the file: it is not UTF-8")
    }
    var reader = CSVReader()
    var rows: [[Cell]] = []
    for byte in bytes { if let row = try reader.take(byte) { rows.append(row) } }
    if let row = try reader.finish() { rows.append(row) }
    return rows
  }
}

/// A streaming reader of comma-separated values (RFC 4180). A line can end with LF, CRLF or CR.
///
/// The reader keeps only one row in memory. The reader works on bytes and not on values of
/// `Character`. Reason: if a combining mark follows a comma, Swift combines the comma and the mark
/// into one `Character`. As bytes, the comma and the mark stay separate, and the comma ends the
/// cell.
struct CSVReader {
  private enum State {
    /// The reader is at the start of a cell.
    case start
    case plain
    case quoted
    /// The last byte was a quotation mark in a quoted cell. This quotation mark either ends the
    /// cell, or is the first of two quotation marks that mean one quotation mark in the text.
    case atQuote
  }

  private static let quote = UInt8(ascii: "\"")
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private var state = State.start
  private var row: [CSV.Cell] = []
  private var cell: [UInt8] = []
  /// The position of the next byte.
  private var (line, column) = (1, 1)
  private var cellStart = (line: 1, column: 1)
  /// True if the last byte was a CR. If the next byte is an LF, the CR and the LF are one line
  /// ending.
  private var isAtReturn = false
  /// The number of bytes that match a byte-order mark so far.
  ///
  /// The value is nil after the whole byte-order mark. The value is also nil if the file does not
  /// begin with a byte-order mark.
  private var markBytes: Int? = 0

  /// Adds the next byte of the file to the current row.
  ///
  /// - Returns: the row that ends with this byte; nil if no row ends, or if the row is empty.
  mutating func take(_ byte: UInt8) throws(Refusal) -> [CSV.Cell]? {
    // The reader leaves out a byte-order mark, because the mark is not part of the first cell.
    if let count = markBytes {
      if byte == Self.byteOrderMark[count] {
        markBytes = count + 1 < Self.byteOrderMark.count ? count + 1 : nil
        return nil
      }
      try endMark(count)
    }
    if isAtReturn {
      isAtReturn = false
      if byte == UInt8(ascii: "\n") {
        if state == .quoted { cell.append(byte) }
        return nil
      }
    }
    if state == .start { cellStart = (line, column) }
    let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    switch state {
    case .quoted where byte == Self.quote: state = .atQuote
    case .quoted: cell.append(byte)
    case .atQuote where byte == Self.quote:
      cell.append(byte)
      state = .quoted
    case _ where byte == UInt8(ascii: ","): endCell()
    case _ where isLineEnd:
      endCell()
      endLine(byte)
      return endRow()
    case .start where byte == Self.quote: state = .quoted
    case .plain where byte == Self.quote:
      throw refusal("a quotation mark is in a cell that does not begin with one")
    case .atQuote: throw refusal("there is text after the closing quotation mark of a cell")
    case .start, .plain:
      cell.append(byte)
      state = .plain
    }
    if isLineEnd {
      endLine(byte)
    } else if byte & 0xC0 != 0x80 {
      // A character in UTF-8 can have several bytes. Only the first byte of a character increases
      // the column number. The other bytes of the character do not increase the column number.
      column += 1
    }
    return nil
  }

  /// Handles the end of the file.
  ///
  /// - Returns: the last row, if the file does not end with a line ending; otherwise nil.
  mutating func finish() throws(Refusal) -> [CSV.Cell]? {
    if let count = markBytes { try endMark(count) }
    if state == .quoted {
      throw Refusal(
        .malformed,
        "line \(cellStart.line), column \(cellStart.column): a quotation mark is not closed")
    }
    if state == .start, row.isEmpty { return nil }
    if state == .start { cellStart = (line, column) }
    endCell()
    return endRow()
  }

  /// Ends the search for a byte-order mark. If the file began with only a part of a byte-order
  /// mark, the function reads these bytes again as content.
  private mutating func endMark(_ count: Int) throws(Refusal) {
    markBytes = nil
    for byte in Self.byteOrderMark[..<count] { _ = try take(byte) }
  }

  private mutating func endCell() {
    row.append(
      CSV.Cell(
        text: String(decoding: cell, as: UTF8.self), line: cellStart.line,
        column: cellStart.column))
    cell.removeAll(keepingCapacity: true)
    state = .start
  }

  private mutating func endLine(_ byte: UInt8) {
    isAtReturn = byte == UInt8(ascii: "\r")
    line += 1
    column = 1
  }

  private mutating func endRow() -> [CSV.Cell]? {
    defer { row.removeAll(keepingCapacity: true) }
    return row.count > 1 || !row[0].text.isEmpty ? row : nil
  }

  private func refusal(_ why: String) -> Refusal {
    Refusal(.malformed, "line \(line), column \(column): \(why)")
  }
}
