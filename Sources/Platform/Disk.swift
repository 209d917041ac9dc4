import Glibc

/// How full the disk under a directory is.
public struct DiskSpace: Sendable, Hashable {
  /// What we may still write, in bytes; root's own reserve is not ours.
  public var freeBytes: Int64
  public var totalBytes: Int64

  /// - Returns: nil where the directory cannot be asked.
  public init?(under directory: String) {
    var disk = statvfs()
    guard statvfs(directory, &disk) == 0 else { return nil }
    let block = Int64(disk.f_frsize)
    freeBytes = Int64(disk.f_bavail) * block
    totalBytes = Int64(disk.f_blocks) * block
  }
}

/// Whether a program is on our PATH.
public func isInstalled(_ program: String) -> Bool {
  let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
}
