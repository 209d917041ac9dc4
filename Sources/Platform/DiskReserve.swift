import Glibc
import Synchronization

/// Room on the disk that is kept for the record: a file of nothing, given up when the disk is full.
///
/// From then on what happens is still recorded, for weeks; what a caretaker sets is not taken, until there is
/// room to set the same aside again.
public final class DiskReserve: Sendable {
  /// A busy home writes about a mebibyte a day.
  public static let standardBytes: Int64 = 16 << 20
  /// Set aside again only where so many times as much is free: not while the disk is filling up.
  private static let plenty: Int64 = 4

  private let path: String
  private let bytes: Int64
  private let spent = Mutex(false)

  /// Whether the room was given up, and none could be set aside since.
  public var isSpent: Bool { spent.withLock { $0 } }

  /// Sets the room aside where there is plenty.
  ///
  /// - Parameter directory: of the record. On a disk that is too small to begin with nothing is set aside.
  public init(directory: String, bytes: Int64 = DiskReserve.standardBytes) {
    path = directory + "/reserve"
    self.bytes = bytes
    refill()
    // Too little even to open a record: what was set aside is for this.
    if let disk = DiskSpace(under: directory), disk.freeBytes < 1 << 20 { _ = release() }
  }

  /// Sets the room aside again, where there is plenty.
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

  /// Gives the room up.
  ///
  /// - Returns: whether there was any.
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
