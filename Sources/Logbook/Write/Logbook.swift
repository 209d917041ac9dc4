import Alarms
import GRDB
import Glibc
import MessageDigest
import Synchronization

/// The study record of one home: `record.sqlite` in the state directory.
///
/// The events are the original data. The tables of alarms, prompts and tones are projections of the
/// events. The logbook writes the changes of a projection in the same transaction as the events.
/// `verify` checks that the projections agree with the events. Each function returns only after its
/// work is complete. When `record` returns, the recorded data are on the disk.
///
/// The caller must ensure that only one daemon uses the file. A daemon keeps the head in memory and
/// does not see the events of a second daemon. Therefore, two daemons would break the hash chain.
public final class Logbook: Sendable {
  var pool: DatabasePool { place.withLock { $0.pool } }
  private let place: Mutex<Place>
  /// The connection to the replica; nil until the replica is opened.
  let second = Mutex<DatabaseQueue?>(nil)
  let study: String
  /// The progress of long operations on the record.
  public let progress = ProgressTracker()
  /// The pseudonym of this device.
  let device: String
  private let migrator: DatabaseMigrator
  let memory: Mutex<Memory>

  /// The database that this instance uses at present.
  private struct Place: Sendable {
    var pool: DatabasePool
    /// The directory of the original record if `pool` is a copy in memory; otherwise nil.
    var home: String?
  }

  /// The sequence number and the hash of the newest row.
  public typealias Head = (sequence: Int64, hash: String)

  /// Values of the record that the logbook keeps in memory. Therefore, a commit does not have to
  /// read these values from the file.
  struct Memory: Sendable {
    var sequence: Int64
    var hash: String
    /// False if a commit failed and the logbook has not yet read the head from the file again.
    var isHeadKnown = true
    /// True if the write-ahead log can still contain erased texts.
    var needsScrub = false
    var pseudonyms: [PersonID: String]
    /// The people for whom the record contains a digest. This digest binds the pseudonym of a
    /// person to the id of the person.
    var boundPeople: Set<PersonID>
    var random: any RandomNumberGenerator & Sendable
  }

  /// Opens or creates the record, and upgrades the record to the present schema.
  ///
  /// - Parameters:
  ///   - directory: an existing directory that only the daemon can use (mode 0700).
  ///   - study: the `study_id` in the rows about persons who are not enrolled in a study.
  /// - Throws: `.cannotOpen`, `.newer` or `.corrupt`. If the disk fails, the initializer throws the
  ///   case of `LogbookError` for this failure.
  public convenience init(directory: String, study: String = "") throws(LogbookError) {
    try self.init(directory: directory, study: study, random: SystemRandomNumberGenerator())
  }

  /// - Parameter random: the source of event ids, salts and pseudonyms.
  init(
    directory: String, study: String, random: any RandomNumberGenerator & Sendable,
    migrator: DatabaseMigrator = Schema.migrator
  ) throws(LogbookError) {
    let path = directory + "/record.sqlite"
    try Self.createPrivately(path)
    self.study = study
    self.migrator = migrator
    var random = random
    let pool = try explaining("open the record \"\(path)\"") { try Self.open(path, migrator) }
    place = Mutex(Place(pool: pool, home: nil))
    let found = try explaining("read the record \"\(path)\"") {
      try pool.writeWithoutTransaction { db in
        (
          device: try Self.identity(in: db, &random), head: try Self.readHead(in: db),
          pseudonyms: try Self.readPseudonyms(in: db), bound: try Self.readBoundPeople(in: db)
        )
      }
    }
    device = found.device
    memory = Mutex(
      Memory(
        sequence: found.head.sequence, hash: found.head.hash, pseudonyms: found.pseudonyms,
        boundPeople: found.bound, random: random))
  }

  /// The sequence number and the hash of the newest row. If the record is empty, the sequence
  /// number is 0 and the hash is 64 zeros.
  public var head: Head { memory.withLock { ($0.sequence, $0.hash) } }

  /// Moves all data from the write-ahead log into the database file, and closes the record. After
  /// this call, every call of a function of this logbook fails.
  public func close() throws(LogbookError) {
    try explaining("close the record") {
      try pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      try pool.close()
      try second.withLock { try $0?.close() }
    }
  }

  /// Closes the record of a disk that can no longer be used. In contrast to `close`, this function
  /// does not copy the write-ahead log into the main file.
  package func abandon() throws(LogbookError) {
    try explaining("close the record") {
      defer { second.withLock { $0 = nil } }
      try pool.close()
      try second.withLock { try $0?.close() }
    }
  }

  /// Runs a transaction on the connection that writes.
  ///
  /// `work` changes a copy of `memory`. The copy replaces `memory` only after the commit is on the
  /// disk. If a commit ends with an error, it is not known whether the data are on the disk.
  /// Therefore, the next transaction reads the head from the file.
  func transaction(
    _ doing: String, _ work: (Database, inout Memory) throws -> Void
  ) throws(LogbookError) {
    if let home = place.withLock({ $0.home }) { try reattach(in: home, doing) }
    try explaining(doing) {
      try pool.writeWithoutTransaction { db in
        var copy = memory.withLock { $0 }
        if !copy.isHeadKnown {
          let head = try Self.readHead(in: db)
          (copy.sequence, copy.hash, copy.isHeadKnown) = (head.sequence, head.hash, true)
          copy.pseudonyms = try Self.readPseudonyms(in: db)
          copy.boundPeople = try Self.readBoundPeople(in: db)
        }
        do {
          try db.inTransaction(.immediate) {
            try work(db, &copy)
            return .commit
          }
        } catch {
          memory.withLock { $0.isHeadKnown = false }
          throw error
        }
        memory.withLock { $0 = copy }
      }
    }
  }

  /// Marks the open database as a copy in memory. The original record is in the directory `home`.
  func detach(for home: String) { place.withLock { $0.home = home } }

  /// Replaces the copy in memory by the record that `other` has opened.
  func attach(on other: Logbook) throws(LogbookError) {
    let pool = other.pool
    let copy = place.withLock { place in
      defer { place = Place(pool: pool, home: nil) }
      return place.pool
    }
    try explaining("close the copy of the record") { try copy.close() }
  }

  /// True while the record cannot be written and this logbook reads a copy of the record in memory.
  public var isDetached: Bool { place.withLock { $0.home != nil } }

  /// Returns the problem in the schema of the record; nil if the schema has no problem. Example of
  /// a problem: the schema contains a trigger that Prompter did not create.
  func schemaProblem(in db: Database) throws -> String? { try Schema.problem(in: db, migrator) }

  /// Runs `work` on one snapshot of the record. Later writes do not change the snapshot.
  func reading<Value>(_ doing: String, _ work: (Database) throws -> Value) throws(LogbookError)
    -> Value
  {
    try explaining(doing) { try pool.read(work) }
  }
}

extension Logbook {
  /// If the file does not exist, creates an empty file that only its owner can read. SQLite gives
  /// the `-wal` and `-shm` files the same permissions as this file.
  private static func createPrivately(_ path: String) throws(LogbookError) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    Glibc.close(descriptor)
  }

  /// Sets the page cache of a connection to 256 KiB. A cache of more than 256 KiB would cost memory
  /// for each of the five connections. A small cache is enough, because all connections also use
  /// the page cache of the kernel.
  static let pageCache = "PRAGMA cache_size = -256"

  private static func open(_ path: String, _ migrator: DatabaseMigrator) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.label = "logbook"
    configuration.maximumReaderCount = 3
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      // With `secure_delete`, SQLite overwrites erased texts, so that free pages do not contain
      // these texts. With `mistrust`, SQLite does not run functions with side effects from the SQL
      // code of the schema. A damaged or forged file could contain such code.
      try db.execute(sql: "PRAGMA secure_delete = ON; \(Schema.mistrust)")
      try db.execute(sql: pageCache)
      try Schema.prepareForPurges(db)
    }
    try refuseUnknown(path, migrator)
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { db in
      // GRDB first calls `prepareDatabase`. Then GRDB enables WAL and sets `synchronous` to NORMAL.
      // Therefore, this code sets `synchronous` to FULL here, and not in `prepareDatabase`. The
      // setting applies to all writes, because the pool uses one connection for all writes.
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216")
      // The record can contain rows that the previous process wrote but did not sync. A power
      // failure could still remove these rows, so the checkpoint syncs them. Ignore an error of the
      // checkpoint, because a full disk must not prevent the start of the daemon. If the disk is
      // full, the first call of `record` reports the error.
      _ = try? db.checkpoint(.truncate)
    }
    if try pool.read(migrator.hasBeenSuperseded) { throw LogbookError.newer(path: path) }
    try migrator.migrate(pool)
    try pool.read { try Schema.prove($0, migrator, doing: "open the record \"\(path)\"") }
    return pool
  }

  /// Refuses a file that is not a record of Prompter. Also refuses a record whose schema contains
  /// something that Prompter did not create, for example a foreign trigger.
  ///
  /// The caller must run this check before it writes to the file.
  private static func refuseUnknown(_ path: String, _ migrator: DatabaseMigrator) throws {
    try looking(into: path) { db in
      guard try Schema.isRecord(db) else {
        throw LogbookError.cannotOpen(path: path, reason: "it is not a record of this program")
      }
      try Schema.prove(db, migrator, doing: "open the record \"\(path)\"")
    }
  }

  /// Reads the pseudonym of this device.
  ///
  /// The first call creates the pseudonym of the device. This call also creates the secret with
  /// which exports compute opaque names for identifiers.
  private static func identity(
    in db: Database, _ random: inout any RandomNumberGenerator & Sendable
  ) throws -> String {
    if let device = try setting("device", in: db) { return device }
    let device = pseudonym("D", &random)
    let secret = hexadecimal(randomBytes(32, &random))
    try db.inTransaction(.immediate) {
      for (name, value) in [("device", device), ("export_secret", secret)] {
        try db.execute(
          sql: "INSERT INTO settings (name, value) VALUES (?, ?)", arguments: [name, value])
      }
      return .commit
    }
    return device
  }

  static func setting(_ name: String, in db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [name])
  }

  static func readHead(in db: Database) throws -> Head {
    let row = try Row.fetchOne(db, sql: "SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1")
    guard let row else { return (0, EventRow.genesis) }
    let cells = RowReader(row, of: "events")
    return (try cells.integer(0), try cells.text(1))
  }

  static func readPseudonyms(in db: Database) throws -> [PersonID: String] {
    var found: [PersonID: String] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT person, pseudonym FROM people")
    while let row = try rows.next() {
      let cells = RowReader(row, of: "people")
      found[PersonID(try cells.text(0))] = try cells.text(1)
    }
    return found
  }

  static func readBoundPeople(in db: Database) throws -> Set<PersonID> {
    let people = try String.fetchAll(db, sql: "SELECT person FROM people WHERE salt IS NOT NULL")
    return Set(people.map { PersonID($0) })
  }
}
