import Alarms
import EventCoding
import GRDB

// Finds the notifications of contacts that were in progress when the daemon was killed.
extension Logbook {
  /// Finds notifications without a recorded result.
  ///
  /// The search reads only the newest rows. The newest rows are sufficient, because an attempt to
  /// notify a contact ends within minutes.
  func unconfirmed(in db: Database, _ people: People) throws -> [UnconfirmedNotification] {
    var tally = UnconfirmedTally()
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.seq > (SELECT max(seq) FROM events) - :looked AND e.prompt_id IN (
          SELECT prompt_id FROM events
          WHERE type = 'escalated' AND seq > (SELECT max(seq) FROM events) - :looked)
        ORDER BY e.seq
        """, arguments: ["looked": Self.rowsLookedAt])
    while let row = try rows.next() {
      let body = try RowReader(row, of: "contents").optionalText(EventRow.columnNames.count)
      do {
        tally.apply(try EventRow(row).storedEvent(content: body).event(person: people.person))
      } catch is EventCodingError {
        // The row cannot be decoded. The daemon starts without this event, and `verify` reports the
        // row.
        continue
      }
    }
    return tally.unconfirmed
  }
}
