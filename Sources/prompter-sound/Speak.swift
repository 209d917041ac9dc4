import CSandbox
@preconcurrency import Glibc
import Sandbox

/// `prompter-sound speak`: becomes espeak-ng, confined. Words on standard input become a WAV on standard
/// output.
///
/// espeak-ng is a C program that has crashed on texts in memory that was not its own. It is not trusted more
/// than a decoder: it reads programs, libraries and voices, writes what it says, and does nothing else.
enum Speak {
  /// Forty times what the longest text takes.
  static let processorSeconds: UInt32 = 10
  /// Thirty libraries take 90 MiB of address space, and a minute of sound little more.
  static let addressSpaceBytes: UInt64 = 256 << 20

  /// Exit status: what espeak-ng ends with; 2 for bad usage, 3 if it could not be confined or started.
  /// Then the reason is on `--report-fd`.
  static func run(_ options: Options) -> Int32 {
    guard let program = options["--program"], program.hasPrefix("/"),
      let language = options["--language"], let pace = options["--words-per-minute"]
    else {
      printError(
        "cannot speak: --program (a whole path), --language and --words-per-minute are needed")
      return 2
    }
    let report = options["--report-fd"].flatMap { Int32($0) } ?? STDERR_FILENO
    if report > STDERR_FILENO { _ = fcntl(report, F_SETFD, FD_CLOEXEC) }
    // Without `-m`, so markup (SSML) is read out and not obeyed.
    let arguments = [program, "--stdin", "--stdout", "-v", language, "-s", pace]
    let code = become(arguments, ["PATH=/usr/bin:/bin", "LC_ALL=C"])
    let why = "cannot confine and start \(program): \(String(cString: strerror(code)))"
    _ = writeAll(report, Array("\(why)\n".utf8))
    return 3
  }

  /// - Returns: the error number; it does not return otherwise.
  private static func become(_ arguments: [String], _ environment: [String]) -> Int32 {
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    return prompter_sandbox_speak(
      words[0], &words, &variables, addressSpaceBytes, processorSeconds)
  }
}
