import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue
import Synchronization

/// A filter for a list of prompts.
public struct PromptQuery: Sendable, Hashable {
  /// The prompts in the list: all, only the open prompts, or only the closed prompts.
  public enum State: Sendable, Hashable {
    case any, open, closed
  }

  public var state: State
  /// The outcomes of the closed prompts in the list; nil for all prompts. If the value is not nil,
  /// `includesOpen` decides whether the list also contains open prompts.
  public var outcomes: Set<Outcome>?
  /// True if the list also contains open prompts, in addition to the prompts whose outcome is in
  /// `outcomes`.
  public var includesOpen = false
  public var alarm: AlarmID?
  /// The latest due time of a prompt in the list, inclusive; nil for no limit. If the value is the
  /// present time, the list contains no planned prompts.
  public var dueThrough: Instant?
  /// The instant after which the prompts in the list are due, exclusive; nil for no limit.
  public var dueAfter: Instant?
  public var due: Range<Instant>?
  public var person: PersonID?
  /// A text that the label must contain; nil for all labels. The comparison ignores the case of
  /// ASCII letters.
  public var label: String?
  /// True if the list does not contain announcements. An announcement is not a task.
  public var tasksOnly = false
  /// The last prompt of the previous page; nil for the first page.
  public var before: PromptID?
  /// The maximum number of prompts in the list; 1 or more.
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

/// A prompt with the label and the picture of its alarm version.
public struct PromptRow: Sendable, Hashable {
  public var prompt: Prompt
  /// The label of the alarm version; empty if the label was erased.
  public var label: String
  /// The instructions of the alarm version; empty if the alarm version has no instructions, or if
  /// the instructions were erased.
  public var instructions: String
  public var person: PersonID
  /// The digest of the picture of the alarm version; nil if the alarm version has no picture.
  public var image: String?
  /// True if the prompt is an announcement. An announcement is not a task.
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
  ///   - sequence: the sequence number of the last row of the previous call; 0 for the first call.
  ///   - limit: the maximum number of rows.
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

  /// Reads rows of the record in order, and replaces the pseudonyms in these rows.
  ///
  /// The record keeps the original pseudonyms of people and devices. After a rekey, all data that
  /// leave the device contain the new pseudonyms that `Pseudonyms` computes.
  public func listedEvents(
    after sequence: Int64, limit: Int
  ) throws(LogbookError) -> [EventRow] {
    // Read the key of the pseudonyms before the rows. If a rekey happens between the two reads, the
    // result contains the pseudonyms from before the rekey.
    let pseudonyms = try reading("list the events") { try Pseudonyms($0) }
    return try events(after: sequence, limit: limit).map(pseudonyms.row)
  }

  /// Lists prompts. The prompt with the latest due time is the first.
  ///
  /// - Throws: `.notFound` if `query.before` is not the id of a prompt.
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
        // If the name of a person was erased, `query.person` contains the pseudonym.
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

  /// Counts the closed prompts for each outcome.
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

  /// Returns the wall-clock time of the newest answer that a patient gave; nil if the record
  /// contains no answer from a patient.
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

  /// Returns the pseudonym of a person in all data that leave the device. The result is nil if the
  /// record contains no event about the person, or if the identity of the person was erased.
  public func code(of person: PersonID) throws(LogbookError) -> String? {
    let stored = memory.withLock { $0.pseudonyms[person] }
    guard let stored else { return nil }
    return try reading("read the pseudonym of a person") { try Pseudonyms($0).name(stored) }
  }

  /// Reads one prompt. Returns nil if no prompt has this id.
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

  func promptRows(
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
      let words = try cells.optionalText(Prompt.selectionCount + 1).map { try JSON(stored: $0) }
      found.append(
        PromptRow(
          prompt: try Prompt(row), label: words?["label"]?.string ?? "",
          instructions: words?["instructions"]?.string ?? "",
          person: person.map(people.person) ?? .patient,
          image: words?["image"]?.string,
          isAnnouncement: try cells.integer(Prompt.selectionCount + 2) != 0))
    }
    return found
  }

  static func label(_ content: String) throws -> String {
    try JSON(stored: content)["label"]?.string ?? ""
  }
}
