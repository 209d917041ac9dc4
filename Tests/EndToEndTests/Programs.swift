import Foundation
import Synchronization

/// The programs under test, as they were built beside the test.
enum Programs {
  /// Where the test's own program lies; the others were built into the same directory.
  static let directory: String = {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ((own ?? "") as NSString).deletingLastPathComponent
  }()

  static func path(_ name: String) -> String { "\(directory)/\(name)" }
}

/// How a program ended and what it said.
struct Finished: Sendable, CustomStringConvertible {
  var command: String
  var code: Int32
  var output: String
  var complaint: String

  var description: String { "\(command) ended with \(code): \(output)\(complaint)" }
}

/// A program that runs, with what it says kept in files: a pipe would have to be emptied.
final class Running: @unchecked Sendable {
  let process = Process()
  private let command: String
  private let files: [URL]
  private let ended = Mutex<(isOver: Bool, waiter: CheckedContinuation<Void, Never>?)>((false, nil))

  init(
    _ program: String, _ arguments: [String], in directory: URL,
    environment: [String: String] = [:]
  ) throws {
    command = ([(program as NSString).lastPathComponent] + arguments).joined(separator: " ")
    let name = UUID().uuidString
    files = ["out", "err"].map { directory.appending(path: "\(name).\($0)") }
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .filter { $0.key != "PROMPTER_SOCKET" }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    for file in files { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    process.terminationHandler = { [ended] _ in
      ended.withLock { state in
        state.isOver = true
        state.waiter?.resume()
        state.waiter = nil
      }
    }
    try process.run()
  }

  /// Waits for the end.
  func finished() async -> Finished {
    await withCheckedContinuation { continuation in
      ended.withLock { state in
        if state.isOver { continuation.resume() } else { state.waiter = continuation }
      }
    }
    return Finished(
      command: command, code: process.terminationStatus, output: said(0), complaint: said(1))
  }

  /// What it has said so far on standard error.
  var complaint: String { said(1) }

  /// Ends it as a power cut would, as far as a process can tell.
  func kill() async {
    Foundation.kill(process.processIdentifier, SIGKILL)
    _ = await finished()
  }

  private func said(_ index: Int) -> String {
    (try? String(contentsOf: files[index], encoding: .utf8)) ?? ""
  }
}
