import Glibc
import Synchronization

/// Disk space that is reserved for the record. The reserve is a preallocated file, which the daemon
/// deletes if the disk is full.
///
/// In the freed space, the daemon can record events for weeks. Until the disk has enough space for
/// a new reserve, the daemon refuses changes by a caretaker.
public final class DiskReserve: Sendable {
  /// The standard size of the reserve, in bytes. The value is 16 MiB. The record of a busy home
  /// grows by about 1 MiB a day, so the reserve is enough for about 16 days.
  public static let standardBytes: Int64 = 16 << 20
  /// The minimum free space for a new reserve, as a multiple of the size of the reserve.
  ///
  /// Without this minimum, the new reserve could use the last free space of the disk.
  private static let plenty: Int64 = 4

  private let path: String
  private let bytes: Int64
  private let spent = Mutex(false)

  /// True if the daemon released the reserve and has not created a new reserve yet.
  public var isSpent: Bool { spent.withLock { $0 } }

  /// Creates the reserve if the disk has enough space.
  ///
  /// - Parameter directory: the directory of the record. If the disk of this directory has too
  ///   little space at the first start, the daemon creates no reserve.
  public init(directory: String, bytes: Int64 = DiskReserve.standardBytes) {
    path = directory + "/reserve"
    self.bytes = bytes
    refill()
    // If the disk has too little space to open the record, release the reserve at once.
    if let disk = DiskSpace(under: directory), disk.freeBytes < 1 << 20 { _ = release() }
  }

  /// Creates the reserve again if the reserve is missing and the disk has enough space.
  public func refill() {
    var status = stat()
    if stat(path, &status) == 0, status.st_size >= bytes { return }
    guard let disk = DiskSpace(under: directory), disk.freeBytes >= bytes * Self.plenty else {
      return
    }
    let file = open(path + ".new", O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let isSetAside = posix_fallocate(file, 0, Int(bytes)) == 0
    close(file)
    if isSetAside, rename(path + ".new", path) == 0 {
      spent.withLock { $0 = false }
    } else {
      unlink(path + ".new")
    }
  }

  /// Deletes the reserve file, so that the daemon can use its space to record events.
  ///
  /// - Returns: true if the function deleted a reserve.
  public func release() -> Bool {
    spent.withLock { spent in
      spent = true
      return unlink(path) == 0
    }
  }

  private var directory: String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
