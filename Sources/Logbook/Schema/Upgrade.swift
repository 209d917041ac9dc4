import FileSystem
import GRDB
import Glibc

/// Converts a record of an earlier version to the present schema.
///
/// The upgrade changes a copy of the record. The copy replaces the record only after `verify` has
/// checked the copy. If the upgrade fails or is interrupted, the record is unchanged.
enum Upgrade {
  /// The name of the directory that contains the old record after the upgrade.
  static let aside = "before-upgrade"

  /// Returns true if the record contains events and if an earlier version of Prompter wrote the
  /// record.
  static func isNeeded(_ path: String, _ migrator: DatabaseMigrator) throws(LogbookError) -> Bool {
    guard access(path, F_OK) == 0 else { return false }
    return try explaining("read the record \"\(path)\"") {
      try looking(into: path) { db in
        // A file that a different program wrote needs no upgrade, because `Logbook.open` refuses
        // such a file.
        guard try Schema.isRecord(db) else { return false }
        try Schema.prove(db, migrator, doing: "read the record \"\(path)\"")
        let applied = try migrator.appliedIdentifiers(db)
        // If a newer version of Prompter wrote the record, no upgrade is needed, because
        // `Logbook.open` refuses this record.
        guard !applied.isEmpty, applied.isSubset(of: Set(migrator.migrations)),
          applied.count < migrator.migrations.count
        else { return false }
        // A record without events does not need an upgrade. Such a record can have an earlier
        // schema, if the first start of the daemon was interrupted between two migrations.
        return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM events)") ?? false
      }
    }
  }

  /// Upgrades the record.
  ///
  /// - Returns: a sentence for the administrator of the machine.
  static func run(_ directory: String, _ migrator: DatabaseMigrator) throws(LogbookError) -> String
  {
    let record = "\(directory)/\(RecordBackup.record)"
    let before = try gather(record)
    let replacement = try AtomicReplace(of: directory)
    let work = replacement.workDirectory
    do {
      try copyFile(record, "\(work)/\(RecordBackup.record)")
      let copy = try Logbook(
        directory: work, study: "", random: SystemRandomNumberGenerator(), migrator: migrator)
      let after = try count(copy)
      let verdict = try copy.verify()
      try copy.close()
      guard after == before else {
        throw LogbookError.invalid(
          doing: "upgrade the record", reason: "the copy has \(after) instead of \(before)")
      }
      if let problem = verdict.problem {
        throw LogbookError.corrupt(doing: "verify the upgraded record", reason: problem)
      }
      try replacement.commit(aside: aside)
    } catch {
      removeTree(work)
      let reason = (error as? LogbookError)?.description ?? "\(error)"
      throw .invalid(
        doing: "upgrade the record", reason: "\(reason); the record is unchanged")
    }
    return "the record was upgraded (\(before)); the old record is in \(directory)/\(aside)"
  }

  /// Three values of a record: the number of events, the hash of the newest event, and the number
  /// of stored contents. These values must be the same before and after the upgrade.
  private struct Sum: Equatable, CustomStringConvertible {
    var events: Int64
    var head: String
    var texts: Int

    var description: String { "\(events) events up to \(head.prefix(12)), \(texts) texts" }
  }

  /// Copies the write-ahead log into the main file, and counts the events and their contents.
  private static func gather(_ record: String) throws(LogbookError) -> Sum {
    try explaining("read the record \"\(record)\"") {
      var configuration = Configuration()
      configuration.prepareDatabase { try $0.execute(sql: Schema.mistrust) }
      let queue = try DatabaseQueue(path: record, configuration: configuration)
      let sum = try queue.writeWithoutTransaction { db in
        _ = try db.checkpoint(.truncate)
        return try count(db)
      }
      try queue.close()
      var status = stat()
      guard stat(record + "-wal", &status) != 0 || status.st_size == 0 else {
        throw LogbookError.failed(
          doing: "upgrade the record", reason: "another program has it open")
      }
      return sum
    }
  }

  private static func count(_ logbook: Logbook) throws(LogbookError) -> Sum {
    try logbook.reading("count the record") { try count($0) }
  }

  private static func count(_ db: Database) throws -> Sum {
    let head = try Logbook.readHead(in: db)
    return Sum(
      events: head.sequence, head: head.hash,
      texts: try Int.fetchOne(db, sql: "SELECT count(*) FROM contents") ?? 0)
  }
}
