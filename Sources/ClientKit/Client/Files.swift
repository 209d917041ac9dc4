import FileSystem
import Glibc

/// Reads and writes files for the command line.
package enum Files {
  /// Returns the content of a regular file.
  ///
  /// - Throws: `Failure.badUsage` if it cannot be read or is larger than `limit` bytes.
  package static func read(_ path: String, atMost limit: Int) throws -> [UInt8] {
    func failure(_ why: String) -> Failure { .badUsage("cannot read \(path): \(why)") }
    // Without O_NONBLOCK, opening a pipe without a writer would block forever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw failure(String(cString: strerror(errno))) }
    guard info.st_mode & S_IFMT == S_IFREG else { throw failure("it is not a regular file") }
    guard info.st_size <= limit else {
      throw failure(
        "it has \(info.st_size) bytes; the maximum is \(limit)")
    }
    var bytes = [UInt8](repeating: 0, count: Int(info.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw failure(String(cString: strerror(errno)))
      }
    }
    return Array(bytes[..<filled])
  }

  /// Returns the content of an open file from its start.
  package static func content(of descriptor: Int32) -> [UInt8] {
    lseek(descriptor, 0, SEEK_SET)
    return readToEnd(descriptor)
  }

  /// Reads a regular file piece by piece.
  ///
  /// - Throws: `Failure.badUsage` if it cannot be read, or an error of `take`.
  package static func stream(_ path: String, _ take: ([UInt8]) throws -> Void) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure.badUsage("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure.badUsage("cannot read \(path): \(String(cString: strerror(errno)))")
      }
      if count == 0 { return }
      try take(Array(chunk[..<count]))
    }
  }

  /// Writes a file and replaces an existing file: a reader sees the old content or the new one.
  package static func replace(_ path: String, with bytes: [UInt8]) throws {
    do throws(SystemError) {
      // It may name people; it is for whoever asked.
      try DurableFile.write(bytes, to: path, temporary: "\(path).partial-\(getpid())")
    } catch {
      throw Failure.badUsage("cannot write \(path): \(error)")
    }
  }

  /// Reads from a descriptor until its end or an error.
  package static func readToEnd(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}
