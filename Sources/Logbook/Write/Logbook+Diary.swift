import Alarms
import EventCoding
import GRDB
import StudyExport

extension Logbook {
  /// Reads the valid diary entries: the newest entry for each day or prompt.
  ///
  /// If the record contains several entries for one day or prompt, the list contains only the
  /// newest of them. If the note of an entry was erased, the note is empty.
  public func diary() throws(LogbookError) -> [DiaryEntry] {
    try reading("read the diary") { db in
      let people = try People(db)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
          WHERE e.type = 'diary' ORDER BY e.seq
          """)
      var newest: [DiaryEntry.Key: Int] = [:]
      var found: [DiaryEntry] = []
      while let row = try rows.next() {
        let body = try RowReader(row, of: "contents").optionalText(EventRow.columnNames.count)
        do {
          let event = try EventRow(row).storedEvent(content: body).event(person: people.person)
          guard case .diary(let entry) = event else { continue }
          if let place = newest[entry.key] {
            found[place] = entry
          } else {
            newest[entry.key] = found.count
            found.append(entry)
          }
        } catch let error as EventCodingError {
          throw LogbookError.corrupt(doing: "read the diary", reason: error.description)
        }
      }
      return found
    }
  }
}
