import Alarms
import EventCoding
import GRDB
import StudyExport

extension Logbook {
  /// Reads all diary entries, in the order in which they were recorded. The result includes entries
  /// that were corrected later. If the note of an entry was erased, the note is empty.
  public func diary() throws(LogbookError) -> [RecordedDiaryEntry] {
    try reading("read the diary") { db in
      let people = try People(db)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
          WHERE e.type = 'diary' ORDER BY e.seq
          """)
      var found: [RecordedDiaryEntry] = []
      while let row = try rows.next() {
        let body = try RowReader(row, of: "contents").optionalText(EventRow.columnNames.count)
        do {
          let stored = try EventRow(row)
          let event = try stored.storedEvent(content: body).event(person: people.person)
          guard case .diary(let entry) = event else { continue }
          // If a row never had content, its `payloadDigest` is nil.
          let isNoteErased = body == nil && stored.payloadDigest != nil
          found.append(RecordedDiaryEntry(entry: entry, isNoteErased: isNoteErased))
        } catch let error as EventCodingError {
          throw LogbookError.corrupt(doing: "read the diary", reason: error.description)
        }
      }
      return found
    }
  }
}
