import Alarms
import CivilTime
import EventCoding
import GRDB

// Reads the events about one prompt or alarm, so that a person can see why a prompt rang or did not
// ring.
extension Logbook {
  /// Returns all events about a prompt, in order.
  public func history(of id: PromptID) throws(LogbookError) -> [HistoryEvent] {
    try reading("read the history of prompt \"\(id)\"") { db in
      try historyEvents(in: db, where: "e.prompt_id = ? ORDER BY e.seq", [id.description])
    }
  }

  /// Returns the events about the device, the clock and the sound during a prompt, oldest first.
  ///
  /// The list begins after the first event of the prompt. For a closed prompt, the list ends at the
  /// last event of the prompt. For an open prompt, the list ends at the newest event of the record.
  public func interruptions(during id: PromptID) throws(LogbookError) -> [HistoryEvent] {
    let types = [
      "gap", "clock_step", "boot", "service_start", "service_stop", "clock_sync_gained",
      "clock_sync_lost", "audio_lost", "audio_restored", "tz_changed", "tzdata_changed",
    ]
    return try reading("read what happened around prompt \"\(id)\"") { db in
      let places = types.map { _ in "?" }.joined(separator: ", ")
      return try historyEvents(
        in: db,
        where: """
          e.seq > (SELECT min(seq) FROM events WHERE prompt_id = ?)
            AND e.seq <= coalesce(
              (SELECT max(f.seq) FROM events f JOIN prompts p USING (prompt_id)
                WHERE f.prompt_id = ? AND p.phase = 'closed'),
              (SELECT max(seq) FROM events))
            AND e.type IN (\(places)) ORDER BY e.seq DESC LIMIT \(Self.mostInterruptions)
          """, [id.description, id.description] + types
      ).reversed()
    }
  }

  /// The maximum number of events in the result of `interruptions`. If there are more events, the
  /// result contains only the newest events, because newer events are usually more important for
  /// the reader.
  private static let mostInterruptions = 200

  /// Returns the event that marked an alarm as deleted; nil if the alarm is not deleted.
  public func removal(of id: AlarmID) throws(LogbookError) -> HistoryEvent? {
    try reading("read the end of alarm \"\(id)\"") { db in
      let isDeleted = try Int.fetchOne(
        db, sql: "SELECT is_deleted FROM alarms WHERE alarm_id = ?", arguments: [id.text])
      guard isDeleted == 1 else { return nil }
      return try historyEvents(
        in: db, where: "e.alarm_id = ? AND e.type = 'alarm_deleted' ORDER BY e.seq DESC LIMIT 1",
        [id.text]
      ).first
    }
  }

  private func historyEvents(
    in db: Database, where condition: String, _ arguments: [String]
  ) throws -> [HistoryEvent] {
    let people = try People(db)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE \(condition)
        """, arguments: StatementArguments(arguments))
    var found: [HistoryEvent] = []
    while let row = try rows.next() {
      let stored = try EventRow(row)
      let body = try RowReader(row, of: "contents").optionalText(EventRow.columnNames.count)
      do {
        found.append(
          HistoryEvent(
            sequence: stored.sequence,
            event: try stored.storedEvent(content: body).event(person: people.person),
            actor: Actor(
              role: Role(rawValue: stored.actorRole) ?? .system, id: stored.actorID,
              source: stored.source),
            at: stored.reading.wall))
      } catch let error as EventCodingError {
        throw LogbookError.corrupt(
          doing: "read row \(stored.sequence)", reason: error.description)
      }
    }
    return found
  }
}
