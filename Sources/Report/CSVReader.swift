/// A streaming reader of comma-separated values, as an export writes them.
///
/// It needs the memory of one row, however long the file is.
public struct CSVReader {
  private var header: [String: Int]?
  private var row: [String] = []
  private var cell: [UInt8] = []
  private var isQuoted = false
  /// Whether the last byte was a quotation mark inside quotes. It ends the quotes, or it is the
  /// first half of an escaped quotation mark.
  private var isAtQuote = false

  public init() {}

  /// One row below the header, by column name.
  public struct Line {
    let header: [String: Int]
    let cells: [String]

    /// A cell; nil if it is empty, or if there is no column of this name.
    public subscript(_ name: String) -> String? {
      guard let place = header[name], place < cells.count, !cells[place].isEmpty else { return nil }
      return cells[place]
    }

    public func has(_ name: String) -> Bool { header[name] != nil }
  }

  /// Reads the next bytes of the file.
  ///
  /// - Parameter line: receives each row that these bytes complete.
  public mutating func feed(_ bytes: [UInt8], _ line: (Line) throws -> Void) rethrows {
    for byte in bytes {
      if isAtQuote {
        isAtQuote = false
        if byte == UInt8(ascii: "\"") {
          cell.append(byte)
          continue
        }
        isQuoted = false
      }
      switch byte {
      case UInt8(ascii: "\"") where isQuoted: isAtQuote = true
      case UInt8(ascii: "\""): isQuoted = true
      case UInt8(ascii: ",") where !isQuoted: endCell()
      case UInt8(ascii: "\n") where !isQuoted:
        endCell()
        try endRow(line)
      default: cell.append(byte)
      }
    }
  }

  private mutating func endCell() {
    row.append(String(decoding: cell, as: UTF8.self))
    cell.removeAll(keepingCapacity: true)
  }

  private mutating func endRow(_ line: (Line) throws -> Void) rethrows {
    defer { row.removeAll(keepingCapacity: true) }
    if let header {
      try line(Line(header: header, cells: row))
    } else {
      header = Dictionary(
        row.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }
}
