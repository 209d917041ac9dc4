import GRDB
import Glibc
import Wire

/// Puts an unpacked backup into the place of a home's state, under a new name for the device.
public struct Adoption: Sendable {
  private let directory: String
  private let list: JSON

  /// Says in the archive that the device it came from rings no more; written by whoever made it stop.
  public static let retirement = "retired.json"

  /// Reads what an unpacked backup says of itself.
  ///
  /// - Throws: where it is none, or made by a newer program.
  public init(directory: String) throws(LogbookError) {
    self.directory = directory
    let path = "\(directory)/\(Backup.list)"
    guard let bytes = readSmallFile(path), let list = try? JSON(parsing: bytes) else {
      throw .cannotOpen(path: directory, reason: "it holds no backup of this program")
    }
    guard list["format"]?.integer == Backup.format else {
      throw .newer(path: path)
    }
    self.list = list
  }

  /// Whether the device that it came from was made to stop ringing.
  public var isRetired: Bool { access("\(directory)/\(Self.retirement)", F_OK) == 0 }

  /// Proves every file and the record, and gives the device a new name.
  ///
  /// - Parameter progress: told now and then how many events of how many are through.
  /// - Returns: how many events the record has.
  public func prepare(
    progress: @escaping (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) throws(LogbookError) -> Int64 {
    for file in list["files"]?.array ?? [] {
      guard let name = file["name"]?.string, !name.contains("/"),
        let sha256 = file["sha256"]?.string
      else { throw .cannotOpen(path: directory, reason: "its list of files cannot be read") }
      let found = try Logbook.digest(ofFile: "\(directory)/\(name)")
      guard found.0 == sha256, found.1 == file["bytes"]?.integer else {
        throw .corrupt(doing: "restore the backup", reason: "\(name) is not what was backed up")
      }
    }
    let head = try Logbook.prove(directory, progress: progress)
    guard head.hash == list["head"]?.string, head.sequence == list["events"]?.integer else {
      throw .corrupt(doing: "restore the backup", reason: "the record ends elsewhere than it says")
    }
    try rename()
    return head.sequence
  }

  /// The events to come are another device's.
  private func rename() throws(LogbookError) {
    let path = "\(directory)/\(Backup.record)"
    var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    let name = pseudonym("D", &random)
    try explaining("give the device a new name") {
      let database = try DatabaseQueue(path: path)
      try database.write { db in
        try db.execute(
          sql: "UPDATE settings SET value = ? WHERE name = 'device'", arguments: [name])
      }
      try database.close()
    }
    for companion in Backup.companions { unlink(path + companion) }
  }

  /// Moves what is in the state directory aside and the backup's files in.
  ///
  /// - Parameters:
  ///   - state: the home's directory; the caller holds its lock.
  ///   - aside: a name within it that does not exist yet.
  public func replace(state: String, aside: String) throws(LogbookError) {
    let old = "\(state)/\(aside)"
    try make(old)
    for name in try fileNames(in: state) where Self.isReplaced(name) {
      try move("\(state)/\(name)", "\(old)/\(name)")
    }
    for folder in Backup.folders { try make("\(state)/\(folder)") }
    for name in try fileNames(in: directory)
    where name != Backup.list && name != Self.retirement {
      let parts = name.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
      let isInFolder = parts.count == 3 && parts[1].isEmpty
      try move(
        "\(directory)/\(name)", "\(state)/\(isInFolder ? "\(parts[0])/\(parts[2])" : name)")
    }
    sync()
  }

  private static func isReplaced(_ name: String) -> Bool {
    name.hasPrefix(Backup.record) || Backup.folders.contains(name) || name == MovedHome.file
      || name == SecondCopy.folder || name == Recovery.mark
  }

  private func make(_ path: String) throws(LogbookError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw ExportFile.failure("make \"\(path)\"", errno)
    }
  }

  private func move(_ from: String, _ to: String) throws(LogbookError) {
    guard Glibc.rename(from, to) == 0 else { throw ExportFile.failure("move \"\(from)\"", errno) }
  }
}

/// The mark on a home that has moved to another device: this one never rings again.
public enum MovedHome {
  static let file = "moved.json"

  /// Whether the home in this directory has moved.
  public static func isMarked(state: String) -> Bool { access("\(state)/\(file)", F_OK) == 0 }

  /// Sets the mark, durably.
  public static func mark(state: String, head: String) throws(LogbookError) {
    let text = JSON.object([("head", .string(head))]).description + "\n"
    try Logbook.write(Array(text.utf8), to: "\(state)/\(file)")
    let directory = open(state, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      close(directory)
    }
  }
}

private func readSmallFile(_ path: String) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    if count < 0 && errno == EINTR { continue }
    guard count >= 0, bytes.count < 64 << 20 else { return nil }
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
}
