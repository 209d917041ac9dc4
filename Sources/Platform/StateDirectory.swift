import FileSystem
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
    let owner = try StateOwner(of: path)
    try owner.requireTrust()
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else {
      throw HostError.stateDirectory(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(directory) }
    lock = try Self.openLock(path, directory)
    if flock(lock, LOCK_EX | LOCK_NB) != 0 {
      let holder = Self.holder(lock)
      close(lock)
      throw HostError.locked(path: path, pid: holder.isEmpty ? "pid unknown" : "pid \(holder)")
    }
    // For people to read; the lock itself is the kernel's. On a full disk it stays empty.
    let pid = Array(String(getpid()).utf8)
    if ftruncate(lock, 0) == 0 { _ = write(lock, pid, pid.count) }
  }

  /// Opens the file that is locked: a regular one of this directory alone, and never through a link.
  private static func openLock(_ path: String, _ directory: CInt) throws(HostError) -> CInt {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let lock = openat(directory, "lock", flags, 0o600)
    if lock < 0 {
      // A disk that takes nothing must not silence an alarm; there the directory itself can be locked.
      let code = errno
      let own = code == EROFS || code == ENOSPC ? dup(directory) : -1
      guard own >= 0 else {
        throw code == ELOOP
          ? odd(path)
          : .stateDirectory(
            path: path, reason: "it cannot be written (\(String(cString: strerror(code))))")
      }
      _ = fcntl(own, F_SETFD, FD_CLOEXEC)
      return own
    }
    var status = stat()
    guard fstat(lock, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
      close(lock)
      throw odd(path)
    }
    return lock
  }

  private static func odd(_ path: String) -> HostError {
    .stateDirectory(
      path: path,
      reason: "its file \"lock\" is a link, has another name elsewhere, or is not a file; remove it"
    )
  }

  /// What the process that has the lock wrote into the file: its pid.
  private static func holder(_ lock: CInt) -> String {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(lock, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
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
    removeContents(of: inner)
    return inner
  }
}
