import ClientKit
import FileSystem
import Glibc
import StudyExport
import Synchronization

/// Unpacks an archive of the daemon into a directory that appears only when it is complete.
///
/// The files go into a neighbour of the directory, which takes its name at the end: an export that
/// broke off must not look like an export. The daemon may be another machine's, and whoever unpacks may
/// be root, so that only plain files are taken, with names of ours and readable by their owner alone.
final class Unpacking: Sendable {
  private let directory: String
  private let partial: String

  private struct State {
    var reader = TarReader()
    var file: NewFile?
    var hasBegun = false
  }
  private let place: OpenDirectory
  private let state = Mutex(State())

  /// - Throws: `Failure.badUsage` where the directory exists and is not empty, or cannot be made.
  init(into directory: String) throws {
    var path = directory
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.directory = path
    partial = "\(path).partial-\(getpid())"
    if let entries = Files.entries(of: path) {
      guard entries.isEmpty else {
        throw Failure.badUsage("cannot export to \(path): the directory is not empty")
      }
    } else if access(path, F_OK) == 0 {
      throw Failure.badUsage("cannot export to \(path): it is no directory that can be read")
    }
    // The record names people unless told otherwise; it is for whoever asked.
    guard mkdir(partial, 0o700) == 0 else {
      throw Failure.badUsage("cannot export to \(path): \(String(cString: strerror(errno)))")
    }
    do {
      place = try OpenDirectory(partial)
    } catch {
      throw Failure.badUsage("cannot export to \(path): \(error)")
    }
  }

  /// Takes the next bytes of the archive.
  func take(_ bytes: [UInt8]) throws {
    try state.withLock { state in
      state.hasBegun = true
      // Taken out meanwhile: it must not be read and changed at once.
      var reader = TarReader()
      swap(&reader, &state.reader)
      do {
        try reader.read(bytes) { part in
          switch part {
          case .file(let name, _): state.file = try place.makeFile(name)
          case .content(let piece): try state.file?.write(piece)
          case .end: state.file = nil
          }
        }
      } catch let error as SystemError {
        throw Failure.badUsage("cannot export to \(directory): \(error)")
      } catch let error as TarError {
        throw wrong(error)
      }
      state.reader = reader
    }
  }

  /// Gives the directory its name.
  ///
  /// - Returns: the names of what was unpacked, in order.
  func finish() throws -> [String] {
    try state.withLock { state in
      guard state.hasBegun else {
        throw Failure.unreachable("cannot export to \(directory): the daemon sent nothing")
      }
      do throws(TarError) { try state.reader.finish() } catch { throw wrong(error) }
    }
    guard rename(partial, directory) == 0 else {
      throw Failure.badUsage(
        "cannot export to \(directory): \(String(cString: strerror(errno)))")
    }
    return (Files.entries(of: directory) ?? []).sorted()
  }

  /// Removes what was unpacked so far.
  func discard() { removeTree(partial) }

  private func wrong(_ error: TarError) -> Failure {
    .unreachable("cannot export to \(directory): what the daemon sent cannot be used: \(error)")
  }
}
