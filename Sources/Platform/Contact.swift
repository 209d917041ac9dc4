import Dispatch
import Glibc
import Processes

/// How somebody outside the home is told: a command that the household chose.
public struct Contact: Sendable, Hashable {
  /// The program and its arguments.
  public var command: [String]
  /// A command that runs for longer than this is killed with everything it started. 1 to 300 seconds.
  public var timeoutSeconds: Int

  public init(command: [String], timeoutSeconds: Int) {
    self.command = command
    self.timeoutSeconds = timeoutSeconds
  }

  public static let standardTimeoutSeconds = 30

  /// Why its command cannot be run, as far as it can be seen from here; nil where nothing is wrong.
  ///
  /// A sandbox may hide homes and what is temporary from us and not from whoever runs the command.
  public var trouble: String? {
    let hidden = ["home", "root", "run/user", "tmp", "var/tmp"].map { "/\($0)/" }
    guard let program = command.first, !hidden.contains(where: program.hasPrefix) else {
      return nil
    }
    var status = stat()
    if stat(program, &status) != 0 { return "\(program): \(String(cString: strerror(errno)))" }
    // By its mode: we may be root, who may run what nobody else may, and the command runs as another.
    return status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o111 != 0
      ? nil : "\(program) is no program that can be run"
  }

  /// Runs the command to its end. Blocks.
  ///
  /// - Parameter started: hears the number of its process, which leads a group of its own.
  /// - Returns: why it failed; nil where it ended well.
  public func run(environment: [(String, String)], started: (pid_t) -> Void) -> String? {
    let pid: pid_t
    // Nothing to read and nowhere to write: what it says could hold a name, and the journal is read by others.
    let null = ChildProcess.openNull()
    defer { close(null) }
    do {
      pid = try ChildProcess.spawn(
        command[0], arguments: Array(command.dropFirst()),
        environment: Dictionary(environment) { _, last in last },
        descriptors: [(0, null), (1, null), (2, null)])
    } catch {
      return HostError.system("start its command", error.code).description
    }
    started(pid)
    let queue = DispatchQueue(label: "contact's time")
    let timer = DispatchWorkItem { kill(-pid, SIGKILL) }
    queue.asyncAfter(deadline: .now() + .seconds(timeoutSeconds), execute: timer)
    // Seen and not reaped: until the timer is off, the number must stay its own.
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    timer.cancel()
    // The timer may be at it this moment; it is done once the queue is.
    queue.sync {}
    // What it left behind goes with it.
    kill(-pid, SIGKILL)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return failure(status)
  }

  private func failure(_ status: Int32) -> String? {
    let signal = status & 0x7F
    if signal == 0 {
      let code = (status >> 8) & 0xFF
      return code == 0 ? nil : "its command ended with status \(code)"
    }
    return signal == SIGKILL
      ? "its command was killed; it may run for \(timeoutSeconds) s"
      : "its command was ended by signal \(signal)"
  }
}
