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
    func failure() -> Failure {
      .badUsage("cannot write \(path): \(String(cString: strerror(errno)))")
    }
    let partial = "\(path).partial-\(getpid())"
    // An earlier process with this pid may have been killed while it wrote.
    unlink(partial)
    // The file may contain names of people, so only this user can read it.
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure() }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = failure()
        close(descriptor)
        unlink(partial)
        throw reason
      }
      done += count
    }
    guard close(descriptor) == 0, rename(partial, path) == 0 else {
      let reason = failure()
      unlink(partial)
      throw reason
    }
  }

  /// Writes all bytes.
  ///
  /// - Returns: false, with `errno` set, if this fails.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
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

  /// The names in a directory; nil if it cannot be read.
  package static func entries(of path: String) -> [String]? {
    guard let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
