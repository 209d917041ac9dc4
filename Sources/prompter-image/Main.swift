import CSandbox
@preconcurrency import Glibc
import Sandbox

/// The only program that uses picture decoders.
///
/// It may crash, hang or be killed alone; the daemon communicates with it through pipes.
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
