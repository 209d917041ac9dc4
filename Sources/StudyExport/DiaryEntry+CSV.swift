import Alarms
import CivilTime

extension DiaryEntry {
  /// Reads a diary file: a header, then one row for each day or prompt.
  ///
  /// The file must have the column `completion`, and either the column `day` or the column
  /// `prompt_id`, but not both. The columns `burden`, `note` and `person` are optional. The columns
  /// can have any order.
  ///
  /// - Returns: each entry, with the cell that contains its day or prompt.
  /// - Throws: a `Refusal` that contains the line and the column of the first error.
  public static func read(
    csv bytes: [UInt8]
  ) throws(Refusal) -> [(entry: DiaryEntry, cell: CSV.Cell)] {
    let rows = try CSV.rows(bytes)
    guard let header = rows.first else {
      throw Refusal(.malformed, "the file is empty; its first line must name the columns")
    }
    let columns = try DiaryColumns(header)
    if rows.count - 1 > entries {
      throw Refusal(
        .limit, "the file has \(rows.count - 1) entries; a file may have at most \(entries)")
    }
    var found: [(entry: DiaryEntry, cell: CSV.Cell)] = []
    var seen: [DiaryEntry.Key: Int] = [:]
    for row in rows.dropFirst() {
      guard row.count == header.count else {
        throw Refusal(
          .malformed,
          "line \(row[0].line): the line has \(row.count) cells, but the header has \(header.count)"
        )
      }
      let (entry, cell) = try columns.entry(row)
      if let line = seen.updateValue(cell.line, forKey: entry.key) {
        throw cell.refusal("line \(line) already has an entry about it")
      }
      found.append((entry, cell))
    }
    return found
  }

  /// The key of a diary entry: the person, and either the day or the prompt. Each key can occur
  /// only once in a file.
  public struct Key: Hashable, Sendable {
    var person: PersonID
    var subject: Subject
  }

  public var key: Key { Key(person: person, subject: subject) }
}

extension CSV.Cell {
  public func refusal(_ why: String) -> Refusal {
    Refusal(.invalidField, "line \(line), column \(column): \"\(text)\": \(why)")
  }
}

/// The index of each column in a diary file.
private struct DiaryColumns {
  private var places: [String: Int] = [:]
  private static let known = ["day", "prompt_id", "completion", "burden", "note", "person"]

  init(_ header: [CSV.Cell]) throws(Refusal) {
    for (place, cell) in header.enumerated() {
      guard Self.known.contains(cell.text) else {
        throw cell.refusal(
          "there is no column with this name; the columns are \(Self.known.joined(separator: ", "))"
        )
      }
      if places.updateValue(place, forKey: cell.text) != nil {
        throw cell.refusal("the column occurs twice")
      }
    }
    guard (places["day"] == nil) != (places["prompt_id"] == nil), places["completion"] != nil else {
      throw Refusal(
        .malformed,
        "line 1: there must be a column completion, and either day or prompt_id, but not both")
    }
  }

  func entry(_ row: [CSV.Cell]) throws(Refusal) -> (DiaryEntry, CSV.Cell) {
    let (subject, cell) = try subject(row)
    guard let completion = try number("completion", row, DiaryEntry.completions) else {
      throw row[places["completion"] ?? 0].refusal("it must be from 0 to 3")
    }
    var note = ""
    if let place = places["note"] {
      // Some spreadsheet programs write CRLF for a line end inside a cell. The record uses only LF.
      note = Self.withLineFeeds(CSV.unmarked(row[place].text))
      if let fault = DiaryEntry.noteRule.fault(in: note) {
        throw Refusal(
          .invalidField,
          "note: line \(row[place].line), column \(row[place].column): \(fault)")
      }
    }
    let person = places["person"].map { CSV.unmarked(row[$0].text) } ?? ""
    return (
      DiaryEntry(
        person: person.isEmpty ? .patient : PersonID(person), subject: subject,
        completion: completion, burden: try number("burden", row, DiaryEntry.burdens), note: note,
        number: 1), cell
    )
  }

  private static func withLineFeeds(_ text: String) -> String {
    String(text.map { $0 == "\r\n" ? "\n" : $0 })
  }

  private func subject(
    _ row: [CSV.Cell]
  ) throws(Refusal) -> (DiaryEntry.Subject, CSV.Cell) {
    if let place = places["day"] {
      let cell = row[place]
      if let day = try? CivilDate(parsing: cell.text) { return (.day(day), cell) }
      throw cell.refusal("it is not a date; write it like 2026-12-01")
    }
    let cell = row[places["prompt_id"] ?? 0]
    if let prompt = PromptID(cell.text) { return (.prompt(prompt), cell) }
    throw cell.refusal(
      "it is not the id of a prompt; an id looks like k3v9t2m8q4wz@2026-12-01T08:00:00")
  }

  private func number(
    _ column: String, _ row: [CSV.Cell], _ range: ClosedRange<Int>
  ) throws(Refusal) -> Int? {
    guard let place = places[column], !row[place].text.isEmpty else { return nil }
    if let number = Int(row[place].text), range.contains(number) { return number }
    throw row[place].refusal("it must be from \(range.lowerBound) to \(range.upperBound)")
  }
}
