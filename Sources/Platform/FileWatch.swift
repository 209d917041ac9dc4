import Glibc

/// Notices that something in a few directories has changed, on a thread of its own, by inotify.
public final class FileWatch: Sendable {
  /// What is a change.
  public enum Kind: Sendable {
    /// A file came, went or was written.
    case contents
    /// A device came, went, or may now be used by others. One that is played on is closed after writing,
    /// and has not changed.
    case devices

    fileprivate var events: UInt32 {
      switch self {
      case .contents: UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_TO)
      case .devices: UInt32(IN_ATTRIB | IN_CREATE | IN_DELETE)
      }
    }
  }

  /// Yields when something has changed; changes that nobody has looked at yet merge.
  public let changes: AsyncStream<Void>
  private let kind: Kind
  private let directories: [String]
  private let descriptor: CInt
  private let continuation: AsyncStream<Void>.Continuation

  /// - Parameter directories: each is watched itself, not what lies below it; one that is not there is
  ///   from when it comes, where its parent is there.
  /// - Throws: the system's reason where nothing can be watched.
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

  /// Watches what is there. To watch again what is watched changes nothing.
  private func look() {
    for directory in directories
    where inotify_add_watch(descriptor, directory, kind.events) < 0 {
      // Its parent tells when it comes.
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
