import Glibc

/// An ssh process that connects this process to the socket of a daemon on a remote machine.
///
/// A socket pair connects this process and ssh. The first socket is the standard input and output
/// of ssh. The client uses the second socket like a connection to a local daemon. On the remote
/// machine, the command `prompter bridge` connects ssh and the socket of the daemon.
package struct Tunnel {
  /// The descriptor of the socket that this process uses. The caller must close the descriptor.
  package let descriptor: Int32
  private let pid: pid_t
  private let errorOutput: ErrorOutputPrinter

  package init(to host: SSHHost, socket: String?) throws {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw Failure.unreachable("cannot reach \(host): \(String(cString: strerror(errno)))")
    }
    defer { close(ends[1]) }
    let there = socket.map { " --socket \(TextFormat.shellQuoted($0))" } ?? ""
    do {
      errorOutput = try ErrorOutputPrinter(of: host)
      pid = try Program.start(
        host.words(running: "prompter bridge" + there), input: ends[1], output: ends[1],
        errors: errorOutput.input)
    } catch {
      close(ends[0])
      throw error
    }
    errorOutput.begin()
    descriptor = ends[0]
  }

  /// Ends ssh, and waits until ssh has ended.
  package func end() {
    kill(pid, SIGTERM)
    _ = Program.wait(pid)
    errorOutput.end()
  }

  /// Returns the reason why a connection ended without a reply.
  ///
  /// The reason does not contain the messages of ssh and of the remote machine, because these
  /// messages are already on standard error.
  package func reason() -> String {
    let status = Program.wait(pid)
    errorOutput.end()
    return switch status {
    case 0: "it closed the connection without an answer"
    case 3: "no daemon answers there"
    case 126, 127: "that machine has no prompter on its PATH"
    case 255: "ssh could not connect"
    case let code: "ssh ended with \(code)"
    }
  }
}
