import CSandbox
@preconcurrency import Glibc
import Sandbox

/// The command `prompter-sound speak`. It enters a sandbox, and then executes espeak-ng.
///
/// espeak-ng speaks the words from standard input, and writes a WAV file to standard output.
/// espeak-ng is a C program that has crashed on some texts because of invalid memory accesses.
/// Therefore, espeak-ng runs in a sandbox, as the decoders do. In the sandbox, espeak-ng can read
/// only programs, libraries and voices, and can write only its output.
enum Speak {
  /// The limit of the processor time in seconds. The limit is forty times the processor time that
  /// espeak-ng needs for the longest permitted text.
  static let processorSeconds: UInt32 = 10
  /// The limit of the address space in bytes.
  ///
  /// The thirty libraries of espeak-ng take 90 MiB of address space. A minute of speech takes only
  /// a few megabytes more.
  static let addressSpaceBytes: UInt64 = 256 << 20

  /// Enters the sandbox and executes espeak-ng. If espeak-ng starts, it replaces this program, so
  /// the function does not return. The process then has the exit status of espeak-ng.
  ///
  /// - Returns: 2 for wrong arguments, and 3 if espeak-ng could not be started in the sandbox. For
  ///   status 3, the function writes the reason to the descriptor of `--report-fd`.
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
    // Without the option `-m`, espeak-ng speaks markup (SSML) as text and does not interpret the
    // markup.
    let arguments = [program, "--stdin", "--stdout", "-v", language, "-s", pace]
    let code = become(arguments, ["PATH=/usr/bin:/bin", "LC_ALL=C"])
    let why = "cannot start \(program) in a sandbox: \(String(cString: strerror(code)))"
    _ = writeAll(report, Array("\(why)\n".utf8))
    return 3
  }

  /// Replaces this program with espeak-ng. If espeak-ng starts, the function never returns.
  ///
  /// - Returns: the error number if the system cannot execute espeak-ng.
  private static func become(_ arguments: [String], _ environment: [String]) -> Int32 {
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    return prompter_sandbox_speak(
      words[0], &words, &variables, addressSpaceBytes, processorSeconds)
  }
}
