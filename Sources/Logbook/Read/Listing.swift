import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue
import Synchronization

/// Which prompts to list.
public struct PromptQuery: Sendable, Hashable {
  /// Whether the prompt is still open.
  public enum State: Sendable, Hashable {
    case any, open, closed
  }

  public var state: State
  /// Only these outcomes; nil for all. Asks for closed prompts, unless `includesOpen`.
  public var outcomes: Set<Outcome>?
  /// Open prompts besides those of the outcomes.
  public var includesOpen = false
  public var alarm: AlarmID?
  /// Only prompts due at this instant or before it: leaves out what is merely planned.
  public var dueThrough: Instant?
  /// Only prompts due after this instant.
  public var dueAfter: Instant?
  public var due: Range<Instant>?
  public var person: PersonID?
  /// A part of the label, whatever the case of its ASCII letters.
  public var label: String?
  /// Leaves out what was merely said: no answer is asked for that.
  public var tasksOnly = false
  /// The last prompt of the page before.
  public var before: PromptID?
  /// At most so many; 1 or more.
  public var limit: Int

  public init(
    state: State = .any, outcomes: Set<Outcome>? = nil, alarm: AlarmID? = nil,
    dueThrough: Instant? = nil, before: PromptID? = nil, limit: Int = 100
  ) {
    self.state = state
    self.outcomes = outcomes
    self.alarm = alarm
    self.dueThrough = dueThrough
    self.before = before
    self.limit = limit
  }
}

/// A prompt with what its alarm said when it was planned.
public struct PromptRow: Sendable, Hashable {
  public var prompt: Prompt
  /// Empty where it was erased.
  public var label: String
  public var person: PersonID
  /// The picture that its alarm shows.
  public var image: String?
  /// Whether it was merely said, and asked for nothing.
  public var isAnnouncement: Bool

  public var alarmID: AlarmID { prompt.id.alarm }
  public var outcome: Outcome? {
    if case .closed(let outcome, _, _) = prompt.phase { outcome } else { nil }
  }
  public var reason: ReasonCode? {
    if case .closed(_, let reason, _) = prompt.phase { reason } else { nil }
  }
  public var closedAt: Instant? {
    if case .closed(_, _, let at) = prompt.phase { at } else { nil }
  }
}

extension Logbook {
  /// Rows of the record in order.
  ///
  /// - Parameter sequence: the last row that is already known; 0 to begin with.
  /// - Parameter limit: at most so many rows.
  public func events(after sequence: Int64, limit: Int) throws(LogbookError) -> [EventRow] {
    try reading("list the events") { db in
      var found: [EventRow] = []
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(EventRow.selection) FROM events e WHERE e.seq > ? ORDER BY e.seq LIMIT ?
          """, arguments: [sequence, limit])
      while let row = try rows.next() { found.append(try EventRow(row)) }
      return found
    }
  }

  /// Rows of the record in order, with people and device under the names by which they go outside.
  public func listedEvents(
    after sequence: Int64, limit: Int
  ) throws(LogbookError) -> [EventRow] {
    // The key first: a row that is newer than it is at most shown under the name before.
    let pseudonyms = try reading("list the events") { try Pseudonyms($0) }
    return try events(after: sequence, limit: limit).map(pseudonyms.row)
  }

  /// Prompts, the newest due time first.
  ///
  /// - Throws: `.notFound` where `query.before` names no prompt.
  public func prompts(_ query: PromptQuery) throws(LogbookError) -> [PromptRow] {
    try reading("list the prompts") { db in
      var conditions = ["1"]
      var arguments: [any DatabaseValueConvertible] = []
      if query.state == .open { conditions.append("p.phase <> 'closed'") }
      if query.state == .closed { conditions.append("p.phase = 'closed'") }
      if let outcomes = query.outcomes {
        let places = outcomes.map { _ in "?" }.joined(separator: ", ")
        conditions.append(
          "(p.outcome IN (\(places))\(query.includesOpen ? " OR p.phase <> 'closed'" : ""))")
        arguments += outcomes.map(\.rawValue).sorted() as [any DatabaseValueConvertible]
      }
      if let alarm = query.alarm {
        conditions.append("p.alarm_id = ?")
        arguments.append(alarm.text)
      }
      if let after = query.dueAfter {
        conditions.append("p.due_ms > ?")
        arguments.append(after.milliseconds)
      }
      if let due = query.due {
        conditions.append("p.due_ms >= ? AND p.due_ms < ?")
        arguments +=
          [due.lowerBound.milliseconds, due.upperBound.milliseconds]
          as [any DatabaseValueConvertible]
      }
      if let person = query.person {
        // A person whose name was erased goes by their pseudonym.
        conditions.append(
          "e.person = coalesce((SELECT pseudonym FROM people WHERE person = ?), ?)")
        arguments += [person.text, person.text] as [any DatabaseValueConvertible]
      }
      if let label = query.label {
        conditions.append("instr(lower(json_extract(c.body, '$.label')), lower(?)) > 0")
        arguments.append(label)
      }
      if query.tasksOnly { conditions.append("NOT \(Self.isAnnouncement)") }
      if let through = query.dueThrough {
        conditions.append("p.due_ms <= ?")
        arguments.append(through.milliseconds)
      }
      if let before = query.before {
        guard let due = try dueMilliseconds(before, in: db) else {
          throw LogbookError.notFound("prompt \"\(before)\"")
        }
        conditions.append("(p.due_ms, p.nominal_key, p.prompt_id) < (?, ?, ?)")
        arguments += [due, before.nominalKey, before.description] as [any DatabaseValueConvertible]
      }
      arguments.append(query.limit)
      return try promptRows(
        in: db,
        suffix: """
          WHERE \(conditions.joined(separator: " AND "))
          ORDER BY p.due_ms DESC, p.nominal_key DESC, p.prompt_id DESC LIMIT ?
          """, arguments)
    }
  }

  /// How many prompts ended in which way.
  public func outcomes() throws(LogbookError) -> [(outcome: Outcome, count: Int)] {
    try reading("count the outcomes") { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT outcome, count(*) FROM prompts WHERE outcome IS NOT NULL
          GROUP BY outcome ORDER BY outcome
          """
      ).compactMap { row in
        let cells = RowReader(row, of: "prompts")
        let count = Int(try cells.integer(1))
        return Outcome(rawValue: try cells.text(0)).map { (outcome: $0, count: count) }
      }
    }
  }

  /// When a patient last answered a prompt; nil where none ever did.
  public func lastPatientAnswer() throws(LogbookError) -> Instant? {
    try reading("look for the last answer") { db in
      try Int64.fetchOne(
        db,
        sql: """
          SELECT wall_utc_ms FROM events
          WHERE actor_role = 'patient'
            AND type IN ('acknowledged', 'completed', 'delayed', 'declined')
          ORDER BY seq DESC LIMIT 1
          """
      ).map { Instant(milliseconds: $0) }
    }
  }

  /// The code by which listed events call a person; nil for somebody the record has not heard of, or has
  /// erased.
  public func code(of person: PersonID) throws(LogbookError) -> String? {
    let stored = memory.withLock { $0.pseudonyms[person] }
    guard let stored else { return nil }
    return try reading("look for a person's code") { try Pseudonyms($0).name(stored) }
  }

  /// One prompt; nil where there is none by that name.
  public func prompt(_ id: PromptID) throws(LogbookError) -> PromptRow? {
    try reading("read prompt \"\(id)\"") { db in
      try promptRows(in: db, suffix: "WHERE p.prompt_id = ?", [id.description]).first
    }
  }

  private func dueMilliseconds(_ id: PromptID, in db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db, sql: "SELECT due_ms FROM prompts WHERE prompt_id = ?", arguments: [id.description])
  }

  private static let isAnnouncement =
    "coalesce(json_extract(e.payload, '$.announcement'), 0)"

  private func promptRows(
    in db: Database, suffix: String, _ arguments: [any DatabaseValueConvertible]
  ) throws -> [PromptRow] {
    let people = try People(db)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(Prompt.selection), e.person, c.body, \(Self.isAnnouncement) FROM prompts p
        LEFT JOIN events e ON e.alarm_id = p.alarm_id AND e.alarm_version = p.alarm_version
          AND e.type IN ('alarm_created', 'alarm_edited')
        LEFT JOIN contents c ON c.seq = e.seq
        \(suffix)
        """, arguments: StatementArguments(arguments))
    var found: [PromptRow] = []
    while let row = try rows.next() {
      let cells = RowReader(row, of: "prompts")
      let person = try cells.optionalText(Prompt.selectionCount)
      let words = try cells.optionalText(Prompt.selectionCount + 1)
      found.append(
        PromptRow(
          prompt: try Prompt(row), label: try words.map(Self.label) ?? "",
          person: person.map(people.person) ?? .patient,
          image: try words.flatMap { try JSON(stored: $0)["image"]?.string },
          isAnnouncement: try cells.integer(Prompt.selectionCount + 2) != 0))
    }
    return found
  }

  static func label(_ content: String) throws -> String {
    try JSON(stored: content)["label"]?.string ?? ""
  }
}
