import Dispatch
import FileSystem
import Glibc
import MessageDigest
import StudyExport
import Synchronization

/// Hashes and writes the files of one export on a separate thread.
///
/// During this work, the thread of the export encodes the next rows. The hashes and the writes take
/// a third of the total time of an export. At most 8 pieces wait for the separate thread.
/// Therefore, the export needs little memory even if the disk is slow.
final class ExportFileWriter: Sendable {
  private let queue = DispatchQueue(label: "export files", qos: .utility)
  private let slots = DispatchSemaphore(value: 8)

  func write(_ work: @escaping @Sendable () -> Void) {
    slots.wait()
    queue.async { [slots] in
      work()
      slots.signal()
    }
  }

  /// Waits until the separate thread has finished all work that `write` received.
  func wait() { queue.sync {} }
}

/// Writes one new file, and counts and hashes its bytes.
final class ExportFile: Sendable {
  private struct State: ~Copyable, Sendable {
    var digest = SHA256Digest()
    var count = 0
    var isOpen = true
    var failure: LogbookError?
  }

  private let path: String
  private let name: String
  private let descriptor: Int32
  private let writer: ExportFileWriter
  private let state = Mutex(State())

  /// The size of a buffer of rows, in bytes. When a buffer reaches this size, the export writes the
  /// buffer to the file.
  static let bufferSize = 128 * 1024

  /// Creates the file. The initializer throws an error if the file exists, because an export never
  /// overwrites a file.
  init(directory: String, name: String, writer: ExportFileWriter) throws(LogbookError) {
    self.name = name
    self.writer = writer
    path = "\(directory)/\(name)"
    descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("create \"\(path)\"", errno) }
  }

  deinit { state.withLock { if $0.isOpen { Glibc.close(descriptor) } } }

  /// Adds bytes to the end of the file.
  ///
  /// - Throws: the error of an earlier write. The function returns before the bytes are on the
  ///   disk. Therefore, if the write of these bytes fails, a later call throws the error.
  func write(_ bytes: [UInt8]) throws(LogbookError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
    writer.write { [self] in
      state.withLock { state in
        guard state.failure == nil else { return }
        state.digest.update(bytes)
        state.count += bytes.count
        do throws(SystemError) {
          try writeAll(bytes[...], to: descriptor)
        } catch {
          state.failure = Self.failure("write \"\(path)\"", error.code)
        }
      }
    }
  }

  /// Closes the file after all bytes are written.
  ///
  /// The function does not sync the file to the disk. Reason: the daemon sends the file to the
  /// client at once, and then deletes the file. When the daemon starts, it also deletes the files
  /// that an interrupted export left in this directory.
  func finish(rows: Int?) throws(LogbookError) -> ExportedFile {
    writer.wait()
    return try state.withLock { state throws(LogbookError) in
      if let failure = state.failure { throw failure }
      state.isOpen = false
      guard Glibc.close(descriptor) == 0 else { throw Self.failure("write \"\(path)\"", errno) }
      return ExportedFile(
        name: name, sha256: hexadecimal(state.digest.finish()), bytes: state.count, rows: rows)
    }
  }

  static func failure(_ doing: String, _ code: Int32) -> LogbookError {
    code == ENOSPC || code == EDQUOT
      ? .full(doing: doing) : .unwritable(doing: doing, reason: String(cString: strerror(code)))
  }
}

/// Writes one table of an export.
final class ExportTableFile {
  private let file: ExportFile
  private var line: ExportEncoder
  private var rows = 0

  init(
    directory: String, table: ExportTable, encoder: ExportEncoder, writer: ExportFileWriter
  ) throws(LogbookError) {
    line = encoder
    line.reserve(ExportFile.bufferSize + 4_096)
    line.appendHeader()
    file = try ExportFile(directory: directory, name: "\(table.name).csv", writer: writer)
  }

  /// Adds a row to the table.
  ///
  /// - Parameter add: a closure that writes the cells of the row, in the order of the columns.
  func row(_ add: (inout ExportEncoder) throws -> Void) throws {
    try add(&line)
    line.endRow()
    rows += 1
    if line.bytes.count >= ExportFile.bufferSize { try flush() }
  }

  func finish() throws -> ExportedFile {
    try flush()
    return try file.finish(rows: rows)
  }

  private func flush() throws {
    try file.write(line.bytes)
    line.clear()
  }
}
