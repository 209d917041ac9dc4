import Glibc

/// An open directory in which the process creates files.
///
/// Each system call with a path looks up every directory of the path again. Between two calls, a
/// different user can replace one of these directories by a link. In contrast, the descriptor of an
/// open directory always refers to the same directory.
public final class OpenDirectory: Sendable {
  private let descriptor: CInt

  /// Opens a directory. The initializer refuses a link to a directory.
  ///
  /// - Throws: the error of the system.
  public init(_ path: String) throws(SystemError) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
  }

  deinit { close(descriptor) }

  /// Creates a new file that only its owner can read.
  ///
  /// - Parameter name: the name of the file, without a slash. If a file or a link with this name
  ///   exists, the function throws `EEXIST`.
  /// - Throws: the error of the system.
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

/// A new file, open for writing.
public final class NewFile: Sendable {
  private let descriptor: CInt

  fileprivate init(descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Appends bytes to the file.
  public func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    try writeAll(bytes, to: descriptor)
  }

  /// Writes the file to the disk, and returns after the bytes are on the disk.
  public func flush() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw SystemError(code: errno) }
  }
}

/// An error of the system, with its `errno`.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  public var code: CInt

  public init(code: CInt) { self.code = code }

  public var description: String { String(cString: strerror(code)) }
}
