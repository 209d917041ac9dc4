import Glibc
import NIOPosix

/// What ssh and the far side write to standard error, printed here line by line.
///
/// The far side may be anybody's: its words go through `Terminal`, which shows what a terminal would obey.
/// ssh asks for a password on the terminal itself, so nothing that waits for an answer comes this way.
package final class Complaints: Sendable {
  /// Where ssh writes; ours until `begin`.
  package let input: Int32
  private let output: Int32
  /// Closing its writing end says that ssh has ended.
  private let stop: (reading: Int32, writing: Int32)
  private let pool = NIOThreadPool(numberOfThreads: 1)

  /// A line longer than this is printed in pieces.
  private static let longestLine = 4_096

  package init(of host: SSHHost) throws {
    var (errors, stops): ([Int32], [Int32]) = ([0, 0], [0, 0])
    let cause = { "cannot reach \(host): \(String(cString: strerror(errno)))" }
    guard pipe(&errors) == 0 else { throw Failure.unreachable(cause()) }
    guard pipe(&stops) == 0 else {
      let failure = Failure.unreachable(cause())
      for end in errors { close(end) }
      throw failure
    }
    // No child of ours may hold them open but ssh, which gets a copy of one.
    for end in errors + stops { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (output, input, stop) = (errors[0], errors[1], (stops[0], stops[1]))
  }

  /// Closes our copy of what ssh writes to, and begins to print.
  package func begin() {
    close(input)
    pool.start()
    pool.submit { _ in self.print() }
  }

  /// Prints what is left. Another process that ssh left behind may hold the pipe open for hours, so its end
  /// is not waited for.
  package func end() {
    close(stop.writing)
    // Its work returns as soon as nothing is left to read; there is nobody to tell if it does not.
    try? pool.syncShutdownGracefully()
    close(output)
    close(stop.reading)
  }

  private func print() {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: Self.longestLine)
    while true {
      var watched = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop.reading, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&watched, 2, -1) >= 0 || errno == EINTR else { break }
      guard watched[0].revents != 0 else {
        if watched[1].revents != 0 { break }
        continue
      }
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      for byte in buffer[..<count] {
        if byte != UInt8(ascii: "\n") { line.append(byte) }
        if byte == UInt8(ascii: "\n") || line.count >= Self.longestLine { Self.printError(&line) }
      }
    }
    if !line.isEmpty { Self.printError(&line) }
  }

  private static func printError(_ line: inout [UInt8]) {
    // ssh itself ends its lines with CR and LF where a terminal might be raw.
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    Terminal.printError(String(decoding: line, as: UTF8.self))
    line.removeAll(keepingCapacity: true)
  }
}
