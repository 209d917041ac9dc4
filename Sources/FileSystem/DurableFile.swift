import Glibc
import Synchronization

/// A file that appears under its final name only after all its bytes are on the disk.
///
/// `write` appends the bytes to a temporary file in the same directory. `commit` writes the
/// temporary file to the disk, gives it the final name, and writes the directory to the disk. After
/// a power failure, the complete earlier file or the complete new file has the final name. If the
/// caller never calls `commit`, the object removes the temporary file when the object is
/// deallocated.
///
/// ```swift
/// try DurableFile.write(bytes, to: "\(directory)/list", temporary: "\(directory)/list.new")
/// ```
public final class DurableFile: Sendable {
  public let path: String
  /// The path of the temporary file, which contains the bytes until `commit`.
  public let temporary: String
  private let descriptor: CInt
  private let isCommitted = Mutex(false)

  /// Creates the temporary file. Only the owner of the temporary file can read it.
  ///
  /// - Parameters:
  ///   - path: the final path of the file. `commit` replaces an existing file at this path.
  ///   - temporary: a path in the same directory. If an interrupted process left a file at this
  ///     path, the function removes this file.
  /// - Throws: the error of the system.
  public init(replacing path: String, temporary: String) throws(SystemError) {
    unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemError(code: errno) }
    self.path = path
    self.temporary = temporary
    descriptor = file
  }

  deinit {
    close(descriptor)
    if isCommitted.withLock({ !$0 }) { unlink(temporary) }
  }

  /// Writes a whole file.
  ///
  /// - Throws: the error of the system. After an error, the earlier file is still at the path, with
  ///   one exception. The last operation syncs the directory. If only this operation fails, the new
  ///   file is already at the path.
  public static func write(
    _ bytes: [UInt8], to path: String, temporary: String
  ) throws(SystemError) {
    let file = try DurableFile(replacing: path, temporary: temporary)
    try file.write(bytes[...])
    try file.commit()
  }

  /// Appends bytes to the temporary file.
  public func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    try writeAll(bytes, to: descriptor)
  }

  /// Writes the temporary file to the disk, and returns after the bytes are on the disk.
  public func flush() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw SystemError(code: errno) }
  }

  /// Renames the temporary file to its final path. After a commit, the caller must not write more
  /// bytes.
  public func commit() throws(SystemError) {
    try flush()
    guard rename(temporary, path) == 0 else { throw SystemError(code: errno) }
    isCommitted.withLock { $0 = true }
    try synchronise(parent(of: path))
  }
}

/// Writes all bytes to an open file, a pipe or a socket. The function repeats the system call until
/// it has written all bytes, or until an error occurs.
public func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) throws(SystemError) {
  var rest = bytes
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw SystemError(code: count < 0 ? errno : EIO) }
    rest = rest.dropFirst(count)
  }
}

/// Writes the changes of a file or directory to the disk. The changes of a directory are its new,
/// renamed and deleted entries. After this call, a power failure cannot undo the changes.
public func synchronise(_ path: String) throws(SystemError) {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw SystemError(code: errno) }
  defer { close(descriptor) }
  guard fsync(descriptor) == 0 else { throw SystemError(code: errno) }
}

/// Returns the directory that contains a file.
func parent(of path: String) -> String {
  // Search the bytes of the path, because Swift joins a slash and a following combining mark into
  // one Character.
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
