import Alarms
import FileSystem
import GRDB
import Glibc
import Synchronization

/// A record that was opened, whatever had become of it.
public struct OpenedRecord: Sendable {
  public var logbook: Logbook
  /// What the daemon goes on from.
  public var snapshot: HomeSnapshot
  /// What whoever keeps the machine must be told, a sentence each.
  public var notices: [String]
}

extension Logbook {
  /// A file up to this size, in bytes, is looked through page by page at each start: about a year of a home.
  private static let examinedBytes: Int64 = 64 << 20

  /// Opens the record of a home, whatever has become of it, so that what is known rings.
  ///
  /// A record of an earlier version is upgraded; one that is damaged is recovered from its second copy and
  /// its own rows, and the damaged file kept; one that cannot be written is copied into `refuge` and read
  /// from there, until it can be written again.
  ///
  /// - Parameters:
  ///   - directory: exists; the caller holds its lock.
  ///   - refuge: a directory in memory for a disk that takes nothing; nil for none.
  ///   - now: milliseconds since 1970, for the name of what is put aside.
  /// - Throws: `.newer`, `.cannotOpen` for another program's file, and what nothing helps against.
  public static func opening(
    directory: String, refuge: String?, now: Int64
  ) throws(LogbookError) -> OpenedRecord {
    let refuge = refuge.map { "\($0)/adrift" }
    do throws(LogbookError) {
      // SQLite maps a file that it shares into memory; on a disk without a block left for it, touching that
      // ends the process (SIGBUS, where blocks are smaller than pages).
      if refuge != nil, !hasRoom(directory) { throw .full(doing: "open the record") }
      let opened = try atHome(directory, now, Schema.migrator)
      if let refuge { removeTree(refuge) }
      return opened
    } catch {
      if case .newer = error { throw error }
      guard let refuge else { throw error }
      return try adrift(directory, refuge, now, because: error)
    }
  }

  /// Says, for the next start, that the record was found to be damaged.
  public static func markDamaged(directory: String, because reason: String) throws(LogbookError) {
    try write(Array(reason.utf8), to: "\(directory)/\(Recovery.mark)")
  }

  /// What was kept of damaged records, as directories' names.
  public static func damagedRecords(in directory: String) -> [String] {
    ((try? fileNames(in: directory)) ?? []).filter { $0.hasPrefix("\(Recovery.mark)-") }
  }

  /// Brings the second copy up to date.
  ///
  /// - Throws: `.corrupt` where the record is not what it was; the copy stays as it is.
  public func keepSecondCopy(directory: String) throws(LogbookError) {
    try explaining("keep the second copy") {
      try second.withLock { second in
        do {
          try Self.keep(&second, directory)
        } catch is Replica.Outdated {
          try Self.keepAnew(&second, directory)
        } catch is Replica.Altered {
          try Self.keepAnew(&second, directory)
        } catch let error as DatabaseError
          where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        {
          // The copy itself cannot be read any more, or the record: another copy from the first row on tells.
          try Self.keepAnew(&second, directory)
        }
      }
    }
  }

  private static func keepAnew(_ second: inout DatabaseQueue?, _ directory: String) throws {
    try second?.close()
    second = nil
    removeTree("\(directory)/\(Replica.folder)")
    try keep(&second, directory)
  }

  private static func keep(_ second: inout DatabaseQueue?, _ directory: String) throws {
    let queue = try second ?? Replica.open(directory)
    second = queue
    try Replica.keepUp(queue, with: "\(directory)/\(RecordBackup.record)")
    try Replica.giveBack(queue)
  }

  static func atHome(
    _ directory: String, _ now: Int64, _ migrator: DatabaseMigrator
  ) throws(LogbookError) -> OpenedRecord {
    try AtomicReplace.resume(directory)
    var notices: [String] = []
    let record = "\(directory)/\(RecordBackup.record)"
    let mark = "\(directory)/\(Recovery.mark)"
    let aside = "\(Recovery.mark)-\(now)"
    do throws(LogbookError) {
      if access(mark, F_OK) == 0 {
        throw .corrupt(doing: "read the record", reason: "it was found to be damaged while in use")
      }
      var status = stat()
      let isThere = stat(record, &status) == 0 && status.st_size > 0
      if !isThere, Replica.head(in: directory) != nil {
        throw .corrupt(doing: "open the record", reason: "the file is gone")
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

  /// Looks for damage as far as a start has time for it.
  private func examine(second: Head?) throws(LogbookError) {
    try reading("read the record") { db in
      let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      let size = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      if pages * size <= Self.examinedBytes {
        let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
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
            ? "it ends before event \(second.sequence), which was known"
            : "event \(second.sequence) is not the one that was known")
      }
    }
  }

  /// Works on a copy in memory. Nothing can be recorded until the record can be written where it is; what
  /// is known rings all the same.
  static func adrift(
    _ directory: String, _ refuge: String, _ now: Int64, because reason: LogbookError,
    _ migrator: DatabaseMigrator = Schema.migrator
  ) throws(LogbookError) -> OpenedRecord {
    removeTree(refuge)
    for folder in [refuge, "\(refuge)/\(Replica.folder)"] {
      guard mkdir(folder, 0o700) == 0 else {
        throw ExportFile.failure("make \"\(folder)\"", errno)
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
      opened = try atHome(refuge, now, migrator)
    } catch {
      if case .newer = error { throw error }
      // An upgrade that fails: the rows themselves are of every version.
      let notice = try Recovery.run(
        refuge, because: error.description, aside: "\(Recovery.mark)-\(now)")
      opened = try atHome(refuge, now, migrator)
      opened.notices.insert(notice, at: 0)
    }
    opened.notices.insert(
      "the record cannot be used where it is, so nothing is recorded, and alarms ring from a copy in "
        + "memory: \(reason)", at: 0)
    opened.logbook.detach(for: directory)
    return opened
  }

  /// Goes back to where the record belongs, once it can be written there.
  func reattach(in home: String, _ doing: String) throws(LogbookError) {
    let record = "\(home)/\(RecordBackup.record)"
    guard Self.canBeWritten(home) else {
      throw .unwritable(doing: doing, reason: "the disk of \"\(home)\" takes nothing")
    }
    guard try !Upgrade.isNeeded(record, Schema.migrator) else {
      throw .unwritable(doing: doing, reason: "the record could not be upgraded")
    }
    let landed = try Logbook(directory: home)
    guard landed.head == head else {
      try landed.close()
      throw .unwritable(
        doing: doing, reason: "the record in \"\(home)\" is not the one that was read")
    }
    try attach(on: landed)
  }

  private static func canBeWritten(_ home: String) -> Bool {
    access(home, W_OK) == 0 && access("\(home)/\(RecordBackup.record)", W_OK) == 0 && hasRoom(home)
  }

  /// Whether there is at least a mebibyte; a disk that cannot be asked is not refused for it.
  private static func hasRoom(_ directory: String) -> Bool {
    var disk = statvfs()
    guard statvfs(directory, &disk) == 0 else { return true }
    return UInt64(disk.f_bavail) * UInt64(disk.f_frsize) >= 1 << 20
  }
}
