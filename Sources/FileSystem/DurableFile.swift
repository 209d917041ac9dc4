import Glibc
import Synchronization

/// A file that gets its name only after it is complete and on the disk.
///
/// The bytes go into a temporary file beside it. `commit` writes that file to the disk, renames it,
/// and writes the directory to the disk. So a power cut leaves either the earlier file or the new
/// one. Without `commit`, the temporary file is removed.
///
/// ```swift
/// try DurableFile.write(bytes, to: "\(directory)/list", temporary: "\(directory)/list.new")
/// ```
public final class DurableFile: Sendable {
  public let path: String
  /// The path of the file until `commit`.
  public let temporary: String
  private let descriptor: CInt
  private let isCommitted = Mutex(false)

  /// Creates the temporary file, which only its owner can read.
  ///
  /// - Parameters:
  ///   - path: an existing file there is replaced by `commit`.
  ///   - temporary: a path in the same directory. An existing file there is removed: a process left
  ///     it that was interrupted.
  /// - Throws: the system's reason.
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
  /// - Throws: the system's reason. Then the earlier file is still there, except if only the
  ///   directory could not be written to the disk.
  public static func write(
    _ bytes: [UInt8], to path: String, temporary: String
  ) throws(SystemError) {
    let file = try DurableFile(replacing: path, temporary: temporary)
    try file.write(bytes[...])
    try file.commit()
  }

  /// Appends bytes.
  public func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    try writeAll(bytes, to: descriptor)
  }

  /// Returns when the bytes are on the disk, still in the temporary file.
  public func flush() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw SystemError(code: errno) }
  }

  /// Gives the file its name. Nothing may be written after this.
  public func commit() throws(SystemError) {
    try flush()
    guard rename(temporary, path) == 0 else { throw SystemError(code: errno) }
    isCommitted.withLock { $0 = true }
    try synchronise(parent(of: path))
  }
}

/// Writes all bytes to an open file, a pipe or a socket.
public func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) throws(SystemError) {
  var rest = bytes
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw SystemError(code: count < 0 ? errno : EIO) }
    rest = rest.dropFirst(count)
  }
}

/// Makes the content of a file, or the names in a directory, durable against a power cut.
public func synchronise(_ path: String) throws(SystemError) {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw SystemError(code: errno) }
  defer { close(descriptor) }
  guard fsync(descriptor) == 0 else { throw SystemError(code: errno) }
}

/// The directory that contains a file.
func parent(of path: String) -> String {
  // By byte: a combining mark would make one Character of the slash and itself.
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
