import Glibc

/// Detects changes in some directories with inotify, on its own thread.
public final class FileWatch: Sendable {
  /// The kind of changes that the watch detects.
  public enum Kind: Sendable {
    /// A file was created, deleted, renamed into the directory, or written.
    case contents
    /// A device file was added or removed, or the permissions of a device file changed.
    ///
    /// The inotify event IN_CLOSE_WRITE does not count as a change, because this event also occurs
    /// when a program closes a sound device after a sound.
    case devices

    fileprivate var events: UInt32 {
      switch self {
      case .contents: UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_TO)
      case .devices: UInt32(IN_ATTRIB | IN_CREATE | IN_DELETE)
      }
    }
  }

  /// Yields a value after a change. If the previous value was not read yet, the change adds no
  /// value.
  public let changes: AsyncStream<Void>
  private let kind: Kind
  private let directories: [String]
  private let descriptor: CInt
  private let continuation: AsyncStream<Void>.Continuation

  /// - Parameter directories: the watched directories, without their subdirectories. If a directory
  ///   is missing and its parent directory exists, the watch begins when the directory is created.
  /// - Throws: the error of the system if the system cannot watch directories.
  public init(_ kind: Kind, of directories: [String]) throws(HostError) {
    self.kind = kind
    self.directories = directories
    descriptor = inotify_init1(CInt(IN_CLOEXEC))
    guard descriptor >= 0 else { throw HostError.system("watch files", errno) }
    (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    look()
    var thread = pthread_t()
    let me = Unmanaged.passRetained(self)
    let failure = pthread_create(&thread, nil, runWatch, me.toOpaque())
    guard failure == 0 else {
      me.release()
      throw HostError.system("start the watch's thread", failure)
    }
    pthread_detach(thread)
  }

  /// Watches each directory that exists. The function changes nothing for a directory that is
  /// already watched.
  private func look() {
    for directory in directories
    where inotify_add_watch(descriptor, directory, kind.events) < 0 {
      // The directory is probably missing. Therefore watch the parent directory, to get a report
      // when the directory is created.
      let parent = directory[..<(directory.lastIndex(of: "/") ?? directory.startIndex)]
      inotify_add_watch(descriptor, parent.isEmpty ? "/" : String(parent), UInt32(IN_CREATE))
    }
  }

  fileprivate func run() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        continuation.finish()
        return
      }
      look()
      continuation.yield()
    }
  }
}

private func runWatch(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<FileWatch>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
