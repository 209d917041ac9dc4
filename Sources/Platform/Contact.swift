import CSupervisor
import CivilTime
import Glibc
import Processes

/// A contact outside the home, and the command that notifies this contact.
public struct Contact: Sendable, Hashable {
  /// The program that notifies the contact, and the arguments of the program.
  public var command: [String]
  /// The maximum run time of the command, 1 to 300 seconds. After this time, the supervisor kills
  /// the command and all processes that the command started.
  public var timeoutSeconds: Int
  /// The time of day at which the contact gets the summary of the day; nil if the contact gets no
  /// summary.
  public var summary: ClockTime?
  /// True if the daemon notifies this contact when a person requests a call.
  public var takesCalls: Bool

  public init(
    command: [String], timeoutSeconds: Int, summary: ClockTime? = nil, takesCalls: Bool = false
  ) {
    self.command = command
    self.timeoutSeconds = timeoutSeconds
    self.summary = summary
    self.takesCalls = takesCalls
  }

  public static let standardTimeoutSeconds = 30

  /// The reason why the command cannot run; nil if the check finds no problem.
  ///
  /// A sandbox can hide home and temporary directories from this process, but not from the process
  /// that runs the command. Therefore, the check ignores programs in these directories.
  public var trouble: String? {
    let hidden = ["home", "root", "run/user", "tmp", "var/tmp"].map { "/\($0)/" }
    guard let program = command.first, !hidden.contains(where: program.hasPrefix) else {
      return nil
    }
    var status = stat()
    if stat(program, &status) != 0 { return "\(program): \(String(cString: strerror(errno)))" }
    // Check the mode bits instead of calling access(2). access(2) checks the permissions of the
    // current user, but the command runs as a different user.
    return status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o111 != 0
      ? nil : "\(program) is not a program that can be run"
  }

  /// Runs the command, and returns after the command has ended.
  ///
  /// A supervisor runs the command (`CSupervisor`). When the command ends or its time is over, the
  /// supervisor kills every process that the command started. This includes processes in a
  /// different session.
  ///
  /// - Parameter started: a function whose argument is the process id of the supervisor. If the
  ///   supervisor gets SIGTERM, it kills the command.
  /// - Returns: the reason for the failure; nil if the command succeeded.
  public func run(environment: [(String, String)], started: (pid_t) -> Void) -> String? {
    // The daemon connects the input and the output of the command to /dev/null. Otherwise, a name
    // in the output of the command would appear in the journal.
    let null = ChildProcess.openNull()
    defer { close(null) }
    guard let report = DescriptorPair.make() else {
      return HostError.system("start its command", errno).description
    }
    defer { close(report.reading) }
    let pid: pid_t
    do {
      defer { close(report.writing) }
      pid = try ChildProcess.spawn(
        "/proc/self/exe",
        arguments: [String(cString: prompter_supervisor_argument()), "\(timeoutSeconds)"] + command,
        environment: Dictionary(environment) { _, last in last },
        descriptors: [(0, null), (1, null), (2, null), (3, report.writing)])
    } catch {
      return HostError.system("start its command", error.code).description
    }
    started(pid)
    let status = ChildProcess.wait(pid)
    if let code = Self.errorNumber(report.reading) {
      return HostError.system("start its command", code).description
    }
    return failure(status)
  }

  /// Returns the error number that the supervisor reported; nil if the supervisor started the
  /// command.
  private static func errorNumber(_ descriptor: CInt) -> CInt? {
    var code: CInt = 0
    let count = withUnsafeMutableBytes(of: &code) {
      read(descriptor, $0.baseAddress, $0.count)
    }
    return count == MemoryLayout<CInt>.size ? code : nil
  }

  private func failure(_ status: Int32) -> String? {
    let signal = status & 0x7F
    if signal == 0 {
      let code = (status >> 8) & 0xFF
      return code == 0 ? nil : "its command ended with status \(code)"
    }
    return signal == SIGKILL
      ? "its command was killed: it ran longer than \(timeoutSeconds) s"
      : "its command was ended by signal \(signal)"
  }
}
