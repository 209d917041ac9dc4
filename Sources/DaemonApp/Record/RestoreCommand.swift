import Alarms
import ArgumentParser
import CivilTime
import Glibc
import Logbook
import Platform

/// Restores a backup into a state directory. Root runs this command (`prompter restore`).
///
/// As root, the process only opens the backup file. Then the process gives up the rights of root.
/// As the owner of the state directory, it reads the backup and writes the state directory.
package struct RestoreCommand {
  let file: String
  let state: String
  let oldDeviceIsGone: Bool

  package init(file: String, state: String, oldDeviceIsGone: Bool) {
    self.file = file
    self.state = state
    self.oldDeviceIsGone = oldDeviceIsGone
  }

  package func run() throws {
    let (archive, size) = try open()
    defer { close(archive) }
    try StateOwner(of: state).become()
    umask(0o077)
    // The process keeps the lock of the state directory until the process ends. Therefore, a daemon
    // cannot use the data during the restore.
    let directory = try StateDirectory(path: state)
    let isWatched = isatty(STDERR_FILENO) == 1
    defer { if isWatched { show("\r\u{1B}[K") } }
    let restore = try BackupRestore(unpacking: archive, size: size, state: directory.path) {
      if isWatched { show("\r\u{1B}[Kunpacking \($0 >> 20) of \($1 >> 20) MiB") }
    }
    defer { restore.discard() }
    guard restore.isRetired || oldDeviceIsGone else {
      report(
        "prompterd: cannot restore this backup: its device may still ring; make the backup with "
          + "\"prompter backup --move\", or add --old-device-is-gone if that device will never "
          + "ring again")
      throw ExitCode(1)
    }
    let events = try restore.prepare { done, total in
      if isWatched { show("\r\u{1B}[Kverifying \(done) of \(total) events") }
    }
    if isWatched { show("\r\u{1B}[K") }
    let seconds = SystemClock().now().wall.milliseconds / 1_000
    let aside = try restore.replace(aside: "before-restore-\(seconds)")
    print("Restored \(events) events. The earlier data is in \(directory.path)/\(aside).")
  }

  private func open() throws -> (descriptor: CInt, size: Int64) {
    // Without the flag O_NONBLOCK, this call would never return for a pipe without a writer.
    let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw BackupFileError(file, String(cString: strerror(errno))) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw BackupFileError(file, "it is not a file")
    }
    return (descriptor, Int64(status.st_size))
  }
}

/// The reason why a backup file cannot be read.
private struct BackupFileError: Error, CustomStringConvertible {
  var file: String
  var reason: String

  init(_ file: String, _ reason: String) { (self.file, self.reason) = (file, reason) }

  var description: String { "cannot read the backup \"\(file)\": \(reason)" }
}
