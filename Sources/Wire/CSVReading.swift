import Alarms

extension CSV {
  /// A cell with where it begins, for the sentence that refuses it. Both count from 1.
  public struct Cell: Hashable, Sendable {
    public var text: String
    public var line: Int
    public var column: Int
  }

  /// Reads comma-separated values as RFC 4180 has them, with LF or CRLF; empty lines are left out.
  ///
  /// - Throws: a `Refusal` that names line and column.
  public static func rows(_ bytes: [UInt8]) throws(Refusal) -> [[Cell]] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Refusal(.malformed, "cannot read the file: it is not UTF-8")
    }
    var reader = CSVReader(text)
    return try reader.rows()
  }
}

private struct CSVReader {
  private let characters: [Character]
  private var place = 0
  private var line = 1
  private var lineStart = 0

  init(_ text: String) {
    // A byte-order mark is no part of the first name.
    characters = Array(text.first == "\u{FEFF}" ? text.dropFirst() : text[...])
  }

  mutating func rows() throws(Refusal) -> [[CSV.Cell]] {
    var rows: [[CSV.Cell]] = []
    var row: [CSV.Cell] = []
    while place < characters.count {
      row.append(try cell())
      if place < characters.count, characters[place] == "," {
        place += 1
        if place == characters.count { row.append(here("")) }
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
    guard characters[place] == "\"" else {
      let start = place
      while place < characters.count, characters[place] != ",", !characters[place].isNewline {
        if characters[place] == "\"" {
          throw refusal("a quotation mark stands in a cell that does not begin with one")
        }
        place += 1
      }
      cell.text = String(characters[start..<place])
      return cell
    }
    place += 1
    while true {
      guard place < characters.count else {
        throw Refusal(
          .malformed, "line \(cell.line), column \(cell.column): a quotation mark is never closed")
      }
      let character = characters[place]
      if character == "\"" {
        place += 1
        guard place < characters.count, characters[place] == "\"" else { break }
        cell.text.append("\"")
        place += 1
      } else {
        cell.text.append(character)
        if character.isNewline { endLine() } else { place += 1 }
      }
    }
    if place < characters.count, characters[place] != ",", !characters[place].isNewline {
      throw refusal("something follows the end of a quoted cell")
    }
    return cell
  }

  /// CR LF is one character.
  private mutating func endLine() {
    place += 1
    line += 1
    lineStart = place
  }

  private func refusal(_ why: String) -> Refusal {
    Refusal(.malformed, "line \(line), column \(place - lineStart + 1): \(why)")
  }
}
