import Glibc
import JSONValue
import Processes

/// Runs the program prompter-calendar, which reads calendar files in a sandbox.
///
/// The program always runs on the machine of the command line, even with the option `--host`.
package enum CalendarProgram {
  /// The time limit for the program, in milliseconds. In addition, the program limits its own
  /// processor time.
  private static let boundMilliseconds: Int64 = 60_000
  /// The maximum size of the output in bytes. For a file of 10 MiB with very short lines, the
  /// output is about six times as large as the file.
  private static let largestOutput = 128 << 20

  /// Returns the content of a calendar file, in the form that prompter-calendar writes.
  ///
  /// - Parameters:
  ///   - path: the name of the file, for an error message.
  ///   - now: the present instant, in seconds since 1970.
  ///   - executable: the path of prompter-calendar; nil if the function must use the program
  ///     prompter-calendar in the folder of this program.
  /// - Throws: `Failure.badUsage` if the program is missing, fails or takes too long.
  package static func read(
    _ bytes: [UInt8], path: String, now: Int64, executable: String? = nil
  ) throws(Failure) -> JSON {
    guard let executable = executable ?? SiblingProgram.path("prompter-calendar") else {
      throw failure(path, "cannot find the folder of this program", "install Prompter again")
    }
    let helper = Helper(
      executable: executable, arguments: ["read", "--now", "\(now)", "--parent", "\(getpid())"],
      name: "the calendar reader", boundMilliseconds: boundMilliseconds,
      largestOutput: largestOutput)
    switch HelperRun.performHere(helper, input: bytes) {
    case .failure(let trouble):
      let isMissing = access(executable, X_OK) != 0
      throw failure(
        path, trouble.sentence, isMissing ? "install Prompter again" : "import a smaller part of it"
      )
    case .success(let output):
      guard let json = try? JSON(parsing: output.bytes) else {
        // If a library is missing, the dynamic linker ends the program with the exit status 127.
        if output.exit == "exit status 127" {
          throw failure(path, "the library libical is missing", "install the package libical3")
        }
        if output.exit == "exit status 4" {
          throw failure(path, "it has too many lines", "import a smaller part of it")
        }
        throw failure(
          path, "the calendar reader failed: \(output.exit)", "import a smaller part of it")
      }
      return json
    }
  }

  private static func failure(_ path: String, _ why: String, _ remedy: String) -> Failure {
    .badUsage("cannot read \(path): \(why); \(remedy)")
  }
}
