import FileSystem
import Glibc

/// The directory with the data of a home, locked for one daemon.
public struct StateDirectory: Sendable {
  public let path: String
  private let lock: CInt

  /// Creates the directory if the directory is missing, and locks the directory.
  ///
  /// The lock prevents the start of a second daemon with the same directory.
  ///
  /// - Throws: an error with one sentence about the directory and the problem.
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
    // The kernel manages the lock, so no program needs the process id in the file. The process id
    // is only information for people. If the disk is full, the lock file stays empty.
    let pid = Array(String(getpid()).utf8)
    if ftruncate(lock, 0) == 0 { _ = write(lock, pid, pid.count) }
  }

  /// Opens the lock file. The file must be a regular file with exactly one hard link. The function
  /// does not follow symbolic links.
  private static func openLock(_ path: String, _ directory: CInt) throws(HostError) -> CInt {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let lock = openat(directory, "lock", flags, 0o600)
    if lock < 0 {
      // An alarm must ring even if the disk is full or read-only. On such a disk, the creation of
      // the lock file can fail. In this case, the function returns a copy of the descriptor of the
      // directory, so that the caller locks the directory instead.
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
      reason: "its file \"lock\" is a link, has a second name, or is not a regular file; remove it"
    )
  }

  /// Returns the process id in the lock file. The process that locked the file wrote this id.
  private static func holder(_ lock: CInt) -> String {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(lock, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Creates a subdirectory if it is missing.
  ///
  /// If the subdirectory cannot be created, the function reports no error. If a program later
  /// writes a file into the missing subdirectory, the write fails.
  ///
  /// - Returns: the path of the subdirectory.
  public func subdirectory(_ name: String) -> String {
    let inner = path + "/" + name
    mkdir(inner, 0o700)
    return inner
  }

  /// Creates a subdirectory with the method `subdirectory`. If the subdirectory already exists, the
  /// function removes all files in it.
  public func emptySubdirectory(_ name: String) -> String {
    let inner = subdirectory(name)
    removeContents(of: inner)
    return inner
  }
}
