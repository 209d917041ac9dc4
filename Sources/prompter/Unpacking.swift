import Glibc
import Synchronization

/// Unpacks a tar stream into a directory that appears only when it is complete.
///
/// The files go into a neighbour of the directory, which takes its name at the end: an export that
/// broke off must not look like an export.
final class Unpacking: Sendable {
  private let directory: String
  private let partial: String

  private struct Running {
    var pid: pid_t
    /// Where tar reads; -1 once closed.
    var input: Int32
  }
  private let program: Mutex<Running?>

  /// - Throws: `Failure.badUsage` where the directory exists and is not empty, or cannot be made.
  init(into directory: String) throws {
    var path = directory
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.directory = path
    partial = "\(path).partial-\(getpid())"
    program = Mutex(nil)
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
  }

  /// Takes the next bytes of the stream.
  func take(_ bytes: [UInt8]) throws {
    try program.withLock { program in
      let running = try program ?? start()
      program = running
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(running.input, $0.baseAddress, $0.count) }
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno == EPIPE {
          // tar has said on standard error why; finish() reports that it failed. What it leaves unread
          // after the archive's end is padding.
          return
        } else if errno != EINTR {
          throw Failure.badUsage(
            "cannot export to \(directory): \(String(cString: strerror(errno)))")
        }
      }
    }
  }

  /// Waits for the last file, then gives the directory its name.
  ///
  /// - Returns: the names of what was unpacked, in order.
  func finish() throws -> [String] {
    guard let status = end() else {
      throw Failure.unreachable("cannot export to \(directory): the daemon sent nothing")
    }
    guard status == 0 else {
      throw Failure.unreachable("cannot export to \(directory): tar could not unpack the answer")
    }
    guard rename(partial, directory) == 0 else {
      throw Failure.badUsage(
        "cannot export to \(directory): \(String(cString: strerror(errno)))")
    }
    return (Files.entries(of: directory) ?? []).sorted()
  }

  /// Removes what was unpacked so far.
  func discard() {
    _ = end()
    Files.removeTree(partial)
  }

  /// Closes tar's input and waits for it.
  ///
  /// - Returns: its exit code; nil where it never ran.
  private func end() -> Int32? {
    program.withLock { program in
      guard let running = program else { return nil }
      program = nil
      close(running.input)
      return Program.wait(running.pid)
    }
  }

  private func start() throws -> Running {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw Failure.badUsage("cannot export: \(String(cString: strerror(errno)))")
    }
    defer { close(ends[0]) }
    // tar must not hold its own input open, or it would never see the end of it.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    do {
      let words = ["tar", "-x", "--no-same-owner", "-C", partial, "-f", "-"]
      return Running(pid: try Program.start(words, input: ends[0]), input: ends[1])
    } catch {
      close(ends[1])
      throw error
    }
  }
}
