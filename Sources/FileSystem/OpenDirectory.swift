import Glibc

/// An open directory in which the process creates files.
///
/// Each system call with a path looks up the path again. Between two calls, another user may
/// replace a part of the path with a link. An open directory always stays the same directory.
public final class OpenDirectory: Sendable {
  private let descriptor: CInt

  /// Opens a directory. The function refuses a link to a directory.
  ///
  /// - Throws: the error of the system.
  public init(_ path: String) throws(SystemError) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
  }

  deinit { close(descriptor) }

  /// Creates a new file that only its owner can read.
  ///
  /// - Parameter name: the name of the file, without a slash. If a file or a link has this name,
  ///   the function throws an error.
  /// - Throws: the error of the system, for example `EEXIST`.
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
