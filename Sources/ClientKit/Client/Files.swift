import FileSystem
import Glibc

/// Reads and writes files for the command line.
package enum Files {
  /// Returns the content of a regular file.
  ///
  /// - Throws: `Failure.badUsage` if the file cannot be read or is larger than `limit` bytes.
  package static func read(_ path: String, atMost limit: Int) throws -> [UInt8] {
    do throws(FileReadError) {
      return try readFile(atPath: path, limit: limit)
    } catch {
      throw Failure.badUsage("cannot read \(path): \(error)")
    }
  }

  /// Returns the content of a file, a pipe or a device, or of standard input (`-`).
  ///
  /// For the path `/dev/stdin`, the function uses the open descriptor of standard input, because
  /// the system cannot open this path if standard input is a socket.
  ///
  /// - Throws: `Failure.badUsage` if the input cannot be read or has more than `limit` bytes.
  package static func readInput(_ path: String, atMost limit: Int) throws -> [UInt8] {
    let isStandardInput = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path)
    let descriptor =
      isStandardInput ? fcntl(0, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure.badUsage("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    let (bytes, failure) = readToEnd(of: descriptor, limit: limit + 1)
    if let failure { throw Failure.badUsage("cannot read \(path): \(failure)") }
    guard bytes.count <= limit else {
      throw Failure.badUsage(
        "cannot read \(path): it has more than \(limit) bytes, which are the most")
    }
    return bytes
  }

  /// Returns the content of an open file from the beginning of the file.
  package static func content(of descriptor: Int32) -> [UInt8] {
    lseek(descriptor, 0, SEEK_SET)
    return readToEnd(of: descriptor, limit: .max).bytes
  }

  /// Returns the names of the files in a directory. The order of the names is not defined.
  ///
  /// - Throws: `Failure.badUsage` if the directory cannot be read.
  package static func names(in directory: String) throws -> [String] {
    do throws(SystemError) {
      return try fileNames(in: directory)
    } catch {
      throw Failure.badUsage("cannot read \(directory): \(error)")
    }
  }

  /// Reads a regular file piece by piece.
  ///
  /// - Throws: `Failure.badUsage` if the file cannot be read. The function also throws each error
  ///   that `take` throws.
  package static func stream(_ path: String, _ take: ([UInt8]) throws -> Void) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure.badUsage("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count: Int
      do throws(SystemError) {
        count = try readSome(of: descriptor, into: &chunk)
      } catch {
        throw Failure.badUsage("cannot read \(path): \(error)")
      }
      if count == 0 { return }
      try take(Array(chunk[..<count]))
    }
  }

  /// Writes a file and replaces an existing file. A program that reads the file at the same time
  /// gets either the whole old content or the whole new content.
  package static func replace(_ path: String, with bytes: [UInt8]) throws {
    do throws(SystemError) {
      // The file can contain names of people. Therefore, only the user who requested the file can
      // read it.
      try DurableFile.write(bytes, to: path, temporary: "\(path).partial-\(getpid())")
    } catch {
      throw Failure.badUsage("cannot write \(path): \(error)")
    }
  }
}
