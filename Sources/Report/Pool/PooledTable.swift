import StudyExport

/// Adds the columns of the pool to the rows of a table. The table belongs to one export.
public struct PooledTable {
  private let export: PooledExport
  private let file: String
  /// The cells with the site, the home and the device, with a comma after each cell.
  ///
  /// The pool adds these cells to the start of each row. Exception: if the table of the export
  /// already has one of these columns, the pool does not add the cell for this column.
  private let prefix: [UInt8]
  private let places: [String: Int]
  private var row: [UInt8] = []
  private var isInQuotes = false
  private var isHeaderRead = false
  /// The number of rows without the header row.
  public private(set) var rows = 0
  /// The value of `prompt_id` in each row; empty if the file is not prompts.csv.
  public private(set) var promptIDs: [String] = []

  /// - Parameter file: the name of the file, for example `prompts.csv`.
  public init(_ export: PooledExport, file: String) {
    self.export = export
    self.file = file
    var prefix: [UInt8] = []
    let values = ["site": export.site, "home": export.home, "device": export.device]
    for cell in export.added(to: file).compactMap({ values[$0] }) {
      CSV.append(text: cell, to: &prefix)
      prefix.append(UInt8(ascii: ","))
    }
    self.prefix = prefix
    places = Dictionary(
      export.headers[file, default: []].enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The header row of the pooled table.
  public static func header(_ file: String, of export: PooledExport) -> [UInt8] {
    let names = export.added(to: file) + export.headers[file, default: []]
    return Array((names.joined(separator: ",") + "\n").utf8)
  }

  /// Reads the next bytes of the file, and appends each complete row to `output`.
  ///
  /// The function leaves out the header row. A line break in a quoted cell does not end a row.
  public mutating func feed(_ bytes: [UInt8], into output: inout [UInt8]) {
    var start = bytes.startIndex
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
      guard byte == UInt8(ascii: "\n"), !isInQuotes else { continue }
      if isHeaderRead {
        write(bytes[start...index], into: &output)
      } else {
        isHeaderRead = true
      }
      row.removeAll(keepingCapacity: true)
      start = index + 1
    }
    row += bytes[start...]
  }

  /// True if the file ended in the middle of a row.
  public var isCut: Bool { !row.isEmpty || !isHeaderRead }

  /// Writes a row. `row` contains the start of the row from earlier bytes, and `end` contains the
  /// rest of the row.
  private mutating func write(_ end: ArraySlice<UInt8>, into output: inout [UInt8]) {
    rows += 1
    output += prefix
    if file == "prompts.csv" {
      let cells = (try? CSV.rows(row + end))?.first ?? []
      func cell(_ name: String) -> String? {
        guard let place = places[name], place < cells.count else { return nil }
        return cells[place].text.isEmpty ? nil : cells[place].text
      }
      promptIDs.append(cell("prompt_id") ?? "")
      let day = export.studyDay(
        of: cell("person") ?? "", study: cell("study_id") ?? "",
        due: cell("due_day") ?? cell("due_local"))
      if let day { CSV.append(Int64(day), to: &output) }
      output.append(UInt8(ascii: ","))
    }
    output += row
    output += end
  }
}
