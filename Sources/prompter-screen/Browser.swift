import FoundationEssentials
import Glibc
import Processes

/// A browser that this program started. The browser consists of several processes.
struct Browser {
  private let pid: pid_t
  private let profile: String

  /// Starts the browser with an empty profile. The thread that calls this function must not end
  /// before the browser ends.
  init(_ command: BrowserCommand, address: String) throws {
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(temporary)/prompter-browser-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SpawnFailure(executable: command.program, code: errno)
    }
    let profile = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.profile = profile
    let null = ChildProcess.openNull()
    let log = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)
    defer {
      close(null)
      close(log)
    }
    do {
      pid = try ChildProcess.spawn(
        command.program, arguments: command.arguments(profile: profile, address: address),
        environment: nil,
        descriptors: [(STDIN_FILENO, null), (STDOUT_FILENO, null), (STDERR_FILENO, log)])
    } catch {
      Self.remove(profile)
      throw error
    }
  }

  /// True while the first process of the browser runs.
  var isRunning: Bool { !ChildProcess.hasEnded(pid) }

  /// Kills all processes of the browser, waits until they have ended, and removes the profile.
  ///
  /// The browser stores no data that is needed later, so the function does not ask the browser to
  /// end first. A browser that hangs would ignore the request anyway.
  ///
  /// - Returns: a text that says how the browser ended.
  func end() -> String {
    // The kernel reuses the number of the process group only after this program has read the exit
    // status. Therefore the signal cannot reach another process group.
    kill(-pid, SIGKILL)
    let status = ChildProcess.wait(pid)
    // Wait for the other processes of the group, because they can still write to the profile until
    // they have ended.
    for _ in 0..<200 where kill(-pid, 0) == 0 { usleep(10_000) }
    Self.remove(profile)
    return ChildProcess.describe(status: status)
  }

  private static func remove(_ profile: String) {
    do {
      try FileManager.default.removeItem(atPath: profile)
    } catch {
      report("cannot remove the profile \(profile) of the browser: \(error)")
    }
  }
}
