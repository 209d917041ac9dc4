import Glibc

/// The space on the disk that contains a directory.
public struct DiskSpace: Sendable, Hashable {
  /// The number of free bytes that this process can use. The space that is reserved for root does
  /// not count.
  public var freeBytes: Int64
  public var totalBytes: Int64

  /// - Returns: nil if the system does not report the free space.
  public init?(under directory: String) {
    var disk = statvfs()
    guard statvfs(directory, &disk) == 0 else { return nil }
    let block = Int64(disk.f_frsize)
    freeBytes = Int64(disk.f_bavail) * block
    totalBytes = Int64(disk.f_blocks) * block
  }
}

/// Returns true if a directory of the environment variable PATH contains the program.
public func isInstalled(_ program: String) -> Bool {
  let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
}
