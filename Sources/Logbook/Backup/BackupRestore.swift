import FileSystem
import GRDB
import Glibc
import JSONValue

/// Replaces the state of a home with a backup.
///
/// The device on which the backup is restored gets a new pseudonym. The process must run as the
/// user who owns the state directory, and must hold the lock of the state directory.
public struct BackupRestore: Sendable {
  private let state: String
  /// The directory into which the backup is unpacked. This directory is inside the state directory,
  /// so that a rename can move each file to its final path.
  private let directory: String
  private let list: BackupList
  /// True if the archive contains the note about a retired device (see `retirement`).
  public let isRetired: Bool

  /// The name of the file in a backup that contains the note about a retired device.
  ///
  /// If a backup contains this note, the device of the backup never rings again. The command that
  /// retires the device writes the note into the backup.
  public static let retirement = "retired.json"
  static let folder = "restoring"
  /// The disk space, in bytes, that a restore needs in addition to the size of the archive. SQLite
  /// needs this space for its write-ahead log, and the daemon needs this space when it starts.
  private static let spareBytes: Int64 = 16 << 20

  /// Unpacks a backup into a working directory inside the state directory.
  ///
  /// At the end, call `discard`, even if `prepare` or `replace` throws an error.
  ///
  /// - Parameters:
  ///   - archive: the descriptor of an open file. The file position must be at the first byte.
  ///   - size: the length of the file, in bytes.
  ///   - state: the state directory of the home to which the backup will be restored.
  ///   - progress: a function that the initializer calls regularly. Its arguments are the number of
  ///     processed bytes and the total number of bytes.
  /// - Throws: an error if the archive is not a complete backup of Prompter, if a newer version of
  ///   Prompter made the backup, if the disk has too little free space, or if the disk fails.
  ///   Before the initializer throws an error, it deletes the unpacked files.
  public init(
    unpacking archive: CInt, size: Int64, state: String,
    progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) throws(LogbookError) {
    self.state = state
    let directory = "\(state)/\(Self.folder)"
    self.directory = directory
    try Self.requireFreeSpace(size, in: state)
    // Remove the files of an interrupted restore.
    removeTree(directory)
    guard mkdir(directory, 0o700) == 0 else {
      throw ExportFile.failure("create \"\(directory)\"", errno)
    }
    do throws(LogbookError) {
      (list, isRetired) = try Self.unpack(archive, size, into: directory, progress)
    } catch {
      removeTree(directory)
      throw error
    }
  }

  private static func requireFreeSpace(_ size: Int64, in state: String) throws(LogbookError) {
    var disk = statvfs()
    guard statvfs(state, &disk) == 0 else {
      throw ExportFile.failure("read the free space of \"\(state)\"", errno)
    }
    let free = Int64(clamping: UInt64(disk.f_bavail) * UInt64(disk.f_frsize))
    let needed = size + spareBytes
    guard free >= needed else {
      throw .invalid(
        doing: "restore the backup",
        reason:
          "it needs \(needed >> 20) MiB, but the disk of \"\(state)\" has \(free >> 20) MiB left")
    }
  }

  private static func unpack(
    _ archive: CInt, _ size: Int64, into directory: String,
    _ progress: (_ done: Int64, _ total: Int64) -> Void
  ) throws(LogbookError) -> (BackupList, isRetired: Bool) {
    do {
      var unpacking = try BackupUnpacking(into: directory)
      var chunk = [UInt8](repeating: 0, count: 1 << 18)
      var done: Int64 = 0
      while done <= size {
        let count = try readSome(of: archive, into: &chunk)
        if count == 0 { break }
        try unpacking.add(Array(chunk[..<count]))
        done += Int64(count)
        progress(done, size)
      }
      let list = try unpacking.finish()
      return (list, unpacking.isRetired)
    } catch let error as SystemError {
      throw ExportFile.failure("restore the backup", error.code)
    } catch {
      throw LogbookError(error, doing: "restore the backup")
    }
  }

  /// Gives the device a new pseudonym, then verifies the whole record.
  ///
  /// - Parameter progress: a function that `prepare` calls regularly. Its arguments are the number
  ///   of processed events and the total number of events.
  /// - Returns: the number of events in the record.
  public func prepare(
    progress: @escaping (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) throws(LogbookError) -> Int64 {
    try rename()
    // `prove` verifies the unpacked record. From here on, no code changes this record, so the
    // result of `prove` stays valid.
    let head = try Logbook.prove(directory, progress: progress)
    guard head.hash == list.head, head.sequence == list.events else {
      throw .corrupt(doing: "restore the backup", reason: "its last event differs from backup.json")
    }
    return head.sequence
  }

  /// Replaces the device pseudonym in the restored record by a new pseudonym. The pseudonym in the
  /// backup belongs to the device that made the backup.
  private func rename() throws(LogbookError) {
    let path = "\(directory)/\(RecordBackup.record)"
    // `Logbook.init` upgrades a record of an earlier version. `Logbook.init` also refuses a record
    // whose schema contains something that Prompter did not create. For example, a different
    // program can have added a trigger. If `Logbook.init` accepted this record, the UPDATE
    // statement below could run the trigger.
    let record = try Logbook(directory: directory)
    try record.close()
    var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    let name = pseudonym("D", &random)
    try explaining("give the device a new pseudonym") {
      var configuration = Configuration()
      configuration.prepareDatabase { try $0.execute(sql: Schema.mistrust) }
      let database = try DatabaseQueue(path: path, configuration: configuration)
      try database.write { db in
        try db.execute(
          sql: "UPDATE settings SET value = ? WHERE name = 'device'", arguments: [name])
      }
      try database.close()
    }
    for companion in RecordBackup.companions { unlink(path + companion) }
  }

  /// Moves the present files into a new directory. Then moves the files of the backup to their
  /// final paths.
  ///
  /// - Parameter aside: the name of the new directory. The function creates the directory inside
  ///   the state directory.
  /// - Returns: the name of the new directory. If the name `aside` is already in use, the function
  ///   adds a number to the name.
  public func replace(aside: String) throws(LogbookError) -> String {
    var (kept, number) = (aside, 1)
    while mkdir("\(state)/\(kept)", 0o700) != 0 {
      guard errno == EEXIST, number < 1_000 else {
        throw ExportFile.failure("create \"\(state)/\(kept)\"", errno)
      }
      number += 1
      kept = "\(aside)-\(number)"
    }
    let old = "\(state)/\(kept)"
    for name in try fileNames(in: state) where Self.isReplaced(name) {
      try move("\(state)/\(name)", "\(old)/\(name)")
    }
    for folder in RecordBackup.folders { try make("\(state)/\(folder)") }
    for file in list.files {
      guard let name = BackupName(file.name) else { continue }
      let place = name.folder.map { "\(state)/\($0)" } ?? state
      try move("\(directory)/\(file.name)", "\(place)/\(name.file)")
    }
    sync()
    return kept
  }

  /// Removes the working directory, with all files that `replace` did not move out of this
  /// directory.
  public func discard() { removeTree(directory) }

  private static func isReplaced(_ name: String) -> Bool {
    name.hasPrefix(RecordBackup.record) || RecordBackup.folders.contains(name)
      || name == RetiredMarker.file
      || name == Replica.folder || name == Recovery.mark || name == AtomicReplace.folder
  }

  private func make(_ path: String) throws(LogbookError) {
    guard mkdir(path, 0o700) == 0 else { throw ExportFile.failure("create \"\(path)\"", errno) }
  }

  private func move(_ from: String, _ to: String) throws(LogbookError) {
    guard Glibc.rename(from, to) == 0 else { throw ExportFile.failure("move \"\(from)\"", errno) }
  }
}

/// The file that marks a home as moved to a different device. A device with this file never rings
/// again.
public enum RetiredMarker {
  static let file = "moved.json"

  /// Returns true if the home in this directory has moved to a different device.
  public static func isMarked(state: String) -> Bool { access("\(state)/\(file)", F_OK) == 0 }

  /// Writes the file that marks a home as moved to a different device. The function returns after
  /// the file is on the disk.
  ///
  /// - Parameters:
  ///   - state: the state directory of the home.
  ///   - head: the hash of the newest event of the home.
  public static func mark(state: String, head: String) throws(LogbookError) {
    let text = JSON.object([("head", .string(head))]).description + "\n"
    try Logbook.write(Array(text.utf8), to: "\(state)/\(file)")
  }
}
