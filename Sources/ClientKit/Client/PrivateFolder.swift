import Glibc

/// A new folder that only this user can read, for one run of a command.
package struct PrivateFolder: Sendable {
  package let path: String

  /// Creates the folder in $XDG_RUNTIME_DIR. If this variable is not set, creates the folder in
  /// /tmp. The path of a socket in the folder must be short, so the function does not use $TMPDIR.
  package init() throws {
    let parent = ProcessEnvironment.value("XDG_RUNTIME_DIR") ?? "/tmp"
    var template = Array("\(parent)/prompter-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw Failure.badUsage(
        "cannot create a folder in \(parent): \(String(cString: strerror(errno))); set "
          + "XDG_RUNTIME_DIR to a folder that you can write")
    }
    path = String(cString: made)
  }

  /// Writes a file that only this user can read.
  ///
  /// - Returns: the path of the file.
  package func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let bytes = Array(text.utf8)
    let written = descriptor < 0 ? -1 : Glibc.write(descriptor, bytes, bytes.count)
    let code = errno
    if descriptor >= 0 { close(descriptor) }
    guard written == bytes.count else {
      throw Failure.badUsage("cannot write \(file): \(String(cString: strerror(code)))")
    }
    return file
  }

  /// Removes the folder and the files with these names. The function ignores a name without a file.
  package func remove(files names: [String]) {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
