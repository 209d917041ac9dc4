import Glibc

/// The space on the disk that holds a directory.
public struct DiskSpace: Sendable, Hashable {
  /// Bytes that this process may write, without the part for root.
  public var freeBytes: Int64
  public var totalBytes: Int64

  /// - Returns: nil if the disk cannot be read.
  public init?(under directory: String) {
    var disk = statvfs()
    guard statvfs(directory, &disk) == 0 else { return nil }
    let block = Int64(disk.f_frsize)
    freeBytes = Int64(disk.f_bavail) * block
    totalBytes = Int64(disk.f_blocks) * block
  }
}

/// Whether a program is on the PATH.
public func isInstalled(_ program: String) -> Bool {
  let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
}
