import FileSystem
import Glibc
import JSONValue
import MessageDigest
import StudyExport

/// The content of `backup.json`: a list of the files in the backup, and the head of the record.
struct BackupList: Sendable {
  struct File: Sendable, Hashable {
    var name: String
    var sha256: String
    var bytes: Int
  }

  var files: [File] = []
  var events: Int64
  var head: String

  /// The maximum size of `backup.json`, in bytes. This size is enough for a list of about 400,000
  /// files. The program refuses a longer list.
  static let limitBytes = 64 << 20

  init(_ bytes: [UInt8]) throws(LogbookError) {
    func failure(_ why: String) -> LogbookError {
      .invalid(doing: "restore the backup", reason: "its list of files \(why)")
    }
    guard let list = try? JSON(parsing: bytes), let format = list["format"]?.integer else {
      throw failure("cannot be read")
    }
    guard format <= RecordBackup.format else { throw .newer(path: RecordBackup.list) }
    guard format == RecordBackup.format, let head = list["head"]?.string,
      let events = list["events"]?.integer, let files = list["files"]?.array
    else { throw failure("cannot be read") }
    self.head = head
    self.events = events
    var names: Set<String> = []
    for file in files {
      guard let name = file["name"]?.string, let sha256 = file["sha256"]?.string,
        let size = file["bytes"]?.integer, let bytes = Int(exactly: size), bytes >= 0
      else { throw failure("has an entry without name, sha256 or bytes") }
      guard BackupName(name) != nil else {
        throw failure("names a file that is not part of a backup")
      }
      guard names.insert(name).inserted else { throw failure("names \"\(name)\" twice") }
      self.files.append(File(name: name, sha256: sha256, bytes: bytes))
    }
    guard names.contains(RecordBackup.record) else { throw failure("does not name the record") }
  }
}

/// The name of a file in a backup.
///
/// The name of the record is `record.sqlite`. Every other name has three parts: a folder from
/// `RecordBackup.folders`, the text `--`, and the name of the file in this folder. An example is
/// `tones--4f…a1.wav`. The name of the file in the folder has 64 hexadecimal digits, and one to
/// three extensions of lower-case letters and digits.
struct BackupName {
  /// The name of the directory that contains the file; nil for the record.
  let folder: String?
  let file: String

  init?(_ name: String) {
    if name == RecordBackup.record {
      (folder, file) = (nil, name)
      return
    }
    guard
      let folder = RecordBackup.folders.first(where: { name.hasPrefix($0 + RecordBackup.separator) }
      )
    else { return nil }
    self.folder = folder
    file = String(name.dropFirst(folder.count + RecordBackup.separator.count))
    guard Self.isStored(file) else { return nil }
  }

  /// Returns true if `file` has the form of a name that Prompter gives to stored recordings and
  /// pictures.
  static func isStored(_ file: String) -> Bool {
    let parts = file.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (2...4).contains(parts.count), parts[0].count == 64,
      parts[0].allSatisfy({ isDigit($0) || (0x61...0x66).contains($0) })
    else { return false }
    return parts.dropFirst().allSatisfy { ending in
      (1...10).contains(ending.count)
        && ending.allSatisfy { isDigit($0) || (0x61...0x7A).contains($0) }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// Unpacks a backup into an empty directory, and compares the files with the list `backup.json`.
///
/// The list `backup.json` is the first file in the archive. Each later file must be in the list.
/// Exception: after the listed files, the archive can contain a note that marks the device of the
/// backup as retired. The archive must contain each file only once. The size and the SHA-256 of
/// each listed file must be the same as in the list. The unpacker writes only the listed files to
/// the disk. The unpacker never writes more bytes than the archive contains.
struct BackupUnpacking {
  private let directory: OpenDirectory
  private var reader = TarReader()
  private(set) var list: BackupList?
  private(set) var isRetired = false
  /// The listed files that the unpacker has not yet found in the archive, by name.
  private var missing: [String: BackupList.File] = [:]
  private var current: Current?

  private struct Current {
    var name: String
    var size: Int
    /// The file on the disk; nil for `backup.json` and for the note about the retired device. The
    /// unpacker keeps these two files in memory.
    var file: NewFile?
    var bytes: [UInt8] = []
    var digest: RunningDigest?
  }

  /// A class that contains a running digest. Swift copies the struct `Current`, but Swift cannot
  /// copy a `SHA256Digest`. Therefore, `Current` contains a reference to this class.
  private final class RunningDigest {
    private var digest = SHA256Digest()
    func update(_ bytes: ArraySlice<UInt8>) { digest.update(bytes) }
    func finish() -> String { hexadecimal(digest.finish()) }
  }

  /// The maximum size of the note about a retired device, in bytes. The program refuses a longer
  /// note.
  private static let noteBytes = 4_096

  /// - Parameter path: an empty directory.
  init(into path: String) throws {
    directory = try OpenDirectory(path)
  }

  mutating func add(_ bytes: [UInt8]) throws {
    // The reader contains the set of all file names that it has read. While the reader works, move
    // the reader out of `self`, so that only one copy of the reader exists. If two copies existed,
    // Swift would copy the whole set for each new name.
    var reader = TarReader()
    swap(&reader, &self.reader)
    try reader.read(bytes) { try take($0) }
    self.reader = reader
  }

  /// Checks that the archive is complete.
  ///
  /// - Returns: the list of the files. If a file of the list is missing in the archive, the
  ///   function throws an error.
  func finish() throws -> BackupList {
    try reader.finish()
    guard let list else { throw Self.failure("it is empty") }
    if let name = missing.keys.min() { throw Self.failure("\"\(name)\" is missing") }
    return list
  }

  private mutating func take(_ part: TarReader.Part) throws {
    switch part {
    case .file(let name, let size): try begin(name, size)
    case .content(let bytes):
      if let file = current?.file {
        try file.write(bytes)
        current?.digest?.update(bytes)
      } else {
        current?.bytes += bytes
      }
    case .end: try end()
    }
  }

  private mutating func begin(_ name: String, _ size: Int) throws {
    if list == nil {
      guard name == RecordBackup.list, size <= BackupList.limitBytes else {
        throw Self.failure("it does not begin with its list of files")
      }
      current = Current(name: name, size: size)
    } else if name == BackupRestore.retirement, missing.isEmpty {
      guard size <= Self.noteBytes else { throw Self.failure("\"\(name)\" is too long") }
      current = Current(name: name, size: size)
    } else {
      guard let known = missing[name] else {
        throw Self.failure("\"\(name)\" is not in its list of files")
      }
      guard known.bytes == size else {
        throw Self.failure("\"\(name)\" does not have the listed size")
      }
      current = Current(
        name: name, size: size, file: try directory.makeFile(name), digest: RunningDigest())
    }
  }

  private mutating func end() throws {
    guard let ended = current else { return }
    current = nil
    if let file = ended.file {
      guard ended.digest?.finish() == missing[ended.name]?.sha256 else {
        throw Self.failure("\"\(ended.name)\" was changed after the backup")
      }
      try file.flush()
      missing[ended.name] = nil
    } else if ended.name == RecordBackup.list {
      let list = try BackupList(ended.bytes)
      missing = Dictionary(uniqueKeysWithValues: list.files.map { ($0.name, $0) })
      self.list = list
    } else {
      guard let note = try? JSON(parsing: ended.bytes), note["head"]?.string == list?.head else {
        throw Self.failure("\"\(ended.name)\" belongs to another backup")
      }
      isRetired = true
    }
  }

  private static func failure(_ why: String) -> LogbookError {
    .invalid(doing: "restore the backup", reason: why)
  }
}
