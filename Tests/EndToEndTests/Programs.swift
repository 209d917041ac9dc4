import Foundation
import Processes
import Synchronization

/// The paths of the programs under test.
enum Programs {
  /// The directory of the test program. The build puts the other programs into the same directory.
  static let directory: String = {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ((own ?? "") as NSString).deletingLastPathComponent
  }()

  static func path(_ name: String) -> String { "\(directory)/\(name)" }
}

/// The exit code and the output of a program.
struct Finished: Sendable, CustomStringConvertible {
  var command: String
  var code: Int32
  var output: String
  var complaint: String

  var description: String { "\(command) ended with \(code): \(output)\(complaint)" }
}

/// A running program whose output goes to files.
///
/// If the output went to a pipe, the program would wait whenever the pipe is full, until the test
/// reads the pipe. `ChildProcess` starts the program. With Foundation's `Process`, a bad pointer
/// ended the test after a few hundred programs.
final class Running: Sendable {
  let pid: pid_t
  private let command: String
  private let files: [String]
  private let state = Mutex<State>(.running([]))

  private enum State {
    case running([CheckedContinuation<Int32, Never>])
    /// The program has ended. The value is the exit code, or 128 plus the number of the signal.
    case over(Int32)
  }

  init(
    _ program: String, _ arguments: [String], in directory: URL,
    environment: [String: String] = [:]
  ) throws {
    command = ([(program as NSString).lastPathComponent] + arguments).joined(separator: " ")
    let name = UUID().uuidString
    files = ["out", "err"].map {
      directory.appending(path: "\(name).\($0)").path(percentEncoded: false)
    }
    let variables = ProcessInfo.processInfo.environment
      .filter { $0.key != "PROMPTER_SOCKET" }.merging(environment) { $1 }
    pid = try Self.spawn(program, arguments, variables, files)
    let thread = Thread { [self] in
      end(ChildProcess.exitCode(status: ChildProcess.wait(pid)))
    }
    thread.start()
  }

  /// Waits for the end of the program.
  func finished() async -> Finished {
    let code = await withCheckedContinuation { continuation in
      state.withLock { state in
        switch state {
        case .running(let waiters): state = .running(waiters + [continuation])
        case .over(let code): continuation.resume(returning: code)
        }
      }
    }
    return Finished(command: command, code: code, output: said(0), complaint: said(1))
  }

  var isRunning: Bool { state.withLock { if case .running = $0 { true } else { false } } }

  /// The text that the program has written to standard output so far.
  var output: String { said(0) }

  /// The text that the program has written to standard error so far.
  var complaint: String { said(1) }

  /// Sends a signal; does nothing if the program has ended.
  func send(_ signal: Int32) { if isRunning { kill(pid, signal) } }

  private func end(_ code: Int32) {
    state.withLock { state in
      if case .running(let waiters) = state {
        for waiter in waiters { waiter.resume(returning: code) }
      }
      state = .over(code)
    }
  }

  private func said(_ index: Int) -> String {
    (try? String(contentsOfFile: files[index], encoding: .utf8)) ?? ""
  }

  /// Starts the program without input. The program appends its output and its errors to the files.
  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String], _ files: [String]
  ) throws -> pid_t {
    let null = ChildProcess.openNull()
    defer { close(null) }
    let outputs = files.map { file in
      let low = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      defer { close(low) }
      // The new descriptor is at least 10, so it differs from the descriptors 0 to 2 of the child.
      return fcntl(low, F_DUPFD_CLOEXEC, 10)
    }
    defer { for output in outputs { close(output) } }
    return try ChildProcess.spawn(
      program, arguments: arguments, environment: environment,
      descriptors: [(0, null), (1, outputs[0]), (2, outputs[1])])
  }
}
