import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue

// Finds the notifications that were in progress when the daemon was killed.
extension Logbook {
  /// Finds notifications without a recorded result.
  ///
  /// A notification normally ends within a few minutes. Therefore, the newest rows of the record
  /// contain the beginning of each unfinished notification. The function reads only these rows.
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
        // The row cannot be decoded. The daemon starts without the event of this row, and `verify`
        // reports the row.
        continue
      }
    }
    return tally.unconfirmed
  }

  /// Finds the notices that the daemon must still send, and the contacts who must still get an
  /// all-clear. The function reads only the newest rows.
  func notices(in db: Database, _ people: People) throws -> NoticeBook {
    var book = NoticeBook()
    let types = NoticeBook.eventTypes.sorted().flatMap(StoredEvent.storedTypes)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.seq > (SELECT max(seq) FROM events) - \(Self.rowsLookedAt)
          AND e.type IN (\(types.map { "'\($0)'" }.joined(separator: ", ")))
        ORDER BY e.seq
        """)
    while let row = try rows.next() {
      let body = try RowReader(row, of: "contents").optionalText(EventRow.columnNames.count)
      do {
        let stored = try EventRow(row)
        book.apply(
          try stored.storedEvent(content: body).event(person: people.person),
          at: stored.reading.wall, by: Role(rawValue: stored.actorRole) ?? .system)
      } catch is EventCodingError {
        // The row cannot be decoded. The daemon starts without the event of this row, and `verify`
        // reports the row.
        continue
      }
    }
    return book
  }
}

extension Logbook {
  /// The newest results of the notifications of one contact.
  public struct NotifyResults: Sendable, Hashable {
    public var reachedAt: Instant?
    public var failedAt: Instant?
    /// The reason for the newest failure.
    public var failure: String?
  }

  /// Finds the newest notification results of each contact. The dictionary key is the name of the
  /// contact.
  ///
  /// If the content of a result was erased, the result no longer contains the name of the contact.
  /// The function ignores this result.
  public func contactResults() throws(LogbookError) -> [String: NotifyResults] {
    try reading("read the notifications of contacts") { db in
      let reached = ["notified", "inactivity_notified", "notice_sent"]
        .flatMap(StoredEvent.storedTypes)
      let failed = ["notification_failed", "inactivity_notification_failed", "notice_failed"]
        .flatMap(StoredEvent.storedTypes)
      let types = (reached + failed).map { "'\($0)'" }.joined(separator: ", ")
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT e.type, e.wall_utc_ms, c.body FROM events e JOIN contents c USING (seq)
          WHERE e.type IN (\(types)) ORDER BY e.seq
          """)
      var found: [String: NotifyResults] = [:]
      while let row = try rows.next() {
        let cells = RowReader(row, of: "contents")
        let body = try JSON(stored: try cells.text(2))
        guard let contact = body["contact"]?.string else { continue }
        let at = Instant(milliseconds: try cells.integer(1))
        if reached.contains(try cells.text(0)) {
          found[contact, default: NotifyResults()].reachedAt = at
        } else {
          found[contact, default: NotifyResults()].failedAt = at
          found[contact]?.failure = body["reason"]?.string
        }
      }
      return found
    }
  }
}
