import Glibc
import NIOPosix

/// Prints the messages of ssh, and the messages of the machine to which ssh connects, line by line.
/// ssh writes both kinds of messages to standard error.
///
/// Prompter does not trust the machine to which ssh connects. `Terminal` replaces control
/// characters in these messages by visible characters.
///
/// The class prints a line only when the line is complete. A question without a line feed would not
/// appear in time. But ssh writes no questions to standard error: if ssh needs a password, it asks
/// for the password directly on the terminal.
package final class ErrorOutputPrinter: Sendable {
  /// The writing side of the pipe for the standard error of ssh. When ssh has its copy of this
  /// descriptor, `begin` closes the descriptor in this process.
  package let input: Int32
  private let output: Int32
  /// A pipe that tells the printing thread to stop. After ssh has ended, the function `end` closes
  /// the writing side of this pipe. As a result, the thread prints the remaining text and ends.
  private let stop: (reading: Int32, writing: Int32)
  private let pool = NIOThreadPool(numberOfThreads: 1)

  /// The maximum length of a line in bytes. The printer splits a longer line into several lines.
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
    // ssh gets a copy of `input`. If a second child process kept an original descriptor open, the
    // reader of the pipe would wait for the end of that child. Therefore, each child process closes
    // the original descriptors when it starts its program.
    for end in errors + stops { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (output, input, stop) = (errors[0], errors[1], (stops[0], stops[1]))
  }

  /// Closes `input` in this process, and begins to print. The caller must start ssh before this
  /// call. ssh has its own copy of `input`, so ssh can still write.
  package func begin() {
    close(input)
    pool.start()
    pool.submit { _ in self.print() }
  }

  /// Prints the remaining text, and stops reading from the pipe.
  ///
  /// The function does not wait for the end of the pipe, because a process that ssh started can
  /// keep the pipe open for hours.
  package func end() {
    close(stop.writing)
    // This call waits for the end of the printing thread. The thread ends when no text is left to
    // read. Ignore an error of this call, because all text is already printed.
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
    // ssh ends its lines with CR and LF, because the terminal can be in raw mode.
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    Terminal.printError(String(decoding: line, as: UTF8.self))
    line.removeAll(keepingCapacity: true)
  }
}
