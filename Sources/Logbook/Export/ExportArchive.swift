import API
import CivilTime
import Dispatch
import FileSystem
import Glibc
import StudyExport
import Synchronization

/// An export for a client: the summary, and the files as one tar archive.
public struct ExportArchive: Sendable {
  public var summary: ExportSummary
  /// The length of the whole archive, in bytes.
  public var bytes: Int
  /// The archive in pieces. The daemon reads a piece only when the client can receive the piece.
  /// Therefore, the daemon needs no additional memory for a slow client. The stream deletes the
  /// files of the export after the last piece, or when the stream is deallocated.
  public var chunks: AsyncThrowingStream<[UInt8], any Error>
}

extension Logbook {
  /// Exports the record as an archive.
  ///
  /// - Parameter zone: looks up a zone by its tzdata name.
  public func exportArchive(
    profile: ExportProfile, layout: ExportLayout, workDirectory: String,
    zone: @escaping @Sendable (String) -> Zone?
  ) async throws -> ExportArchive {
    try await archive(below: workDirectory) { directory in
      try self.progress.during(.export) {
        try self.writeExport(
          to: directory, profile: profile, layout: layout, zone: zone, progress: $0)
      }
    }
  }

  /// Runs `write` with the path of a new directory. Then returns the files of this directory as an
  /// archive.
  ///
  /// The new directory is inside `workDirectory`. `write` runs on a separate thread. The export of
  /// a long record takes seconds, and requests must not wait for the export.
  func archive(
    below workDirectory: String, _ write: @escaping @Sendable (String) throws -> ExportSummary
  ) async throws -> ExportArchive {
    let name = String((0..<16).compactMap { _ in "0123456789abcdef".randomElement() })
    let directory = "\(workDirectory)/\(name)"
    let summary: ExportSummary = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "export", qos: .utility).async {
        continuation.resume(with: Result { try write(directory) })
      }
    }
    let reader = ArchiveReader(directory: directory, names: try fileNames(in: directory))
    return ExportArchive(
      summary: summary, bytes: TarHeader.archiveBytes(summary.files.map(\.bytes)),
      chunks: AsyncThrowingStream(unfolding: { try reader.next() }))
  }
}

/// Returns the names of the files in a directory, sorted.
func fileNames(in directory: String) throws(LogbookError) -> [String] {
  do throws(SystemError) {
    return try FileSystem.fileNames(in: directory).sorted()
  } catch {
    throw ExportFile.failure("open \"\(directory)\"", error.code)
  }
}

/// Reads the files of a directory as a tar archive. When the reader is deallocated, it removes the
/// directory.
final class ArchiveReader: Sendable {
  private struct State {
    var waiting: ArraySlice<String>
    var open: (descriptor: Int32, size: Int, left: Int)?
    var isEnded = false
  }

  private static let chunkBytes = 128 * 1024
  private let directory: String
  private let names: [String]
  private let state: Mutex<State>

  init(directory: String, names: [String]) {
    self.directory = directory
    self.names = names
    state = Mutex(State(waiting: names[...]))
  }

  deinit {
    state.withLock { if let file = $0.open { close(file.descriptor) } }
    for name in names { unlink("\(directory)/\(name)") }
    rmdir(directory)
  }

  /// Returns the next piece of the archive; nil after the end.
  func next() throws -> [UInt8]? {
    try state.withLock { state throws(LogbookError) in
      if let file = state.open { return try rest(of: file, &state) }
      if let name = state.waiting.popFirst() { return try head(of: name, &state) }
      if state.isEnded { return nil }
      state.isEnded = true
      return TarHeader.end
    }
  }

  private func head(of name: String, _ state: inout State) throws(LogbookError) -> [UInt8] {
    let path = "\(directory)/\(name)"
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw ExportFile.failure("read \"\(path)\"", errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      throw ExportFile.failure("read \"\(path)\"", errno)
    }
    let size = Int(status.st_size)
    state.open = (descriptor, size, size)
    return TarHeader.bytes(name: name, size: size)
  }

  private func rest(
    of file: (descriptor: Int32, size: Int, left: Int), _ state: inout State
  ) throws(LogbookError) -> [UInt8] {
    if file.left == 0 {
      close(file.descriptor)
      state.open = nil
      return TarHeader.padding(size: file.size)
    }
    var chunk = [UInt8](repeating: 0, count: min(Self.chunkBytes, file.left))
    let count = read(file.descriptor, &chunk, chunk.count)
    guard count > 0 else { throw ExportFile.failure("read the export", count < 0 ? errno : EIO) }
    state.open?.left -= count
    return Array(chunk[..<count])
  }
}
