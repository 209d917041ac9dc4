import Alarms

/// A streaming reader of a table: a header, and rows whose cells are found by the column name.
///
/// It needs the memory of one row, however long the file is.
public struct CSVTableReader {
  private var reader = CSVReader()
  private var header: [String: Int]?

  public init() {}

  /// One row below the header, by column name.
  public struct Line {
    let header: [String: Int]
    let cells: [CSV.Cell]

    /// A cell; nil if it is empty, or if there is no column of this name.
    public subscript(_ name: String) -> String? {
      guard let place = header[name], place < cells.count, !cells[place].text.isEmpty else {
        return nil
      }
      return cells[place].text
    }

    public func has(_ name: String) -> Bool { header[name] != nil }
  }

  /// Reads the next bytes of the file. A last row without a line ending is incomplete and left out.
  ///
  /// - Parameter line: receives each row that these bytes complete.
  /// - Throws: a `Refusal` that gives line and column.
  public mutating func feed(_ bytes: [UInt8], _ line: (Line) -> Void) throws(Refusal) {
    for byte in bytes {
      guard let row = try reader.take(byte) else { continue }
      if let header {
        line(Line(header: header, cells: row))
      } else {
        header = Dictionary(
          row.enumerated().map { ($1.text, $0) }, uniquingKeysWith: { first, _ in first })
      }
    }
  }
}
