import Alarms
import EventCoding
import GRDB

// Who was being told of what was missed when the daemon was killed.
extension Logbook {
  /// Looked for among the newest rows: an attempt to tell somebody is over in minutes.
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
        tally.take(try EventRow(row).storedEvent(content: body).event(person: people.person))
      } catch is EventCodingError {
        // A home comes up without it: what is wrong with the row is for `verify` to say.
        continue
      }
    }
    return tally.unconfirmed
  }
}
