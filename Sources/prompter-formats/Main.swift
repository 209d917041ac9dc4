import CAV
import CSandbox
@preconcurrency import Glibc
import Sandbox
import SoundProcessing

/// The main program of prompter-formats, which is the only program that uses the libraries of
/// FFmpeg.
///
/// The daemon starts this program once for each upload that `prompter-sound` cannot read. If this
/// program crashes, hangs or is killed, the daemon continues.
@main struct Main {
  static let usage = """
    usage: prompter-formats decode [--report-fd N]
             Decode an upload on stdin to WAV on stdout.
           prompter-formats confined --try WHAT
             For tests: try an action that the sandbox forbids.
    """

  /// The limits of the decoder.
  ///
  /// The libraries of FFmpeg, with the libraries that they need, take 170 MiB of address space. To
  /// decode one minute of sound, the program needs less than 1 s of processor time.
  static let program = DecoderProgram(addressSpaceBytes: 256 << 20, processorSeconds: 4)

  nonisolated static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let options = Options(arguments.dropFirst())
    guard SandboxedProgram.stayWithParent(options) else { exit(0) }
    // The libraries of FFmpeg read the properties of the terminal and of the processor once, at
    // their first use. The sandbox does not permit these reads, so this code causes them before the
    // sandbox begins.
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
