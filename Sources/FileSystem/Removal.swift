import Glibc

/// Removes a directory and everything in it. A link is removed, but not its target.
///
/// Entries that cannot be removed stay and do no harm. Each directory is held open while its
/// entries are removed. So a user who replaces a directory by a link during this cannot have other
/// files removed.
public func removeTree(_ path: String) {
  if unlink(path) == 0 { return }
  removeContents(of: path)
  rmdir(path)
}

/// Removes everything in a directory, as `removeTree` does, and leaves the directory.
public func removeContents(of path: String) {
  empty(open(path, directoryFlags))
}

private let directoryFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

/// - Parameter descriptor: of an open directory, which is closed here; negative for none.
private func empty(_ descriptor: CInt) {
  guard descriptor >= 0 else { return }
  guard let stream = fdopendir(descriptor) else {
    close(descriptor)
    return
  }
  defer { closedir(stream) }
  // All names first: the result of `readdir` is undefined if the directory changes meanwhile.
  for name in names(in: stream) where unlinkat(descriptor, name, 0) != 0 {
    empty(openat(descriptor, name, directoryFlags))
    unlinkat(descriptor, name, AT_REMOVEDIR)
  }
}
