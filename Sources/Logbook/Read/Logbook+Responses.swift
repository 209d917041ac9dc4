import Alarms
import CivilTime
import EventCoding
import GRDB

extension Logbook {
  /// Lists the responses to check-in questions, the oldest response first.
  ///
  /// The list also contains responses that correct an earlier response. If the text of a response
  /// was erased, the list contains an empty text.
  public func responses(_ query: ResponseQuery) throws(LogbookError) -> [GivenResponse] {
    try reading("list the answers") { db in
      var conditions = ["e.type = 'response'"]
      var arguments: [any DatabaseValueConvertible] = []
      if let prompt = query.prompt {
        conditions.append("e.prompt_id = ?")
        arguments.append(prompt.description)
      }
      if let person = query.person {
        // If the name of a person was erased, `query.person` contains the pseudonym.
        conditions.append(
          "e.person = coalesce((SELECT pseudonym FROM people WHERE person = ?), ?)")
        arguments += [person.text, person.text] as [any DatabaseValueConvertible]
      }
      if let question = query.question {
        conditions.append("json_extract(e.payload, '$.question') = ?")
        arguments.append(question)
      }
      if let given = query.given {
        conditions.append("e.wall_utc_ms >= ? AND e.wall_utc_ms < ?")
        arguments +=
          [given.lowerBound.milliseconds, given.upperBound.milliseconds]
          as [any DatabaseValueConvertible]
      }
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
          WHERE \(conditions.joined(separator: " AND ")) ORDER BY e.seq
          """, arguments: StatementArguments(arguments))
      let people = try People(db)
      var found: [GivenResponse] = []
      while let row = try rows.next() {
        let stored = try EventRow(row)
        let body = try RowReader(row, of: "contents").optionalText(EventRow.columnNames.count)
        do {
          let event = try stored.storedEvent(content: body).event(person: people.person)
          guard case .response(let prompt, let response) = event else { continue }
          found.append(
            GivenResponse(
              sequence: stored.sequence, prompt: prompt, response: response,
              role: Role(rawValue: stored.actorRole) ?? .system,
              at: Instant(milliseconds: stored.wallMilliseconds)))
        } catch let error as EventCodingError {
          throw LogbookError.corrupt(doing: "list the answers", reason: error.description)
        }
      }
      return found
    }
  }
}
