import Alarms
import CivilTime

/// A row of a diary file.
public struct DiaryRow: Sendable {
  /// The entry. If the row names a person, the person of the entry is `who`. Otherwise the caller
  /// must set the person.
  public var entry: DiaryEntry
  /// The id or the participant code of a person, as the row contains it; nil if the row names no
  /// person.
  public var who: String?
  /// The cell that contains the day or the id of the prompt.
  public var subject: CSV.Cell
  /// The cell with the person; nil if the file has no such column.
  public var person: CSV.Cell?
  /// The cell with the note; nil if the file has no such column.
  public var note: CSV.Cell?
}

/// A diary entry in the record.
public struct RecordedDiaryEntry: Sendable, Hashable {
  public var entry: DiaryEntry
  /// True if the note of the entry was erased.
  public var isNoteErased: Bool

  public init(entry: DiaryEntry, isNoteErased: Bool) {
    (self.entry, self.isNoteErased) = (entry, isNoteErased)
  }

  /// True if the values of `other` are the same as the values of this entry. An erased note is
  /// equal to any note.
  public func says(_ other: DiaryEntry) -> Bool {
    entry.completion == other.completion && entry.burden == other.burden
      && (isNoteErased || entry.note == other.note)
  }
}

extension DiaryEntry {
  /// Reads a diary file. The file contains a header, and then one row for each day or prompt.
  ///
  /// The file must have the column `completion`, and either the column `day` or the column
  /// `prompt_id`, but not both. The columns `burden`, `note` and `person` are optional. The columns
  /// can have any order.
  ///
  /// - Throws: a `Refusal` that contains the line and the column of the first error.
  public static func read(csv bytes: [UInt8]) throws(Refusal) -> [DiaryRow] {
    let rows = try CSV.rows(bytes)
    guard let header = rows.first else {
      throw Refusal(.malformed, "the file is empty; its first line must name the columns")
    }
    let columns = try DiaryColumns(header)
    if rows.count - 1 > entries {
      throw Refusal(
        .limit, "the file has \(rows.count - 1) entries; a file may have at most \(entries)")
    }
    var found: [DiaryRow] = []
    var seen: [DiaryEntry.Key: Int] = [:]
    for row in rows.dropFirst() {
      guard row.count == header.count else {
        throw Refusal(
          .malformed,
          "line \(row[0].line): the line has \(row.count) cells, but the header has \(header.count)"
        )
      }
      let read = try columns.entry(row)
      if let line = seen.updateValue(read.subject.line, forKey: read.entry.key) {
        throw read.subject.refusal("line \(line) already has an entry about it")
      }
      found.append(read)
    }
    return found
  }

  /// The key of a diary entry: the person, and either the day or the prompt. A file can contain
  /// each key only once.
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

  func entry(_ row: [CSV.Cell]) throws(Refusal) -> DiaryRow {
    let (subject, cell) = try subject(row)
    guard let completion = try number("completion", row, DiaryEntry.completions) else {
      throw row[places["completion"] ?? 0].refusal("it must be from 0 to 3")
    }
    var note = ""
    if let place = places["note"] {
      // Some spreadsheet programs write CRLF for a line break inside a cell. The record uses only
      // LF. Therefore CRLF becomes LF here.
      note = Self.withLineFeeds(CSV.unmarked(row[place].text))
      if let fault = DiaryEntry.noteRule.fault(in: note) {
        throw Refusal(
          .invalidField,
          "note: line \(row[place].line), column \(row[place].column): \(fault)")
      }
    }
    let who = places["person"].map { CSV.unmarked(row[$0].text) } ?? ""
    return DiaryRow(
      entry: DiaryEntry(
        person: who.isEmpty ? .patient : PersonID(who), subject: subject,
        completion: completion, burden: try number("burden", row, DiaryEntry.burdens), note: note,
        number: 1),
      who: who.isEmpty ? nil : who, subject: cell, person: places["person"].map { row[$0] },
      note: places["note"].map { row[$0] })
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
