import Glibc

/// An ssh process that carries one connection to a daemon's socket on another machine.
///
/// One end of a socket pair is ssh's standard input and output, and this process uses the other
/// end. So the client uses it like the daemon's own socket. On the other machine `prompter bridge`
/// connects ssh and the socket.
package struct Tunnel {
  /// This process's end of the socket pair. The user of the descriptor closes it.
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

  /// Ends ssh and waits for its end.
  package func end() {
    kill(pid, SIGTERM)
    _ = Program.wait(pid)
    errorOutput.end()
  }

  /// Returns why a connection ended without an answer.
  ///
  /// The messages of ssh and of the other machine are already on standard error.
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
