import Glibc
import Synchronization

/// Disk space reserved for the record: a preallocated file that is deleted on a full disk.
///
/// After that, events are still recorded for weeks. Changes that a caretaker makes are refused,
/// until there is enough space to reserve the same amount again.
public final class DiskReserve: Sendable {
  /// 16 MiB. A busy home writes about 1 MiB a day.
  public static let standardBytes: Int64 = 16 << 20
  /// Minimum free space for making the reserve again, in multiples of its size.
  ///
  /// So it is not made while the disk is filling up.
  private static let plenty: Int64 = 4

  private let path: String
  private let bytes: Int64
  private let spent = Mutex(false)

  /// Whether the reserve was released and could not be made again since.
  public var isSpent: Bool { spent.withLock { $0 } }

  /// Makes the reserve if there is enough space.
  ///
  /// - Parameter directory: of the record. If its disk is too small from the beginning, there is no
  ///   reserve.
  public init(directory: String, bytes: Int64 = DiskReserve.standardBytes) {
    path = directory + "/reserve"
    self.bytes = bytes
    refill()
    // There is too little space even to open the record: the reserve is for this case.
    if let disk = DiskSpace(under: directory), disk.freeBytes < 1 << 20 { _ = release() }
  }

  /// Makes the reserve again, if there is enough space.
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

  /// Releases the reserve.
  ///
  /// - Returns: whether there was a reserve.
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
