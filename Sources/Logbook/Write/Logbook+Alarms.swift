import Alarms
import CivilTime
import Dispatch
import EventCoding
import GRDB
import JSONValue
import Synchronization

extension Logbook {
  /// The maximum numbers of rows in one batch and for one thread.
  ///
  /// `all` is the maximum number of rows in one batch. `perThread` is the maximum number of these
  /// rows that one thread decodes. Eight threads can share a full batch. A full batch needs little
  /// memory.
  static let rowsAtOnce = (all: 8_192, perThread: 1_024)

  /// Reads the newest version of every alarm that is not deleted.
  ///
  /// If a home has many alarms, the start of the daemon is slow mainly because the daemon decodes
  /// the JSON texts of the alarms. Therefore, all processors share this work.
  ///
  /// - Parameter batch: the maximum number of rows that the function decodes at once.
  func alarms(
    in db: Database, _ people: People, batch: Int = Logbook.rowsAtOnce.all
  ) throws -> [Alarm] {
    var found: [Alarm] = []
    var stored: [StoredRow] = []
    let rules = KnownRules()
    func read() throws {
      found += try StoredRow.read(stored, people, rules, perThread: Self.rowsAtOnce.perThread)
      stored.removeAll(keepingCapacity: true)
    }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(Alarm.selection) FROM alarms a
        JOIN events e ON e.seq = a.seq LEFT JOIN contents c ON c.seq = a.seq
        WHERE a.is_deleted = 0 ORDER BY a.alarm_id
        """)
    while let row = try rows.next() {
      stored.append(try StoredRow(row))
      if stored.count == batch { try read() }
    }
    try read()
    return found
  }

  /// Reads the deleted alarms whose calendar event was cancelled, the newest first.
  ///
  /// A person can have several deleted alarms for the same calendar event. If one of these alarms
  /// was deleted for a reason other than a cancellation, the result does not contain the older
  /// alarms for this event. Reason: after their cancellation, the calendar event was set again.
  ///
  /// - Parameter limit: the maximum number of deleted alarms that the function reads.
  public func cancelledAlarms(limit: Int) throws(LogbookError) -> [Alarm] {
    try reading("read the alarms of cancelled calendar events") { db in
      let people = try People(db)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(Alarm.selection) FROM alarms a
          JOIN events e ON e.seq = a.seq JOIN contents c ON c.seq = a.seq
          WHERE a.is_deleted = 1 AND json_extract(c.body, '$.uid') IS NOT NULL
          ORDER BY a.seq DESC LIMIT ?
          """, arguments: [limit])
      var found: [Alarm] = []
      var setAgain: Set<[String]> = []
      while let row = try rows.next() {
        let alarm = try Alarm(row, people)
        let event = [alarm.person.text, alarm.calendarUID ?? ""]
        if alarm.calendarRevision?.hasSuffix(" \(Alarm.cancelledMark)") != true {
          setAgain.insert(event)
        } else if !setAgain.contains(event) {
          found.append(alarm)
        }
      }
      return found
    }
  }
}

extension Alarm {
  static let selection = "e.alarm_id, e.alarm_version, e.payload, c.body"

  /// - Parameters:
  ///   - row: a row that contains the columns of `selection`, in order.
  ///   - first: the index of the first column of `selection` in the row.
  init(_ row: Row, first: Int = 0, _ people: People) throws {
    self = try StoredRow(row, first: first).alarm(people, KnownRules())
  }
}

/// The stored columns of one alarm version.
private struct StoredRow: Sendable {
  var id: AlarmID
  var version: Int
  var payload: String
  var content: String?

  init(_ row: Row, first: Int = 0) throws {
    let cells = RowReader(row, of: "alarms")
    id = AlarmID(try cells.text(first))
    version = Int(try cells.integer(first + 1))
    payload = try cells.text(first + 2)
    content = try cells.optionalText(first + 3)
  }

  func alarm(_ people: People, _ rules: KnownRules) throws(LogbookError) -> Alarm {
    do {
      return try Alarm(
        id: id, version: version, payload: try JSON(stored: payload),
        content: try content.map { (text) throws(EventCodingError) in try JSON(stored: text) },
        person: people.person,
        rule: { text throws(CivilTimeError) in try rules.rule(text) })
    } catch {
      throw .corrupt(doing: "read the alarms", reason: error.description)
    }
  }

  /// Decodes many alarms on several threads. The result has the same order as `stored`.
  static func read(
    _ stored: [StoredRow], _ people: People, _ rules: KnownRules, perThread: Int
  ) throws(LogbookError) -> [Alarm] {
    let parts = (stored.count + perThread - 1) / perThread
    let read = Mutex([Result<[Alarm], LogbookError>?](repeating: nil, count: parts))
    DispatchQueue.concurrentPerform(iterations: parts) { part in
      let own = stored[part * perThread..<min((part + 1) * perThread, stored.count)]
      let result = Result { () throws(LogbookError) in
        var alarms: [Alarm] = []
        alarms.reserveCapacity(own.count)
        for row in own { alarms.append(try row.alarm(people, rules)) }
        return alarms
      }
      read.withLock { $0[part] = result }
    }
    var alarms: [Alarm] = []
    for result in read.withLock({ $0 }) {
      if let result { alarms += try result.get() }
    }
    return alarms
  }
}

/// A cache of parsed recurrence rules, because many alarms share the same few rules.
private final class KnownRules: Sendable {
  private let rules = Mutex<[String: RecurrenceRule]>([:])

  func rule(_ text: String) throws(CivilTimeError) -> RecurrenceRule {
    if let known = rules.withLock({ $0[text] }) { return known }
    let rule = try RecurrenceRule(parsing: text)
    rules.withLock { $0[text] = rule }
    return rule
  }
}
