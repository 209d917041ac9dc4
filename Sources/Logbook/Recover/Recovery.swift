import Alarms
import FileSystem
import GRDB
import Glibc

/// Builds a complete record from a damaged record.
///
/// The new record starts with the rows of the replica. Then `Recovery` reads the damaged file and
/// adds the rows that continue the hash chain. Prompter keeps the damaged file.
enum Recovery {
  /// The name of the file that marks a record as damaged. If the daemon finds damage while it runs,
  /// it writes this file. At its next start, the daemon recovers the record.
  static let mark = "damaged"

  /// Builds the new record and replaces the damaged record.
  ///
  /// - Parameter aside: the name of the directory for the damaged files. The function deletes an
  ///   existing directory with this name.
  /// - Returns: a message for the administrator of the machine, as one sentence.
  static func run(_ directory: String, because reason: String, aside: String) throws(LogbookError)
    -> String
  {
    let replacement = try AtomicReplace(of: directory)
    let work = replacement.workDirectory
    let record = "\(directory)/\(RecordBackup.record)"
    let evidence = "\(work)/evidence.sqlite"
    for companion in [""] + RecordBackup.written where access(record + companion, F_OK) == 0 {
      try copyFile(record + companion, evidence + companion)
    }
    let total: Int64
    if Replica.head(in: directory) != nil,
      let found = try? build(work, from: Replica.path(in: directory), and: evidence)
    {
      total = found
    } else {
      // There is no replica, or no record can be built from the replica.
      removeTree("\(directory)/\(Replica.folder)")
      for companion in [""] + RecordBackup.companions {
        unlink("\(work)/\(RecordBackup.record)\(companion)")
      }
      total = try build(work, from: nil, and: evidence)
    }
    for companion in [""] + RecordBackup.companions { unlink(evidence + companion) }
    try explaining("replace the record") { try replacement.commit(aside: aside) }
    unlink("\(directory)/\(mark)")
    return "the record was damaged (\(reason)); it is repaired and continues after event "
      + "\(total); the damaged file is in \(directory)/\(aside)"
  }

  /// Builds the new record and verifies it.
  ///
  /// - Returns: the number of events in the new record.
  private static func build(
    _ work: String, from copy: String?, and evidence: String
  ) throws(LogbookError) -> Int64 {
    if let copy { try copyFile(copy, "\(work)/\(RecordBackup.record)") }
    let begun = try Logbook(directory: work)
    if access(evidence, F_OK) == 0 { try salvage(evidence, into: begun) }
    try begun.close()
    let new = try Logbook(directory: work)
    try new.rebuild()
    let verdict = try new.verify()
    try new.close()
    if let problem = verdict.problem {
      throw .corrupt(doing: "verify the recovered record", reason: problem)
    }
    return verdict.events
  }

  /// Copies the rows that can be read and that continue the hash chain. The function stops at the
  /// first row that it cannot copy.
  private static func salvage(_ evidence: String, into logbook: Logbook) throws(LogbookError) {
    // If the file is not a database, no row can be recovered from it.
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: Schema.mistrust) }
    guard let queue = try? DatabaseQueue(path: evidence, configuration: configuration) else {
      return
    }
    try logbook.salvage(from: queue)
    try explaining("close the damaged record") { try queue.close() }
  }
}

extension Logbook {
  fileprivate func salvage(from queue: DatabaseQueue) throws(LogbookError) {
    try explaining("recover the record") {
      try pool.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          // If a damaged row cannot be read, ignore the error. If a write to the new record fails,
          // throw the error.
          var failure: (any Error)?
          try? queue.read { source in
            do {
              try Schema.copyingHoles(in: db) { try Self.copyRows(source, db) }
            } catch let error as SalvageWriteError {
              failure = error.cause
            }
          }
          for table in ["settings", "people", "tones"] {
            try? queue.read { source in
              do { try Self.copyNames(table, source, db) } catch let error as SalvageWriteError {
                failure = error.cause
              }
            }
          }
          if let failure { throw failure }
          return .commit
        }
      }
    }
  }

  /// Refuses to read from a view, a virtual table or a table with generated columns.
  ///
  /// This program never creates views, virtual tables or generated columns. If a different program
  /// created a view or a virtual table, a read from this view or virtual table might never end. A
  /// read of a plain table always ends. The recovery then checks the rows of this table with the
  /// hash chain.
  private static func requireTables(_ names: [String], in source: Database) throws {
    for name in names {
      let count = try Int.fetchOne(
        source,
        sql: """
          SELECT count(*) FROM sqlite_schema
          WHERE lower(name) = ? AND type = 'table' AND rootpage > 0
          """, arguments: [name])
      let hidden = try Int.fetchOne(
        source, sql: "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden <> 0",
        arguments: [name])
      guard count == 1, hidden == 0 else {
        throw LogbookError.corrupt(
          doing: "recover the record", reason: "\"\(name)\" is not a plain table")
      }
    }
  }

  private static func copyRows(_ source: Database, _ db: Database) throws {
    try requireTables(["events", "contents"], in: source)
    let head = try writing { try readHead(in: db) }
    // If no row came from a replica, the new record begins with the first rows of `source`. After a
    // purge, these are the rows that the purge kept. The `purged` event contains a digest of these
    // rows, and the digest proves that these rows are unchanged. If the `purged` event cannot be
    // read, the function can recover rows only if `source` still contains row 1.
    let purged = head.sequence == 0 ? try? PurgeInForce.find(in: source)?.purge : nil
    var chain = ChainProof(head, purged: purged)
    let places = Array(repeating: "?", count: EventRow.columnNames.count).joined(separator: ", ")
    let rows = try Row.fetchCursor(
      source,
      sql: """
        SELECT \(EventRow.selection), c.salt, c.body FROM events e
        LEFT JOIN contents c ON c.seq = e.seq WHERE e.seq > ? ORDER BY e.seq
        """, arguments: [chain.head.sequence])
    while let row = try rows.next(), try chain.add(row) == nil {
      let values = Array(row.databaseValues)
      let width = EventRow.columnNames.count
      try writing {
        try db.cachedStatement(sql: "INSERT INTO events VALUES (\(places))")
          .execute(arguments: StatementArguments(values[..<width]))
        if !values[width].isNull {
          try db.cachedStatement(sql: "INSERT INTO contents VALUES (?, ?, ?)")
            .execute(arguments: [values[0], values[width], values[width + 1]])
        }
      }
    }
  }

  /// Copies a table that the hash chain does not cover: `people`, `settings` or `tones`.
  private static func copyNames(_ table: String, _ source: Database, _ db: Database) throws {
    try requireTables([table], in: source)
    // An earlier version of Prompter can have written the damaged file, or a different program can
    // have changed the file. Copy only the columns that exist in both tables.
    let known = try Set(source.columns(in: table).map(\.name))
    let columns = try writing { try db.columns(in: table).map(\.name) }.filter(known.contains)
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let rows = try Row.fetchAll(
      source, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table)")
    for row in rows {
      try writing {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))
            """,
          arguments: StatementArguments(Array(row.databaseValues)))
      }
    }
  }

  /// Calls `work`, which writes to the new record. The type of a thrown error shows whether the new
  /// record refused a row or the disk failed.
  ///
  /// If the new record refuses a damaged row, the function throws the error of SQLite. The caller
  /// can then skip this row and recover the remaining rows. If the disk failed, the function throws
  /// `SalvageWriteError`.
  private static func writing<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as DatabaseError
      where [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG].contains(error.resultCode)
    {
      throw error
    } catch {
      throw SalvageWriteError(cause: error)
    }
  }
}

/// The error for a failed write to the new record. This error stops the recovery. If an error comes
/// only from damage in the old record, the recovery continues.
private struct SalvageWriteError: Error {
  var cause: any Error
}
