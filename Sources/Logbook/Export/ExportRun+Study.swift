import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue
import StudyExport

extension TablesSink {
  /// Writes the row of one response to responses.csv.
  func writeResponse(_ stored: RawRow, _ stamp: Stamp) throws {
    let payload = stored.string(EventColumn.payload) ?? ""
    // If the payload cannot be read, the export writes the event to events.csv, but not to
    // responses.csv. `verify` reports the fault in the payload.
    guard let json = try? JSON(stored: payload) else { return }
    let value = json["value"] ?? .null
    try responses.row { line in
      line.integer(stored.integer(EventColumn.seq))
      line.text(stored.text(EventColumn.promptID))
      line.text(stored.text(EventColumn.person))
      line.text(stored.text(EventColumn.phase))
      line.text(json["question"]?.string)
      line.integer(json["number"]?.integer)
      line.text(json["kind"]?.string)
      line.number(Self.number(value))
      line.text(Self.word(value))
      line.text(json["unit"]?.string)
      line.text(line.isNextShown ? Self.words(stored) : nil)
      line.instant(stamp)
      line.text(stored.text(EventColumn.actorRole))
    }
  }

  private static func number(_ value: JSON) -> Double? {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .string(let word): Mood(rawValue: word).map { Double($0.level) }
    default: value.double
    }
  }

  private static func word(_ value: JSON) -> String? {
    switch value {
    case .bool(let flag): flag ? "yes" : "no"
    case .string(let word): word
    case .array(let names): names.isEmpty ? nil : names.compactMap(\.string).joined(separator: "|")
    default: nil
    }
  }

  private static func words(_ stored: RawRow) -> String? {
    stored.string(EventColumn.content).flatMap { try? JSON(stored: $0) }?["text"]?.string
  }
}

extension ExportRun {
  /// Writes diary.csv. The entries are in the order in which they were recorded.
  func writeDiary() throws -> ExportedFile {
    let file = try file(.diary)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body,
          row_number() OVER (
            PARTITION BY e.person, e.prompt_id, json_extract(e.payload, '$.day') ORDER BY e.seq DESC
          ) = 1
        FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.type = 'diary' AND e.person = coalesce(?, e.person)
          AND (e.prompt_id IS NULL
            OR EXISTS (SELECT 1 FROM prompts p WHERE p.prompt_id = e.prompt_id))
        ORDER BY e.seq
        """, arguments: [owner])
    let width = EventRow.columnNames.count
    while let row = try rows.next() {
      let stored = try EventRow(row)
      let cells = RowReader(row, of: "contents")
      guard case .diary(let entry) = try event(stored, content: try cells.optionalText(width))
      else {
        continue
      }
      let isCurrent = try cells.integer(width + 1) == 1
      try file.row { write(entry, stored, isCurrent: isCurrent, to: &$0) }
    }
    return try file.finish()
  }

  private func write(
    _ entry: DiaryEntry, _ stored: EventRow, isCurrent: Bool, to line: inout ExportEncoder
  ) {
    line.integer(stored.sequence)
    line.text(stored.person)
    line.text(stored.studyID)
    line.text(stored.phase)
    if case .day(let day) = entry.subject { line.day(day) } else { line.null() }
    line.text(stored.promptID)
    line.integer(Int64(entry.number))
    line.bool(isCurrent)
    line.integer(Int64(entry.completion))
    line.integer(entry.burden.map { Int64($0) })
    line.text(entry.note.isEmpty ? nil : entry.note)
    line.instant(stored.wallMilliseconds, offsetSeconds: stored.utcOffsetSeconds)
    line.text(stored.actorRole)
  }
}
