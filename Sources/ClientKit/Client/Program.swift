import Glibc
import Processes

/// Starts other programs, for example tar, ssh or an editor.
package enum Program {
  /// Starts a program. The function searches for the program in the folders of the variable PATH.
  ///
  /// - Parameters:
  ///   - words: the name of the program and its arguments.
  ///   - input: the descriptor for the standard input of the program; nil for the standard input of
  ///     this process.
  ///   - output: the descriptor for the standard output of the program; nil for the standard output
  ///     of this process.
  ///   - errors: the descriptor for the standard error of the program; nil for the standard error
  ///     of this process.
  ///   - third: the descriptor that the program gets as its descriptor 3; nil if the program gets
  ///     no descriptor 3. The caller closes all these descriptors.
  /// - Returns: the process id of the program. The caller must wait for the end of the program.
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

  /// Returns the path of the program `name`, which Prompter installs in the folder of the running
  /// program; nil if `name` is not installed.
  package static func installed(_ name: String) -> String? {
    guard let path = SiblingProgram.path(name), access(path, X_OK) == 0 else { return nil }
    return path
  }

  /// Waits for the end of a program.
  ///
  /// - Returns: the exit code of the program. If a signal ended the program, the result is 128 plus
  ///   the number of the signal.
  package static func wait(_ pid: pid_t) -> Int32 {
    ChildProcess.exitCode(status: ChildProcess.wait(pid))
  }

  /// Returns the standard output of a program; nil if the program fails or does not exist.
  package static func output(_ words: [String]) -> String? {
    guard let ended = try? ChildProcess.run(words), ended.status == 0 else { return nil }
    return String(decoding: ended.output, as: UTF8.self)
  }
}
