import Alarms

extension CSV {
  /// A cell and its position, for error messages. Line and column count from 1.
  public struct Cell: Hashable, Sendable {
    public var text: String
    public var line: Int
    public var column: Int
  }

  /// Reads comma-separated values (RFC 4180) with LF or CRLF. Empty lines are left out.
  ///
  /// - Throws: a `Refusal` that gives line and column.
  public static func rows(_ bytes: [UInt8]) throws(Refusal) -> [[Cell]] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Refusal(.malformed, "cannot read the file: it is not UTF-8")
    }
    var reader = CSVReader(text)
    return try reader.rows()
  }
}

private struct CSVReader {
  /// Unicode scalars, not Characters: a comma that a combining mark follows still ends a cell.
  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var line = 1
  private var lineStart = 0

  init(_ text: String) {
    // A byte-order mark is not part of the first column name.
    let all = text.unicodeScalars
    scalars = Array(all.first == "\u{FEFF}" ? all.dropFirst() : all[...])
  }

  mutating func rows() throws(Refusal) -> [[CSV.Cell]] {
    var rows: [[CSV.Cell]] = []
    var row: [CSV.Cell] = []
    while place < scalars.count {
      row.append(try cell())
      if place < scalars.count, scalars[place] == "," {
        place += 1
        if place == scalars.count { row.append(here("")) }
        continue
      }
      endLine()
      if row.count > 1 || !row[0].text.isEmpty { rows.append(row) }
      row = []
    }
    if !row.isEmpty { rows.append(row) }
    return rows
  }

  private func here(_ text: String) -> CSV.Cell {
    CSV.Cell(text: text, line: line, column: place - lineStart + 1)
  }

  private mutating func cell() throws(Refusal) -> CSV.Cell {
    var cell = here("")
    guard scalars[place] == "\"" else {
      let start = place
      while place < scalars.count, scalars[place] != ",", !isAtLineEnd {
        if scalars[place] == "\"" {
          throw refusal("a quotation mark is in a cell that does not begin with a quotation mark")
        }
        place += 1
      }
      cell.text = Self.text(scalars[start..<place])
      return cell
    }
    place += 1
    var words = String.UnicodeScalarView()
    while true {
      guard place < scalars.count else {
        throw Refusal(
          .malformed, "line \(cell.line), column \(cell.column): a quotation mark is not closed")
      }
      let scalar = scalars[place]
      if scalar == "\"" {
        place += 1
        guard place < scalars.count, scalars[place] == "\"" else { break }
        words.append("\"")
        place += 1
      } else if isAtLineEnd {
        let start = place
        endLine()
        words.append(contentsOf: scalars[start..<place])
      } else {
        words.append(scalar)
        place += 1
      }
    }
    cell.text = String(words)
    if place < scalars.count, scalars[place] != ",", !isAtLineEnd {
      throw refusal("there is text after the closing quotation mark")
    }
    return cell
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  private var isAtLineEnd: Bool { scalars[place] == "\n" || scalars[place] == "\r" }

  /// Consumes one line ending: LF, CR or CRLF.
  private mutating func endLine() {
    if place < scalars.count {
      let isReturn = scalars[place] == "\r"
      place += 1
      if isReturn, place < scalars.count, scalars[place] == "\n" { place += 1 }
    }
    line += 1
    lineStart = place
  }

  private func refusal(_ why: String) -> Refusal {
    Refusal(.malformed, "line \(line), column \(place - lineStart + 1): \(why)")
  }
}
