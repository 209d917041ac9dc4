import Alarms
import FileSystem
import GRDB
import Glibc

/// Makes a whole record out of a damaged one: the second copy, and after it all rows of the damaged file
/// that follow on in the chain. The damaged file is kept.
enum Recovery {
  /// Says, until the next start, that the record was found to be damaged while it was in use.
  static let mark = "damaged"

  /// - Parameter aside: the name of the directory that keeps the damaged files; there is none by it yet.
  /// - Returns: a sentence for whoever keeps the machine.
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
    var total: Int64?
    if Replica.head(in: directory) != nil {
      // A second copy that is no better than the first is done without.
      total = try? build(work, from: Replica.path(in: directory), and: evidence)
    }
    if total == nil {
      removeTree("\(directory)/\(Replica.folder)")
      for companion in [""] + RecordBackup.companions {
        unlink("\(work)/\(RecordBackup.record)\(companion)")
      }
      total = try build(work, from: nil, and: evidence)
    }
    for companion in [""] + RecordBackup.companions { unlink(evidence + companion) }
    try explaining("exchange the record") { try replacement.commit(aside: aside) }
    unlink("\(directory)/\(mark)")
    return "the record was damaged (\(reason)) and goes on from event \(total ?? 0); "
      + "the damaged file is kept in \(directory)/\(aside)"
  }

  /// Builds the new record and proves it.
  ///
  /// - Returns: how many events it has.
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
      throw .corrupt(doing: "prove the recovered record", reason: problem)
    }
    return verdict.events
  }

  /// Takes what can be read and follows on. Where the damage begins, it ends.
  private static func salvage(_ evidence: String, into logbook: Logbook) throws(LogbookError) {
    // A file that is no database any more has nothing to give.
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
          // Reading fails where the damage is, and only writing must not.
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

  /// Refuses to read through a view, a virtual table or a generated column: what somebody else wrote
  /// there need never end. The rows of a plain table are proven by the chain.
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
          doing: "recover the record", reason: "\"\(name)\" is not a table of ours")
      }
    }
  }

  private static func copyRows(_ source: Database, _ db: Database) throws {
    try requireTables(["events", "contents"], in: source)
    let head = try writing { try readHead(in: db) }
    // Of a record without a second copy, what a purge left of its beginning; where the damage hides that, what
    // follows on from the first row is all there is.
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

  /// What stands outside the chain: who is who, and what the device is called.
  private static func copyNames(_ table: String, _ source: Database, _ db: Database) throws {
    try requireTables([table], in: source)
    // Ours alone: the damaged file may have more of them.
    let columns = try writing { try db.columns(in: table).map(\.name) }
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let rows = try Row.fetchAll(
      source, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table)")
    for row in rows {
      try writing {
        try db.execute(
          sql: "INSERT OR REPLACE INTO \(table) VALUES (\(places))",
          arguments: StatementArguments(Array(row.databaseValues)))
      }
    }
  }

  /// Tells what the new record cannot take because it cannot be written from what it refuses to hold: that
  /// is the damage that is looked for, and must not keep the rest from being recovered.
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

/// The new record cannot be written: something other than the damage that is looked for.
private struct SalvageWriteError: Error {
  var cause: any Error
}
