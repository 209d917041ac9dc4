/// A table with headings. Each column is as wide as its widest cell.
package struct Table {
  package struct Cell {
    package var text: String
    package var emphasis: Emphasis?

    package init(_ text: String, _ emphasis: Emphasis? = nil) {
      self.text = TextFormat.oneLine(text)
      self.emphasis = emphasis
    }
  }

  private let headings: [String]
  private var rows: [[Cell]] = []

  /// - Parameter headings: the headings of the columns. A table without headings is allowed.
  package init(_ headings: String...) { self.headings = headings }

  package init(_ headings: [String]) { self.headings = headings }

  package mutating func add(_ cells: Cell...) { rows.append(cells) }

  package mutating func add(_ cells: [Cell]) { rows.append(cells) }

  package var isEmpty: Bool { rows.isEmpty }

  /// The lines of the table, without trailing spaces.
  package var text: String {
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
