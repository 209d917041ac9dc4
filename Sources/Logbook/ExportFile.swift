import Glibc
import Wire

/// A file of an export as the manifest lists it.
public struct ExportedFile: Sendable, Hashable {
  public var name: String
  /// SHA-256 of the file, in lower-case hex.
  public var sha256: String
  public var bytes: Int
  /// Lines below the header; nil for files that are no tables.
  public var rows: Int?
}

/// Writes one new file, counts it and hashes it on the way. Holds at most a buffer of it.
final class ExportFile {
  private let path: String
  private let name: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var digest = SHA256Digest()
  private var count = 0
  private var isOpen = true

  private static let bufferSize = 128 * 1024

  /// Makes the file; one that exists is never written over.
  init(directory: String, name: String) throws(LogbookError) {
    self.name = name
    path = "\(directory)/\(name)"
    descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("create \"\(path)\"", errno) }
    buffer.reserveCapacity(Self.bufferSize + 4096)
  }

  deinit { if isOpen { Glibc.close(descriptor) } }

  /// Lets something be added to the end of the file.
  func write(_ add: (inout [UInt8]) -> Void) throws(LogbookError) {
    add(&buffer)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Brings everything to the disk and closes the file.
  func finish(rows: Int?) throws(LogbookError) -> ExportedFile {
    try flush()
    guard fsync(descriptor) == 0 else { throw Self.failure("write \"\(path)\"", errno) }
    isOpen = false
    guard Glibc.close(descriptor) == 0 else { throw Self.failure("write \"\(path)\"", errno) }
    return ExportedFile(
      name: name, sha256: hexadecimal(digest.finish()), bytes: count, rows: rows)
  }

  private func flush() throws(LogbookError) {
    digest.update(buffer)
    count += buffer.count
    var done = 0
    while done < buffer.count {
      let written = buffer.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done)  // the buffer is not empty
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw Self.failure("write \"\(path)\"", errno) }
      done += written
    }
    buffer.removeAll(keepingCapacity: true)
  }

  static func failure(_ doing: String, _ code: Int32) -> LogbookError {
    code == ENOSPC || code == EDQUOT
      ? .full(doing: doing) : .unwritable(doing: doing, reason: String(cString: strerror(code)))
  }
}

/// Writes one table of an export.
final class ExportTableFile {
  private let file: ExportFile
  private let encoder: ExportEncoder
  private var rows = 0

  init(directory: String, table: ExportTable, encoder: ExportEncoder) throws(LogbookError) {
    self.encoder = encoder
    file = try ExportFile(directory: directory, name: "\(table.name).csv")
    try file.write { encoder.appendHeader(to: &$0) }
  }

  func append(_ cells: [ExportCell]) throws(LogbookError) {
    rows += 1
    try file.write { encoder.append(cells, to: &$0) }
  }

  func finish() throws(LogbookError) -> ExportedFile { try file.finish(rows: rows) }
}
