import Glibc

/// Removes a directory and everything in it. For a link, the function removes the link and not its
/// target.
///
/// Entries that cannot be removed stay and cause no error. The function keeps each directory open
/// while it removes the entries. For this reason a user who replaces a directory by a link at that
/// time cannot cause the removal of other files.
public func removeTree(_ path: String) {
  if unlink(path) == 0 { return }
  removeContents(of: path)
  rmdir(path)
}

/// Removes everything in a directory in the same way as `removeTree`, and keeps the directory.
public func removeContents(of path: String) {
  empty(open(path, directoryFlags))
}

private let directoryFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

/// - Parameter descriptor: the descriptor of an open directory, which this function closes;
///   negative if there is no directory.
private func empty(_ descriptor: CInt) {
  guard descriptor >= 0 else { return }
  guard let stream = fdopendir(descriptor) else {
    close(descriptor)
    return
  }
  defer { closedir(stream) }
  // Read all names before the first removal. If the directory changes, the result of `readdir` is
  // undefined.
  for name in names(in: stream) where unlinkat(descriptor, name, 0) != 0 {
    empty(openat(descriptor, name, directoryFlags))
    unlinkat(descriptor, name, AT_REMOVEDIR)
  }
}
