import Alarms
import FileSystem
import GRDB
import Glibc
import Synchronization

/// The result of `Logbook.opening`: an open record and its state.
public struct OpenedRecord: Sendable {
  public var logbook: Logbook
  /// The state of the home that the logbook restored. The daemon continues from this state.
  public var snapshot: HomeSnapshot
  /// Messages for the administrator of the machine. Each message is one sentence.
  public var notices: [String]
}

extension Logbook {
  /// The maximum size of a record, in bytes, for the check of all pages. If the record is larger
  /// than this, the daemon does not check all pages when it starts. The record of a typical home
  /// grows by about 64 MiB in a year.
  private static let examinedBytes: Int64 = 64 << 20

  /// Opens the record of a home. The function also opens a record that is damaged or cannot be
  /// written, so that the alarms can still ring.
  ///
  /// - If an earlier version of Prompter wrote the record, the function upgrades the record.
  /// - If the record is damaged, the function builds a new record from the replica and from the
  ///   rows that are still readable. The function keeps the damaged file.
  /// - If the record cannot be written, the function copies the record to `refuge`. The logbook
  ///   reads this copy until the record can be written again.
  ///
  /// - Parameters:
  ///   - directory: the state directory. The caller must hold the lock of this directory.
  ///   - refuge: a directory in memory. If the disk cannot be written, the function copies the
  ///     record to this directory. If the parameter is nil, the function makes no copy.
  ///   - now: the present time in milliseconds since 1970. The function uses this time in the name
  ///     of the directory for damaged files.
  /// - Throws: `.newer` if a newer version of this program wrote the record. `.cannotOpen` if a
  ///   different program wrote the file. If the record cannot be opened for a different reason, the
  ///   function throws the error for this reason.
  public static func opening(
    directory: String, refuge: String?, now: Int64
  ) throws(LogbookError) -> OpenedRecord {
    let refuge = refuge.map { "\($0)/adrift" }
    do throws(LogbookError) {
      // SQLite maps the `-shm` file into memory. If the disk is full, and if the disk blocks are
      // smaller than a memory page, an access to this memory can end the process with SIGBUS.
      // Therefore, if the disk is full, do not open the record on the disk. The `catch` block
      // copies the record to `refuge` and opens the copy.
      if refuge != nil, !hasFreeSpace(directory) { throw .full(doing: "open the record") }
      let opened = try openInPlace(directory, now, Schema.migrator)
      if let refuge { removeTree(refuge) }
      return opened
    } catch {
      if case .newer = error { throw error }
      guard let refuge else { throw error }
      return try openCopyInMemory(directory, refuge, now, because: error)
    }
  }

  /// Marks the record as damaged. At its next start, the daemon reads this mark and recovers the
  /// record.
  public static func markDamaged(directory: String, because reason: String) throws(LogbookError) {
    try write(Array(reason.utf8), to: "\(directory)/\(Recovery.mark)")
  }

  /// Returns the names of the directories in which recoveries kept the damaged records.
  public static func damagedRecords(in directory: String) -> [String] {
    ((try? fileNames(in: directory)) ?? []).filter { $0.hasPrefix("\(Recovery.mark)-") }
  }

  /// Adds the new rows of the record to the replica.
  ///
  /// - Throws: `.corrupt` if a row of the record was changed after it was written. If the function
  ///   throws this error, the replica gets no new rows.
  public func updateReplica(directory: String) throws(LogbookError) {
    try explaining("update the second copy") {
      try second.withLock { second in
        do {
          try Self.keep(&second, directory)
        } catch is Replica.Outdated {
          try Self.buildReplicaAgain(&second, directory)
        } catch is Replica.Altered {
          try Self.buildReplicaAgain(&second, directory)
        } catch let error as DatabaseError
          where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        {
          // The update failed, because either the replica or the record cannot be read. Build a new
          // replica from all rows of the record. If the record cannot be read, `buildReplicaAgain`
          // throws an error.
          try Self.buildReplicaAgain(&second, directory)
        }
      }
    }
  }

  private static func buildReplicaAgain(_ second: inout DatabaseQueue?, _ directory: String) throws
  {
    try second?.close()
    second = nil
    removeTree("\(directory)/\(Replica.folder)")
    try keep(&second, directory)
  }

  private static func keep(_ second: inout DatabaseQueue?, _ directory: String) throws {
    let queue = try second ?? Replica.open(directory)
    second = queue
    try Replica.keepUp(queue, with: "\(directory)/\(RecordBackup.record)")
    try Replica.reclaimSpace(queue)
  }

  static func openInPlace(
    _ directory: String, _ now: Int64, _ migrator: DatabaseMigrator
  ) throws(LogbookError) -> OpenedRecord {
    try AtomicReplace.resume(directory)
    var notices: [String] = []
    let record = "\(directory)/\(RecordBackup.record)"
    let mark = "\(directory)/\(Recovery.mark)"
    let aside = "\(Recovery.mark)-\(now)"
    do throws(LogbookError) {
      if access(mark, F_OK) == 0 {
        throw .corrupt(doing: "read the record", reason: "the daemon found the damage during use")
      }
      var status = stat()
      let isThere = stat(record, &status) == 0 && status.st_size > 0
      if !isThere, Replica.head(in: directory) != nil {
        throw .corrupt(doing: "open the record", reason: "the file is missing")
      }
      if try Upgrade.isNeeded(record, migrator) {
        notices.append(try Upgrade.run(directory, migrator))
      }
      return try examined(directory, migrator, notices)
    } catch {
      guard case .corrupt(_, let reason) = error else { throw error }
      notices.append(try Recovery.run(directory, because: reason, aside: aside))
      return try examined(directory, migrator, notices)
    }
  }

  private static func examined(
    _ directory: String, _ migrator: DatabaseMigrator, _ notices: [String]
  ) throws(LogbookError) -> OpenedRecord {
    let logbook = try Logbook(
      directory: directory, study: "", random: SystemRandomNumberGenerator(),
      migrator: migrator)
    do throws(LogbookError) {
      try logbook.examine(second: Replica.head(in: directory))
      return OpenedRecord(
        logbook: logbook, snapshot: try logbook.restore(), notices: notices)
    } catch {
      try? logbook.close()
      throw error
    }
  }

  /// Searches for damage in the record when the daemon starts.
  ///
  /// If the record is small, the function checks all its pages. If a replica exists, the function
  /// also checks that the record contains the newest row of the replica.
  private func examine(second: Head?) throws(LogbookError) {
    try reading("read the record") { db in
      let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      let size = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      if pages * size <= Self.examinedBytes {
        let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no result"
        guard found == "ok" else {
          throw LogbookError.corrupt(doing: "read the record", reason: found)
        }
      }
      guard let second, second.sequence > 0 else { return }
      let hash = try String.fetchOne(
        db, sql: "SELECT hash FROM events WHERE seq = ?", arguments: [second.sequence])
      guard hash == second.hash else {
        throw LogbookError.corrupt(
          doing: "read the record",
          reason: hash == nil
            ? "it ends before event \(second.sequence), which existed earlier"
            : "event \(second.sequence) does not have the known hash")
      }
    }
  }

  /// Copies the record into memory and opens this copy.
  ///
  /// The daemon reads the alarms from this copy, so the alarms still ring. The daemon cannot record
  /// events until the record in `directory` can be written again.
  static func openCopyInMemory(
    _ directory: String, _ refuge: String, _ now: Int64, because reason: LogbookError,
    _ migrator: DatabaseMigrator = Schema.migrator
  ) throws(LogbookError) -> OpenedRecord {
    removeTree(refuge)
    for folder in [refuge, "\(refuge)/\(Replica.folder)"] {
      guard mkdir(folder, 0o700) == 0 else {
        throw ExportFile.failure("create \"\(folder)\"", errno)
      }
    }
    for name in [""] + RecordBackup.written {
      for file in [RecordBackup.record, "\(Replica.folder)/\(RecordBackup.record)"]
      where access("\(directory)/\(file)\(name)", F_OK) == 0 {
        try copyFile("\(directory)/\(file)\(name)", "\(refuge)/\(file)\(name)")
      }
    }
    var opened: OpenedRecord
    do throws(LogbookError) {
      opened = try openInPlace(refuge, now, migrator)
    } catch {
      if case .newer = error { throw error }
      // The upgrade failed. `Recovery` can read the rows without an upgrade, because the rows have
      // the same format in every version of the record.
      let notice = try Recovery.run(
        refuge, because: error.description, aside: "\(Recovery.mark)-\(now)")
      opened = try openInPlace(refuge, now, migrator)
      opened.notices.insert(notice, at: 0)
    }
    opened.notices.insert(
      "the record cannot be used in \(directory); nothing is recorded, and alarms ring from a copy in "
        + "memory: \(reason)", at: 0)
    opened.logbook.detach(for: directory)
    return opened
  }

  /// Stops the use of the copy in memory, and uses the record in the directory `home` again.
  ///
  /// - Throws: `.unwritable` if the record in `home` cannot be written, needs an upgrade, or has a
  ///   different head from the copy in memory.
  func reattach(in home: String, _ doing: String) throws(LogbookError) {
    let record = "\(home)/\(RecordBackup.record)"
    guard Self.canBeWritten(home) else {
      throw .unwritable(
        doing: doing, reason: "the disk of \"\(home)\" is full or cannot be written")
    }
    guard try !Upgrade.isNeeded(record, Schema.migrator) else {
      throw .unwritable(doing: doing, reason: "the record could not be upgraded")
    }
    let reopened = try Logbook(directory: home)
    guard reopened.head == head else {
      try reopened.close()
      throw .unwritable(
        doing: doing, reason: "the record in \"\(home)\" differs from its copy in memory")
    }
    try attach(on: reopened)
  }

  private static func canBeWritten(_ home: String) -> Bool {
    access(home, W_OK) == 0 && access("\(home)/\(RecordBackup.record)", W_OK) == 0
      && hasFreeSpace(home)
  }

  /// Returns true if at least 1 MiB is free, or if the disk does not report its free space.
  private static func hasFreeSpace(_ directory: String) -> Bool {
    var disk = statvfs()
    guard statvfs(directory, &disk) == 0 else { return true }
    return UInt64(disk.f_bavail) * UInt64(disk.f_frsize) >= 1 << 20
  }
}
