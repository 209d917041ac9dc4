import Glibc

/// A directory that is held open for the creation of files.
///
/// Each call looks up a path again, and another user may have put a link into it since. An open
/// directory stays the same directory.
public final class OpenDirectory: Sendable {
  private let descriptor: CInt

  /// Opens a directory; a link to a directory is refused.
  ///
  /// - Throws: the system's reason.
  public init(_ path: String) throws(SystemError) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
  }

  deinit { close(descriptor) }

  /// Creates a new file that only its owner can read.
  ///
  /// - Parameter name: one component of a path; a file or a link of this name is an error.
  /// - Throws: the system's reason, for example `EEXIST`.
  public func makeFile(_ name: String) throws(SystemError) -> NewFile {
    guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else {
      throw SystemError(code: EINVAL)
    }
    let file = openat(
      descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemError(code: errno) }
    return NewFile(descriptor: file)
  }
}

/// A new file that is being written.
public final class NewFile: Sendable {
  private let descriptor: CInt

  fileprivate init(descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Appends bytes.
  public func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    try writeAll(bytes, to: descriptor)
  }

  /// Returns when the bytes are on the disk.
  public func flush() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw SystemError(code: errno) }
  }
}

/// An error of the system: its `errno`.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  public var code: CInt

  public init(code: CInt) { self.code = code }

  public var description: String { String(cString: strerror(code)) }
}
