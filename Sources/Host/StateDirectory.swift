import Glibc

/// The directory that holds everything a home must not lose, locked for one daemon.
public struct StateDirectory: Sendable {
  public let path: String
  private let lock: CInt

  /// Makes the directory where it is missing, and takes the lock that keeps a second daemon off it.
  ///
  /// - Throws: one sentence that names the directory and what is wrong with it.
  public init(path: String) throws(HostError) {
    self.path = path
    if mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw HostError.stateDirectory(path: path, reason: String(cString: strerror(errno)))
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw HostError.stateDirectory(path: path, reason: "it is not a directory")
    }
    let lockPath = path + "/lock"
    var lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // A disk that takes nothing must not silence an alarm; there the directory itself can be locked.
    if lock < 0 && (errno == EROFS || errno == ENOSPC) {
      lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard lock >= 0 else {
      throw HostError.stateDirectory(
        path: path, reason: "it cannot be written (\(String(cString: strerror(errno))))")
    }
    self.lock = lock
    if flock(lock, LOCK_EX | LOCK_NB) != 0 {
      let holder = readWholeFile(lockPath).map { String(decoding: $0, as: UTF8.self) } ?? ""
      close(lock)
      throw HostError.locked(path: path, pid: holder.isEmpty ? "pid unknown" : "pid \(holder)")
    }
    // For people to read; the lock itself is the kernel's. On a full disk it stays empty.
    let pid = Array(String(getpid()).utf8)
    if ftruncate(lock, 0) == 0 { _ = write(lock, pid, pid.count) }
  }

  /// Makes a directory inside this one where it is missing. Where the disk takes none, what belongs into it
  /// fails when it comes, and nothing else does.
  ///
  /// - Returns: its path.
  public func subdirectory(_ name: String) -> String {
    let inner = path + "/" + name
    mkdir(inner, 0o700)
    return inner
  }

  /// Like `subdirectory`, and takes out whatever an earlier run left in it.
  public func emptySubdirectory(_ name: String) -> String {
    let inner = subdirectory(name)
    Self.empty(inner)
    return inner
  }

  /// Removes what is in a directory, links as links. What cannot be removed stays and does no harm.
  private static func empty(_ path: String) {
    guard let stream = opendir(path) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      let inner = path + "/" + name
      if unlink(inner) != 0 {
        empty(inner)
        rmdir(inner)
      }
    }
  }
}
