import Glibc

/// An ssh that carries one connection to a daemon's socket on another machine.
///
/// ssh's standard input and output are one end of a socket pair and we hold the other, so that what is
/// above cannot tell it from the daemon's own socket. On the far side `prompter bridge` joins the two.
package struct Tunnel {
  /// Our end; whoever takes it closes it.
  package let descriptor: Int32
  private let pid: pid_t
  private let complaints: Complaints

  package init(to host: SSHHost, socket: String?) throws {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw Failure.unreachable("cannot reach \(host): \(String(cString: strerror(errno)))")
    }
    defer { close(ends[1]) }
    let there = socket.map { " --socket \(TextFormat.shellQuoted($0))" } ?? ""
    do {
      complaints = try Complaints(of: host)
      pid = try Program.start(
        host.words(running: "prompter bridge" + there), input: ends[1], output: ends[1],
        errors: complaints.input)
    } catch {
      close(ends[0])
      throw error
    }
    complaints.begin()
    descriptor = ends[0]
  }

  /// Ends ssh, whether or not it has noticed that nobody needs it any more.
  package func end() {
    kill(pid, SIGTERM)
    _ = Program.wait(pid)
    complaints.end()
  }

  /// Why there was no answer, once the connection has ended without one. What ssh or the far side
  /// had to say about it is on standard error already.
  package func reason() -> String {
    let status = Program.wait(pid)
    complaints.end()
    return switch status {
    case 0: "it closed the connection without an answer"
    case 3: "no daemon answers there"
    case 126, 127: "there is no prompter on that machine, or its PATH does not lead to it"
    case 255: "ssh could not connect"
    case let code: "ssh ended with \(code)"
    }
  }
}
