import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue
import StudyExport

/// The plan of a purge: the rows that the purge would remove.
public struct PurgePlan: Sendable, Hashable {
  /// The sequence number of the last row that earlier purges covered; 0 if there was no purge.
  public var after: Int64
  /// The sequence number of the last row in the range of the planned purge. If the purge can remove
  /// no rows, the value is equal to `after`.
  public var throughSequence: Int64
  /// The time at which row `throughSequence` was written; nil if the purge can remove nothing.
  public var throughAt: Instant?
  /// The sequence number of the newest row that an export of the whole record contains; 0 if there
  /// was no export of the whole record.
  public var harvestedSequence: Int64
  /// The number of rows that the purge would remove. `kept` is the number of rows up to
  /// `throughSequence` that would remain in the record.
  public var going: Int64
  public var kept: Int
}

// A purge removes the oldest rows of the record. Before a purge may remove rows, a complete export
// and an archive must contain these rows. The purge removes the rows in pieces. Each piece has its
// own transaction and its own `purged` event. Therefore, a ring never waits long for the purge.
extension Logbook {
  /// The minimum number of rows in one piece of a purge.
  ///
  /// A piece can contain more rows than this minimum, because the range of a purge can end only at
  /// certain rows. If a ring becomes due during the transaction of a piece, the ring waits for the
  /// end of the transaction.
  public static let purgedAtOnce: Int64 = 2_000

  /// Plans a purge of the rows that were written before `instant`.
  public func purgePlan(before instant: Instant) throws(LogbookError) -> PurgePlan {
    try reading("plan a purge") { db in
      let after = try PurgeInForce.find(in: db)?.purge.throughSequence ?? 0
      let harvested = try Self.harvested(in: db)
      let later = try Int64.fetchOne(
        db,
        sql: """
          SELECT seq FROM events
          WHERE seq > ? AND wall_utc_ms >= ? AND clock_state <> 'unset' ORDER BY seq LIMIT 1
          """, arguments: [after, instant.milliseconds])
      let newest = try Self.readHead(in: db).sequence
      let wanted = min(harvested, (later ?? newest) - 1)
      guard let through = try Self.boundary(below: wanted, above: after, in: db) else {
        return PurgePlan(
          after: after, throughSequence: after, throughAt: nil, harvestedSequence: harvested,
          going: 0, kept: 0)
      }
      let rule = PurgeRule(through: through)
      let count = { (sql: String) in try Int64.fetchOne(db, sql: sql) ?? 0 }
      let kept = try count("SELECT count(*) FROM (\(rule.keptRows))")
      let there = try count("SELECT count(*) FROM events WHERE seq <= \(through)")
      return PurgePlan(
        after: after, throughSequence: through, throughAt: try Self.wall(of: through, in: db),
        harvestedSequence: harvested, going: there - kept, kept: Int(kept))
    }
  }

  /// Checks that the daemon could still compute the present state after a purge.
  ///
  /// - Throws: `.invalid` if the state that is computed from the remaining rows would differ from
  ///   the present state.
  public func provePurge(through sequence: Int64) throws(LogbookError) {
    try reading("test a purge") { db in
      let after = try PurgeInForce.find(in: db)?.purge.throughSequence ?? 0
      try Self.refuseEnd(sequence, after: after, in: db)
      var scan = try Scan(db, anchors: [], leaving: PurgeRule(through: sequence))
      do {
        try scan.run(db)
        try scan.checkProjections(db)
      } catch let finding as VerificationFault {
        throw LogbookError.invalid(
          doing: "purge the record",
          reason: "the remaining rows would not give the present state: \(finding.problem)")
      }
    }
  }

  /// Computes the next piece of a purge. Each piece of a purge removes a part of the rows.
  ///
  /// - Parameters:
  ///   - sequence: the sequence number of the last row of the whole purge.
  ///   - archive: the SHA-256 of the archive.
  ///   - rows: the minimum number of rows in the range of the piece. The last piece can have fewer
  ///     rows.
  /// - Returns: the next piece; nil if the purge is complete.
  public func nextPurge(
    through sequence: Int64, archive: String, rows: Int64 = Logbook.purgedAtOnce
  ) throws(LogbookError) -> Purge? {
    try reading("purge the record") { db in
      let before = try PurgeInForce.find(in: db)?.purge
      let after = before?.throughSequence ?? 0
      if after >= sequence { return nil }
      try Self.refuseEnd(sequence, after: after, in: db)
      let through = try Self.boundary(from: min(sequence, after + rows), in: db) ?? sequence
      let first = try before?.first ?? Self.first(in: db, through: through)
      let seal = try PurgeRule(through: through).seal(in: db)
      return Purge(
        throughSequence: through,
        throughAt: try Self.wall(of: through, in: db) ?? Instant(milliseconds: 0),
        firstAt: first?.at, firstOffsetSeconds: first?.offset ?? 0, kept: seal.kept,
        keptDigest: seal.digest, archiveSHA256: archive)
    }
  }

  /// Makes the file of the record shorter: frees the unused pages of the file on the disk, in small
  /// pieces.
  public func reclaimSpace() throws(LogbookError) {
    try explaining("return free space to the disk") {
      var left = Int.max
      while true {
        let free = try pool.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA incremental_vacuum(256)")
          return try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        }
        // If the number of free pages does not become smaller, end the loop. A database file that
        // was created without incremental vacuum cannot become shorter. SQLite uses the free pages
        // of such a file for later rows.
        if free == 0 || free >= left { break }
        left = free
      }
    }
    try scrub()
  }

  /// Returns all purges, the newest first.
  public func purges() throws(LogbookError) -> [Purge] {
    try reading("read the purges") { db in
      try String.fetchAll(
        db, sql: "SELECT payload FROM events WHERE type = 'purged' ORDER BY seq DESC"
      ).map { try Purge(payload: try JSON(stored: $0)) }
    }
  }

  /// Throws an error if the range of a purge must not end at the row `sequence`.
  ///
  /// The range may end at a row only if a complete export contains this row and the query `ends`
  /// selects this row.
  private static func refuseEnd(_ sequence: Int64, after: Int64, in db: Database) throws {
    guard sequence <= (try harvested(in: db)) else {
      throw LogbookError.invalid(
        doing: "purge the record",
        reason: "no export in the default layout contains row \(sequence); export the record first")
    }
    guard try sequence == boundary(below: sequence, above: after, in: db) else {
      throw LogbookError.invalid(
        doing: "purge the record",
        reason: "a purge cannot end with row \(sequence); request the plan and use its last row")
    }
  }

  /// Returns the sequence number of the newest row that is in an export of the whole record. An
  /// export in a layout other than `frictionless` does not contain the whole record. An export of
  /// a person's own data does not contain the whole record, either.
  private static func harvested(in db: Database) throws -> Int64 {
    try Int64.fetchOne(
      db,
      sql: """
        SELECT max(json_extract(payload, '$.through_seq')) FROM events
        WHERE type = 'export_made' AND json_extract(payload, '$.profile') <> 'own'
          AND json_extract(payload, '$.layout') = ?
        """, arguments: [ExportLayout.frictionless.rawValue]) ?? 0
  }

  /// The SQL that selects each row at which the range of a purge can end. In this SQL, the row is
  /// called `e`. A purge must not separate rows that were written together, for example a gap and
  /// the row that ended the gap. Rows that were written together have the same clock reading.
  /// Therefore, the range can end at `e` only if the clock reading of the next row differs from the
  /// clock reading of `e`.
  private static let ends = """
    FROM events e JOIN events n ON n.seq = e.seq + 1
    WHERE e.type IN (\(PurgeRule.lastTypes.map { "'\($0)'" }.joined(separator: ", ")))
      AND (n.boot_id <> e.boot_id OR n.boottime_ns <> e.boottime_ns)
    """

  /// Returns the sequence number of the first row at which the range of a purge can end. The
  /// function examines only the row `sequence` and the later rows.
  private static func boundary(from sequence: Int64, in db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db, sql: "SELECT e.seq \(ends) AND e.seq >= ? ORDER BY e.seq LIMIT 1", arguments: [sequence])
  }

  /// Returns the sequence number of the newest row at which the range of a purge can end. The
  /// function examines only the rows after row `after`, up to row `wanted`.
  private static func boundary(
    below wanted: Int64, above after: Int64, in db: Database
  ) throws -> Int64? {
    try Int64.fetchOne(
      db, sql: "SELECT e.seq \(ends) AND e.seq <= ? AND e.seq > ? ORDER BY e.seq DESC LIMIT 1",
      arguments: [wanted, after])
  }

  /// Returns the time and UTC offset of the first row whose clock state is not `unset`.
  private static func first(
    in db: Database, through: Int64
  ) throws -> (at: Instant, offset: Int)? {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT wall_utc_ms, utc_offset_s FROM events
        WHERE clock_state <> 'unset' AND seq <= ? ORDER BY seq LIMIT 1
        """, arguments: [through])
    guard let cells = row.map({ RowReader($0, of: "events") }) else { return nil }
    return (Instant(milliseconds: try cells.integer(0)), Int(try cells.integer(1)))
  }

  private static func wall(of sequence: Int64, in db: Database) throws -> Instant? {
    try Int64.fetchOne(
      db, sql: "SELECT wall_utc_ms FROM events WHERE seq = ?", arguments: [sequence]
    ).map { Instant(milliseconds: $0) }
  }
}

extension Logbook {
  /// Returns the period from which purges removed prompts, for each alarm that is not deleted.
  ///
  /// The period starts at the time of the first row about the alarm. The period ends at the latest
  /// value of `closed_before_ms` in all `purged` events. All prompts that were due before the end
  /// of the period are closed.
  func purgedTimes(in db: Database) throws -> [AlarmID: Range<Instant>] {
    let until = try Int64.fetchOne(
      db,
      sql: """
        SELECT max(json_extract(payload, '$.closed_before_ms')) FROM events WHERE type = 'purged'
        """)
    guard let until else { return [:] }
    var found: [AlarmID: Range<Instant>] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT a.alarm_id, min(e.wall_utc_ms) FROM alarms a JOIN events e USING (alarm_id)
        WHERE a.is_deleted = 0 AND e.type IN ('alarm_created', 'alarm_edited') GROUP BY a.alarm_id
        """)
    while let row = try rows.next() {
      let cells = RowReader(row, of: "alarms")
      let from = try cells.integer(1)
      guard from < until else { continue }
      found[AlarmID(try cells.text(0))] =
        Instant(milliseconds: from)..<Instant(milliseconds: until)
    }
    return found
  }
}

extension Purge {
  /// The time and UTC offset of the first row whose clock state is not `unset`.
  var first: (at: Instant, offset: Int)? { firstAt.map { ($0, firstOffsetSeconds) } }
}
