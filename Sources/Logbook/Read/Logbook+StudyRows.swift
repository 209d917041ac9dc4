import Alarms
import GRDB
import JSONValue

extension Logbook {
  /// Reads the rows of the record for the archive of a study, in order.
  ///
  /// A row never contains a text that a person typed. A row that is not sealed has the same form as
  /// in a file of `RowArchive`. Therefore, the archive of the study can compute the hash of this
  /// row again. If a row is about a person outside the study, the row is sealed: the row contains
  /// only its number and its hashes. With these values, the archive can verify that no row is
  /// missing, and gets no information about this person. While a study is blinded, the rows that
  /// contain an arm are sealed, too.
  ///
  /// - Parameters:
  ///   - sequence: the number of the row before the first row.
  ///   - limit: the maximum number of rows.
  ///   - study: the id of the study; nil for all studies.
  /// - Returns: the rows; nil if a rekey has changed the pseudonyms. The rows of the hash chain
  ///   contain the pseudonyms from before the rekey. With these rows, a reader could join the data
  ///   from before the rekey with the data from after the rekey.
  public func studyRows(
    after sequence: Int64, limit: Int, study: String?
  ) throws(LogbookError) -> [JSON]? {
    try reading("list the rows of a study") { db in
      guard try !Pseudonyms(db).isSet else { return nil }
      let blinding = try Blinding(db)
      let start = max(sequence, try PurgeInForce.find(in: db)?.purge.throughSequence ?? 0)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(EventRow.selection) FROM events e WHERE e.seq > ? ORDER BY e.seq LIMIT ?
          """, arguments: [start, limit])
      var found: [JSON] = []
      while let row = try rows.next() {
        let event = try EventRow(row)
        let isOpen = event.isAbout(study) && blinding.document(event.payload) == event.payload
        found.append(isOpen ? event.archived : event.sealed)
      }
      return found
    }
  }
}

extension EventRow {
  /// Returns true if the row is about a participant of the study. Also returns true if the row is
  /// not about a person.
  ///
  /// - Parameter study: the id of the study; nil for all studies.
  fileprivate func isAbout(_ study: String?) -> Bool {
    if person == nil && promptID == nil && alarmID == nil { return true }
    return study.map { studyID == $0 } ?? !studyID.isEmpty
  }

  /// The part of a row that the hash chain needs.
  fileprivate var sealed: JSON {
    .object([
      ("seq", .integer(sequence)), ("prev_hash", .string(previousHash)), ("hash", .string(hash)),
    ])
  }
}
