import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue

/// A message to a person, or a call that a person requested.
public struct MessageRow: Sendable, Hashable {
  public enum Subject: Sendable, Hashable {
    /// An announcement. `answer` is true for "yes", false for "no", and nil if there is no answer.
    /// `text` is empty if the text was erased.
    case announcement(text: String, MessageKind?, Prompt, answer: Bool?)
    /// A call. In the state `told`, the name of the contact is empty if the name was erased.
    case call(number: Int64, CallRequest.State)
  }

  /// The sequence number of the event that created the message.
  public var sequence: Int64
  public var at: Instant
  public var person: PersonID
  /// The id of the user who sent the message, for example `uid:1000`.
  public var sender: String
  public var subject: Subject
}

extension Logbook {
  /// The number of rows in which `messages` searches for calls. These rows are the newest rows of
  /// the record.
  private static let rowsWithCalls = 100_000

  /// Lists the newest announcements and calls, newest first. The list does not contain
  /// announcements about the result of a call.
  ///
  /// - Parameters:
  ///   - person: the person of the messages; nil for all people.
  ///   - limit: the maximum number of messages.
  public func messages(
    of person: PersonID?, limit: Int
  ) throws(LogbookError) -> [MessageRow] {
    try reading("list the messages") { db in
      let people = try People(db)
      let code = person.map(people.pseudonym)
      let found =
        try announcements(of: code, limit: limit, in: db, people)
        + calls(of: code, in: db, people)
      return Array(found.sorted { $0.sequence > $1.sequence }.prefix(limit))
    }
  }

  private func announcements(
    of code: String?, limit: Int, in db: Database, _ people: People
  ) throws -> [MessageRow] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT e.seq, e.wall_utc_ms, e.person, e.actor_id, e.alarm_id,
          json_extract(e.payload, '$.message'), c.body
        FROM alarms a JOIN events e ON e.seq = a.seq LEFT JOIN contents c ON c.seq = e.seq
        WHERE json_extract(e.payload, '$.announcement') = 1
          AND json_extract(e.payload, '$.message') IS NOT :result
          AND (:code IS NULL OR e.person = :code)
        ORDER BY a.seq DESC LIMIT :limit
        """,
      arguments: [
        "result": MessageKind.callResult.rawValue, "code": code, "limit": limit,
      ])
    return try rows.compactMap { row in
      let cells = RowReader(row, of: "events")
      let alarm = try cells.text(4)
      guard
        let prompt = try promptRows(in: db, suffix: "WHERE p.alarm_id = ?", [alarm]).first?.prompt
      else { return nil }
      return MessageRow(
        sequence: try cells.integer(0), at: Instant(milliseconds: try cells.integer(1)),
        person: people.person(try cells.text(2)), sender: try cells.text(3),
        subject: .announcement(
          text: try cells.optionalText(6).map(Self.label) ?? "",
          try cells.optionalText(5).flatMap(MessageKind.init), prompt,
          answer: try answer(to: prompt.id, in: db)))
    }
  }

  /// Returns the newest answer to the yes-or-no question of a prompt: true for "yes", false for
  /// "no". The result is nil if nobody answered the question, or if somebody later undid the
  /// completion.
  private func answer(to prompt: PromptID, in db: Database) throws -> Bool? {
    let payload = try String.fetchOne(
      db,
      sql: """
        SELECT payload FROM events WHERE prompt_id = :prompt AND type = 'response'
          AND seq > coalesce(
            (SELECT max(seq) FROM events WHERE prompt_id = :prompt AND type = 'correction'
              AND json_extract(payload, '$.undone') = 'completed'), 0)
        ORDER BY seq DESC
        """, arguments: ["prompt": prompt.description])
    return try payload.flatMap { try JSON(stored: $0)["value"]?.bool }
  }

  private func calls(
    of code: String?, in db: Database, _ people: People
  ) throws -> [MessageRow] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.seq > (SELECT max(seq) FROM events) - \(Self.rowsWithCalls)
          AND e.type IN ('call_asked', 'call_told', 'call_failed')
          AND (:code IS NULL OR e.person = :code)
        ORDER BY e.seq
        """, arguments: ["code": code])
    var found: [Int64: MessageRow] = [:]
    while let row = try rows.next() {
      let body = try RowReader(row, of: "contents").optionalText(EventRow.columnNames.count)
      let stored = try EventRow(row)
      let event: Event
      do {
        event = try stored.storedEvent(content: body).event(person: people.person)
      } catch is EventCodingError {
        // The row cannot be decoded. The list leaves out this row, and `verify` reports the row as
        // faulty.
        continue
      }
      guard case .call(let person, let number, let change) = event else { continue }
      switch change {
      case .asked:
        found[number] = MessageRow(
          sequence: stored.sequence, at: stored.reading.wall, person: person,
          sender: stored.actorID, subject: .call(number: number, .waiting))
      case .told(let contact):
        found[number]?.subject = .call(number: number, .told(contact: contact))
      case .failed(let failure): found[number]?.subject = .call(number: number, .failed(failure))
      case .repeated: break
      }
    }
    return Array(found.values)
  }
}
