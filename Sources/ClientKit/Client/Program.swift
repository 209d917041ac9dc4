import Glibc
import Processes

/// Starts other programs: tar, ssh or an editor.
package enum Program {
  /// Starts a program found on the PATH.
  ///
  /// - Parameters:
  ///   - words: its name and arguments.
  ///   - input: its standard input; nil for this process's. The caller closes the descriptor.
  ///   - output: its standard output, in the same way.
  ///   - errors: its standard error, in the same way.
  ///   - third: its descriptor 3; nil for none.
  /// - Returns: its process id. The caller must wait for it.
  package static func start(
    _ words: [String], input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil,
    third: Int32? = nil
  ) throws -> pid_t {
    let streams = [input, output, errors, third].enumerated()
    do {
      return try ChildProcess.spawnInForeground(
        words, descriptors: streams.compactMap { child, ours in ours.map { (Int32(child), $0) } })
    } catch {
      throw Failure.badUsage("cannot run \(error.executable): \(error.reason)")
    }
  }

  /// Waits for the end of a program.
  ///
  /// - Returns: its exit code, or 128 and the signal that ended it.
  package static func wait(_ pid: pid_t) -> Int32 {
    ChildProcess.exitCode(status: ChildProcess.wait(pid))
  }

  /// Returns the standard output of a program; nil if it fails or does not exist.
  package static func output(_ words: [String]) -> String? {
    guard let ended = try? ChildProcess.run(words), ended.status == 0 else { return nil }
    return String(decoding: ended.output, as: UTF8.self)
  }
}
