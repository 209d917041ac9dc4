import FileSystem
import GRDB
import Glibc
import JSONValue

/// Puts a backup into the place of a home's state, under a new name for the device.
///
/// The caller works as the user to whom the state directory belongs and holds its lock.
public struct BackupRestore: Sendable {
  private let state: String
  /// Where the backup is unpacked; within the home, so that putting it in is a matter of names.
  private let directory: String
  private let list: BackupList
  /// Whether the device that it came from was made to stop ringing.
  public let isRetired: Bool

  /// Says in the archive that the device it came from rings no more; written by whoever made it stop.
  public static let retirement = "retired.json"
  static let folder = "restoring"
  /// What an unpacked backup needs besides its files, in bytes: SQLite's log, and room to begin with.
  private static let spareBytes: Int64 = 16 << 20

  /// Unpacks a backup beside the home. Call `discard` when it is over, however it ended.
  ///
  /// - Parameters:
  ///   - archive: an open file, read from its beginning.
  ///   - size: the length of that file, in bytes.
  ///   - state: the home's directory.
  ///   - progress: told now and then how many bytes of how many are through.
  /// - Throws: if it is not a whole backup of this program, was made by a newer one, or finds no room.
  ///   Then nothing of it is left.
  public init(
    unpacking archive: CInt, size: Int64, state: String,
    progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) throws(LogbookError) {
    self.state = state
    let directory = "\(state)/\(Self.folder)"
    self.directory = directory
    try Self.requireRoom(size, in: state)
    // What a restore that was cut short has left.
    removeTree(directory)
    guard mkdir(directory, 0o700) == 0 else {
      throw ExportFile.failure("make \"\(directory)\"", errno)
    }
    do throws(LogbookError) {
      (list, isRetired) = try Self.unpack(archive, size, into: directory, progress)
    } catch {
      removeTree(directory)
      throw error
    }
  }

  private static func requireRoom(_ size: Int64, in state: String) throws(LogbookError) {
    var disk = statvfs()
    guard statvfs(state, &disk) == 0 else {
      throw ExportFile.failure("look at \"\(state)\"", errno)
    }
    let free = Int64(clamping: UInt64(disk.f_bavail) * UInt64(disk.f_frsize))
    let needed = size + spareBytes
    guard free >= needed else {
      throw .invalid(
        doing: "restore the backup",
        reason:
          "it needs \(needed >> 20) MiB and the disk of \"\(state)\" has \(free >> 20) MiB left")
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
        let count = read(archive, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { throw SystemError(code: errno) }
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

  /// Gives the device a new name in the record, and then proves all of it.
  ///
  /// - Parameter progress: told now and then how many events of how many are through.
  /// - Returns: how many events the record has.
  public func prepare(
    progress: @escaping (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) throws(LogbookError) -> Int64 {
    try rename()
    // Nothing is changed after this.
    let head = try Logbook.prove(directory, progress: progress)
    guard head.hash == list.head, head.sequence == list.events else {
      throw .corrupt(doing: "restore the backup", reason: "the record ends elsewhere than it says")
    }
    return head.sequence
  }

  /// The events to come are another device's.
  private func rename() throws(LogbookError) {
    let path = "\(directory)/\(RecordBackup.record)"
    // Upgrades a record of an earlier version, and refuses one that holds a trigger, for example, which
    // would run here.
    let record = try Logbook(directory: directory)
    try record.close()
    var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    let name = pseudonym("D", &random)
    try explaining("give the device a new name") {
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

  /// Moves what is in the state directory aside and the backup's files in.
  ///
  /// - Parameter aside: a name within the state directory for what is moved aside.
  /// - Returns: that name, with a number behind it if there is something by it already.
  public func replace(aside: String) throws(LogbookError) -> String {
    var (kept, number) = (aside, 1)
    while mkdir("\(state)/\(kept)", 0o700) != 0 {
      guard errno == EEXIST, number < 1_000 else {
        throw ExportFile.failure("make \"\(state)/\(kept)\"", errno)
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

  /// Removes what was unpacked and did not find its place.
  public func discard() { removeTree(directory) }

  private static func isReplaced(_ name: String) -> Bool {
    name.hasPrefix(RecordBackup.record) || RecordBackup.folders.contains(name)
      || name == RetiredMarker.file
      || name == Replica.folder || name == Recovery.mark || name == AtomicReplace.folder
  }

  private func make(_ path: String) throws(LogbookError) {
    guard mkdir(path, 0o700) == 0 else { throw ExportFile.failure("make \"\(path)\"", errno) }
  }

  private func move(_ from: String, _ to: String) throws(LogbookError) {
    guard Glibc.rename(from, to) == 0 else { throw ExportFile.failure("move \"\(from)\"", errno) }
  }
}

/// The mark on a home that has moved to another device: this one never rings again.
public enum RetiredMarker {
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
