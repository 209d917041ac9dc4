import Glibc

/// Notices that something in a few directories has changed, on a thread of its own, by inotify.
public final class FileWatch: Sendable {
  /// Yields when something has changed; changes that nobody has looked at yet merge.
  public let changes: AsyncStream<Void>
  private let descriptor: CInt
  private let continuation: AsyncStream<Void>.Continuation

  /// - Parameter directories: each is watched itself, not what lies below it. One that is not there
  ///   is left out.
  /// - Throws: the system's reason where nothing can be watched.
  public init(directories: [String]) throws(HostError) {
    descriptor = inotify_init1(CInt(IN_CLOEXEC))
    guard descriptor >= 0 else { throw HostError.system("watch files", errno) }
    (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let events = UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_TO)
    for directory in directories { inotify_add_watch(descriptor, directory, events) }
    var thread = pthread_t()
    let me = Unmanaged.passRetained(self)
    let failure = pthread_create(&thread, nil, runWatch, me.toOpaque())
    guard failure == 0 else {
      me.release()
      throw HostError.system("start the watch's thread", failure)
    }
    pthread_detach(thread)
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
      continuation.yield()
    }
  }
}

private func runWatch(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<FileWatch>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
