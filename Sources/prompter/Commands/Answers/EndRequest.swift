import Glibc

/// A request to end this command. The user sends the request with Ctrl-C, and the program sends it
/// with `send`.
enum EndRequest {
  /// The pipe through which the signal handler sends the request. A signal handler may call only
  /// few functions, and `write` is one of these functions.
  private static let ends: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()

  /// Installs handlers for the signals that usually end a program. The handlers send the request.
  static func catchSignals() {
    // Create the pipe before the first signal can arrive.
    _ = ends
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in EndRequest.send() } }
  }

  static func send() {
    var byte: UInt8 = 0
    _ = write(ends.write, &byte, 1)
  }

  /// Waits until the user or the program sends the request.
  static func wait() {
    var byte: UInt8 = 0
    while read(ends.read, &byte, 1) < 0, errno == EINTR {}
  }
}
