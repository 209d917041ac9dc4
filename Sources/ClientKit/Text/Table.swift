import Alarms

/// A table with headings. Each column is as wide as its widest cell, in columns of a terminal.
package struct Table {
  package struct Cell {
    package var text: String
    package var emphasis: Emphasis?

    package init(_ text: String, _ emphasis: Emphasis? = nil) {
      // The terminal shows some characters in a visible form such as `<U+202E>`. The width of the
      // cell is the width of this visible form.
      self.text = VisibleText.shown(TextFormat.oneLine(text), keepsLines: false)
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
        widths[column] = max(widths[column], DisplayWidth.columns(cell.text))
      }
    }
    return all.filter { !$0.isEmpty }.map { row in
      let last = row.lastIndex { !$0.text.isEmpty } ?? 0
      return row[...last].enumerated().map { column, cell in
        let shown = cell.emphasis?(cell.text) ?? cell.text
        let blanks = column == last ? 0 : widths[column] - DisplayWidth.columns(cell.text)
        return shown + String(repeating: " ", count: blanks)
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
