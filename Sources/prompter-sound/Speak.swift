import CSandbox
@preconcurrency import Glibc
import Sandbox

/// `prompter-sound speak`: enters a sandbox and becomes espeak-ng.
///
/// It speaks words from standard input into a WAV on standard output. espeak-ng is a C program that
/// has crashed on texts with invalid memory accesses, so it is trusted as little as a decoder. It
/// may read programs, libraries and voices, and write its output; nothing else.
enum Speak {
  /// Forty times the time for the longest text.
  static let processorSeconds: UInt32 = 10
  /// Limit of the address space.
  ///
  /// Thirty libraries take 90 MiB of address space, and a minute of sound takes little more.
  static let addressSpaceBytes: UInt64 = 256 << 20

  /// Exit status: espeak-ng's own; 2 for wrong usage; 3 if it could not be started in the sandbox.
  ///
  /// For status 3, the reason is written to `--report-fd`.
  static func run(_ options: Options) -> Int32 {
    guard let program = options["--program"], program.hasPrefix("/"),
      let language = options["--language"], let pace = options["--words-per-minute"]
    else {
      printError(
        "cannot speak: --program (absolute path), --language and --words-per-minute are required")
      return 2
    }
    let report = options["--report-fd"].flatMap { Int32($0) } ?? STDERR_FILENO
    if report > STDERR_FILENO { _ = fcntl(report, F_SETFD, FD_CLOEXEC) }
    // Without `-m`, markup (SSML) is spoken and not executed.
    let arguments = [program, "--stdin", "--stdout", "-v", language, "-s", pace]
    let code = become(arguments, ["PATH=/usr/bin:/bin", "LC_ALL=C"])
    let why = "cannot start \(program) in a sandbox: \(String(cString: strerror(code)))"
    _ = writeAll(report, Array("\(why)\n".utf8))
    return 3
  }

  /// - Returns: the error number; it does not return if it succeeds.
  private static func become(_ arguments: [String], _ environment: [String]) -> Int32 {
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    return prompter_sandbox_speak(
      words[0], &words, &variables, addressSpaceBytes, processorSeconds)
  }
}
