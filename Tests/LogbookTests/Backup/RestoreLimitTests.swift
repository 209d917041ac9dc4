import Alarms
import Glibc
import Testing

@testable import Logbook

/// Tests the limits of a restore: the space on the disk, and the names of old directories.
@Suite struct `A limit of a restore` {
  private let old = TemporaryDirectory()
  private let home = TemporaryDirectory()

  /// Unpacks a backup of a small record.
  private func restore() async throws -> BackupRestore {
    let logbook = try Logbook.open(old)
    var history = History(seed: 1)
    try logbook.record([history.record(.heartbeat)], .init())
    mkdir("\(old.path)/work", 0o700)
    let backup = try await logbook.backup(
      state: old.path, workDirectory: "\(old.path)/work", version: "1")
    var bytes: [UInt8] = []
    for try await chunk in backup.chunks { bytes += chunk }
    writeFile(bytes, to: "\(old.path)/archive")
    let descriptor = open("\(old.path)/archive", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return try BackupRestore(
      unpacking: descriptor, size: Int64(bytes.count), state: home.path)
  }

  @Test func `names the needed and the free space in MiB, with 16 MiB for the daemon`() throws {
    let error = #expect(throws: LogbookError.self) {
      try BackupRestore(unpacking: -1, size: 1 << 50, state: home.path)
    }
    let words = (error?.description ?? "").split(separator: " ").map(String.init)
    let left = try #require(words.dropLast(2).last.flatMap { Int64($0) })
    #expect(
      error?.description
        == "cannot restore the backup: it needs 1073741840 MiB, but the disk of \"\(home.path)\" "
        + "has \(left) MiB left")
    var disk = statvfs()
    #expect(statvfs(home.path, &disk) == 0)
    // Other programs use the same disk, so the free space changes a little.
    let free = (Int64(disk.f_bavail) * Int64(disk.f_frsize)) >> 20
    #expect(abs(left - free) <= free / 4)
  }

  @Test func `is 1,000 directories with old files`() async throws {
    let restore = try await restore()
    mkdir("\(home.path)/before", 0o700)
    for number in 2..<1_000 { mkdir("\(home.path)/before-\(number)", 0o700) }
    mkdir("\(home.path)/before-1000", 0o700)
    #expect(
      throws: LogbookError.unwritable(
        doing: "create \"\(home.path)/before-1000\"", reason: "File exists")
    ) { try restore.replace(aside: "before") }
    rmdir("\(home.path)/before-1000")
    #expect(try restore.prepare() == 1)
    #expect(TemporaryDirectory.list("\(home.path)/restoring") == ["record.sqlite"])
    #expect(try restore.replace(aside: "before") == "before-1000")
    #expect(TemporaryDirectory.list("\(home.path)/before-1000") == [])
    restore.discard()
    #expect(access("\(home.path)/restoring", F_OK) != 0)
    #expect(try Logbook.open(home).head.sequence == 1)
  }
}
