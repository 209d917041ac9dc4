import API
import Dispatch
import FileSystem
import GRDB
import Glibc
import JSONValue
import MessageDigest
import StudyExport

/// A backup of a home: one tar archive with the record, all recordings and all pictures.
///
/// The daemon first collects the record, the recordings and the pictures in a new directory. The
/// backup function of SQLite copies the record while the daemon continues to work. For recordings
/// and pictures, the daemon makes hard links. The daemon then opens the copy of the record and
/// verifies the whole copy. The daemon sends the archive only after this verification.
/// `backup.json` lists each file with its SHA-256.
public struct RecordBackup: Sendable {
  /// The head of the record in the backup.
  public var head: Logbook.Head
  /// The length of the whole archive, in bytes.
  public var bytes: Int
  public var chunks: AsyncThrowingStream<[UInt8], any Error>

  /// The name of the file that lists all other files. This list is the first file in the archive.
  static let list = "backup.json"
  static let record = "record.sqlite"
  /// The suffixes of the files in which SQLite keeps data beside a database file. The `-wal` file
  /// contains changes that are not yet in the database file. The `-journal` file contains the data
  /// with which SQLite can undo an incomplete transaction.
  static let written = ["-wal", "-journal"]
  /// The suffixes of all files that SQLite keeps beside a database file. Code that deletes a
  /// database file must also delete these files. Otherwise, SQLite would later use these old files
  /// with a new database file of the same name.
  static let companions = written + ["-shm"]
  static let format: Int64 = 1
  /// The directories of a home whose files are in a backup. A stored file in these directories
  /// never changes. Therefore, the backup makes a hard link to the file instead of a copy.
  static let folders = ["images", "tones"]
  /// The tar archives that Prompter writes contain no directories. Therefore, in the file names of
  /// an archive, this text replaces the `/` after the directory name.
  static let separator = "--"
}

extension Logbook {
  /// Makes a backup of a home.
  ///
  /// - Parameters:
  ///   - state: the state directory of the home.
  ///   - workDirectory: the directory in which the function prepares the files of the backup. The
  ///     directory must be on the same file system as `state`.
  ///   - version: the version of this program, for `backup.json`.
  public func backup(
    state: String, workDirectory: String, version: String
  ) async throws -> RecordBackup {
    let name = String((0..<16).compactMap { _ in "0123456789abcdef".randomElement() })
    let directory = "\(workDirectory)/\(name)"
    // Use a separate thread, so that requests and rings do not wait for the backup.
    let head: Head = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "backup", qos: .utility).async {
        continuation.resume(
          with: Result {
            try self.progress.during(.backup) {
              try self.writeBackup(to: directory, state: state, version: version, progress: $0)
            }
          })
      }
    }
    let names = try fileNames(in: directory)
    let sizes = try names.map { Int(try Self.size(ofFile: "\(directory)/\($0)")) }
    let reader = ArchiveReader(directory: directory, names: names)
    return RecordBackup(
      head: head, bytes: TarHeader.archiveBytes(sizes),
      chunks: AsyncThrowingStream(unfolding: { try reader.next() }))
  }

  private func writeBackup(
    to directory: String, state: String, version: String,
    progress: @escaping (Int64, Int64) -> Void
  ) throws -> Head {
    guard mkdir(directory, 0o700) == 0 else {
      throw ExportFile.failure("create \"\(directory)\"", errno)
    }
    do {
      let copy = "\(directory)/\(RecordBackup.record)"
      try explaining("copy the record") {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: Schema.mistrust) }
        let target = try DatabaseQueue(path: copy, configuration: configuration)
        try pool.backup(to: target)
        try target.close()
      }
      let proven = try Self.prove(directory, progress: progress)
      for folder in RecordBackup.folders { try Self.link(folder, of: state, into: directory) }
      var files: [JSON] = []
      for file in try fileNames(in: directory) {
        let (sha256, bytes) = try Self.digest(ofFile: "\(directory)/\(file)")
        files.append(
          .object([
            ("name", .string(file)), ("sha256", .string(sha256)), ("bytes", .integer(bytes)),
          ]))
      }
      let list = JSON.object([
        ("format", .integer(RecordBackup.format)), ("version", .string(version)),
        ("device", .string(device)), ("events", .integer(proven.sequence)),
        ("head", .string(proven.hash)), ("files", .array(files)),
      ])
      try Self.write(Array("\(list)\n".utf8), to: "\(directory)/\(RecordBackup.list)")
      return proven
    } catch {
      for file in (try? fileNames(in: directory)) ?? [] { unlink("\(directory)/\(file)") }
      rmdir(directory)
      throw error
    }
  }

  /// Opens a copy of a record, verifies the whole copy, and returns its head.
  static func prove(
    _ directory: String, progress: @escaping (_ done: Int64, _ total: Int64) -> Void
  ) throws(LogbookError) -> Head {
    let copy = try Logbook(directory: directory)
    let verdict = try copy.verify(progress: progress)
    try copy.close()
    for companion in RecordBackup.companions {
      unlink("\(directory)/\(RecordBackup.record)\(companion)")
    }
    if let problem = verdict.problem {
      throw .corrupt(doing: "verify the copy of the record", reason: problem)
    }
    return (verdict.events, verdict.head)
  }

  private static func link(
    _ folder: String, of state: String, into directory: String
  ) throws(LogbookError) {
    let source = "\(state)/\(folder)"
    guard access(source, F_OK) == 0 else { return }
    // Add a file only if its name has the form of a stored recording or picture. A restore would
    // refuse a backup that contains a file with a different name.
    for file in try fileNames(in: source) where BackupName.isStored(file) {
      let target = "\(directory)/\(folder)\(RecordBackup.separator)\(file)"
      // The daemon can delete a file after this function has read the list of files. The backup
      // does not need this file.
      guard Glibc.link("\(source)/\(file)", target) == 0 || errno == ENOENT else {
        throw ExportFile.failure("copy \"\(source)/\(file)\"", errno)
      }
    }
  }

  private static func size(ofFile path: String) throws(LogbookError) -> Int64 {
    var status = stat()
    guard stat(path, &status) == 0 else { throw ExportFile.failure("read \"\(path)\"", errno) }
    return Int64(status.st_size)
  }

  /// Returns the SHA-256 of a file's content in lower-case hex, and the length of the file in
  /// bytes.
  static func digest(ofFile path: String) throws(LogbookError) -> (String, Int64) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw ExportFile.failure("read \"\(path)\"", errno) }
    defer { Glibc.close(descriptor) }
    var digest = SHA256Digest()
    var total: Int64 = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 17)
    do throws(SystemError) {
      while case let count = try readSome(of: descriptor, into: &chunk), count > 0 {
        digest.update(chunk[..<count])
        total += Int64(count)
      }
    } catch {
      throw ExportFile.failure("read \"\(path)\"", error.code)
    }
    return (hexadecimal(digest.finish()), total)
  }

  /// Writes a small file, and returns after the file is on the disk.
  static func write(_ bytes: [UInt8], to path: String) throws(LogbookError) {
    do throws(SystemError) {
      try DurableFile.write(bytes, to: path, temporary: "\(path).new")
    } catch {
      throw ExportFile.failure("write \"\(path)\"", error.code)
    }
  }
}
