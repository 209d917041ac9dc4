import CSandbox
@preconcurrency import Glibc
import Sandbox

/// The main program of prompter-image, the only program that uses picture decoders.
///
/// If this program crashes, hangs or is killed, the daemon continues. The daemon communicates with
/// prompter-image through pipes.
@main struct Main {
  static let usage = """
    usage: prompter-image decode [--report-fd N]
             Decode an upload on stdin, and write the picture and its thumbnail to stdout.
    """

  nonisolated static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let options = Options(arguments.dropFirst())
    guard arguments.first == "decode" else {
      printError(usage)
      exit(2)
    }
    guard SandboxedProgram.stayWithParent(options) else { exit(0) }
    let report = options["--report-fd"].flatMap { Int32($0) } ?? STDERR_FILENO
    prompter_close_from(max(3, UInt32(clamping: report) + 1))
    exit(ImageDecoding.run(reportDescriptor: report))
  }
}
