import Glibc

/// The reason why a file cannot be read.
public enum FileReadError: Error, Hashable, Sendable, CustomStringConvertible {
  case system(SystemError)
  /// The path leads to a directory, a pipe, a socket or a device.
  case notAFile
  /// The file has more bytes than `limit`, the maximum that the caller accepts.
  case tooLarge(bytes: Int, limit: Int)

  public var description: String {
    switch self {
    case .system(let error): error.description
    case .notAFile: "it is not a file"
    case .tooLarge(let bytes, let limit): "it has \(bytes) bytes; \(limit) are the most"
    }
  }
}

/// Reads a whole regular file. If the path is a link, the function reads the target of the link.
///
/// The function reads to the end of the file. It does not rely on the size in the file status,
/// because the kernel reports a size of 0 for files in /proc.
///
/// - Parameter limit: the maximum size of the file in bytes, inclusive.
public func readFile(atPath path: String, limit: Int) throws(FileReadError) -> [UInt8] {
  // Without O_NONBLOCK, `open` waits forever if the path is a pipe without a writer.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { throw .system(SystemError(code: errno)) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw .system(SystemError(code: errno)) }
  guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
  guard status.st_size <= limit else {
    throw .tooLarge(bytes: Int(status.st_size), limit: limit)
  }
  let (bytes, failure) = readToEnd(of: descriptor, limit: limit == .max ? limit : limit + 1)
  if let failure { throw .system(failure) }
  // A different process can append bytes to the file while this function reads it. Therefore, check
  // the limit again, now with the number of bytes that were read.
  guard bytes.count <= limit else { throw .tooLarge(bytes: bytes.count, limit: limit) }
  return bytes
}

/// Reads from an open file, a pipe or a socket. The function stops at the end of the file, at a
/// failure or at the limit.
///
/// - Parameter limit: the maximum number of bytes to read.
/// - Returns: the bytes that were read, and the failure (nil if all reads succeeded).
public func readToEnd(
  of descriptor: CInt, limit: Int
) -> (bytes: [UInt8], failure: SystemError?) {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: max(0, min(limit, 1 << 16)))
  while bytes.count < limit {
    do throws(SystemError) {
      let count = try readSome(of: descriptor, into: &chunk, limit: limit - bytes.count)
      if count == 0 { break }
      bytes += chunk[..<count]
    } catch {
      return (bytes, error)
    }
  }
  return (bytes, nil)
}

/// Reads the next bytes into a buffer.
///
/// - Parameter limit: the maximum number of bytes. The function never reads more bytes than the
///   buffer can contain.
/// - Returns: the number of bytes that were read; 0 at the end of the file.
public func readSome(
  of descriptor: CInt, into buffer: inout [UInt8], limit: Int = .max
) throws(SystemError) -> Int {
  let most = min(buffer.count, limit)
  while true {
    let count = read(descriptor, &buffer, most)
    if count >= 0 { return count }
    guard errno == EINTR else { throw SystemError(code: errno) }
  }
}

/// Returns the names of the files in a directory. The order of the names is not defined.
public func fileNames(in directory: String) throws(SystemError) -> [String] {
  guard let stream = opendir(directory) else { throw SystemError(code: errno) }
  defer { closedir(stream) }
  return names(in: stream)
}

/// Reads all names of an open directory, without the names `.` and `..`.
func names(in stream: OpaquePointer) -> [String] {
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}
