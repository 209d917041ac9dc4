import Glibc
import Processes

/// Contacts the archive of the study again and again.
///
/// Each contact runs in a separate process (`prompter-link contact`). This process needs libcurl
/// and about 30 other libraries, but runs only for about one second in 15 minutes. Between two
/// contacts, only this small program is in memory.
public struct ContactTimer {
  /// The maximum time without output from the process of a contact, in seconds. A request takes at
  /// most 60 s, and the process prints a line at least after every third request.
  static let silenceLimit: Int64 = 240

  private let command: [String]
  private let pauseFile: String
  private let socket: String
  private let wakesAtOnce: Bool
  private let report: (String) -> Void

  /// - Parameters:
  ///   - program: the path of `prompter-link`.
  ///   - socket: the socket of the daemon.
  ///   - directory: the directory with the enrolment. While this directory contains the file
  ///     `paused`, the link is paused.
  ///   - wakesAtOnce: true if the timer must start a contact soon after each new event.
  ///   - report: a function that writes a line to the journal.
  public init(
    program: String, socket: String, directory: String, wakesAtOnce: Bool,
    report: @escaping (String) -> Void
  ) {
    command = [program, "contact", "--socket", socket, "--state", directory]
    pauseFile = "\(directory)/paused"
    (self.socket, self.wakesAtOnce, self.report) = (socket, wakesAtOnce, report)
  }

  /// Contacts the archive until no further contact is possible. For example, the home can have left
  /// the study. In this case, the process of the last contact writes the reason to the journal.
  ///
  /// - Parameter alive: a function that is called at least about every 30 seconds.
  public func run(alive: () -> Void) {
    // The watch begins before the first contact. Therefore the link misses no event between the
    // first contact and the start of the watch.
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

  /// The way in which the process of a contact ended.
  enum Result: Hashable {
    case ended(NextContact)
    /// The contact failed, and every later contact would fail for the same reason.
    case impossible
    /// The process did not start, was killed or hung.
    case lost(String)
  }

  /// Runs the process of one contact, and waits until the process has ended.
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

  /// Returns the result of a contact from the end of its process.
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

  /// Reads the output of the process of a contact until the end of the output.
  ///
  /// - Returns: the last line; nil if the process printed nothing for `silenceLimit` seconds.
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
      // Keep only the last line, because only this line contains the time of the next contact.
      let text = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
      if let before = text.lastIndex(of: UInt8(ascii: "\n")) { line.removeSubrange(...before) }
      if line.count > 256 { line.removeFirst(line.count - 256) }
    }
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  /// Waits until the next contact. The wait ends early if somebody pauses or resumes the link, or
  /// if there are new events. The function uses the boot time, because nobody can set this clock.
  private func wait(_ next: NextContact, _ watch: EventWatch?, _ alive: () -> Void) {
    let wasPaused = isPaused
    let end = bootSeconds() + next.seconds
    while true {
      alive()
      let rest = end - bootSeconds()
      // The wait consists of steps of at most 10 s. If somebody has paused or resumed the link, the
      // wait ends at the next step.
      if rest <= 0 || isPaused != wasPaused { return }
      let step = min(rest, 10)
      // After a failed contact, wait for the whole time, even if there are new events. Without this
      // pause, the link would send too many requests to an archive that has a problem.
      guard next.failures == 0, let watch else {
        sleep(UInt32(step))
        continue
      }
      if watch.wait(seconds: step) {
        // Wait for further events, because one contact can send several events together.
        sleep(UInt32(min(rest, LinkTiming.wakeSeconds - 5)))
        return
      }
    }
  }

  private var isPaused: Bool { access(pauseFile, F_OK) == 0 }
}

/// Returns the boot time in seconds. The boot time includes the time in which the device slept.
func bootSeconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_BOOTTIME, &now)
  return Int64(now.tv_sec)
}
