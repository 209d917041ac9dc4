import Glibc
import Processes

/// Starts a contact with the archive again and again.
///
/// Each contact is a process of its own, because a contact needs libcurl and some 30 other libraries,
/// and lasts a second in 15 minutes. Between two contacts, only this small program is in the memory.
public struct ContactTimer {
  /// The longest time without a sign of life from a contact, in seconds. A request may take 60 s, and a
  /// contact has at most three requests in a row without a sign of life.
  static let silenceLimit: Int64 = 240

  private let command: [String]
  private let pauseFile: String
  private let socket: String
  private let wakesAtOnce: Bool
  private let report: (String) -> Void

  /// - Parameters:
  ///   - program: the path of `prompter-link`.
  ///   - socket: the socket of the daemon.
  ///   - directory: the directory with the enrolment. While it contains the file `paused`, the link is
  ///     paused.
  ///   - wakesAtOnce: true to contact the archive soon after each new event.
  ///   - report: writes a line to the journal.
  public init(
    program: String, socket: String, directory: String, wakesAtOnce: Bool,
    report: @escaping (String) -> Void
  ) {
    command = [program, "contact", "--socket", socket, "--state", directory]
    pauseFile = "\(directory)/paused"
    (self.socket, self.wakesAtOnce, self.report) = (socket, wakesAtOnce, report)
  }

  /// Contacts the archive until a contact says that no contact is possible, for example because the
  /// home is no longer enrolled. The contact has then reported the reason.
  ///
  /// - Parameter alive: called at least every 20 seconds.
  public func run(alive: () -> Void) {
    // The watch begins before the first contact, so no event is between both.
    let watch = wakesAtOnce ? EventWatch(socket: socket) : nil
    var failures = 0
    while true {
      let next: NextContact
      switch contact(failures, alive) {
      case .ended(let found): next = found
      case .impossible: return
      case .lost(let reason):
        report(reason)
        let pause = LinkTiming.pause(
          failures: failures + 1, retryAfter: nil, random: .random(in: 0...1))
        next = NextContact(seconds: pause, failures: failures + 1)
      }
      failures = next.failures
      wait(next, watch, alive)
    }
  }

  /// How the process of a contact ended.
  enum Result: Hashable {
    case ended(NextContact)
    /// No later contact can succeed.
    case impossible
    /// The process did not start, was killed or hung.
    case lost(String)
  }

  /// Runs the program of a contact, and waits for its end.
  func contact(_ failures: Int, _ alive: () -> Void) -> Result {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else {
      return .lost("cannot begin a contact: \(String(cString: strerror(errno)))")
    }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let child: pid_t
    do throws(SpawnFailure) {
      defer { close(ends[1]) }
      child = try ChildProcess.spawnInForeground(
        command + ["--failures", String(failures)], descriptors: [(STDOUT_FILENO, ends[1])])
    } catch {
      return .lost(error.description)
    }
    let output = Self.read(ends[0], silenceLimit: Self.silenceLimit, alive)
    if output == nil { kill(child, SIGKILL) }
    let status = ChildProcess.wait(child)
    guard let output else {
      return .lost("a contact gave no sign of life for \(Self.silenceLimit) s, and was killed")
    }
    return Self.result(lastLine: output, status: status)
  }

  /// What the end of the process means.
  ///
  /// - Parameters:
  ///   - lastLine: the last line that the process printed.
  ///   - status: the exit status as `waitpid` reports it.
  static func result(lastLine: String, status: CInt) -> Result {
    switch ChildProcess.exitCode(status: status) {
    case 0:
      return NextContact(line: lastLine).map(Result.ended)
        ?? .lost("a contact ended without the time of the next contact")
    case 1: return .impossible
    default: return .lost("a contact ended with \(ChildProcess.describe(status: status))")
    }
  }

  /// Reads the output of a contact until its end. Each byte is a sign of life.
  ///
  /// - Returns: the last line; nil if no byte came for `silenceLimit` seconds.
  static func read(_ end: CInt, silenceLimit: Int64, _ alive: () -> Void) -> String? {
    var line: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 256)
    var deadline = bootSeconds() + silenceLimit
    while true {
      alive()
      let rest = deadline - bootSeconds()
      if rest <= 0 { return nil }
      var waiting = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(min(rest, 10) * 1_000)) > 0 else { continue }
      let count = Glibc.read(end, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      deadline = bootSeconds() + silenceLimit
      line += bytes[..<count]
      // Only the last line matters.
      let text = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
      if let before = text.lastIndex(of: UInt8(ascii: "\n")) { line.removeSubrange(...before) }
      if line.count > 256 { line.removeFirst(line.count - 256) }
    }
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  /// Waits until the next contact. The function uses the monotonic clock, because the wall clock can be
  /// set back by years.
  private func wait(_ next: NextContact, _ watch: EventWatch?, _ alive: () -> Void) {
    let wasPaused = isPaused
    let end = bootSeconds() + next.seconds
    while true {
      alive()
      let rest = end - bootSeconds()
      // A pause or its end takes effect at the next of these steps.
      if rest <= 0 || isPaused != wasPaused { return }
      let step = min(rest, 10)
      // After a failure, new events do not shorten the pause that the archive needs.
      guard next.failures == 0, let watch else {
        sleep(UInt32(step))
        continue
      }
      if watch.wait(seconds: step) {
        // Events that belong together travel together.
        sleep(UInt32(min(rest, LinkTiming.wakeSeconds - 5)))
        return
      }
    }
  }

  private var isPaused: Bool { access(pauseFile, F_OK) == 0 }
}

/// The seconds since the start of the machine, with the time in standby.
func bootSeconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_BOOTTIME, &now)
  return Int64(now.tv_sec)
}
