import Alarms

/// A streaming reader of a CSV table with a header row. For each row, a caller can get the cell of
/// a column by the name of the column.
///
/// The reader keeps only one row in memory, even if the file is very long.
public struct CSVTableReader {
  private var reader = CSVReader()
  private var header: [String: Int]?

  public init() {}

  /// The names of the columns, in their order; empty until the reader has read the header row.
  public private(set) var columns: [String] = []

  /// A row after the header row. A caller gets a cell by the name of its column.
  public struct Line {
    let header: [String: Int]
    let cells: [CSV.Cell]

    /// The text of a cell; nil if the cell is empty, or if no column has this name.
    public subscript(_ name: String) -> String? {
      guard let place = header[name], place < cells.count, !cells[place].text.isEmpty else {
        return nil
      }
      return cells[place].text
    }

    public func has(_ name: String) -> Bool { header[name] != nil }
  }

  /// Reads the next bytes of the file. The reader ignores a last row without a line ending, because
  /// this row is incomplete.
  ///
  /// - Parameter line: a closure that the reader calls with each row whose end is in `bytes`.
  /// - Throws: a `Refusal` that contains the line and the column of the error.
  public mutating func feed(_ bytes: [UInt8], _ line: (Line) -> Void) throws(Refusal) {
    for byte in bytes {
      guard let row = try reader.take(byte) else { continue }
      if let header {
        line(Line(header: header, cells: row))
      } else {
        columns = row.map(\.text)
        header = Dictionary(
          row.enumerated().map { ($1.text, $0) }, uniquingKeysWith: { first, _ in first })
      }
    }
  }
}
