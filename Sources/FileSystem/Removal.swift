import Glibc

/// Removes a directory with all its contents. If the function finds a link, it removes the link and
/// not the target of the link.
///
/// If a file or directory cannot be removed, the function ignores the error. The function opens
/// each directory before it removes the files in it. If a different user replaces the directory by
/// a link during the removal, the function does not follow the link.
public func removeTree(_ path: String) {
  if unlink(path) == 0 { return }
  removeContents(of: path)
  rmdir(path)
}

/// Removes all files and directories in a directory. The function works in the same way as
/// `removeTree`, but keeps the directory itself.
public func removeContents(of path: String) {
  empty(open(path, directoryFlags))
}

private let directoryFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

/// Removes all files and directories in an open directory, and closes the descriptor.
///
/// - Parameter descriptor: the descriptor of the directory. If the caller could not open the
///   directory, the descriptor is negative, and the function does nothing.
private func empty(_ descriptor: CInt) {
  guard descriptor >= 0 else { return }
  guard let stream = fdopendir(descriptor) else {
    close(descriptor)
    return
  }
  defer { closedir(stream) }
  // Read all names before the first removal. If a file is removed between two calls of `readdir`,
  // POSIX does not define which names the later calls return.
  for name in names(in: stream) where unlinkat(descriptor, name, 0) != 0 {
    empty(openat(descriptor, name, directoryFlags))
    unlinkat(descriptor, name, AT_REMOVEDIR)
  }
}
