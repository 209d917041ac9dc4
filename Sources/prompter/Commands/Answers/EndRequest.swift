import Glibc

/// A request to end the command: Ctrl-C, or a call of `send`.
enum EndRequest {
  /// A pipe, because a signal handler may do little more than write a byte.
  private static let ends: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()

  /// Makes the signals that usually end a program send the request.
  static func catchSignals() {
    // The handler must find the pipe ready.
    _ = ends
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in EndRequest.send() } }
  }

  static func send() {
    var byte: UInt8 = 0
    _ = write(ends.write, &byte, 1)
  }

  /// Waits for the request.
  static func wait() {
    var byte: UInt8 = 0
    while read(ends.read, &byte, 1) < 0, errno == EINTR {}
  }
}
