import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue
import Synchronization

/// A filter for a list of prompts.
public struct PromptQuery: Sendable, Hashable {
  /// Whether the prompt is still open.
  public enum State: Sendable, Hashable {
    case any, open, closed
  }

  public var state: State
  /// Only these outcomes; nil for all. A set selects closed prompts only, unless `includesOpen` is
  /// true.
  public var outcomes: Set<Outcome>?
  /// Whether open prompts are listed in addition to prompts with one of `outcomes`.
  public var includesOpen = false
  public var alarm: AlarmID?
  /// Only prompts due at or before this instant: leaves out later planned prompts.
  public var dueThrough: Instant?
  /// Only prompts due after this instant.
  public var dueAfter: Instant?
  public var due: Range<Instant>?
  public var person: PersonID?
  /// A part of the label. The case of ASCII letters does not matter.
  public var label: String?
  /// Whether announcements are left out. An announcement does not ask for an answer.
  public var tasksOnly = false
  /// The last prompt of the previous page.
  public var before: PromptID?
  /// Maximum number of prompts; 1 or more.
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

/// A prompt with the words of its alarm at the time of planning.
public struct PromptRow: Sendable, Hashable {
  public var prompt: Prompt
  /// Empty if it was erased.
  public var label: String
  public var person: PersonID
  /// The picture that the alarm shows.
  public var image: String?
  /// Whether it was an announcement, which does not ask for a task.
  public var isAnnouncement: Bool

  public var alarmID: AlarmID { prompt.id.alarm }
  public var outcome: Outcome? {
    if case .closed(let outcome, _, _) = prompt.state { outcome } else { nil }
  }
  public var reason: ReasonCode? {
    if case .closed(_, let reason, _) = prompt.state { reason } else { nil }
  }
  public var closedAt: Instant? {
    if case .closed(_, _, let at) = prompt.state { at } else { nil }
  }
}

extension Logbook {
  /// Reads rows of the record in order.
  ///
  /// - Parameters:
  ///   - sequence: the last row that is already known; 0 for the first call.
  ///   - limit: maximum number of rows.
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

  /// Reads rows of the record in order, with the names from `Pseudonyms`.
  ///
  /// These are the names of persons and device in everything that leaves the device.
  public func listedEvents(
    after sequence: Int64, limit: Int
  ) throws(LogbookError) -> [EventRow] {
    // Read the key first. A row that is newer than the key then appears at most under the earlier
    // name.
    let pseudonyms = try reading("list the events") { try Pseudonyms($0) }
    return try events(after: sequence, limit: limit).map(pseudonyms.row)
  }

  /// Lists prompts, the newest due time first.
  ///
  /// - Throws: `.notFound` if `query.before` does not name a prompt.
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
        // A person whose name was erased appears under the pseudonym.
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

  /// Counts the prompts with each outcome.
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

  /// When a patient last answered a prompt; nil if no patient ever answered.
  public func lastPatientAnswer() throws(LogbookError) -> Instant? {
    try reading("read the last answer") { db in
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

  /// The code of a person in listed events; nil if the record does not know the person or erased
  /// the person.
  public func code(of person: PersonID) throws(LogbookError) -> String? {
    let stored = memory.withLock { $0.pseudonyms[person] }
    guard let stored else { return nil }
    return try reading("read the pseudonym of a person") { try Pseudonyms($0).name(stored) }
  }

  /// Reads one prompt; nil if no prompt has this name.
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
