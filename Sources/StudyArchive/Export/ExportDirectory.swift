import FileSystem
import Glibc
import MessageDigest
import StudyExport

/// A new directory for an export. The directory has a temporary name until all files are complete.
///
/// The rows are health data. Therefore, only the user who runs the export command can read the
/// files.
final class ExportDirectory {
  private let path: String
  private let partial: String
  private let place: OpenDirectory

  /// Creates the directory with a temporary name.
  ///
  /// - Parameter path: the final path of the directory.
  /// - Throws: `refused` if something other than an empty directory exists at `path`.
  init(_ path: String) throws(ArchiveError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    partial = "\(path).partial-\(getpid())"
    let entries: [String]
    do throws(SystemError) {
      entries = try fileNames(in: path)
    } catch {
      guard error.code == ENOENT else { throw Self.failure(path, error) }
      entries = []
    }
    guard entries.isEmpty else {
      throw .refused("cannot export into \"\(path)\": the directory is not empty")
    }
    guard mkdir(partial, 0o700) == 0 else {
      throw Self.failure(path, SystemError(code: errno))
    }
    do throws(SystemError) {
      place = try OpenDirectory(partial)
    } catch {
      throw Self.failure(path, error)
    }
  }

  func file(_ name: String) throws(ArchiveError) -> ExportOutput {
    do throws(SystemError) {
      return ExportOutput(name, try place.makeFile(name))
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Writes a whole file into the directory.
  func write(
    _ name: String, _ bytes: [UInt8], rows: Int? = nil
  ) throws(ArchiveError) -> ExportedFile {
    let output = try file(name)
    try output.write(bytes)
    return try output.finish(rows: rows)
  }

  /// Gives the directory its final name. Call this function after all files are complete.
  func commit() throws(ArchiveError) {
    guard rename(partial, path) == 0 else { throw Self.failure(path, SystemError(code: errno)) }
  }

  /// Removes the directory with its temporary name, and all files in it.
  func discard() { removeTree(partial) }

  fileprivate static func failure(_ path: String, _ error: SystemError) -> ArchiveError {
    .refused("cannot export into \"\(path)\": \(error)")
  }
}

/// A file of an export that the program is writing. The type counts and hashes the bytes of the
/// file.
final class ExportOutput {
  private let name: String
  private let file: NewFile
  private var digest = SHA256Digest()
  private var bytes = 0
  private var buffer: [UInt8] = []

  private static let bufferBytes = 1 << 16

  fileprivate init(_ name: String, _ file: NewFile) {
    self.name = name
    self.file = file
  }

  func write(_ part: [UInt8]) throws(ArchiveError) {
    buffer += part
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  private func flush() throws(ArchiveError) {
    digest.update(buffer)
    bytes += buffer.count
    do throws(SystemError) {
      try file.write(buffer[...])
    } catch {
      throw .refused("cannot write \"\(name)\": \(error)")
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Completes the file. The function returns after the file is on the disk.
  func finish(rows: Int?) throws(ArchiveError) -> ExportedFile {
    try flush()
    do throws(SystemError) {
      try file.flush()
    } catch {
      throw .refused("cannot write \"\(name)\": \(error)")
    }
    return ExportedFile(
      name: name, sha256: hexadecimal(digest.finish()), bytes: bytes, rows: rows)
  }
}
