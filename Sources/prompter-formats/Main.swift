import CAV
import CSandbox
@preconcurrency import Glibc
import Sandbox
import SoundProcessing

/// The main program of prompter-formats, the only program that uses the libraries of FFmpeg.
///
/// The daemon starts the program for each upload that `prompter-sound` cannot read. If this program
/// crashes, hangs or is killed, the daemon continues.
@main struct Main {
  static let usage = """
    usage: prompter-formats decode [--report-fd N]
             Decode an upload on stdin to WAV on stdout.
           prompter-formats confined --try WHAT
             For tests: try an action that the sandbox forbids.
    """

  /// The limits of the decoder.
  ///
  /// The libraries of FFmpeg and the libraries that they need take 170 MiB of address space. The
  /// decoding of one minute of sound takes less than 1 s of processor time.
  static let program = DecoderProgram(addressSpaceBytes: 256 << 20, processorSeconds: 4)

  nonisolated static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let options = Options(arguments.dropFirst())
    guard SandboxedProgram.stayWithParent(options) else { exit(0) }
    // The libraries of FFmpeg read the properties of the terminal and of the processor only once.
    // The sandbox does not allow this, so the libraries must do it before the sandbox begins.
    av_log_set_level(AV_LOG_QUIET)
    _ = av_get_cpu_flags()
    _ = av_cpu_count()
    switch arguments.first {
    case "decode":
      let report = options["--report-fd"].flatMap { Int32($0) } ?? STDERR_FILENO
      prompter_close_from(max(3, UInt32(clamping: report) + 1))
      exit(program.run(reportDescriptor: report, decode: ContainerFile.decode))
    case "confined":
      guard let attempt = options["--try"] else { break }
      exit(program.tryConfined(attempt))
    default: break
    }
    printError(usage)
    exit(2)
  }
}
