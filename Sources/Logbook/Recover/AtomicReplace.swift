import FileSystem
import Glibc

/// Replaces the record by a new record, and keeps the old record.
///
/// After a power failure at any moment, either the old record or the new record is complete.
///
/// The caller builds the new record in the directory `replacing/`. When the new record is on the
/// disk, `commit` writes the file `promise`. The file `promise` contains the name of the directory
/// to which the old record will be moved. If the replacement is interrupted, the daemon calls
/// `resume` at its next start. If the file `promise` exists, `resume` completes the replacement. If
/// the file `promise` does not exist, `resume` deletes the new record. The replacement deletes the
/// write-ahead log of the old record, and then gives the new record its final name. If the old log
/// still existed, SQLite would use the old log for the new record.
///
/// `DurableFile` cannot replace the record, for three reasons. First, SQLite writes the new record.
/// Second, the old record must not be deleted. Third, the files that SQLite keeps beside the old
/// record must be deleted after `promise` is written.
struct AtomicReplace {
  /// The directory in which the caller builds the new record, as `record.sqlite`.
  let workDirectory: String
  private let directory: String

  static let folder = "replacing"
  private static let promise = "promise"

  /// Starts a new replacement and deletes the files of an earlier attempt.
  init(of directory: String) throws(LogbookError) {
    self.directory = directory
    workDirectory = "\(directory)/\(Self.folder)"
    removeTree(workDirectory)
    guard mkdir(workDirectory, 0o700) == 0 else {
      throw ExportFile.failure("create \"\(workDirectory)\"", errno)
    }
  }

  /// Replaces the record. The new record must already be closed and verified.
  ///
  /// - Parameters:
  ///   - aside: the name of the directory for the old record. The function deletes an existing
  ///     directory with this name.
  ///   - step: a closure that the function calls before each operation, with the name of the
  ///     operation. Tests use this closure to interrupt the replacement.
  func commit(aside: String, step: (String) throws -> Void = { _ in }) throws {
    let record = "\(workDirectory)/\(RecordBackup.record)"
    for companion in RecordBackup.companions { unlink(record + companion) }
    try Self.flush(record)
    try step("keep")
    let kept = "\(directory)/\(aside)"
    removeTree(kept)
    guard mkdir(kept, 0o700) == 0 else { throw ExportFile.failure("create \"\(kept)\"", errno) }
    for name in [""] + RecordBackup.companions {
      let old = "\(directory)/\(RecordBackup.record)\(name)"
      guard link(old, "\(kept)/\(RecordBackup.record)\(name)") == 0 || errno == ENOENT else {
        throw ExportFile.failure("keep \"\(old)\"", errno)
      }
    }
    try Self.flush(kept)
    // The promise must reach the disk after the directory with the old record. Otherwise, a power
    // failure could remove this directory but keep the promise. `resume` would then replace the
    // record, and no copy of the old record would remain.
    try Self.flush(workDirectory)
    try Self.flush(directory)
    try step("promise")
    try Logbook.write(Array(aside.utf8), to: "\(workDirectory)/\(Self.promise)")
    try Self.finish(directory, step)
  }

  /// If the file `promise` exists, completes the interrupted replacement. If this file does not
  /// exist, deletes the new record.
  static func resume(_ directory: String) throws(LogbookError) {
    let work = "\(directory)/\(folder)"
    guard access(work, F_OK) == 0 else { return }
    if access("\(work)/\(promise)", F_OK) == 0 {
      try explaining("replace the record") { try finish(directory) { _ in } }
    } else {
      removeTree(work)
    }
  }

  private static func finish(_ directory: String, _ step: (String) throws -> Void) throws {
    let work = "\(directory)/\(folder)"
    let record = "\(directory)/\(RecordBackup.record)"
    // If the new record is not in `work`, an earlier call has already moved the new record to its
    // final path. In this case, the write-ahead log beside the record is the log of the new record,
    // and must not be deleted.
    if access("\(work)/\(RecordBackup.record)", F_OK) == 0 {
      for companion in RecordBackup.companions {
        try step("unlink \(companion)")
        unlink(record + companion)
      }
      try flush(directory)
      try step("rename")
      guard rename("\(work)/\(RecordBackup.record)", record) == 0 else {
        throw ExportFile.failure("replace \"\(record)\"", errno)
      }
      try flush(directory)
    }
    try step("clear")
    removeTree(work)
  }

  private static func flush(_ path: String) throws(LogbookError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ExportFile.failure("open \"\(path)\"", errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw ExportFile.failure("write \"\(path)\"", errno) }
  }
}

/// Copies a file to a new file that only its owner can read.
func copyFile(_ source: String, _ target: String) throws(LogbookError) {
  let from = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
  guard from >= 0 else { throw ExportFile.failure("read \"\(source)\"", errno) }
  defer { close(from) }
  let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard to >= 0 else { throw ExportFile.failure("create \"\(target)\"", errno) }
  defer { close(to) }
  var chunk = [UInt8](repeating: 0, count: 1 << 18)
  while true {
    let count: Int
    do throws(SystemError) {
      count = try readSome(of: from, into: &chunk)
    } catch {
      // The disk has a fault, so the rest of the file cannot be read. Keep the part of the file
      // that is already copied.
      if error.code == EIO { return }
      throw ExportFile.failure("read \"\(source)\"", error.code)
    }
    if count == 0 { return }
    do throws(SystemError) {
      try writeAll(chunk[..<count], to: to)
    } catch {
      throw ExportFile.failure("write \"\(target)\"", error.code)
    }
  }
}
