/// Rows under headings, each column as wide as its widest cell.
struct Table {
  struct Cell {
    var text: String
    var emphasis: Emphasis?

    init(_ text: String, _ emphasis: Emphasis? = nil) {
      self.text = TextFormat.oneLine(text)
      self.emphasis = emphasis
    }
  }

  private let headings: [String]
  private var rows: [[Cell]] = []

  /// - Parameter headings: empty for a table without them.
  init(_ headings: String...) { self.headings = headings }

  mutating func add(_ cells: Cell...) { rows.append(cells) }

  var isEmpty: Bool { rows.isEmpty }

  /// The lines, without trailing blanks.
  var text: String {
    let all = (headings.isEmpty ? [] : [headings.map { Cell($0, .heading) }]) + rows
    var widths: [Int] = []
    for row in all {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.text.count)
      }
    }
    return all.filter { !$0.isEmpty }.map { row in
      let last = row.lastIndex { !$0.text.isEmpty } ?? 0
      return row[...last].enumerated().map { column, cell in
        let shown = cell.emphasis?(cell.text) ?? cell.text
        let blanks = column == last ? 0 : widths[column] - cell.text.count
        return shown + String(repeating: " ", count: blanks)
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
