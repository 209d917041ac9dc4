import ClientKit
import FileSystem
import Glibc
import StudyExport
import Synchronization

/// Unpacks an archive from the daemon into a directory.
///
/// This class first writes the files into a temporary directory next to the final directory. When
/// all files are complete, the temporary directory gets the final name. Therefore nobody can
/// mistake an incomplete directory for a complete directory.
///
/// The archive can come from a daemon on another machine, and the user of this program can be root.
/// Even then, a malicious archive must not overwrite files of this machine. For this reason,
/// `TarReader` accepts only plain files with plain names, and `OpenDirectory` refuses links and
/// existing files. Only the owner can read the unpacked files.
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

  /// - Throws: `Failure.badUsage` if the directory is not empty or cannot be created.
  init(into directory: String) throws {
    var path = directory
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.directory = path
    partial = "\(path).partial-\(getpid())"
    if let entries = try? fileNames(in: path) {
      guard entries.isEmpty else {
        throw Failure.badUsage("cannot export to \(path): the directory is not empty")
      }
    } else if access(path, F_OK) == 0 {
      throw Failure.badUsage("cannot export to \(path): it is not a readable directory")
    }
    // An export can contain names, so only the user of this command can read the directory.
    guard mkdir(partial, 0o700) == 0 else {
      throw Failure.badUsage("cannot export to \(path): \(String(cString: strerror(errno)))")
    }
    do {
      place = try OpenDirectory(partial)
    } catch {
      throw Failure.badUsage("cannot export to \(path): \(error)")
    }
  }

  /// Processes the next bytes of the archive.
  func take(_ bytes: [UInt8]) throws {
    try state.withLock { state in
      state.hasBegun = true
      // The closure below changes `state` while the reader runs, and Swift does not permit two
      // accesses to `state` at the same time. Therefore move the reader out of `state` first.
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

  /// Gives the directory its final name.
  ///
  /// - Returns: the names of the unpacked files, sorted.
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
    return ((try? fileNames(in: directory)) ?? []).sorted()
  }

  /// Removes the files that are already unpacked.
  func discard() { removeTree(partial) }

  private func wrong(_ error: TarError) -> Failure {
    .unreachable("cannot export to \(directory): the daemon sent a damaged archive: \(error)")
  }
}
