import Glibc
import Synchronization

/// Says when the daemon has recorded new events.
///
/// A thread reads the event stream of the daemon. If the stream ends, the thread opens it again after
/// some seconds.
final class WakeUp: Sendable {
  /// The end of a pipe from which `wait` reads one byte for each notice.
  private let end: CInt

  /// - Returns: nil if the system has no free descriptor or thread.
  init?(_ daemon: DaemonRows) {
    var pair: [CInt] = [0, 0]
    guard pipe(&pair) == 0 else { return nil }
    for end in pair {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    end = pair[0]
    let context = Unmanaged.passRetained(Watch(daemon: daemon, end: pair[1]))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Watch>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      close(pair[0])
      close(pair[1])
      return nil
    }
  }

  /// Waits for a new event.
  ///
  /// - Returns: false after `seconds` without an event.
  func wait(seconds: Int64) -> Bool {
    var descriptor = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, Int32(seconds * 1_000)) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while read(end, &bytes, bytes.count) > 0 {}
    return true
  }

  private final class Watch {
    let daemon: DaemonRows
    let end: CInt

    init(daemon: DaemonRows, end: CInt) { (self.daemon, self.end) = (daemon, end) }

    func run() {
      // Constants before the loop: if the loop reads the properties, the optimiser of Swift 6.3.1
      // never ends (LoopInvariantCodeMotion).
      let (daemon, end) = (daemon, end)
      while true {
        // If the daemon cannot be reached, the regular contact reports this.
        try? daemon.watch {
          // If the pipe is full, the link already knows that there are new events.
          _ = write(end, "e", 1)
        }
        sleep(5)
      }
    }
  }
}
