import Alarms
import GRDB
import Glibc
import MessageDigest
import Synchronization

/// The replica: a second copy of the record, in its own file.
///
/// The daemon recovers a damaged record from the replica. Rows never change, so an update of the
/// replica only adds the new rows. In one day, the daemon writes about as many bytes to the replica
/// as to the record. The daemon checks each new row before it adds the row to the replica, so the
/// replica contains no damaged rows. If content was erased or rows were purged in the record, an
/// update also removes this content and these rows from the replica. The replica contains no
/// prompts and no alarms, because the daemon can compute the prompts and the alarms from the rows.
enum Replica {
  static let folder = "snapshot"

  static func path(in directory: String) -> String {
    "\(directory)/\(folder)/\(RecordBackup.record)"
  }

  /// The tables that the function `copyTables` skips.
  ///
  /// `add` copies the new rows of `events` and `contents`. The daemon can compute `alarms` and
  /// `prompts` again. A recovery does not need `receipts` and `grdb_migrations`. All other tables
  /// are small, so `copyTables` copies all their rows.
  private static let notCopied: Set<String> = [
    "events", "contents", "alarms", "prompts", "receipts", "grdb_migrations",
  ]

  static func open(_ directory: String) throws -> DatabaseQueue {
    let folder = "\(directory)/\(folder)"
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw ExportFile.failure("create \"\(folder)\"", errno)
    }
    let file = Glibc.open(path(in: directory), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      throw ExportFile.failure("create \"\(path(in: directory))\"", errno)
    }
    close(file)
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    // SQLite does not check the foreign keys here. Reason: an update of the replica sometimes adds
    // a row before it adds the row to which the first row refers.
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try db.execute(sql: Schema.mistrust)
      try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA synchronous = FULL")
      try db.execute(sql: Logbook.pageCache)
      try Schema.prepareForPurges(db)
    }
    let queue = try DatabaseQueue(path: path(in: directory), configuration: configuration)
    if try queue.read({ try Schema.problem(in: $0) }) != nil {
      try queue.close()
      throw Altered()
    }
    try Schema.migrator.migrate(queue)
    return queue
  }

  /// Returns the head of the replica. The result is nil if the replica does not exist or cannot be
  /// read.
  static func head(in directory: String) -> Logbook.Head? {
    guard access(path(in: directory), F_OK) == 0 else { return nil }
    // If the replica cannot be read, the result is nil, as if there were no replica. At the next
    // update, the daemon builds a new replica.
    return try? looking(into: path(in: directory)) { db in
      try Schema.prove(db, doing: "read the second copy")
      return try Logbook.readHead(in: db)
    }
  }

  /// Adds the new rows of the record to the replica.
  static func keepUp(_ queue: DatabaseQueue, with record: String) throws {
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH DATABASE ? AS source", arguments: [record])
      // Ignore an error of DETACH, because DETACH fails only if the database is no longer attached.
      defer { try? db.execute(sql: "DETACH DATABASE source") }
      try db.inTransaction(.immediate) {
        if try Schema.problem(in: db) != nil { throw Altered() }
        try Schema.prove(db, schema: "source", doing: "update the second copy")
        let head = try Logbook.readHead(in: db)
        let purged = try PurgeInForce.find(in: db, schema: "source")?.purge
        if let purged, head.sequence > 0, head.sequence < purged.throughSequence {
          throw Outdated()
        }
        try prove(db, after: head, purged)
        if purged != nil, head.sequence == 0 {
          try Schema.copyingHoles(in: db) { try add(db, after: head) }
        } else {
          try add(db, after: head)
        }
        if let purged { try follow(purged, db) }
        try forget(db)
        try copyTables(db)
        return .commit
      }
    }
  }

  private static func add(_ db: Database, after head: Logbook.Head) throws {
    for table in ["events", "contents"] {
      try db.execute(
        sql: "INSERT INTO \(table) SELECT * FROM source.\(table) WHERE seq > ? ORDER BY seq",
        arguments: [head.sequence])
    }
  }

  /// The error for an outdated replica. A purge of the record covered the newest row of this
  /// replica, so the remaining rows of the record do not continue the hash chain of the replica.
  struct Outdated: Error {}

  /// The error for a replica with a wrong schema. Example: the replica contains a trigger that
  /// Prompter did not create.
  struct Altered: Error {}

  /// Removes the purged rows from the replica. `PurgeInForce.find` has already checked that the
  /// purge left exactly the planned rows in the record.
  private static func follow(_ purge: Purge, _ db: Database) throws {
    let through = purge.throughSequence
    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM events WHERE seq <= \(through)")
    if count == purge.kept { return }
    try PurgeRule.remove(in: db, through: through, keeping: "source.events")
  }

  /// Makes the file of the replica shorter: frees the unused pages of the file on the disk.
  static func reclaimSpace(_ queue: DatabaseQueue) throws {
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA incremental_vacuum")
    }
  }

  /// Checks new rows of the record. This check runs before the rows are added to the replica.
  private static func prove(
    _ db: Database, after head: Logbook.Head, _ purged: Purge?
  ) throws {
    if head.sequence > 0 {
      let known = try String.fetchOne(
        db, sql: "SELECT hash FROM source.events WHERE seq = ?", arguments: [head.sequence])
      guard known == head.hash else {
        throw LogbookError.corrupt(
          doing: "update the second copy",
          reason: "row \(head.sequence) does not have the known hash")
      }
    }
    var chain = ChainProof(head, purged: purged)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.salt, c.body FROM source.events e
        LEFT JOIN source.contents c ON c.seq = e.seq WHERE e.seq > ? ORDER BY e.seq
        """, arguments: [head.sequence])
    while let row = try rows.next() {
      if let problem = try chain.add(row) {
        throw LogbookError.corrupt(doing: "update the second copy", reason: problem)
      }
    }
  }

  /// Deletes the content of an event from the replica if the record no longer contains this
  /// content.
  private static func forget(_ db: Database) throws {
    let counts = try ["main", "source"].map {
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0).contents") ?? 0
    }
    guard counts[0] != counts[1] else { return }
    try db.execute(
      sql: "DELETE FROM main.contents WHERE seq NOT IN (SELECT seq FROM source.contents)")
  }

  private static func copyTables(_ db: Database) throws {
    let tables = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM source.sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name
        """)
    for table in tables where !notCopied.contains(table) {
      try db.execute(
        sql: """
          DELETE FROM main."\(table)"; INSERT INTO main."\(table)" SELECT * FROM source."\(table)"
          """)
    }
  }
}

/// Opens a new connection to a database file and calls `work` with this connection.
///
/// If a process was killed during a transaction, the file can contain a part of the transaction. A
/// journal beside the file then contains the data with which SQLite can undo this part. SQLite must
/// roll back the transaction before it reads the file, and a rollback needs write access.
/// Therefore, the connection is writable if a journal exists. Otherwise, the connection is
/// read-only.
func looking<Value>(into path: String, _ work: (Database) throws -> Value) throws -> Value {
  var configuration = Configuration()
  configuration.readonly = access("\(path)-journal", F_OK) != 0
  configuration.busyMode = .timeout(5)
  configuration.prepareDatabase { try $0.execute(sql: Schema.mistrust) }
  let queue = try DatabaseQueue(path: path, configuration: configuration)
  defer { rest(queue) }
  return try queue.read(work)
}

/// Closes a database queue, but does not release the queue object.
///
/// A release of the queue object would start threads of libdispatch. These threads would wake the
/// processor once a second (see CThreads).
func rest(_ queue: DatabaseQueue) {
  resting.withLock { $0.append(queue) }
  // Ignore an error of `close`: the code used the database queue `queue` only to read, so no data
  // are lost. If the database queue is still open, the end of the process closes it.
  try? queue.close()
}

/// The closed database queues. The daemon never removes a queue from this list. Each time that the
/// daemon opens a record, the list grows by a few queues.
private let resting = Mutex<[DatabaseQueue]>([])

/// A check of rows, one after the other. Each row must continue the hash chain, and must be
/// unchanged since the daemon wrote the row.
struct ChainProof {
  private(set) var head: Logbook.Head
  /// The sequence number of the last row that the newest purge covered; 0 if there was no purge.
  /// `PurgeInForce.find` has already checked the rows that the purge covered. All later rows must
  /// be in the record. If a later row is missing, the record has a fault.
  private let beginning: Int64

  init(_ head: Logbook.Head, purged: Purge? = nil) {
    self.head = head
    beginning = purged?.throughSequence ?? 0
  }

  /// Checks the next row. The row contains the columns of `EventRow.selection`, then the salt and
  /// the body of the content.
  ///
  /// - Returns: a sentence about the fault of the row; nil if the row is correct.
  mutating func add(_ row: Row) throws -> String? {
    let event = try EventRow(row)
    let width = EventRow.columnNames.count
    guard
      event.sequence <= beginning
        || event.sequence == head.sequence + 1 && event.previousHash == head.hash
    else {
      return "row \(event.sequence) does not continue the hash chain after row \(head.sequence)"
    }
    guard event.computedHash() == event.hash else {
      return "row \(event.sequence) was changed after it was written"
    }
    let cells = RowReader(row, of: "contents")
    if let salt = try cells.optionalText(width), let body = try cells.optionalText(width + 1) {
      let digest = bytes(hexadecimal: salt).map { SHA256Digest.hex($0 + Array(body.utf8)) }
      guard let digest, digest == event.payloadDigest else {
        return "the free text of row \(event.sequence) was changed after it was written"
      }
    }
    head = (event.sequence, event.hash)
    return nil
  }
}
